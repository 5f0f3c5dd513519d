"""``python -m lab.plans magnetometers``: whether two three-axis sensors can do for four sockets.

One lies under the middle between two sockets of a station. From the six field strengths the
program works out four strengths, 1 for a magnet in its socket with its north pole up, -1 for one
turned over, by least squares (``hardware/firmware/referee_board/magnetometers.py``).
"""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from hardware.firmware.referee_board.magnetometers import ONE_MV
from hardware.firmware.referee_board.sensing import SensorThresholds
from lab.plans.field import Floats, anywhere
from lab.plans.table import read_table

_PLANNED = read_table()["magnetometers"]["height"]
HEIGHT = float(_PLANNED["mm"])  # from the magnet's lower face down to the sensing elements
# STMicroelectronics LIS3MDL, ±1.6 mT: zero off by up to 0.1 mT, scale by up to 5 %.
ZERO_MT, SCALE, RANGE_MT = 0.1, 0.05, 1.6
STRAY_MT = 0.1  # the earth, and steel or a loudspeaker near the table, in any direction
HEIGHT_ERROR, ASIDE = float(_PLANNED["tolerance"]), 0.8


def sockets(table: dict[str, Any]) -> Floats:
    """Return the middles of the sockets from the station's middle, x right and y back, (4, 2)."""
    half = float(table["socket"]["pitch"]["mm"]) / 2
    return np.array([(-half, half), (half, half), (-half, -half), (half, -half)])


def sensors(table: dict[str, Any]) -> Floats:
    """Return where the two sensors lie: between U and N, and between O and !, (2, 2)."""
    half = float(table["socket"]["pitch"]["mm"]) / 2
    return np.array([(0.0, half), (0.0, -half)])


def strengths(
    table: dict[str, Any], height: Floats, aside: Floats, remanence: Floats, tilt: Floats
) -> Floats:
    """Return millitesla of each magnet at each sensor, (draws, sockets, 6).

    Args:
        table: ``plans.toml``.
        height: Of each magnet above the elements, (draws, sockets).
        aside: By how much each is beside its place, (draws, sockets, 2).
        remanence: In tesla, (draws, sockets).
        tilt: Of each magnet in radians along x and y, (draws, sockets, 2).
    """
    radius, thickness = table["magnet"]["diameter"]["mm"] / 2, table["magnet"]["thickness"]["mm"]
    parts = []
    for place in sensors(table):
        way = place - (sockets(table) + aside)
        beside = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-6)
        ones = np.ones_like(beside)
        axial, radial = anywhere(remanence, ones * radius, ones * thickness, height, beside)
        # The sensor is below: there the field of a magnet with its north pole up points inward.
        side = -way / beside[..., None] * radial[..., None]
        # Tilting a magnet by a small angle turns its field as much.
        field = np.concatenate([side, axial[..., None]], axis=-1)
        turned = np.stack(
            [
                field[..., 0] + tilt[..., 0] * field[..., 2],
                field[..., 1] + tilt[..., 1] * field[..., 2],
                field[..., 2] - tilt[..., 0] * field[..., 0] - tilt[..., 1] * field[..., 1],
            ],
            axis=-1,
        )
        parts.append(1000 * turned)
    return np.concatenate(parts, axis=-1)


def nominal(table: dict[str, Any], height: float = HEIGHT) -> Floats:
    """Return the field of four perfect magnets, (4, 6), in millitesla."""
    shape = (1, 4)
    remanence = float(sum(table["magnet"]["remanence_t"].values())) / 2
    fields = strengths(
        table,
        np.full(shape, height),
        np.zeros((*shape, 2)),
        np.full(shape, remanence),
        np.zeros((*shape, 2)),
    )
    return np.asarray(fields[0])


def inverse(table: dict[str, Any], height: float = HEIGHT) -> Floats:
    """Return what six field strengths in mT are multiplied with to get four strengths, (6, 4)."""
    return np.asarray(np.linalg.pinv(nominal(table, height)))


def draw(
    table: dict[str, Any], count: int, height: float = HEIGHT, raised: bool = False, seed: int = 1
) -> tuple[Floats, Floats]:
    """Return random stations: what stands where (draws, 4; 0, 1, -1), and the field (draws, 6).

    Args:
        table: ``plans.toml``.
        count: Number of stations.
        height: Of the magnets above the sensing elements, nominally.
        raised: Whether the foot in socket 0, which is then always there, stands too high.
        seed: Of the random numbers.
    """
    random = np.random.default_rng(seed)
    there = random.integers(0, 2, (count, 4)) * random.choice([-1, 1], (count, 4))
    heights = height + random.uniform(-HEIGHT_ERROR, HEIGHT_ERROR, (count, 4))
    if raised:
        there[:, 0] = random.choice([-1, 1], count)
        heights[:, 0] += table["socket"]["peg_height"]["mm"]
    limits = table["magnet"]["remanence_t"]
    magnets = strengths(
        table,
        heights,
        random.uniform(-ASIDE, ASIDE, (count, 4, 2)),
        random.uniform(limits["low"], limits["high"], (count, 4)),
        np.radians(random.uniform(-1.5, 1.5, (count, 4, 2))),
    )
    field = np.einsum("ds,dsf->df", there, magnets)
    stray = random.normal(size=(count, 3))
    stray *= STRAY_MT * random.uniform(0, 1, (count, 1)) / np.linalg.norm(stray, axis=1)[:, None]
    field = field + np.tile(stray, 2)
    field = field * (1 + random.uniform(-SCALE, SCALE, field.shape))
    return there, field + random.uniform(-ZERO_MT, ZERO_MT, field.shape)


def judge(estimate: Floats) -> Floats:
    """Return for each socket 1 present, 0 absent, 0.5 in between, as the firmware does."""
    off = np.abs(estimate) * ONE_MV
    limits = SensorThresholds()
    return np.where(off >= limits.present, 1.0, np.where(off <= limits.absent, 0.0, 0.5))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how often four sockets are told wrongly or not at all, height by height."""
    parser = argparse.ArgumentParser(prog="python -m lab.plans magnetometers", description=__doc__)
    parser.add_argument("--draws", type=int, default=100_000, help="stations a line")
    args = parser.parse_args(arguments)
    table = read_table()
    print("height mm   wrong  unclear  saturated  raised foot taken for a right one")  # noqa: T201
    for height in (5.0, 6.0, HEIGHT, 8.0, 9.0, 11.0):
        there, field = draw(table, args.draws, height)
        judged = judge(field @ inverse(table, height))
        wrong = np.abs(judged - np.abs(there)) == 1
        _, field_raised = draw(table, args.draws, height, raised=True)
        taken = judge(field_raised @ inverse(table, height))[:, 0] == 1
        print(  # noqa: T201
            f"{height:9.1f}  {np.mean(wrong.any(1)):6.4f}  {np.mean((judged == 0.5).any(1)):7.4f}"
            f"  {np.mean((np.abs(field) > RANGE_MT).any(1)):9.4f}  {np.mean(taken):6.4f}"
        )
    return 0
