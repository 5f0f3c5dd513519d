"""What years of play do to a card: scratches, worn edges, paled ink, inks out of register."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.shapes.sheet import Picture


def misregistered(image: Picture, shift: float, rng: np.random.Generator) -> Picture:
    """Return a face (height, width, 3) whose inks are printed ``shift`` pixels out of register."""
    if shift <= 0:
        return image
    height, width = image.shape[:2]
    planes = list(cv2.split(image))
    for k in rng.choice(3, size=2, replace=False):
        move = np.array([[1, 0, rng.normal(0, shift)], [0, 1, rng.normal(0, shift)]])
        planes[k] = cv2.warpAffine(
            planes[k], move, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(cv2.merge(planes), dtype=np.uint8)


def faded(image: Picture, amount: float) -> Picture:
    """Inks paled towards a light grey, at most by `amount` (0 to 1)."""
    if amount <= 0:
        return image
    out = cv2.addWeighted(image, 1 - 0.6 * amount, image, 0, 110 * amount)
    return np.asarray(out, dtype=np.uint8)


def _speckles(shape: tuple[int, int], share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Flecks where ink has come off, in clouds."""
    height, width = shape
    grain = rng.random((height // 2 + 1, width // 2 + 1), dtype=np.float32)
    fine = cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    patches = rng.random((7, 5), dtype=np.float32)
    cloud = cv2.resize(patches, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine + 0.35 * cloud > 1.3 - 0.32 * share, dtype=np.bool_)


def worn(image: Picture, amount: float, rng: np.random.Generator) -> Picture:
    """Return a face (height, width, 3) with scratches, flecks and worn edges.

    ``amount`` is 0 (as new) to 1 (years of play).
    """
    if amount < 0.05:
        return image
    height, width = image.shape[:2]
    out = image.copy()
    if amount > 0.25:
        out[_speckles((height, width), amount, rng)] = 238
    for _ in range(rng.poisson(5 * amount)):
        start = rng.uniform((0, 0), (width, height))
        end = start + rng.normal(0, 0.2 * height, 2)
        level = int(rng.choice([60, 235, 235]))
        a, b = (tuple(int(v) for v in p) for p in (start, end))
        cv2.line(out, a, b, (level, level, level), 1, cv2.LINE_AA)
    _edges(out, amount, rng)
    return out


def _edges(image: Picture, amount: float, rng: np.random.Generator) -> None:
    height, width = image.shape[:2]
    tint = np.array(rng.uniform(0.55, 0.95, 3) * 255).astype(int).tolist()
    for _ in range(rng.poisson(9 * amount)):
        side = rng.integers(4)
        along = rng.random()
        x = (along * width, along * width, 0, width)[side]
        y = (0, height, along * height, along * height)[side]
        size = (int(1 + rng.exponential(0.012) * height), int(1 + rng.exponential(0.008) * height))
        turn = 0 if side < 2 else 90
        cv2.ellipse(image, (int(x), int(y)), size, turn, 0, 360, tint, -1, cv2.LINE_AA)
