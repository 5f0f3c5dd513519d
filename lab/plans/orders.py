"""``python -m lab.plans orders``: what makers need, in ``hardware/plans/orders``."""

import argparse
import csv
import io
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from lab.plans.boards import TITLES
from lab.plans.boards import boards as boards_of
from lab.plans.boards import main as boards
from lab.plans.circuit import CHANNELS, Circuit, main_board, station
from lab.plans.footprints import FOOTPRINTS, Pad
from lab.plans.kicad_board import ORIGIN
from lab.plans.layout import Board
from lab.plans.prints import main as prints
from lab.plans.table import FOLDER, read_table

# What a maker of circuit boards wants of what KiCad writes.
GERBER = ("*.g*", "*.drl")
FEET = 4
# Tables: what the column is called, and its stations, the tray's included.
TABLES = {"1 station": 1} | {f"{seats} seats": seats + 1 for seats in range(2, 8)}
LONG_AGO = (2026, 1, 1, 0, 0, 0)  # so that a date alone changes nothing
# The same in what KiCad writes: in words, and for machines.
DATES = re.compile(rb"(?<= date )[^*\n]+|(?<=TF\.CreationDate,)[^*\n]+")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bill of materials; with KiCad and OpenSCAD, the archives, too."""
    argparse.ArgumentParser(prog="python -m lab.plans orders", description=__doc__).parse_args(
        arguments
    )
    (FOLDER / "bill-of-materials.csv").write_text(bill(read_table()), encoding="utf-8")
    table = read_table()
    for board in boards_of(table):
        path = FOLDER / "orders" / f"{board.circuit.name}-parts.csv"
        path.write_text(designators(board, table), encoding="utf-8")
        path = FOLDER / "orders" / f"{board.circuit.name}-placement.csv"
        path.write_text(placement(board, table), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        failed = boards(["--fabricate", str(out)])
        if not failed:
            for name in TITLES:
                files = [path for kind in GERBER for path in (out / name).glob(kind)]
                pack(FOLDER / "orders" / f"{name}-gerbers.zip", files)
        unprinted = prints(["--stl", str(out / "prints")])
        if not unprinted:
            pack(FOLDER / "orders" / "prints.zip", list((out / "prints").glob("*.stl")))
    return failed or unprinted


def placement(board: Board, table: dict[str, Any]) -> str:
    """Return where a maker puts the parts, as CSV; the origin is that of the Gerbers."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer"])
    entries = {entry["value"]: entry for entry in table["parts"] if "value" in entry}
    for ref, part in board.circuit.parts.items():
        entry = entries.get(part.value)
        if entry is None:  # what stays empty
            continue
        place, footprint = board.places[ref], board.footprint(ref)
        for name, pads in _pieces(ref, entry, footprint.pads):
            x, y = place.at(*_middle(pads))
            package = entry.get("package") or footprint.lib_id.partition(":")[2]
            where = f"{x + ORIGIN[0]:.3f}", f"{-(y + ORIGIN[1]):.3f}"
            layer = "bottom" if place.below else "top"
            writer.writerow([name, _comment(entry), package, *where, place.turned, layer])
    return text.getvalue()


def designators(board: Board, table: dict[str, Any]) -> str:
    """Return which part goes where, as CSV, for a maker who fits the board."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["Comment", "Designator", "Quantity", "Order", "Fitted"])
    for entry in table["parts"]:
        names = [
            name
            for ref, part in board.circuit.parts.items()
            if part.value == entry.get("value")
            for name, _ in _pieces(ref, entry, board.footprint(ref).pads)
        ]
        if names:
            kind = "surface" if entry.get("smd") else "through hole"
            named = ",".join(names)
            writer.writerow([_comment(entry), named, len(names), entry["order"], kind])
    return text.getvalue()


def _comment(entry: dict[str, Any]) -> str:
    """Return what a part is called where nobody knows our words: what is no maker's has a name."""
    return str(entry["name"] if entry["order"].startswith("any") else entry["value"])


