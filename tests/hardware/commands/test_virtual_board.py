import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
import serial

from tests.hardware.virtual_board.bench import Host
from tests.tables import tables

COMMAND = [sys.executable, "-m", "hardware", "virtual-board"]


@contextmanager
def board(*flags, **options):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, *flags], text=True, **{**pipes, **options}) as process:
        try:
            yield process
        finally:
            process.kill()


def ask(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout.readline().rstrip("\n")


def stopped(process, how=signal.SIGTERM):
    process.send_signal(how)
    return process.wait(120)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_prints_its_port_and_stops_cleanly(tmp_path, how):
    link = tmp_path / "board"
    with board("--pty", str(link)) as process:
        assert process.stdout.readline() == f"{link}\n"
        assert link.is_symlink()
        assert stopped(process, how) == 0
        assert process.stderr.read() == ""
    assert not link.is_symlink()


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_a_program_drives_it_and_a_host_talks_to_it(kind, tmp_path):
    where = ("--pty", str(tmp_path / "b")) if kind == "pty" else ("--tcp", "127.0.0.1:0")
    with board(*where, "--commands", "--seats", "6", "--board-id", "00112233445566ff") as process:
        url = process.stdout.readline().strip()
        assert ask(process, "port") == f"ok {url}"
        assert ask(process, "U seat 6") == "ok"
        host = Host()
        with serial.serial_for_url(url, timeout=0.02) as line:
            line.write(host.connect())
            deadline = time.monotonic() + 120
            while not host.taken and time.monotonic() < deadline:
                line.write(host.hear(line.read(256)))
        assert host.hello.board == bytes.fromhex("00112233445566ff")
        assert host.hello.seats == 6
        assert ask(process, "U seat 7") == "error there is no seat 7; there are 1 to 6"
        assert ask(process, "") == "ok"
        assert ask(process, "at 99 N tray # later") == "ok"
        assert ask(process, "after 0.01 ! seat 2") == "ok"
        assert ask(process, "unplug") == "ok"
        deadline = time.monotonic() + 120
        state = {}
        while state.get("positions", {}).get("!") != 2 and time.monotonic() < deadline:
            answer = ask(process, "state")
            assert answer.startswith("ok {")
            state = json.loads(answer[3:])
        assert state["positions"] == {"U": 6, "N": 0, "O": 0, "!": 2}
        assert state["plugged"] is False
        process.stdin.close()
        assert process.wait(120) == 0


def test_a_script_is_told_line_by_line_and_can_end_it(tmp_path):
    script = tmp_path / "evening.txt"
    script.write_text("at 0.05 red seat 1\nafter 0.1 bump red # oh\n")
    with board("--set", "stands", "--script", str(script), "--once") as process:
        assert process.wait(120) == 0
        told = process.stderr.read().splitlines()
        assert told == ["   0.050 s  at 0.05 red seat 1", "   0.150 s  after 0.1 bump red"]
    with board("--set", "stands", "--script", str(script), "--once", "--quiet") as process:
        assert process.wait(120) == 0
        assert process.stderr.read() == ""


def test_keys_in_a_terminal(tmp_path):
    keyboard, terminal = pty.openpty()
    link = tmp_path / "board"
    options = dict.fromkeys(("stdin", "stdout", "stderr"), terminal)
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with board("--pty", str(link), "--keys", env=environment, **options) as process:
        os.close(terminal)
        seen = b""
        while b"quit" not in seen:
            seen += os.read(keyboard, 4096)
        os.write(keyboard, b"U3q")
        try:
            while True:
                seen += os.read(keyboard, 4096)
        except OSError:
            pass
        assert process.wait(120) == 0
    assert b"seat 4" in seen
    assert not link.is_symlink()
    os.close(keyboard)


@pytest.mark.parametrize(("flags", "sentence"), tables(__file__)["wrong_flags"])
def test_wrong_flags_are_one_sentence(flags, sentence, run):
    out, err = run("virtual-board", *flags, ends=2)
    assert out == ""
    assert err.startswith(f"referee-table virtual-board: {sentence}")
    assert err.count("\n") == 1


def test_a_wrong_script_names_file_line_and_reason(tmp_path, run):
    script = tmp_path / "s.txt"
    script.write_text("U seat 1\nU seat 9\n")
    expected = f"{script}, line 2: there is no seat 9; there are 1 to 4: U seat 9\n"
    said = run("virtual-board", "--script", script, ends=2)
    assert said.err == f"referee-table virtual-board: {expected}"
    script.write_bytes(b"\xff\xfe")
    assert "is no text in UTF-8" in run("virtual-board", "--script", script, ends=2).err


def test_a_port_that_cannot_be_opened(tmp_path):
    taken = tmp_path / "file"
    taken.write_text("mine")
    with board("--pty", str(taken)) as process:
        assert process.wait(120) == 1
        expected = f"{taken} is there already; remove it or choose another path\n"
        assert process.stderr.read() == f"referee-table virtual-board: {expected}"
