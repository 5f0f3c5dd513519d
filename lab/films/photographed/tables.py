"""Tables grown from photographed pieces, with things lying on them, and cloths drawn.

They grow by quilting (Efros and Freeman, 2001).
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.types import Picture
from lab.films.photographed.cutouts import Surface

CLEAR = 135.0
"""Distance in mm from the pile's middle within which nothing else lies."""
TRIES = 24
"""Places of the piece compared for each block."""
_BESIDE = np.ones((1, 3), np.uint8)


def table_of(
    surface: Surface, size: tuple[int, int], scale: float, rng: np.random.Generator
) -> Picture:
    """Return a table's picture of a size in pixels, ``scale`` pixels a millimetre."""
    grown = float(np.clip(scale / surface.scale, 0.3, 1.6))
    piece = cv2.resize(surface.picture, None, fx=grown, fy=grown, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        piece = np.rot90(piece)
    piece = _evenly_lit(np.ascontiguousarray(piece[:420, :420]))
    table = quilt(piece, size, rng).astype(np.float32)
    # Light falls off slowly over a table, and photos of dark ones are darker than tables.
    table *= float(np.clip(60 / max(table.mean(), 20), 1.0, 2.2))
    light = cv2.resize(
        rng.normal(1, 0.05, (3, 4)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(np.clip(table * light[..., None], 0, 255), np.uint8)


def _evenly_lit(piece: Picture) -> Picture:
    """Return a piece without the photo's own fall of light, which would show as tiles."""
    light = cv2.GaussianBlur(piece.astype(np.float32), (0, 0), min(piece.shape[:2]) / 12)
    even = piece * (light.mean(axis=(0, 1)) / np.maximum(light, 4))
    return np.asarray(np.clip(even, 0, 255), np.uint8)


def lay_objects(
    table: Picture,
    scale: float,
    count: int,
    surfaces: Sequence[Surface],
    faces: Sequence[Picture],
    rng: np.random.Generator,
) -> None:
    """Lay ``count`` things on the table, around the pile's place."""
    for _ in range(count):
        where = _place(rng, float(rng.uniform(CLEAR + 40, 420)))
        turn = float(rng.uniform(0, 360))
        kind = rng.random()
        spot = (float(where[0]), float(where[1]))
        if kind < 0.35 and count > 4:
            _lay(table, faces[int(rng.integers(len(faces)))], 87.0, spot, turn, scale)
        elif kind < 0.75:
            piece = surfaces[int(rng.integers(len(surfaces)))].picture
            tall = float(rng.uniform(50, 150))
            _lay(table, _sheet(piece, rng), tall, spot, turn, scale)
        else:
            _lay(table, _round(rng), float(rng.uniform(60, 95)), spot, turn, scale)


def _place(rng: np.random.Generator, distance: float) -> Picture:
    way = rng.choice([0, math.pi]) + rng.normal(0, 0.6)
    return np.array([math.cos(way), math.sin(way)]) * distance


def _sheet(piece: Picture, rng: np.random.Generator) -> Picture:
    """Return a notebook, a box or a telephone: a piece of another surface with an edge."""
    height = int(rng.uniform(0.7, 1.6) * 150)
    sheet = cv2.resize(piece[: height * 2, :300], (150, height), interpolation=cv2.INTER_AREA)
    sheet = np.clip(sheet * rng.uniform(0.5, 1.3, 3), 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 9))):
        y = int(rng.integers(10, height - 8))
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.line(sheet, (14, y), (int(rng.integers(40, 140)), y), ink, int(rng.integers(1, 5)))
    cv2.rectangle(
        sheet, (0, 0), (149, height - 1), tuple(int(v) for v in rng.integers(0, 256, 3)), 2
    )
    return np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])


def _round(rng: np.random.Generator) -> Picture:
    """Return a cup, a plate or a coaster from above."""
    out = np.zeros((180, 180, 4), np.uint8)
    tints = rng.integers(15, 240, (3, 3))
    for radius, tint in zip(
        (88, int(rng.integers(60, 84)), int(rng.integers(20, 58))), tints, strict=True
    ):
        cv2.circle(out, (90, 90), radius, (*(int(v) for v in tint), 255), -1, cv2.LINE_AA)
    cv2.ellipse(out, (78, 76), (40, 30), 40, 0, 120, (250, 250, 250, 255), 2, cv2.LINE_AA)
    return out


def _lay(
    table: Picture,
    layer: Picture,
    tall: float,
    at: tuple[float, float],
    turn: float,
    scale: float,
) -> None:
    """Lay a layer, ``tall`` mm high, on the table, with a soft shadow."""
    height, width = layer.shape[:2]
    big = tall * scale / height
    c, s = big * math.cos(math.radians(turn)), big * math.sin(math.radians(turn))
    x, y = table.shape[1] / 2 + at[0] * scale, table.shape[0] / 2 + at[1] * scale
    matrix = np.array(
        [
            [c, -s, x - c * width / 2 + s * height / 2],
            [s, c, y - s * width / 2 - c * height / 2],
        ]
    )
    room = math.hypot(width, height) * big / 2 + 12
    low = np.maximum(0, np.array([x, y]) - room).astype(int)
    high = np.minimum(table.shape[1::-1], np.array([x, y]) + room).astype(int)
    if (high - low < 4).any():
        return
    matrix[:, 2] -= low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    moved = cv2.warpAffine(
        layer, matrix, size, flags=cv2.INTER_AREA if big < 1 else cv2.INTER_LINEAR
    )
    share = moved[..., 3:].astype(np.float32) / 255
    shade = (
        1 - 0.35 * cv2.GaussianBlur(np.roll(share[..., 0], (3, 3), (0, 1)), (0, 0), 4)[..., None]
    )
    part = table[low[1] : high[1], low[0] : high[0]]
    part[:] = part * shade * (1 - share) + moved[..., :3] * share


def quilt(piece: Picture, size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Return a picture of any size (width, height) that looks like a piece, (height, width, 3)."""
    block = int(min(piece.shape[:2]) * 0.55) // 2 * 2
    lap = block // 4
    step = block - lap
    columns, rows = (-(-(side - lap) // step) for side in size)
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
    best, fitting = np.inf, piece[:block, :block]
    for _ in range(TRIES if left or above else 1):
        y, x = (int(rng.integers(0, most - block + 1)) for most in piece.shape[:2])
        tried = piece[y : y + block, x : x + block]
        cost = 0.0
        if left:
            cost += float(cv2.norm(there[:, :lap], tried[:, :lap], cv2.NORM_L2SQR))
        if above:
            cost += float(cv2.norm(there[:lap], tried[:lap], cv2.NORM_L2SQR))
        if cost < best:
            best, fitting = cost, tried
    return fitting


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
