"""The circuit boards: as the table says, joined, and apart where they must be."""

import ast
import re
from math import cos, pi, sin
from pathlib import Path

import pytest

from lab.plans.boards import TITLES, boards, fabricate, has_kicad
from lab.plans.circuit import PICO_PIN, main_board, station
from lab.plans.footprints import FOOTPRINTS
from lab.plans.kicad_board import board_copper, parse, write_board, write_project
from lab.plans.kicad_schematic import write_schematic
from lab.plans.layout import Board, Place
from lab.plans.orders import GERBER, pack
from lab.plans.router import NoWayError, Router, widen
from lab.plans.table import FOLDER, read_table
from tests.lab.plans.board_checks import (
    board_nets,
    overlaps,
    schematic_nets,
    too_near,
    unjoined,
)

TABLE = read_table()
BOARDS = {board.circuit.name: board for board in boards(TABLE)}
PINS = FOLDER.parent / "firmware" / "referee_board" / "pins.py"
WRITTEN = {name: (FOLDER / "kicad" / f"{name}.kicad_pcb").read_text("utf-8") for name in BOARDS}
each_board = pytest.mark.parametrize("name", list(BOARDS))


def firmware_pins():
    tree = ast.parse(PINS.read_text(encoding="utf-8"))
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.Constant)
        if isinstance(node.targets[0], ast.Name)
    }


def test_the_table_has_the_pins_of_the_program():
    pins, program = TABLE["pins"], firmware_pins()
    assert tuple(pins["address"]) == program["ADDRESS_PINS"]
    assert tuple(pins["signal"]) == program["SIGNAL_PINS"]
    assert tuple(pins["lights"]) == program["LIGHT_PINS"]
    assert pins["buzzer"] == program["BUZZER_PIN"]
    assert pins["service"] == program["SERVICE_PIN"]


@each_board
def test_schematic_board_and_circuit_have_the_same_nets(name):
    circuit = BOARDS[name].circuit
    schematic = (FOLDER / "kicad" / f"{name}.kicad_sch").read_text(encoding="utf-8")
    drawn, loose = schematic_nets(schematic)
    flags = {net for net, pins in drawn.items() for ref, _ in pins if ref.startswith("#FLG")}
    parts_only = {
        net: {pin for pin in pins if not pin[0].startswith("#")} for net, pins in drawn.items()
    }
    assert parts_only == board_nets(WRITTEN[name]) == circuit.nets()
    # No supply floats: each is marked as fed, and each of its pins hangs on more than itself.
    supplies = {"GND", "3V3_SENSORS"} | ({"3V3", "5V"} if name == "main" else set())
    assert flags == supplies
    assert all(len(pins) >= 2 for pins in circuit.nets().values())
    # Only the Pico has pins that lead nowhere.
    assert {ref for ref, _ in loose} <= {"A1"}


def test_every_pin_of_the_table_is_reached():
    circuit = main_board(TABLE)
    nets = circuit.nets()
    of_pico = circuit.parts["A1"].nets
    pins = TABLE["pins"]
    gpios = [*pins["address"], *pins["signal"], *pins["lights"], pins["buzzer"], pins["service"]]
    assert len(set(gpios)) == len(gpios) == 20
    for gpio in gpios:
        net = of_pico[str(PICO_PIN[gpio])]
        assert len(nets[net]) >= 2, gpio
    assert sum(net not in ("GND", "3V3", "5V") for net in of_pico.values()) == 20


def test_power_of_each_place_reaches_its_input():
    """From contact 3, 6, 7, 8 of a jack through 220 Ω to input 4 x place + power."""
    circuit = main_board(TABLE)
    nets = circuit.nets()
    inputs = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)  # CD74HC4067, I0 … I15
    for place in range(TABLE["main_box"]["places"]):
        for power, contact in enumerate(("3", "6", "7", "8")):
            wire = circuit.parts[f"J{place + 1}"].nets[contact]
            (resistor,) = (ref for ref, _ in nets[wire] if ref.startswith("R"))
            assert circuit.parts[resistor].value == "220 Ω"
            mux, channel = divmod(4 * place + power, 16)
            chip = circuit.parts[f"MUX{mux + 1}"]
            assert chip.nets[str(inputs[channel])] == circuit.parts[resistor].nets["2"]
            assert chip.nets["1"] == ("SIG_A", "SIG_B")[mux]


def test_a_straight_cable_joins_main_box_and_station():
    main, one = main_board(TABLE).parts["J2"].nets, station(TABLE).parts["J1"].nets
    kinds = {"3V3_SENSORS": "3V3_SENSORS", "GND": "GND", "LIGHT1": "LIGHT"}
    kinds |= {f"P1_{n}": f"POWER{n}" for n in range(4)}
    assert {contact: kinds[net] for contact, net in main.items()} == one


