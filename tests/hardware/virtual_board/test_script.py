import re

import pytest

from hardware.virtual_board import script as script_module
from hardware.virtual_board.ports import PortError
from hardware.virtual_board.script import VERBS, parse_script
from hardware.virtual_board.timeline import ScriptError
from hardware.virtual_board.view import ShownLight
from hardware.virtual_board.wire import Faults
from tests.hardware.virtual_board.bench import Bench
from tests.tables import tables

CASES = tables(__file__)

TOWERS = ("U", "N", "O", "!")


def times(text):
    return [(line.at_ms, line.text) for line in parse_script(text, TOWERS, 4).lines]


def test_when_lines_happen():
    text = """
    # a remark
    U seat 1
    at 2.0   U seat 3      # another
    N seat 3
    after 0.5 N tray

    at 1     bump !
    after 1  O lift
    """
    assert times(text) == [
        (0, "U seat 1"),
        (1000, "at 1 bump !"),
        (2000, "at 2.0 U seat 3"),
        (2000, "N seat 3"),
        (2000, "after 1 O lift"),
        (2500, "after 0.5 N tray"),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    CASES["wrong_lines"],
)
def test_an_error_names_line_and_reason(line, why):
    with pytest.raises(ScriptError, match=re.escape(f"line 3: {why}")) as caught:
        parse_script(f"U seat 1\n\n{line}\nN tray", TOWERS, 4)
    assert str(caught.value).endswith(f": {line}")


def test_the_steps_do_what_they_say():
    bench = Bench(seats=4)
    bench.run(0.1)
    board = bench.board

    def do(text):
        parse_script(text, board.powers, board.seats).run(board)
        bench.run(0.004)
        return board.view()

    assert do("U seat 3\nn seat 2").positions == {"U": 3, "N": 2, "O": 0, "!": 0}
    assert do("! lift").positions["!"] is None
    assert do("! seat 4 hand 0.2").positions["!"] is None
    bench.run(0.2)
    assert board.positions()["!"] == 4
    assert do("break seat 3 U\nstick tray N\nbreak seat 1").sensor_faults == {
        0: ("N stuck",),
        1: ("cable off",),
        3: ("U broken",),
    }
    assert do("mend seat 3 U\nmend tray\nmend seat 1").sensor_faults == {}
    assert do("freeze").state == "hanging"
    assert do("thaw").state == "running"
    assert do("reboot watchdog").starts == 2
    do("supply 4000")
    assert board._circuit.supply() == 4000
    assert do("brown-out 100").state == "off"
    bench.run(0.1)
    assert board.view().state == "running"
    assert not do("unplug").plugged
    assert do("plug").plugged
    assert not do("unplug 0.1").plugged
    bench.run(0.1)
    assert board.view().plugged
    rates = "corrupt 0.1\ndrop .2 to-host\nduplicate 0.3 to-board\nreorder 0.4\ngarbage 0.5"
    assert do(rates + "\ndelay 6\njitter 7 to-host").faults == (
        Faults(0.1, 0.2, 0.0, 0.4, 0.5, 6, 7),
        Faults(0.1, 0.0, 0.3, 0.4, 0.5, 6, 0),
    )
    assert do("clean to-host").faults == (Faults(), Faults(0.1, 0.0, 0.3, 0.4, 0.5, 6, 0))
    assert do("clean").faults == (Faults(), Faults())
    before = board.view().to_host["garbage"]
    assert do("burst 40 to-host").to_host["garbage"] == before + 40
    do("noise 50\nbump U\nbump N 10\nfreeze 0.1")
    assert board.view().state == "hanging"
    bench.run(0.1)
    assert board.view().state == "running"


def test_it_says_each_line_when_it_happens_and_when_all_is_done():
    bench = Bench()
    said = []
    script = parse_script("at 0.1 U seat 1\nafter 0.1 U tray", TOWERS, 4)
    script.run(bench.board, lambda line, why: said.append(line.text), lambda: said.append("done"))
    bench.run(0.05)
    assert said == []
    bench.run(0.1)
    assert said == ["at 0.1 U seat 1"]
    bench.run(0.1)
    assert said == ["at 0.1 U seat 1", "after 0.1 U tray", "done"]


def test_a_port_that_cannot_be_plugged_in_is_said_and_the_script_goes_on(monkeypatch):
    bench = Bench()
    bench.board.unplug()
    said = []

    def taken():
        raise PortError("somebody has it")

    monkeypatch.setattr(bench.cable, "plug", taken)
    script = parse_script("plug\nafter 0.1 U seat 1", TOWERS, 4)
    script.run(bench.board, lambda line, why: said.append((line.number, why)))
    bench.run(0.2)
    assert said == [(1, "somebody has it"), (2, "")]
    assert bench.board.positions()["U"] == 1


def test_the_examples_of_its_description_are_scripts():
    examples = [line for line in script_module.__doc__.splitlines() if line.startswith("    ")]
    assert len(parse_script("\n".join(examples), TOWERS, 4).lines) == len(examples) >= 35


def test_every_step_is_described():
    for verb in VERBS:
        assert f"\n    {verb} " in script_module.__doc__


def test_an_empty_script_is_done_at_once():
    bench = Bench()
    said = []
    parse_script("# nothing\n", TOWERS, 4).run(bench.board, done=lambda: said.append("done"))
    bench.run(0.004)
    assert said == ["done"]


def test_the_lights_of_a_view_can_be_told_to_another_program():
    bench = Bench()
    bench.board._circuit.lights.show(2, 3, 1)
    assert bench.board.lights() == {2: ShownLight("fast", "N")}
    told = bench.board.view().as_dict()
    assert told["lights"] == {"2": {"pattern": "fast", "power": "N"}}
    assert told["positions"]["U"] == 0