def _pieces(
    ref: str, entry: dict[str, Any], pads: Sequence[Pad]
) -> Iterator[tuple[str, Sequence[Pad]]]:
    """Yield each piece at a part's place, with its contacts: the Pico has two socket strips."""
    contacts = [pad for pad in pads if pad.name]
    pieces = entry.get("each", 1)
    if pieces == 1:
        yield ref, contacts
        return
    each = len(contacts) // pieces
    for n in range(pieces):
        yield f"{ref}-{n + 1}", contacts[n * each : (n + 1) * each]


def _middle(pads: Sequence[Pad]) -> tuple[float, float]:
    xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def pack(archive: Path, files: Sequence[Path]) -> None:
    """Write files into an archive, the same whenever they are the same."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(files):
            content = path.read_bytes()
            if path.suffix != ".stl":
                content = DATES.sub(b"2026-01-01T00:00:00+00:00", content)
            packed.writestr(zipfile.ZipInfo(path.name, LONG_AGO), content, zipfile.ZIP_DEFLATED, 9)


def fitted(table: dict[str, Any], stations: int) -> Circuit:
    """Return the main board's parts that so many stations need; the rest stays empty."""
    whole = main_board(table)
    muxes = ceil(4 * stations / CHANNELS)
    spare = {f"J{place + 1}" for place in range(stations, table["main_box"]["places"])}
    spare |= {
        f"R{10 * (place + 1) + n}"
        for place in range(stations, table["main_box"]["places"])
        for n in range(5)
    }
    spare |= {
        name for mux in range(muxes, 2) for name in (f"MUX{mux + 1}", f"C{mux + 3}", f"R{mux + 1}")
    }
    spare.add("J10")
    return Circuit("main", {ref: part for ref, part in whole.parts.items() if ref not in spare})


def quantities(table: dict[str, Any], stations: int) -> list[int]:
    """Return how many of each entry of ``parts`` a table with so many stations needs."""
    whole, single = fitted(table, stations), station(table)
    values = Counter(part.value for part in whole.parts.values())
    for part in single.parts.values():
        values[part.value] += stations
    return [
        values[entry["value"]] * entry.get("each", 1)
        if "value" in entry
        else entry.get("main_box", 0)
        + entry.get("station", 0) * stations
        + entry.get("foot", 0) * FEET
        for entry in table["parts"]
    ]


def cost(table: dict[str, Any], stations: int) -> float:
    """Return the estimated price in euros; some are sold by several alone."""
    numbers = zip(quantities(table, stations), table["parts"], strict=True)
    return float(sum(bought(n, entry) * entry["euro"] for n, entry in numbers))


def bought(needed: int, entry: dict[str, Any]) -> int:
    """Return how many pieces one has to buy."""
    pack = int(entry.get("sold_by", 1))
    return ceil(needed / pack) * pack


def joints(table: dict[str, Any], stations: int, smd_fitted: bool) -> int:
    """Return how many joints are soldered by hand.

    Args:
        table: ``plans.toml``.
        stations: The tray's included.
        smd_fitted: Whether the maker of the boards has fitted the surface parts.
    """
    surface = {entry["value"] for entry in table["parts"] if entry.get("smd")}
    parts = list(fitted(table, stations).parts.values())
    parts += list(station(table).parts.values()) * stations
    return sum(_pins(part.kind) for part in parts if not (smd_fitted and part.value in surface))


def bill(table: dict[str, Any]) -> str:
    """Return the bill of materials as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["part", "order", *TABLES, "euro each (estimate)"])
    columns = [quantities(table, stations) for stations in TABLES.values()]
    for entry, *numbers in zip(table["parts"], *columns, strict=True):
        writer.writerow([entry["name"], entry["order"], *numbers, f"{entry['euro']:.2f}"])
    sums = [f"{cost(table, stations):.0f}" for stations in TABLES.values()]
    label = "together, euros (estimate; circuit boards by fives)"
    writer.writerow([label, "", *sums, ""])
    return text.getvalue()


def _pins(kind: str) -> int:
    return sum(1 for pad in FOOTPRINTS[kind].pads if pad.name)
