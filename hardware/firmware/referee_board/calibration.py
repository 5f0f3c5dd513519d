"""Sensor readings for the builder: millivolts and their meaning."""

from .sensing import ABSENT, POWERS, PRESENT, STARTING, UNKNOWN, SensorThresholds

NAMES = {1: ("U", "N", "O", "!"), 2: ("red", "blue", "green", "yellow")}
WORDS = {ABSENT: "-", PRESENT: "HERE", UNKNOWN: "FAULT", STARTING: "weak"}


def heading(power_set: int) -> str:
    """Return the table's heading."""
    return f"{'place':8}" + "".join([f"{name:>13}" for name in NAMES[power_set]])


def line(place: int, row: "list[int] | None", thresholds: SensorThresholds) -> str:
    """Return a place's readings; "weak" is too little for a magnet, too much for none."""
    name = "tray" if place == 0 else f"seat {place}"
    if row is None:
        row = [0] * POWERS
    cells = [
        f"{millivolts:>7}{WORDS[thresholds.judge(millivolts, STARTING)]:>6}" for millivolts in row
    ]
    return f"{name:8}" + "".join(cells)


def table(
    power_set: int, rows: "list[list[int] | None]", thresholds: SensorThresholds
) -> "list[str]":
    """Return heading and readings of all places."""
    lines = [heading(power_set)]
    lines.extend([line(place, row, thresholds) for place, row in enumerate(rows)])
    return lines
