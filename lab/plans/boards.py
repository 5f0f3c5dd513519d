"""``python -m lab.plans boards``: both circuit boards as KiCad files, tracks included."""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.plans.kicad_board import write_board, write_project
from lab.plans.kicad_schematic import write_schematic
from lab.plans.layout import Board, main_board_laid, station_board
from lab.plans.router import Router, widen
from lab.plans.table import FOLDER, read_table

TITLES = {"station": "Sensor board: station", "main": "Sensor board: main board"}
KICAD_PYTHON = "/usr/bin/python3"


def boards(table: dict[str, Any]) -> list[Board]:
    """Return the station's board and the main board, without tracks."""
    return [station_board(table), main_board_laid(table)]


def write(board: Board, table: dict[str, Any], folder: Path) -> None:
    """Write schematic, board and project of one board."""
    name = board.circuit.name
    tracks, vias = Router(board).route()
    tracks = widen(board, tracks, vias)
    thickness = table["station"]["board_thickness"]["mm"]
    text = write_board(board, tracks, vias, TITLES[name], thickness)
    (folder / f"{name}.kicad_pcb").write_text(text, encoding="utf-8")
    (folder / f"{name}.kicad_pro").write_text(write_project(name), encoding="utf-8")
    schematic = write_schematic(board.circuit, TITLES[name])
    (folder / f"{name}.kicad_sch").write_text(schematic, encoding="utf-8")


def fabricate(name: str, folder: Path, out: Path) -> int:
    """Check a board with KiCad and write Gerber and drill files; return KiCad's verdict."""
    script = FOLDER / "fabricate.py"
    command = [KICAD_PYTHON, str(script), str(folder / f"{name}.kicad_pcb"), str(out / name)]
    return subprocess.run(command, check=False).returncode  # noqa: S603


def has_kicad() -> bool:
    """Return whether KiCad's Python module is there."""
    if shutil.which(KICAD_PYTHON) is None:
        return False
    command = [KICAD_PYTHON, "-c", "import pcbnew"]
    done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603
    return done.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both boards, or let KiCad check what is written."""
    parser = argparse.ArgumentParser(prog="python -m lab.plans boards", description=__doc__)
    parser.add_argument("--board", choices=TITLES, help="only this one")
    parser.add_argument(
        "--fabricate",
        type=Path,
        metavar="FOLDER",
        help="check with KiCad, write Gerber files there",
    )
    args = parser.parse_args(arguments)
    table = read_table()
    wanted = [board for board in boards(table) if args.board in (None, board.circuit.name)]
    if args.fabricate is None:
        for board in wanted:
            write(board, table, FOLDER / "kicad")
        return 0
    if not has_kicad():
        print("KiCad 6 is not here: apt-get install kicad", file=sys.stderr)  # noqa: T201
        return 1
    return max(fabricate(b.circuit.name, FOLDER / "kicad", args.fabricate) for b in wanted)
