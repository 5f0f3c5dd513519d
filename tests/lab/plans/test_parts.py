"""What to order and to print."""

import csv
import shutil
import zipfile

import pytest

from lab.plans.boards import boards
from lab.plans.circuit import main_board, station
from lab.plans.drawings import drawings
from lab.plans.orders import (
    TABLES,
    bill,
    bought,
    cost,
    designators,
    joints,
    pack,
    placement,
    quantities,
)
from lab.plans.prints import PARTS, dimensions, openscad
from lab.plans.table import FOLDER, nominal_gap, read_table

TABLE = read_table()


def mm(section, name):
    return TABLE[section][name]["mm"]


def test_every_part_of_both_circuits_can_be_ordered():
    circuits = [*main_board(TABLE).parts.values(), *station(TABLE).parts.values()]
    values = {part.value for part in circuits} - {"seats 8-10"}
    assert values == {entry["value"] for entry in TABLE["parts"] if "value" in entry}


def test_the_bill_is_up_to_date():
    text = (FOLDER / "bill-of-materials.csv").read_text(encoding="utf-8")
    assert text == bill(TABLE)
    rows = list(csv.DictReader(text.splitlines()))
    sensors = next(row for row in rows if row["order"].startswith("Texas Instruments DRV"))
    assert [int(sensors[name]) for name in TABLES] == [4, 12, 16, 20, 24, 28, 32]
    muxes = next(row for row in rows if "4067" in row["order"])
    assert [int(muxes[name]) for name in TABLES] == [1, 1, 1, 2, 2, 2, 2]
    assert len(rows) == len(TABLE["parts"]) + 1


def test_costs_and_joints():
    assert quantities(TABLE, 5) != quantities(TABLE, 7)
    assert cost(TABLE, 1) < cost(TABLE, 5) < cost(TABLE, 7)
    one_station = 8 + 2 + 4 * 3 + 4 * 2
    assert joints(TABLE, 5, False) - joints(TABLE, 4, False) > one_station
    # By hand: jack and light of each station; jacks, Pico, piezo and jumper of the main board.
    assert joints(TABLE, 5, True) == 5 * (8 + 2) + 5 * 8 + 40 + 2 + 2


def test_the_printed_parts_have_the_dimensions_of_the_table():
    assert (FOLDER / "print" / "dimensions.scad").read_text("utf-8") == dimensions(TABLE)


def test_the_parts_fit_each_other():
    assert nominal_gap(TABLE) == pytest.approx(4.7)
    # The foot: magnet and holes leave walls between them, and to the outside.
    holes = mm("foot", "hole_diameter") / 2
    keys = TABLE["keys"].values()
    assert min(keys) / 2 - holes - mm("foot", "magnet_pocket_diameter") / 2 > 1.2
    assert mm("foot", "side") / 2 - max(keys) / 2 - holes > 1.2
    assert mm("magnet", "diameter") + 0.1 <= mm("foot", "magnet_pocket_diameter")
    # Pegs do not reach a hole's end, so that the foot stands on the bottom.
    assert mm("socket", "peg_height") + 0.5 < mm("foot", "hole_depth") < mm("foot", "height") - 1
    assert mm("socket", "peg_height") < mm("socket", "depth")
    # Recesses leave walls; parts under them have room; the jack stays above the bottom.
    assert mm("socket", "pitch") - mm("socket", "side") > 8
    assert mm("station", "side") - mm("socket", "pitch") - mm("socket", "side") > 2 * 6
    assert mm("gap", "air") > 2.0
    plate = mm("socket", "depth") + mm("gap", "floor")
    tall, thick = mm("station", "height") - plate, mm("station", "board_thickness")
    under_board = mm("station", "height") - plate - mm("gap", "air")
    under_board -= mm("station", "board_thickness") + mm("station", "wall")
    assert under_board > 13.5 + 1
    assert mm("station", "board_side") < mm("station", "side") - 2 * mm("station", "wall") - 2
    # Any light of 5 mm, its collar of 6 too, passes the plate; screws' heads stay under it.
    assert mm("station", "light_hole") >= 6.0 + 2 * 0.4
    assert mm("station", "light_hole") < mm("socket", "pitch") - mm("socket", "side") - 4
    assert mm("gap", "air") - TABLE["gap"]["air"]["tolerance"] > 2.5
    # Above the table: the posts of the board and of the corners.
    assert [round(at, 1) for at in (tall - mm("gap", "air") - thick, tall)] == [17.6, 22.2]
    # A USB plug, 8.5 mm high, passes under the lid: socket strip 11, the Pico's header 2.5, the
    # Pico 1, the middle of its port 1.4.
    port = mm("main_box", "floor") + mm("main_box", "lift") + thick + 11 + 2.5 + 1 + 1.4
    assert port + 8.5 / 2 < mm("main_box", "height")
    # The main board in its box.
    for board, box in (("board_width", "width"), ("board_height", "depth")):
        assert 0.5 < mm("main_box", box) - 2 * mm("station", "wall") - mm("main_box", board) < 2


