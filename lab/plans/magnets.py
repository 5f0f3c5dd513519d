"""``python -m lab.plans magnets``: the chance that a socket reads wrongly, gap by gap.

A Monte Carlo calculation over all that may vary. Every quantity is drawn evenly within its limits
in ``plans.toml``, the worst assumption among the usual ones, and all of them independently.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware.firmware import config
from hardware.firmware.referee_board.sensing import SensorThresholds
from lab.plans.field import Floats, anywhere, on_axis
from lab.plans.table import nominal_gap, read_table

GAPS = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0)
SOCKETS = 20  # of a tray and four seats
EARTH_MT = 0.07  # the strongest on earth, in any direction
SENSOR_CLIPS_MV = 50  # from either rail, where the output can go no further


@dataclass(frozen=True)
class Readings:
    """What one kind of situation gives.

    Attributes:
        millivolts: What the program reads, one of each draw.
        linear: Whether the sensor was within its linear range.
    """

    millivolts: Floats
    linear: "np.typing.NDArray[np.bool_]"

    def off(self, thresholds: SensorThresholds) -> Floats:
        """Return the distance from the middle in millivolts."""
        return np.abs(self.millivolts - thresholds.middle)

    def present(self, thresholds: SensorThresholds) -> float:
        """Return the share that is clearly a magnet."""
        return float(np.mean(self.works(thresholds) & (self.off(thresholds) >= thresholds.present)))

    def absent(self, thresholds: SensorThresholds) -> float:
        """Return the share that is clearly none."""
        return float(np.mean(self.works(thresholds) & (self.off(thresholds) <= thresholds.absent)))

    def works(self, thresholds: SensorThresholds) -> "np.typing.NDArray[np.bool_]":
        """Return which readings are not a fault."""
        return (self.millivolts >= thresholds.broken) & (self.millivolts <= thresholds.short)


class Draws:
    """Random boards, magnets and feet.

    Args:
        table: ``plans.toml``.
        count: How many sockets to draw.
        seed: Of the random numbers.
    """

    def __init__(self, table: dict[str, Any], count: int, seed: int = 1) -> None:
        self._table = table
        self._count = count
        self._random = np.random.default_rng(seed)

    def magnet(self, gap: float, lift: float = 0.0) -> Readings:
        """Return readings with a foot whose magnet is nominally ``gap`` mm from the element.

        Args:
            gap: From the magnet's lower face, without errors.
            lift: How much higher the foot stands, as in a wrong socket.
        """
        magnet, errors = self._table["magnet"], self._table["errors"]
        missed = sum(self._around(0, part["tolerance"]) for part in self._table["gap"].values())
        distance = gap + missed + self._between(0, errors["lift_mm"]) + lift
        aside = self._between(0, errors["offset_mm"] ** 2) ** 0.5
        tilt = np.radians(self._between(0, errors["tilt_degrees"]))
        turn = self._between(0, 2 * np.pi)
        axial, radial = anywhere(
            self._between(*magnet["remanence_t"].values()),
            self._around(**_limits(magnet["diameter"])) / 2,
            self._around(**_limits(magnet["thickness"])),
            np.maximum(distance, 0.1),
            aside,
        )
        seen = axial * np.cos(tilt) + radial * np.sin(tilt) * np.cos(turn)
        pole = np.sign(self._between(-1, 1))
        return self._read(1000 * pole * seen * self._temperature())

    def nothing(self, gap: float) -> Readings:
        """Return readings of an empty socket with feet in both neighbouring ones."""
        magnet = self._table["magnet"]
        radius, thickness = magnet["diameter"]["mm"] / 2, magnet["thickness"]["mm"]
        pitch = self._table["socket"]["pitch"]["mm"]
        ones = np.ones(self._count)
        strongest = magnet["remanence_t"]["high"]
        axial, _ = anywhere(
            ones * strongest, ones * radius, ones * thickness, ones * gap, ones * pitch
        )
        stray = 1000 * axial * (np.sign(self._between(-1, 1)) + np.sign(self._between(-1, 1)))
        return self._read(stray + self._around(0, EARTH_MT))

    def _read(self, millitesla: Floats) -> Readings:
        """Return what the program reads of a flux density."""
        sensor, converter = self._table["sensor"], self._table["converter"]
        scale = self._around_share(**sensor["supply_v"]) / 3.3
        supply = 3300 * scale
        sensitivity = sensor["sensitivity_mv_mt"]
        quiescent = sensor["quiescent_mv"]
        volts = scale * self._between(quiescent["low"], quiescent["high"])
        volts = volts + scale * millitesla * self._between(sensitivity["low"], sensitivity["high"])
        linear = (volts > sensor["linear_mv"]) & (volts < supply - sensor["linear_mv"])
        volts = np.clip(volts, SENSOR_CLIPS_MV, supply - SENSOR_CLIPS_MV)
        volts = (
            volts
            * converter["pull_down_ohm"]
            / (converter["pull_down_ohm"] + converter["series_ohm"])
        )
        reference = 1000 * self._around_share(**converter["reference_v"])
        noise = np.hypot(
            reference / 2 ** converter["effective_bits"] / np.sqrt(12), sensor["noise_mv"]
        )
        volts = volts + self._random.normal(0, noise) + self._around(0, converter["nonlinear_mv"])
        counts = np.clip(np.round(volts / reference * 4096), 0, 4095) * 16
        return Readings(np.floor(counts * 3300 / 65536), np.asarray(linear))

    def _temperature(self) -> Floats:
        """Return what is left of the magnet's drift after the sensor's compensation."""
        low, high = self._table["errors"]["celsius"]
        # The sensor gains 0.12 % a kelvin; neodymium loses 0.09 to 0.13.
        return np.asarray(1 + (self._between(low, high) - 25) * self._between(-0.0001, 0.0003))

    def _between(self, low: float, high: float) -> Floats:
        return self._random.uniform(low, high, self._count)

    def _around(self, mm: float, tolerance: float) -> Floats:
        return self._between(mm - tolerance, mm + tolerance)

    def _around_share(self, typical: float, tolerance: float) -> Floats:
        return self._between(typical * (1 - tolerance), typical * (1 + tolerance))


def _limits(part: dict[str, Any]) -> dict[str, float]:
    return {"mm": part["mm"], "tolerance": part["tolerance"]}


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
