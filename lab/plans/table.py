"""The table of dimensions, pins, wires and parts: ``hardware/plans/plans.toml``."""

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "hardware" / "plans"


def read_table(path: Path = FOLDER / "plans.toml") -> dict[str, Any]:
    """Return the table. Raises OSError or TOMLDecodeError."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def nominal_gap(table: dict[str, Any]) -> float:
    """Return millimetres from the magnet's lower face to the sensing element."""
    parts = {name: float(part["mm"]) for name, part in table["gap"].items()}
    return parts["skin"] + parts["floor"] + parts["air"] - parts["element"]


SECTIONS = (
    "gap",
    "foot",
    "magnet",
    "socket",
    "station",
    "station_board",
    "main_box",
    "magnetometers",
)


def dimension_rows(table: dict[str, Any]) -> list[str]:
    """Return the building instructions' table of dimensions, line by line."""
    lines = []
    for section in SECTIONS:
        for name, entry in table[section].items():
            if isinstance(entry, dict) and "mm" in entry:
                what = entry.get("about", name)
                miss = f" ± {entry['tolerance']:g}" if "tolerance" in entry else ""
                lines.append(f"| {section.replace('_', ' ')} | {what} | {entry['mm']:g}{miss} |")
    return lines