def archived(name):
    """A printed part, as in the archive: its corners, three a facet."""
    with zipfile.ZipFile(FOLDER / "orders" / "prints.zip") as archive:
        text = archive.read(f"{name}.stl").decode("ascii")
    lines = (line.split() for line in text.splitlines())
    return text, [tuple(map(float, words[1:])) for words in lines if words[0] == "vertex"]


@pytest.mark.parametrize("name", list(PARTS))
def test_each_printed_part_is_one_closed_body(name):
    _, points = archived(name)
    facets = list(zip(points[::3], points[1::3], points[2::3], strict=True))
    # Each edge belongs to two facets, which go along it in opposite directions.
    edges = [edge for a, b, c in facets for edge in ((a, b), (b, c), (c, a))]
    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)
    beside = {}
    for a, b in edges:
        beside.setdefault(a, set()).add(b)
    found, look = set(), [points[0]]
    while look:
        at = look.pop()
        if at not in found:
            found.add(at)
            look += beside[at]
    assert found == set(points)


@pytest.mark.parametrize("name", ["foot-N", "station-plate", "station-box", "main-box"])
def test_a_printed_part_has_the_right_size(name):
    _, points = archived(name)
    size = [max(p[axis] for p in points) - min(p[axis] for p in points) for axis in range(3)]
    side = mm("foot", "side") if name.startswith("foot") else mm("station", "side")
    across = [side, side]
    if name == "main-box":
        across = [mm("main_box", "width"), mm("main_box", "depth")]
    plate = mm("socket", "depth") + mm("gap", "floor")
    tall = {
        "foot-N": mm("foot", "height"),
        "station-plate": plate,
        "station-box": mm("station", "height") - plate,
        "main-box": mm("main_box", "height"),
    }[name]
    assert size == pytest.approx([*across, tall], abs=0.01)


@pytest.mark.skipif(shutil.which("openscad") is None, reason="apt-get install openscad")
@pytest.mark.parametrize("name", ["foot-N", "foot-X", "station-plate", "main-box", "main-lid"])
def test_openscad_makes_what_is_in_the_archive(name, tmp_path):
    source, values = PARTS[name]
    openscad(source, tmp_path / "part.stl", values)
    assert (tmp_path / "part.stl").read_text(encoding="ascii") == archived(name)[0]


def test_an_archive_is_the_same_whenever_its_files_are(tmp_path):
    one, two = tmp_path / "b.stl", tmp_path / "a.stl"
    one.write_text("solid\n" * 1000)
    two.write_text("solid")
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    pack(first, [one, two])
    one.touch()
    pack(second, [two, one])
    assert first.read_bytes() == second.read_bytes()
    assert zipfile.ZipFile(first).namelist() == ["a.stl", "b.stl"]


def test_the_archives_have_what_makers_need():
    orders = FOLDER / "orders"
    for name in ("station", "main"):
        names = zipfile.ZipFile(orders / f"{name}-gerbers.zip").namelist()
        endings = {file.rpartition(".")[2] for file in names}
        assert endings == {"gtl", "gbl", "gts", "gbs", "gto", "gbo", "gtp", "gbp", "gm1", "drl"}
        assert len(names) == 11  # plated and other holes apart
    printed = {
        file.removesuffix(".stl") for file in zipfile.ZipFile(orders / "prints.zip").namelist()
    }
    assert printed == set(PARTS)