@each_board
def test_what_is_written_is_up_to_date(name):
    board, text = BOARDS[name], WRITTEN[name]
    tracks, vias = board_copper(text)
    thickness = TABLE["station"]["board_thickness"]["mm"]
    assert write_board(board, tracks, vias, TITLES[name], thickness) == text
    beside = FOLDER / "kicad" / name
    assert write_project(name) == beside.with_suffix(".kicad_pro").read_text(encoding="utf-8")
    schematic = beside.with_suffix(".kicad_sch").read_text(encoding="utf-8")
    assert write_schematic(board.circuit, TITLES[name]) == schematic


@each_board
def test_the_copper_joins_every_net_and_keeps_its_distance(name):
    board = BOARDS[name]
    tracks, vias = board_copper(WRITTEN[name])
    assert list(overlaps(board)) == []
    assert list(unjoined(board, tracks, vias)) == []
    assert list(too_near(board, tracks, vias)) == []


def test_a_small_board_is_routed_anew(tmp_path):
    """The router itself, on the station without two of its sensors."""
    circuit = station(TABLE)
    for ref in ("HS3", "HS4", "C3", "C4", "D1"):
        del circuit.parts[ref]
    places = {ref: BOARDS["station"].places[ref] for ref in circuit.parts}
    board = Board(circuit, 84, 84, places)
    tracks, vias = Router(board).route()
    tracks = widen(board, tracks, vias)
    assert list(unjoined(board, tracks, vias)) == []
    assert list(too_near(board, tracks, vias)) == []
    assert max(track.width for track in tracks if track.net == "GND") > 0.5


def test_a_walled_in_pad_has_no_way():
    circuit = station(TABLE)
    ring = [(42 + 3.8 * cos(n * pi / 5), 42 + 3.8 * sin(n * pi / 5)) for n in range(10)]
    places = {"D1": Place(40.73, 42), "J1": BOARDS["station"].places["J1"]}
    circuit.parts = {ref: circuit.parts[ref] for ref in places}
    places |= {f"H{n}": Place(x, y) for n, (x, y) in enumerate(ring)}
    with pytest.raises(NoWayError, match="no way for"):
        Router(Board(circuit, 84, 84, places)).route()


def test_each_sensor_lies_under_the_middle_of_its_socket():
    board = BOARDS["station"]
    half = TABLE["socket"]["pitch"]["mm"] / 2
    middle = TABLE["station"]["board_side"]["mm"] / 2
    spots = [
        (board.places[f"HS{n}"].x - middle, board.places[f"HS{n}"].y - middle) for n in (1, 2, 3, 4)
    ]
    assert spots == [(-half, -half), (half, -half), (-half, half), (half, half)]
    assert (board.places["D1"].x + 1.27, board.places["D1"].y) == (middle, middle)


def test_jacks_open_at_the_edge():
    jack = FOOTPRINTS["jack"]
    one = BOARDS["station"]
    box = one.places["J1"].box(jack.body)
    front = TABLE["station_board"]["jack_front"]["mm"]
    assert box[3] - one.height / 2 == pytest.approx(front, abs=0.01)
    inner = TABLE["station"]["side"]["mm"] / 2 - TABLE["station"]["wall"]["mm"]
    assert 0 < inner - front < 1
    main = BOARDS["main"]
    for n in range(1, 9):
        box = main.places[f"J{n}"].box(jack.body)
        edge = box[1] if n <= 4 else main.height - box[3]
        assert abs(edge) < 0.5


def test_brackets_that_do_not_match_are_refused():
    for wrong in ("(a", "(a))", "a b"):
        with pytest.raises(ValueError, match="bracket"):
            parse(wrong)


def test_a_pin_that_nothing_names_is_refused():
    text = (FOLDER / "kicad" / "station.kicad_sch").read_text(encoding="utf-8")
    lines = text.splitlines()
    index = next(n for n, line in enumerate(lines) if "global_label" in line)
    with pytest.raises(ValueError, match="pins that nothing names"):
        schematic_nets("\n".join(lines[:index] + lines[index + 1 :]))


@pytest.mark.skipif(not has_kicad(), reason="KiCad 6 is not here: apt-get install kicad")
@each_board
def test_kicad_finds_nothing_to_complain_of(name, tmp_path, capfd):
    assert fabricate(name, FOLDER / "kicad", tmp_path) == 0
    assert "** Found 0 DRC violations **" in capfd.readouterr().out
    assert len(list(Path(tmp_path, name).glob("*.g*"))) == 9
    drills = (tmp_path / name / f"{name}-PTH.drl").read_text(encoding="utf-8")
    assert len(re.findall("^X", drills, re.MULTILINE)) > 10
    # What makers get is what it writes.
    made = tmp_path / "again.zip"
    pack(made, [path for kind in GERBER for path in (tmp_path / name).glob(kind)])
    assert made.read_bytes() == (FOLDER / "orders" / f"{name}-gerbers.zip").read_bytes()
