"""``python -m lab.plans prints``: the printed parts as STL files and pictures, by OpenSCAD."""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.plans.table import FOLDER, read_table

# File → source and what differs.
PARTS: dict[str, tuple[str, dict[str, str]]] = {
    "station-plate": ("station.scad", {"part": "plate"}),
    "station-box": ("station.scad", {"part": "box"}),
    "station-box-two": ("station.scad", {"part": "box-two"}),
    "foot-U": ("foot.scad", {"name": "U"}),
    "foot-N": ("foot.scad", {"name": "N"}),
    "foot-O": ("foot.scad", {"name": "O"}),
    "foot-X": ("foot.scad", {"name": "X"}),
    "main-box": ("main_box.scad", {"part": "box"}),
    "main-lid": ("main_box.scad", {"part": "lid"}),
}
# Views: angles and distance, as OpenSCAD's --camera takes them.
VIEWS = {
    "station-plate": "0,0,0,45,0,25,330",
    "station-box": "0,0,10,50,0,25,360",
    "station-box-two": "0,0,10,50,0,25,360",
    "foot-U": "0,0,4,55,0,25,130",
    "foot-U-below": "0,0,4,235,0,25,130",
    "main-box": "0,0,8,50,0,25,380",
}


def dimensions(table: dict[str, Any]) -> str:
    """Return the table's dimensions as OpenSCAD's assignments."""
    lines = ["// Written by `python -m lab.plans prints`; change ../plans.toml."]
    for section in ("gap", "foot", "magnet", "socket", "station", "main_box", "magnetometers"):
        for name, entry in table[section].items():
            if isinstance(entry, dict) and "mm" in entry:
                lines.append(f"{section}_{name} = {entry['mm']:g};")
    keys = table["keys"]
    lines.append(f"keys = [{', '.join(f'{value:g}' for value in keys.values())}];")
    lines.append("key_names = [" + ", ".join(f'"{name}"' for name in keys) + "];")
    lines.append(f"station_board_screws = {table['station_board']['screws']};")
    lines.append(f"board_thickness = {table['station']['board_thickness']['mm']:g};")
    return "\n".join([*lines, ""])


def openscad(source: str, out: Path, values: dict[str, str], *more: str) -> None:
    """Run OpenSCAD on one of the sources. Raises CalledProcessError."""
    given = [word for name, value in values.items() for word in ("-D", f'{name}="{value}"')]
    command = ["openscad", "-q", "-o", str(out), *given, *more, str(FOLDER / "print" / source)]
    if out.suffix == ".png" and shutil.which("xvfb-run"):
        command = ["xvfb-run", "-a", *command]
    subprocess.run(command, check=True)  # noqa: S603
    if out.suffix == ".stl":
        out.write_text(in_order(out.read_text(encoding="ascii")), encoding="ascii")


def in_order(stl: str) -> str:
    """Return a body with its facets sorted: OpenSCAD writes them in another order each time."""
    first, *facets = stl.split("  facet ")
    last, end, rest = facets[-1].partition("  endfacet\n")
    return "  facet ".join([first, *sorted([*facets[:-1], last + end])]) + rest


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the dimensions, and with OpenSCAD the printed parts and their pictures."""
    parser = argparse.ArgumentParser(prog="python -m lab.plans prints", description=__doc__)
    parser.add_argument("--stl", type=Path, metavar="FOLDER", help="write STL files there")
    parser.add_argument("--pictures", action="store_true", help="render plans/pictures anew")
    args = parser.parse_args(arguments)
    text = dimensions(read_table())
    (FOLDER / "print" / "dimensions.scad").write_text(text, encoding="utf-8")
    if (args.stl or args.pictures) and shutil.which("openscad") is None:
        print("OpenSCAD is not here: apt-get install openscad", file=sys.stderr)  # noqa: T201
        return 1
    if args.stl:
        args.stl.mkdir(parents=True, exist_ok=True)
        for name, (source, values) in PARTS.items():
            openscad(source, args.stl / f"{name}.stl", values)
    if args.pictures:
        look = ("--imgsize=720,540", "--colorscheme=Tomorrow", "--projection=p")
        for name, camera in VIEWS.items():
            source, values = PARTS[name.removesuffix("-below")]
            out = FOLDER / "pictures" / f"{name}.png"
            openscad(source, out, values, f"--camera={camera}", *look)
    return 0
