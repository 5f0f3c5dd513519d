"""Tables grown from photographed pieces, with things lying on them."""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.types import Picture
from lab.draw.cards.backs import back
from lab.draw.cards.print_style import random_style
from lab.films.cutouts import Surface
from lab.films.quilt import quilt

CLEAR = 135.0
"""Distance in mm from the pile's middle within which nothing else lies."""


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
    """Lay a draw pile on the table and ``count`` other things around the pile's place."""
    style = random_style(int(rng.integers(1 << 30)))
    backs = back(style, rng, 224)
    at = _place(rng, 150)
    turn = float(rng.normal(0, 10))
    for n in range(4):
        shift = at + rng.normal(0, 1.2, 2) - 0.5 * n
        _lay(
            table,
            backs,
            87.0,
            (float(shift[0]), float(shift[1])),
            turn + float(rng.normal(0, 2)),
            scale,
        )
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
