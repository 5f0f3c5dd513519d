"""Tables grown from a piece of one: quilting (Efros and Freeman, 2001), and cloths drawn."""

import cv2
import numpy as np

from hardware.camera.types import Picture

_BESIDE = np.ones((1, 3), np.uint8)
TRIES = 24
"""Places of the piece compared for each block."""


def quilt(piece: Picture, size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Return a picture of any size (width, height) that looks like a piece, (height, width, 3)."""
    block = int(min(piece.shape[:2]) * 0.55) // 2 * 2
    lap = block // 4
    step = block - lap
    columns, rows = (-(-(one - lap) // step) for one in size)
    out = np.zeros((rows * step + lap, columns * step + lap, 3), np.uint8)
    for y in range(0, rows * step, step):
        for x in range(0, columns * step, step):
            there = out[y : y + block, x : x + block]
            new = _fitting(piece, there, lap, x > 0, y > 0, rng)
            kept = _seams(there, new, lap, x > 0, y > 0)
            there[:] = (there * kept + new * (1 - kept)).astype(np.uint8)
    return out[: size[1], : size[0]]


def _fitting(
    piece: Picture, there: Picture, lap: int, left: bool, above: bool, rng: np.random.Generator
) -> Picture:
    """Return the block of the piece, among a few, that fits best to what is there."""
    block = there.shape[0]
    best, found = np.inf, piece[:block, :block]
    for _ in range(TRIES if left or above else 1):
        y, x = (int(rng.integers(0, most - block + 1)) for most in piece.shape[:2])
        one = piece[y : y + block, x : x + block]
        cost = 0.0
        if left:
            cost += float(cv2.norm(there[:, :lap], one[:, :lap], cv2.NORM_L2SQR))
        if above:
            cost += float(cv2.norm(there[:lap], one[:lap], cv2.NORM_L2SQR))
        if cost < best:
            best, found = cost, one
    return found


def _seams(there: Picture, new: Picture, lap: int, left: bool, above: bool) -> Picture:
    """Return the share, (block, block, 1), of what is there: cut where both differ least."""
    block = there.shape[0]
    kept = np.zeros((block, block), np.float32)
    differing = np.square(there.astype(np.float32) - new).sum(axis=2)
    if left:
        kept[:, :lap] = _cut(differing[:, :lap])
    if above:
        kept[:lap] = np.maximum(kept[:lap], _cut(differing[:lap].T).T)
    return np.asarray(cv2.GaussianBlur(kept, (0, 0), 1.0))[..., None]


def _cut(cost: Picture) -> Picture:
    """Return 1 left of the cheapest way from top to bottom, 0 right of it."""
    total = np.ascontiguousarray(cost)
    for y in range(1, len(total)):
        total[y] += cv2.erode(total[y - 1 : y], _BESIDE)[0]
    way = np.zeros(len(total), int)
    way[-1] = int(np.argmin(total[-1]))
    for y in range(len(total) - 2, -1, -1):
        low = max(0, way[y + 1] - 1)
        way[y] = low + int(np.argmin(total[y, low : way[y + 1] + 2]))
    return np.asarray(np.arange(cost.shape[1])[None] < way[:, None], np.float32)


def plaid(size: tuple[int, int], scale: float, rng: np.random.Generator) -> Picture:
    """Draw a chequered cloth, ``scale`` pixels a millimetre, with its threads and folds."""
    width, height = size
    tints = rng.integers(20, 235, (3, 3)).astype(np.float32)
    period = float(rng.uniform(18, 60)) * scale
    lines = []
    for long in (width, height):
        at = np.arange(long) / period % 1.0
        band = np.where(at < 0.45, 1.0, np.where(np.abs(at - 0.72) < 0.04, 0.6, 0.0))
        lines.append(cv2.blur(band.astype(np.float32)[None], (3, 1))[0])
    across, down = lines[0][None, :, None], lines[1][:, None, None]
    cloth = tints[0] * (1 - 0.5 * across - 0.5 * down) + 0.5 * tints[1] * (across + down)
    thread = rng.normal(0, 1, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    weave = cv2.resize(thread, size, interpolation=cv2.INTER_NEAREST) * 7
    folds = cv2.resize(
        rng.normal(0, 1, (5, 7)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC
    )
    lit = (cloth + weave[..., None]) * (1 + 0.08 * folds[..., None])
    return np.asarray(np.clip(lit, 0, 255), np.uint8)
