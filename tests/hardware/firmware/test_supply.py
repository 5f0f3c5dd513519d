import pytest

from hardware.firmware.referee_board.sensing import Supply
from tests.hardware.firmware.desk import Desk, reliable

STEP = 5
LONG = 120  # steps, longer than it has to last


def reported(readings):
    """At which of these readings, one a step, it became low, and whether it is so at the end."""
    supply = Supply()
    found = [n for n, millivolts in enumerate(readings) if supply.update(millivolts, n * STEP)]
    return found, supply.low


@pytest.mark.parametrize(
    ("readings", "times", "low"),
    [
        ([4700] * LONG, 0, False),
        ([4101] * LONG, 0, False),
        ([4000] * 90, 0, False),
        ([4000] * LONG, 1, True),
        ([4000, 4200] * LONG, 0, False),
        ([4000] * LONG + [4200] * LONG + [4000] * LONG, 1, True),
        ([4000] * LONG + [4300] * LONG, 1, False),
        ([4000] * LONG + [4300] * LONG + [4000] * LONG, 2, True),
        ([0] * LONG, 0, False),
        ([4000] * LONG + [0] * LONG, 1, True),
    ],
)
def test_a_low_supply_has_to_last_and_is_reported_once(readings, times, low):
    found, at_the_end = reported(readings)
    assert (len(found), at_the_end) == (times, low)


def test_it_is_told_to_the_host_and_again_to_the_next_one():
    desk = Desk()
    desk.run(100)
    desk.connect()
    desk.settle(20)
    desk.supply_mv = 3900
    assert reliable(desk.settle(450)) == []
    (error,) = reliable(desk.settle(100))
    assert (error.code, error.place, error.detail) == (5, 255, 3900)
    assert reliable(desk.settle(2000)) == []
    desk.connect()
    assert [error.code for error in reliable(desk.settle(20))[:1]] == [5]
    desk.supply_mv = 4700
    desk.settle(600)
    desk.connect()
    assert [type(message).__name__ for message in reliable(desk.settle(20))] == ["Snapshot"]


def test_without_a_host_it_takes_no_room_in_the_memory():
    desk = Desk()
    first = desk.run(100)[-1].newest_seq
    desk.supply_mv = 3900
    assert desk.run(5000)[-1].newest_seq == first + 4  # the start's
    desk.connect()
    assert [error.code for error in reliable(desk.settle(20))[:1]] == [5]
