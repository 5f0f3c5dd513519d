import io
import os
import pty
import termios
import threading

import pytest
from rich.console import Console

from hardware.virtual_board.terminal import HELP, Keys, picture, play
from hardware.virtual_board.wire import Faults
from tests.hardware.virtual_board.bench import Bench
from tests.waiting import until


@pytest.fixture
def bench():
    made = Bench(seats=4)
    made.run(0.1)
    return made


def press(keys, typed):
    return [keys.press(key) for key in typed]


def test_a_power_and_a_place(bench):
    keys = Keys(bench.board)
    press(keys, "U3N1!2O ")
    assert bench.board.positions() == {"U": 3, "N": 1, "!": 2, "O": None}
    assert keys.message == "O is in the hand"
    press(keys, "0")
    assert bench.board.positions()["O"] == 0
    assert keys.message == "O stands in the tray"
    press(keys, "\t\t4")
    assert bench.board.positions()["U"] == 4


def test_a_seat_that_is_not_there_is_said(bench):
    keys = Keys(bench.board)
    assert press(keys, "7") == [True]
    assert keys.message == "there is no place 7; there are the tray and 4 seats"
    press(keys, "ä")
    assert keys.message == "'ä' is no key of this table"


def test_sensors(bench):
    keys = Keys(bench.board)
    press(keys, "U2s")
    assert bench.board.view().sensor_faults == {2: ("U broken",)}
    press(keys, "z")
    assert bench.board.view().sensor_faults == {2: ("cable off", "U broken")}
    press(keys, "z")
    assert bench.board.view().sensor_faults == {}
    press(keys, "ss")
    assert bench.board.view().sensor_faults == {}
    press(keys, " s")
    assert keys.message == "U is in the hand; put it down first"


def test_cable_and_power(bench):
    keys, board = Keys(bench.board), bench.board
    press(keys, "u")
    assert not board.view().plugged
    press(keys, "u")
    assert board.view().plugged
    press(keys, "p")
    assert not board.view().plugged
    bench.run(5.1)
    assert board.view().plugged
    press(keys, "f")
    assert board.view().state == "hanging"
    press(keys, "f")
    assert board.view().state == "running"
    press(keys, "r")
    assert board.view().starts == 2
    press(keys, "b")
    assert board.view().state == "off"


def test_the_wire(bench):
    keys, board = Keys(bench.board), bench.board
    press(keys, "cdtol")
    assert board.view().faults[0] == Faults(0.01, 0.01, 0.01, 0.01, 0.0, 50.0)
    press(keys, "c")
    assert board.view().faults[1].corrupt == 0
    press(keys, "w")
    assert board.view().faults == (Faults(), Faults())
    press(keys, "g")
    assert board.view().to_host["garbage"] == board.view().to_board["garbage"] == 60
    press(keys, "k")
    assert keys.message == "U was knocked"


def test_quitting(bench):
    assert press(Keys(bench.board), "Uq\x03\x04") == [True, False, False, False]


def test_every_key_is_in_the_help(bench):
    words = HELP.replace("1-9", " ".join("123456789")).replace("Tab", "\t").replace("space", " ")
    for key in Keys(bench.board)._actions:
        assert key in words


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_whatever_happens_can_be_drawn(bench, encoding):
    press(Keys(bench.board), "U3N2O ")
    bench.board.break_sensor(1, "U")
    bench.board._circuit.lights.show(2, 2, 0)
    bench.board._circuit.lights.buzz(2, 100, 880)
    screen = io.TextIOWrapper(io.BytesIO(), encoding)
    console = Console(file=screen, width=100, color_system=None)
    console.print(picture(bench.board.view(), 4, "U", plain=encoding == "ascii"))
    screen.flush()
    assert b" slow U " in screen.buffer.getvalue()


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_a_terminal_is_played_at_and_left_as_it_was(kind):
    bench = Bench(seats=4)
    bench.cable.url = "/dev/somewhere"
    keyboard, screen = pty.openpty()
    before = termios.tcgetattr(screen)
    out = io.StringIO()
    console = Console(file=out, width=100, height=40, force_terminal=True, _environ={"TERM": kind})
    thread = threading.Thread(target=play, args=(bench.board, console, screen))
    thread.start()
    until(lambda: "quit" in out.getvalue())
    os.write(keyboard, b"U3\x1b[C")
    os.write(keyboard, b"N4q")
    thread.join(120)
    assert not thread.is_alive()
    assert bench.board.positions() == {"U": 3, "N": 4, "O": 0, "!": 0}
    assert "/dev/somewhere" in out.getvalue()
    assert termios.tcgetattr(screen) == before
    os.close(keyboard)
    os.close(screen)


def test_a_terminal_that_closes_ends_it():
    bench = Bench(seats=4)
    keyboard, screen = pty.openpty()
    console = Console(file=io.StringIO(), width=100)
    thread = threading.Thread(target=play, args=(bench.board, console, screen))
    thread.start()
    os.close(keyboard)
    thread.join(120)
    assert not thread.is_alive()
    os.close(screen)
