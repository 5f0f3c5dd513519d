"""``python -m lab.plans magnets``: the chance that a socket reads wrongly, gap by gap."""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardware.firmware import config
from hardware.firmware.referee_board.sensing import SensorThresholds
from lab.plans.field import on_axis
from lab.plans.table import nominal_gap, read_table
from lab.plans.tolerance import Draws, Readings

GAPS = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0)
SOCKETS = 20  # of a tray and four seats


def thresholds() -> SensorThresholds:
    """Return the thresholds that boards are shipped with."""
    return SensorThresholds(
        config.MIDDLE_MV, config.PRESENT_MV, config.ABSENT_MV, config.BROKEN_MV, config.SHORT_MV
    )


def share(part: float, draws: int) -> str:
    """Return a probability in words that do not promise more than the draws show."""
    if part == 0:
        return f"< {3 / draws:.1g}"  # with 95 % certainty
    return f"{part:.2g}"


def row(table: dict[str, Any], gap: float, draws: int, seed: int) -> list[str]:
    """Return one line of the sweep."""
    limits = thresholds()
    source = Draws(table, draws, seed)
    right = source.magnet(gap)
    wrong = source.magnet(gap, lift=table["socket"]["peg_height"]["mm"])
    empty = source.nothing(gap)
    missed, raised, ghost = (
        1 - right.present(limits),
        1 - wrong.absent(limits),
        1 - empty.absent(limits),
    )
    fails = 1 - (1 - max(missed, raised, ghost)) ** SOCKETS
    low, high = span(right, limits)
    return [
        f"{gap:.1f}",
        f"{low:.0f} … {high:.0f}",
        share(missed, draws),
        share(1 - float(np.mean(right.linear)), draws),
        share(raised, draws),
        share(ghost, draws),
        share(fails, draws // SOCKETS),
    ]


def span(readings: Readings, limits: SensorThresholds) -> tuple[float, float]:
    """Return the least and the largest distance from the middle in millivolts."""
    off = readings.off(limits)
    return float(off.min()), float(off.max())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the sweep, and the chosen gap in its last line."""
    parser = argparse.ArgumentParser(prog="python -m lab.plans magnets", description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000_000, help="sockets a line")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    table = read_table()
    chosen = nominal_gap(table)
    heading = ["gap mm", "mV off", "missed", "saturated", "wrong foot", "ghost", "a table of 4"]
    lines = [row(table, gap, args.draws, args.seed) for gap in (*GAPS, chosen)]
    widths = [max(len(line[n]) for line in (heading, *lines)) for n in range(len(heading))]
    for line in (heading, *lines):
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))  # noqa: T201
    magnet = table["magnet"]
    remanence = sum(magnet["remanence_t"].values()) / 2
    field = on_axis(remanence, magnet["diameter"]["mm"] / 2, magnet["thickness"]["mm"], chosen)
    print(f"chosen: {chosen:.1f} mm, {1000 * field:.0f} mT, {15000 * field:.0f} mV off")  # noqa: T201
    return 0
