import pytest

from hardware.virtual_board.timeline import ScriptError, StepError
from lab.virtual_camera import steps
from lab.virtual_camera.__main__ import main
from lab.virtual_camera.steps import CAMERA_STEPS, HAND_STEPS, parse_script, parse_step


def test_the_examples_in_its_description_are_scripts():
    examples = [line for line in steps.__doc__.splitlines() if line.startswith("    ")]
    assert len(parse_script("\n".join(examples)).lines) == len(examples) >= 28


def test_every_step_is_described():
    for verb in (*HAND_STEPS, *CAMERA_STEPS):
        assert f"\n    {verb} " in steps.__doc__


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("lay", "a card is missing"),
        ("lay red-77", "there is no card 'red-77'; cards are named like red-7 or wild"),
        ("lay red-7 brisk 9", "how quickly is from 0 to 4, not 9"),
        ("lay red-7 brisk 0.1", "how quickly is from 0.3 to 4, not 0.1"),
        ("lay red-7 now", "'now' is too much"),
        ("slow 0", "the interval of pictures is from 1 to 1000, not 0"),
        ("glare maybe", "glare is on or off, not 'maybe'"),
        (
            "meanwhile unplug",
            "there is no step 'unplug'; a step begins with lay, turn-up, draw, quick",
        ),
        ("meanwhile", "a step is missing"),
        ("garble nan", "a share of the bytes is from 0 to 1, not nan"),
    ],
)
def test_lines_that_cannot_be_understood(line, why):
    with pytest.raises(StepError) as error:
        parse_step(line.split())
    assert str(error.value).startswith(why)


def test_the_line_of_a_script_is_named():
    with pytest.raises(ScriptError, match=r"line 2: there is no card 'x'.*: after 1 lay x"):
        parse_script("lift\nafter 1 lay x")


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--size", "10x10"), "--size is WIDTHxHEIGHT"),
        (("--rate", "0"), "--rate is from 1 to 60"),
        (("--speed", "0"), "the speed is from 0.01 to 100"),
        (("--port", "seven"), "--port takes PORT or HOST:PORT"),
        (("--pile", "red-77"), "--pile: there is no card 'red-77'"),
        (("--once",), "--once needs a --script"),
        (("--script", "no-such-file"), "no-such-file cannot be used"),
    ],
)
def test_flags_that_are_wrong(flags, why, capsys):
    assert main(flags) == 2
    assert why in capsys.readouterr().err