def test_the_drawings_are_up_to_date():
    for name, text in drawings(TABLE).items():
        assert (FOLDER / "pictures" / name).read_text(encoding="utf-8") == text, name


def test_the_placement_files_are_up_to_date():
    for board in boards(TABLE):
        parts = FOLDER / "orders" / f"{board.circuit.name}-parts.csv"
        assert parts.read_text(encoding="utf-8") == designators(board, TABLE)
        listed = ",".join(row["Designator"] for row in csv.DictReader(parts.open(encoding="utf-8")))
        names = set(board.circuit.parts) - {"J10", "A1"}
        if "A1" in board.circuit.parts:
            names |= {"A1-1", "A1-2"}  # its two socket strips
        assert set(listed.split(",")) == names
        path = FOLDER / "orders" / f"{board.circuit.name}-placement.csv"
        assert path.read_text(encoding="utf-8") == placement(board, TABLE)
        assert {row["Designator"] for row in placed(board).values()} == names
        # Nobody is to solder in a Pico.
        assert not any("Raspberry" in row["Val"] for row in placed(board).values())


def placed(board):
    rows = csv.DictReader(placement(board, TABLE).splitlines())
    return {row["Designator"]: row for row in rows}


def test_parts_are_placed_where_they_are_on_the_board():
    """The sensor HS1 lies 23.5 mm to the left of the station's middle and above it, and so on."""
    one, main = (placed(board) for board in boards(TABLE))

    def where(row):
        return float(row["Mid X"]), float(row["Mid Y"]), int(row["Rotation"]), row["Layer"]

    assert where(one["HS1"]) == (68.5, -58.5, 0, "top")
    assert where(one["D1"]) == (92.0, -82.0, 0, "top")
    assert where(one["J1"]) == (92.0, -113.96, 180, "bottom")
    # Each strip has twenty contacts of the Pico, 17.78 mm from the other.
    lower, upper = where(main["A1-1"]), where(main["A1-2"])
    assert lower[0] == upper[0]
    assert upper[1] - lower[1] == pytest.approx(17.78)
    assert main["A1-1"]["Val"] == "Socket strip, 1 × 20, 2.54 mm, for the Pico"
    assert main["JP1"]["Val"] == "Pin header, 1 × 2, 2.54 mm"


def grams(name):
    """A printed part's weight in PLA without hollows, by the volume under its facets."""
    _, points = archived(name)
    six = sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in zip(points[::3], points[1::3], points[2::3], strict=True)
    )
    return abs(six) / 6 / 1000 * 1.24


def test_printed_parts_weigh_what_the_list_says():
    for names in (("station-plate", "station-box"), ("foot-U",), ("main-box", "main-lid")):
        (entry,) = (part for part in TABLE["parts"] if f"prints.zip: {names[0]}" in part["order"])
        most = float(entry["name"].rpartition("at most ")[2].removesuffix(" g"))
        assert most - 5 < sum(map(grams, names)) <= most


def test_what_is_sold_by_fives_is_paid_by_fives():
    (board,) = (part for part in TABLE["parts"] if "station-gerbers" in part["order"])
    assert [bought(stations, board) for stations in (1, 5, 6, 8)] == [5, 5, 10, 10]
    four = cost(TABLE, 5)
    assert cost(TABLE, 6) - four > 5 * board["euro"]
    page = (FOLDER.parent / "firmware" / "README.md").read_text(encoding="utf-8")
    for stations in TABLES.values():
        assert f"| {stations} | € {cost(TABLE, stations):.0f} |" in page
    (together,) = (line for line in page.splitlines() if line.startswith("| **Together"))
    sums = [f"**€ {cost(TABLE, stations):.0f}**" for stations in TABLES.values()]
    assert [cell.strip() for cell in together.split("|")[3:10]] == sums
