"""``python -m lab.plans orders``: what makers need, in ``hardware/plans/orders``."""

import argparse
import csv
import io
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.plans.boards import TITLES
from lab.plans.boards import boards as boards_of
from lab.plans.boards import main as boards
from lab.plans.footprints import Pad
from lab.plans.kicad_board import ORIGIN
from lab.plans.layout import Board
from lab.plans.parts import bill
from lab.plans.prints import main as prints
from lab.plans.table import FOLDER, read_table

# What a maker of circuit boards wants of what KiCad writes.
GERBER = ("*.g*", "*.drl")
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
