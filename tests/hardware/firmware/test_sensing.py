import pytest

from hardware.firmware.referee_board.sensing import (
    ABSENT,
    DEBOUNCE_MS,
    PRESENT,
    UNKNOWN,
    Sensing,
    SensorThresholds,
    Supply,
)
from tests.hardware.firmware.desk import Desk, ready, reliable
from tests.tables import tables

STEP = 5


def after(readings):
    """Each reading lasts one step of power 0 at place 0: what is known, and what was reported."""
    sensing = Sensing(1, SensorThresholds())
    reports = []
    for number, millivolts in enumerate(readings):
        row = [millivolts, 1650, 1650, 1650]
        changed, failed, works = sensing.update(0, row, number * STEP)
        if changed or failed & 1 or works & 1:
            reports.append((number, sensing.cell(0) & 3, failed & 1, works & 1))
    return sensing.cell(0) & 3, reports


LASTING = DEBOUNCE_MS // STEP + 1  # steps until a reading has lasted


@pytest.mark.parametrize(("millivolts", "known"), tables(__file__)["lasting"])
def test_a_lasting_reading(millivolts, known):
    words = {"absent": ABSENT, "present": PRESENT, "unknown": UNKNOWN}
    assert after([millivolts] * LASTING)[0] == words[known]


@pytest.mark.parametrize(
    ("before", "between", "known"),
    [(1650, 2040, ABSENT), (2100, 1960, PRESENT), (1650, 1260, ABSENT), (0, 1990, UNKNOWN)],
)
def test_between_the_thresholds_stays_what_was(before, between, known):
    assert after([before] * LASTING + [between] * 100)[0] == known


# When the first reading, and those after it, have lasted.
FIRST, SECOND, THIRD = (n * LASTING - 1 for n in (1, 2, 3))
AT_FIRST = (FIRST, ABSENT, 0, 0)


@pytest.mark.parametrize(
    ("readings", "reports"),
    [
        pytest.param([2600] * (LASTING - 1) + [1650] * 20, [], id="not long enough"),
        pytest.param([2600] * LASTING, [(SECOND, PRESENT, 0, 0)], id="long enough"),
        pytest.param([2600, 2600, 1650] * 30, [], id="a bump begins the wait anew"),
        pytest.param([0] * LASTING, [(SECOND, UNKNOWN, 1, 0)], id="a wire breaks"),
        pytest.param(
            [0] * LASTING + [1650] * LASTING,
            [(SECOND, UNKNOWN, 1, 0), (THIRD, ABSENT, 0, 1)],
            id="and is mended",
        ),
        pytest.param(
            [0] * LASTING + [600] * LASTING,
            [(SECOND, UNKNOWN, 1, 0), (THIRD, PRESENT, 0, 1)],
            id="and is mended under a magnet",
        ),
        pytest.param([0, 1650] * 50, [], id="a wire that only trembles"),
        pytest.param(
            [600] * LASTING + [2700] * LASTING,
            [(SECOND, PRESENT, 0, 0)],
            id="the magnet turned over",
        ),
        pytest.param(
            [2600] * 4 + [3300] * LASTING,
            [(SECOND + 4, UNKNOWN, 1, 0)],
            id="a magnet, no: a short circuit",
        ),
    ],
)
def test_reports(readings, reports):
    assert after([1650] * LASTING + readings)[1] == [AT_FIRST, *reports]


def test_a_sensor_broken_from_the_start_is_reported_and_was_unknown_before():
    _, reports = after([0] * LASTING)
    assert reports == [(FIRST, UNKNOWN, 1, 0)]


def test_the_wrap_of_the_clock_changes_nothing():
    sensing = Sensing(1, SensorThresholds())
    now = 2**32 - 20
    changes = []
    for step in range(12):
        changed, _, _ = sensing.update(0, [2600] * 4, (now + step * STEP) % 2**32)
        changes.append(changed)
    assert changes.index(True) == DEBOUNCE_MS // STEP
    assert sensing.cells() == b"\x55"


def test_powers_lie_in_the_cell_from_the_lowest_bits_up():
    sensing = Sensing(2, SensorThresholds())
    for step in range(LASTING):
        sensing.update(0, [2600, 1650, 0, 2600], step * STEP)
        sensing.update(1, None, step * STEP)
    assert sensing.cells() == bytes([0b01_10_00_01, 0xAA])


@pytest.mark.parametrize("wrong", [{"present": 200}, {"broken": 1300}, {"short": 2000}])
def test_thresholds_out_of_order_are_refused(wrong):
    with pytest.raises(ValueError, match="in order"):
        SensorThresholds(**wrong)


# -- the supply

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
    desk = ready()
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
