"""Placements of cards, in mm on the table: single, pile, scatter, spread, row, fan."""

import math
from collections.abc import Callable

import numpy as np

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.scenes.projection import Matrix, placement


def single(rng: np.random.Generator) -> list[Matrix]:
    """Place one card at a random rotation."""
    upright = rng.random() < 0.4
    turn = rng.normal(0, 12) + (180 if rng.random() < 0.3 else 0)
    return [placement(0, 0, turn if upright else rng.uniform(0, 360))]


def pile(rng: np.random.Generator) -> list[Matrix]:
    """Place a discard pile, sometimes untidy, sometimes with a second pile beside it."""
    loose = rng.exponential(8.0)
    base = rng.uniform(0, 360)
    swing = float(rng.choice([4.0, 15.0, 60.0]))
    # Players who lay from their own seats put some cards crosswise.
    across = float(rng.choice([0.0, 0.4]))
    out = [
        placement(
            rng.normal(0, loose),
            rng.normal(0, loose),
            base + rng.normal(0, swing) + 90 * (rng.random() < across),
        )
        for _ in range(int(rng.integers(2, 10)))
    ]
    if rng.random() < 0.4:
        far = WIDTH + rng.uniform(5, 60)
        other = [
            placement(far + rng.normal(0, 2), rng.normal(0, 2), base + rng.normal(0, 3))
            for _ in range(int(rng.integers(1, 4)))
        ]
        out = other + out
    return out


def scatter(rng: np.random.Generator) -> list[Matrix]:
    """Place cards thrown on the table, some of them overlapping."""
    count = int(rng.integers(2, 14))
    side = math.sqrt(count * WIDTH * HEIGHT) * rng.uniform(0.6, 1.3)
    return [
        placement(side * rng.uniform(-0.5, 0.5), side * rng.uniform(-0.5, 0.5), rng.uniform(0, 360))
        for _ in range(count)
    ]


def spread(rng: np.random.Generator) -> list[Matrix]:
    """Place up to 25 cards in rows and columns."""
    columns, rows = int(rng.integers(2, 8)), int(rng.integers(1, 6))
    count = int(rng.integers(max(2, columns), min(25, columns * rows) + 1)) if rows > 1 else columns
    dx, dy = WIDTH * rng.uniform(0.97, 1.4), HEIGHT * rng.uniform(0.97, 1.3)
    loose, swing = rng.uniform(0, 6), rng.uniform(0, 9)
    base = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 4)
    out = []
    for k in range(count):
        x, y = k % columns * dx, k // columns * dy
        flip = 180 if rng.random() < 0.3 else 0
        at = rng.normal((x, y), loose)
        out.append(placement(0, 0, base) @ placement(at[0], at[1], flip + rng.normal(0, swing)))
    return out


def row(rng: np.random.Generator) -> list[Matrix]:
    """Place cards that overlap like roof tiles, along their width or their height."""
    count = int(rng.integers(2, 13))
    step = rng.uniform(11, 34)
    down = rng.random() < 0.3
    base, swing = rng.uniform(0, 360), rng.uniform(0, 5)
    back = rng.random() < 0.15
    out = []
    for k in range(count):
        x, y = (rng.normal(0, 2), k * step) if down else (k * step, rng.normal(0, 3))
        flip = 180 if rng.random() < 0.15 else 0
        out.append(placement(0, 0, base) @ placement(x, y, flip + rng.normal(0, swing)))
    return out[::-1] if back else out


def fan(rng: np.random.Generator) -> list[Matrix]:
    """Place cards as held in a hand: fanned, so that their upper left corners show."""
    count = int(rng.integers(2, 13))
    radius = rng.uniform(75, 190)
    step = rng.uniform(5, 17) if count < 8 else rng.uniform(4, 11)
    base = rng.normal(0, 25) if rng.random() < 0.7 else rng.uniform(0, 360)
    back = rng.random() < 0.2
    out = []
    for k in range(count):
        turn = (k - (count - 1) / 2) * step + rng.normal(0, 1.2)
        flip = 180 if rng.random() < 0.2 else 0
        reach = radius + rng.normal(0, 2)
        out.append(placement(0, 0, base + turn) @ placement(0, -reach, flip))
    return out[::-1] if back else out


LAYOUTS: dict[str, Callable[[np.random.Generator], list[Matrix]]] = {
    "single": single,
    "pile": pile,
    "scatter": scatter,
    "spread": spread,
    "row": row,
    "fan": fan,
}
"""The layouts by name; each returns placements from the lowest card to the topmost."""
