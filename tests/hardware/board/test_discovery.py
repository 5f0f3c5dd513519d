import os
import tty
from types import SimpleNamespace

import pytest

from hardware.board.discovery import (
    NoBoardError,
    PortReport,
    PortState,
    choose,
    ports,
    probe,
    probe_all,
)
from hardware.board.framing import encode
from hardware.board.messages import Heartbeat, pack
from hardware.board.transport import Transport
from tests.hardware.board.peer import BOARD, Peer
from tests.hardware.board.pty_board import PtyBoard
from tests.hardware.board.wire import hello

OTHER = b"another!"


class Speaker(Peer):
    """Says the same again and again, and answers nothing."""

    def __init__(self, data):
        super().__init__()
        self.data = data

    def step(self, data, now):
        if now - self._beat_at < 50:
            return b""
        self._beat_at = now
        return self.data


def report_of(tmp_path, data):
    with PtyBoard(tmp_path, Speaker(data)) as running:
        return probe(running.url, patience=0.5)


def test_a_board_says_hello(tmp_path):
    with PtyBoard(tmp_path) as board:
        report = probe(board.url)
    assert report.state is PortState.BOARD
    assert report.hello.board == BOARD
    assert report.detail == f"board {BOARD.hex()}, firmware 1.0.0, towers, 6 seats"


def test_looking_for_a_known_board_has_it_forget_nothing(tmp_path):
    with PtyBoard(tmp_path) as board:
        board.place(0, 2)
        waiting = list(board.peer.kept)
        probe(board.url, board.peer.boot, board.peer.seq - len(waiting))
        assert board.peer.kept[: len(waiting)] == waiting


def test_a_port_where_nothing_answers():
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        report = probe(os.ttyname(slave), patience=0.3)
    finally:
        os.close(master)
        os.close(slave)
    assert report.state is PortState.SILENT
    assert "nothing answers" in report.detail


def test_something_else_at_a_port(tmp_path):
    report = report_of(tmp_path, b"ok T:21.3 /0.0\n")
    assert report.state is PortState.FOREIGN
    assert "no frame of a board" in report.detail


def test_a_board_that_does_not_hear(tmp_path):
    report = report_of(tmp_path, encode(pack(Heartbeat(5, 5))))
    assert report.state is PortState.DEAF
    assert "wire from the computer" in report.detail


@pytest.mark.parametrize(("version", "needs"), [(2, "newer release"), (0, "newer firmware")])
def test_a_board_of_another_version(tmp_path, version, needs):
    report = report_of(tmp_path, encode(bytes([version]) + pack(Heartbeat(5, 5))[1:]))
    assert report.state is PortState.OTHER_VERSION
    assert f"version {version}" in report.detail
    assert needs in report.detail


def test_many_ports_are_asked_at_once_and_told_in_order(tmp_path):
    with PtyBoard(tmp_path) as board:
        holder = Transport(board.url)
        holder.open()
        reports = probe_all([str(tmp_path / "none"), board.url])
        holder.close()
        assert [report.state for report in reports] == [PortState.ABSENT, PortState.BUSY]
        assert [report.state for report in probe_all([board.url])] == [PortState.BOARD]
    assert probe_all([]) == []


def test_the_ports_of_this_computer_those_on_usb_first(monkeypatch):
    there = [
        SimpleNamespace(device="/dev/ttyS0", vid=None),
        SimpleNamespace(device="/dev/ttyUSB1", vid=0x1A86),
        SimpleNamespace(device="/dev/ttyACM0", vid=0x2E8A),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: there)
    assert ports() == ["/dev/ttyACM0", "/dev/ttyUSB1", "/dev/ttyS0"]


def board_at(port, board):
    return PortReport(port, PortState.BOARD, "a board", hello(board=board))


def test_the_board_insisted_on_goes_before_the_known_one_and_that_before_the_first():
    reports = [
        PortReport("/dev/a", PortState.SILENT, "nothing answers"),
        board_at("/dev/b", BOARD),
        board_at("/dev/c", OTHER),
    ]
    assert choose(reports, None, b"") == "/dev/b"
    assert choose(reports, None, OTHER) == "/dev/c"
    assert choose(reports, OTHER, BOARD) == "/dev/c"


def test_no_board_is_said_with_what_is_at_each_port():
    reports = [PortReport("/dev/a", PortState.SILENT, "nothing answers"), board_at("/dev/b", BOARD)]
    with pytest.raises(NoBoardError, match="/dev/a: nothing answers; /dev/b: a board"):
        choose(reports, OTHER, b"")
    with pytest.raises(NoBoardError, match="plug it in"):
        choose([], None, b"")
