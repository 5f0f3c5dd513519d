import pytest

from hardware.board.wire.messages import BoardError, Change, Snapshot
from hardware.firmware.referee_board import framing, messages
from hardware.firmware.referee_board.board import Board
from hardware.firmware.referee_board.door import proof
from hardware.firmware.referee_board.sensing import SensorThresholds
from tests.hardware.board.vectors import VECTORS
from tests.hardware.firmware.desk import ID, MAGNET, NO_MAGNET, Desk, kinds, ready, reliable
from tests.hardware.firmware.vector_checks import check


def test_golden_frames():
    wrong, count = check(VECTORS, framing, messages, proof)
    assert wrong == []
    assert count > 150


def test_every_packet_length_survives():
    for size in range(4, 201):
        packet = bytes([size]) * size
        frame = framing.frame(packet)
        assert framing.Deframer().feed(frame) == [packet]
        assert len(frame) == size + framing.CRC + 5 <= framing.LONGEST + 2


def test_a_tower_goes_from_the_tray_to_a_seat():
    desk = ready()
    desk.rows[0][2] = NO_MAGNET
    lifted = desk.settle(60)
    desk.rows[3][2] = MAGNET
    placed = desk.settle(60)
    assert [(m.place, m.cell) for m in reliable(lifted)] == [(0, 0b01_00_01_01)]
    assert [(m.place, m.cell) for m in reliable(placed)] == [(3, 0b00_01_00_00)]


def test_a_broken_wire_is_unknown_and_never_absent():
    desk = ready()
    desk.rows[0][1] = 0
    change, error = reliable(desk.settle(60))
    assert (change.place, change.cell) == (0, 0b01_01_10_01)
    assert (error.code, error.place, error.detail) == (1, 0, 0b0010)
    desk.rows[0][1] = MAGNET
    change, error = reliable(desk.settle(60))
    assert (change.place, change.cell) == (0, 0x55)
    assert (error.code, error.place, error.detail) == (2, 0, 0b0010)


def test_a_station_that_cannot_be_read():
    desk = ready()
    desk.rows[2] = None
    change, error = reliable(desk.settle(60))
    assert isinstance(change, Change)
    assert (change.place, change.cell) == (2, 0xAA)
    assert isinstance(error, BoardError)
    assert (error.code, error.place, error.detail) == (1, 2, 0b1111)


def test_a_start_by_the_watchdog_is_told_to_the_first_host_only():
    desk = Desk(after_watchdog=True)
    desk.run(100)
    hello = desk.connect(boot=12, last=345)
    error, snapshot = reliable(desk.run(5))
    assert (error.code, error.place, error.seq) == (4, 255, hello.next_seq)
    assert isinstance(snapshot, Snapshot)
    desk.connect()
    assert kinds(reliable(desk.run(5))) == ["Snapshot"]


def test_the_clock_wraps_and_nothing_stops():
    desk = ready(start=2**32 - 300)
    heard = desk.settle(2000)
    heartbeats = [m.time for m in heard if type(m).__name__ == "Heartbeat"]
    assert heartbeats == [200, 700, 1200, 1700]
    assert [m.cell for m in reliable(desk.flip())] == [1]


def test_sensors_are_read_every_5_ms_however_often_it_turns():
    desk = Desk()
    scans = []
    desk.scan = lambda: scans.append(desk.now) or desk.rows
    for now in range(100):
        desk.now = now
        desk.board.step()
    assert scans == list(range(0, 100, 5))
    assert desk.ticks == list(range(100))


def test_thresholds_are_those_given():
    desk = Desk(thresholds=SensorThresholds(present=1200, absent=1100))
    desk.run(100)
    desk.connect()
    (snapshot,) = reliable(desk.run(5))
    assert snapshot.cells == bytes(4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"board_id": b"short"},
        {"boot": 0},
        {"boot": 2**32},
        {"power_set": 3},
        {"seats": 0},
        {"seats": 11},
    ],
)
def test_a_board_that_cannot_be_is_refused(wrong):
    parts = {"board_id": ID, "boot": 1, "power_set": 1, "seats": 4} | wrong
    desk = Desk()
    with pytest.raises(ValueError, match=r"a (board|set)"):
        Board(desk, desk, desk, lambda: 0, **parts)
