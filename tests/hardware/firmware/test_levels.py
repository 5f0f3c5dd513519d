"""What a builder asks a board for: the levels of its sensors, and where they rest."""

import pytest

from hardware.board.wire import messages as msg
from hardware.firmware.referee_board.levels import MiddlesFile
from tests.hardware.firmware.desk import MAGNET, NO_MAGNET, Desk, ready, reliable

LIMITS = (400, 300, 150, 3200)


@pytest.fixture
def file(tmp_path):
    return MiddlesFile(str(tmp_path / "middles.txt"))


def measuring(**more):
    desk = ready(**more)
    desk.send(msg.Measure(1, 5))
    assert msg.Done(1, 0) in desk.settle(200)
    return desk


def levels(heard):
    return [message for message in heard if isinstance(message, msg.Levels)]


def test_each_place_tells_five_times_a_second():
    desk = measuring()
    told = levels(desk.settle(1000))
    assert [one.place for one in told] == [0, 1, 2, 3] * 5
    middles = (NO_MAGNET,) * 4
    assert told[0] == msg.Levels(0, 0x55, (MAGNET,) * 4, middles, *LIMITS)
    assert told[1] == msg.Levels(1, 0, middles, middles, *LIMITS)


def test_it_ends_by_itself_and_is_asked_for_again():
    desk = measuring()
    assert levels(desk.settle(4000))
    desk.send(msg.Measure(2, 2))
    assert levels(desk.settle(1900))
    desk.settle(300)
    assert levels(desk.settle(3000)) == []


@pytest.mark.parametrize("ended_by", [msg.Measure(2, 0), msg.Connect(0, 0)])
def test_it_is_ended(ended_by):
    desk = measuring()
    desk.send(ended_by)
    desk.settle(20)
    assert levels(desk.settle(2000)) == []


def test_a_silent_host_ends_it():
    desk = measuring()
    desk.send(msg.Measure(2, 255))
    desk.settle(5)
    desk.run(5100)
    assert levels(desk.run(2000)) == []


def test_what_has_to_arrive_goes_first_and_is_not_kept_waiting():
    desk = measuring()
    desk.rows[2][0] = MAGNET
    desk.settle()
    desk.room = 20  # bytes in 5 ms; a message of levels has about 38
    for number in range(10):
        desk.rows[1][0] = NO_MAGNET if number % 2 else MAGNET
        desk.rows[2][0] = MAGNET if number % 2 else NO_MAGNET
        (one, two) = reliable(desk.settle(50))
        assert desk.now - one.time < 60
        assert desk.now - two.time < 60


def test_a_level_is_smoothed_and_follows():
    desk = measuring()
    for number in range(200):
        desk.rows[1][2] = NO_MAGNET + (20 if number % 2 else -20)
        heard = desk.settle(5)
    assert abs(levels(heard + desk.settle(200))[1].levels[2] - NO_MAGNET) < 22
    desk.rows[1][2] = 2000
    told = [level for level in levels(desk.settle(1000)) if level.place == 1]
    assert told[-1].levels[2] == 2000


def test_a_station_that_cannot_be_read_has_no_level():
    desk = measuring()
    desk.rows[2] = None
    told = [level for level in levels(desk.settle(500)) if level.place == 2]
    assert told[-1].levels == (msg.NO_LEVEL,) * 4
    assert told[-1].cell == 0xAA


def test_calibrated_is_what_has_no_magnet_and_it_is_kept_over_a_start(file):
    desk = measuring(middles=file)
    desk.rows[1] = [1600, 1700, NO_MAGNET - 151, 0]
    desk.settle(1000)
    desk.send(msg.Calibrate(3))
    assert msg.Done(3, 0) in desk.settle(300)
    for again in (desk, measuring(middles=file)):
        told = {level.place: level for level in levels(again.settle(200))}
        assert told[0].middles == (NO_MAGNET,) * 4
        assert told[1].middles == (1600, 1700, NO_MAGNET, NO_MAGNET)


def test_a_calibrated_sensor_counts_from_its_own_middle(file):
    file.store([1600] * 4 + [1560, 1740] + [1650] * 10)
    desk = Desk(middles=file)
    desk.rows = [[1600 + 390] * 4] + [[1560 + 410, 1740 + 390, 1650, 1650]] + [[1650] * 4] * 2
    desk.run(100)
    desk.connect()
    (snapshot,) = reliable(desk.run(5))
    assert list(msg.readings(snapshot.cells[1])[:2]) == [msg.PRESENT, msg.UNKNOWN]
    assert msg.readings(snapshot.cells[0]) == (msg.UNKNOWN,) * 4  # neither, from the start on


@pytest.mark.parametrize(
    "text", ["", "1650 1650\n", "1 2 3 4 " * 40, "no numbers", "1900 " * 44, "\0\xff"]
)
def test_a_file_that_is_damaged_moves_no_middle(text, tmp_path):
    path = tmp_path / "middles.txt"
    path.write_text(text, encoding="utf-8")
    desk = measuring(middles=MiddlesFile(str(path)))
    assert {level.middles for level in levels(desk.settle(200))} == {(NO_MAGNET,) * 4}


def test_more_seats_than_were_calibrated_keep_the_usual_middle(file):
    file.store([1640] * 8)
    desk = measuring(middles=file, seats=3)
    told = [level.middles[0] for level in levels(desk.settle(200))]
    assert told == [1640, 1640, NO_MAGNET, NO_MAGNET]


def test_it_is_not_calibrated_unless_it_measures_and_can_keep_that(file):
    desk = ready(middles=file)
    desk.send(msg.Calibrate(1))
    assert msg.Done(1, 1) in desk.settle(20)
    desk = measuring()
    desk.send(msg.Calibrate(2))
    assert msg.Done(2, 1) in desk.settle(20)
    desk = measuring(middles=MiddlesFile("/there/is/no/such/folder"))
    desk.send(msg.Calibrate(3))
    assert msg.Done(3, 1) in desk.settle(20)
    assert file.load() == []
