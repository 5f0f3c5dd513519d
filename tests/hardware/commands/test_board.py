"""A board by itself on the command line: the virtual board on a pseudo terminal, no server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from hardware.board.driver import SerialBoard
from hardware.board.options import read_options
from hardware.virtual_board.board import VirtualBoard
from tests.hardware.board.patience import PATIENT_TIME, patient
from tests.hardware.conftest import Run
from tests.waiting import until

PROGRAM = (sys.executable, "-m", "hardware", "board")


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, options: Mapping[str, Any]) -> SerialBoard:
        return SerialBoard(name, read_options(options), patient)

    monkeypatch.setattr("hardware.commands.board.board.serial_board", make)
    monkeypatch.setattr("hardware.commands.board.board.time", PATIENT_TIME)


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard(seats=4, clock=patient) as running:
        yield running


def test_what_stands_where_is_printed(board: VirtualBoard, run: Run) -> None:
    board.place("O", 3)
    board.lift("N")
    board.break_sensor(2, "U")
    said = run("board", "--once", "--port", board.port.url).out
    assert said.startswith("online: board 5649525455414c31, firmware")
    lines = [line.split("│") for line in said.splitlines() if line.startswith("│")]
    rows = {line[1].strip(): line[2:6] for line in lines}
    assert list(rows) == ["the tray", "seat 1", "seat 2", "seat 3", "seat 4"]
    assert ["●" in cell for cell in rows["seat 3"]] == [False, False, True, False]
    assert ["●" in cell for cell in rows["the tray"]] == [True, False, False, True]
    level, off, _ = rows["seat 3"][2].replace("●", "").split()
    assert abs(int(level) - 2450) < 20
    assert abs(int(off) - 800) < 20
    assert rows["seat 2"][0].split()[0] == "?"
    assert "N is lifted" in said.splitlines()
    assert "at seat 2 the sensor of U does not answer" in " ".join(said.split())


def test_what_is_wrong_with_a_socket_is_said(board: VirtualBoard, run: Run) -> None:
    board.place("O", 3)
    board.shift_sensor(3, "O", -370)
    board.break_station(4)
    said = " ".join(run("board", "--once", "--port", board.port.url).out.split())
    assert re.search(r"Seat 3, O: 2,0[78]\d mV, its middle is 1,650: seen, but only just: ", said)
    assert "Seat 4: none of its sensors answers" in said


def test_a_board_is_calibrated_with_all_feet_lifted(board: VirtualBoard, run: Run) -> None:
    calibrate = ["board", "--calibrate", "--port", board.port.url]
    assert "lift all feet first: U at the tray, N at" in run(*calibrate, ends=1).err
    for power in ("U", "N", "O", "!"):
        board.lift(power)
    board.shift_sensor(2, "U", -70)
    board.shift_sensor(4, "!", 110)
    found = re.search(r"20 sensors rest at (1,\d+) to (1,\d+) mV", run(*calibrate).out)
    assert found is not None
    low, high = (int(group.replace(",", "")) for group in found.groups())
    assert abs(low - 1580) < 10
    assert abs(high - 1760) < 10
    board.reboot()
    board.shift_sensor(1, "N", 200)
    said = run(*calibrate, ends=1).out.splitlines()
    assert [line.split(":")[:2] for line in said[:-1]] == [["not calibrated", " Seat 1, N"]]
    assert said[-1].startswith("19 sensors rest at ")


def test_without_a_board_it_says_so(
    tmp_path: object, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.commands.board.board.ONCE_PATIENCE", 0.5)
    (sentence,) = run("board", "--once", "--port", f"{tmp_path}/none", ends=1).err.splitlines()
    assert sentence.startswith("referee-table board: ")
    assert f"{tmp_path}/none" in sentence


def test_changes_and_lights_are_told_until_it_is_stopped(board: VirtualBoard) -> None:
    command = [*PROGRAM, "--lights", "--port", board.port.url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert process.stdout is not None
    seen = set()
    while len(seen) < 5:
        line = process.stdout.readline()
        if "lit: " in line:
            seen.add(line.rpartition("lit: ")[2].strip())
    assert seen == {"the tray", "seat 1", "seat 2", "seat 3", "seat 4"}
    until(lambda: len(board.lights()) == 1)
    until(lambda: len(board.buzzes()) >= 5)
    board.place("U", 2)
    while "U at seat 2" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130
    until(lambda: not board.lights())
