"""What a builder sees of the sensors: millivolts and what they are taken for."""

from .sensing import ABSENT, POWERS, PRESENT, STARTING, UNKNOWN, SensorThresholds

NAMES = {1: ("U", "N", "O", "!"), 2: ("red", "blue", "green", "yellow")}
WORDS = {ABSENT: "-", PRESENT: "HERE", UNKNOWN: "FAULT", STARTING: "weak"}


def heading(power_set: int) -> str:
    """The line above the readings."""
    return f"{'place':8}" + "".join([f"{name:>13}" for name in NAMES[power_set]])


def line(place: int, row: "list[int] | None", thresholds: SensorThresholds) -> str:
    """A place's readings: "weak" is between a magnet and none, so come nearer or use a stronger."""
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
    """The readings of all places, with a heading."""
    lines = [heading(power_set)]
    lines.extend([line(place, row, thresholds) for place, row in enumerate(rows)])
    return lines
