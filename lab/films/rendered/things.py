"""Flat things that lie about on a table: a pad, a phone, a coaster, coins, a pen."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.textures import PIXELS, REACH

Picture = npt.NDArray[Any]
Rng = np.random.Generator

SIDE = 400
"""Pixels of the sheet that a thing is drawn on, two a mm."""
NEAREST, FARTHEST = 170.0, 300.0
"""Distance in mm of things from the pile."""


def with_things(texture: Picture, rng: Rng) -> Picture:
    """Return a table's texture with up to six things on it, around the pile's place."""
    table = texture.copy()
    count = int(rng.integers(2, 7))
    first = float(rng.uniform(0, 360))
    for number in range(count):
        way = np.radians(first + number * 360 / count + float(rng.normal(0, 12)))
        off = float(rng.uniform(NEAREST, FARTHEST))
        drawn = THINGS[int(rng.integers(len(THINGS)))](rng)
        _put(table, drawn, (off * np.cos(way), off * np.sin(way)), float(rng.uniform(0, 360)))
    return table


def _put(table: Picture, thing: Picture, at: tuple[float, float], turn: float) -> None:
    scale = PIXELS / (2 * REACH)
    matrix = np.array(cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), turn, scale / 2), np.float64)
    matrix[:, 2] += (np.array(at) + REACH) * scale - SIDE / 2
    size = (PIXELS, PIXELS)
    layer = np.asarray(cv2.warpAffine(thing, matrix, size, flags=cv2.INTER_AREA))
    alpha = layer[..., 3].astype(np.float32) / 255
    x, y, wide, high = cv2.boundingRect(cv2.dilate(layer[..., 3], np.ones((25, 25), np.uint8)))
    part = slice(y, y + high), slice(x, x + wide)
    shade = 1 - 0.45 * cv2.GaussianBlur(alpha[part], (0, 0), 4)
    under = table[part] * shade[..., None] * (1 - alpha[part][..., None])
    table[part] = np.clip(under + layer[part][..., :3] * alpha[part][..., None], 0, 255)


def _sheet() -> Picture:
    return np.zeros((SIDE, SIDE, 4), np.uint8)


def _ink(rng: Rng) -> tuple[int, int, int, int]:
    b, g, r = (int(v) for v in rng.integers(20, 235, 3))
    return b, g, r, 255


def pad(rng: Rng) -> Picture:
    """A sheet of paper with a score written on it."""
    sheet = _sheet()
    cv2.rectangle(sheet, (110, 70), (290, 330), (236, 240, 242, 255), -1)
    pen = (120, 50, 30, 255) if rng.random() < 0.5 else (50, 45, 45, 255)
    for row in range(95, 320, 28):
        for column in (125, 185, 240):
            word = str(int(rng.integers(0, 400)))
            cv2.putText(sheet, word, (column, row), 0, 0.6, pen, 2, cv2.LINE_AA)
    return sheet


def phone(rng: Rng) -> Picture:
    """A phone that lies on its face or shows a dark screen."""
    sheet = _sheet()
    cv2.rectangle(sheet, (128, 60), (272, 340), (35, 32, 32, 255), -1)
    cv2.rectangle(sheet, (136, 72), (264, 328), (58, 50, 48, 255), -1)
    cv2.circle(sheet, (152, 92), 12, _ink(rng), -1, cv2.LINE_AA)
    return sheet


def coaster(rng: Rng) -> Picture:
    """A coaster printed with rings and a star."""
    sheet = _sheet()
    for radius in (95, 84, 60, 48, 22):
        cv2.circle(sheet, (200, 200), radius, _ink(rng), -1, cv2.LINE_AA)
    for turn in np.arange(0, 6.28, 0.785):
        end = (round(200 + 75 * np.cos(turn)), round(200 + 75 * np.sin(turn)))
        cv2.line(sheet, (200, 200), end, _ink(rng), 3, cv2.LINE_AA)
    return sheet


def coins(rng: Rng) -> Picture:
    """Some coins or chips."""
    sheet = _sheet()
    for _ in range(int(rng.integers(3, 9))):
        at = (int(rng.integers(110, 290)), int(rng.integers(110, 290)))
        cv2.circle(sheet, at, 24, (60, 120, 165, 255), -1, cv2.LINE_AA)
        cv2.circle(sheet, at, 19, (95, 165, 205, 255), 2, cv2.LINE_AA)
        word = str(int(rng.integers(1, 9)))
        cv2.putText(sheet, word, (at[0] - 8, at[1] + 9), 0, 0.8, (40, 80, 110, 255), 2, cv2.LINE_AA)
    return sheet


def pen(rng: Rng) -> Picture:
    """A pen."""
    sheet = _sheet()
    cv2.line(sheet, (60, 200), (320, 200), _ink(rng), 17, cv2.LINE_AA)
    cv2.line(sheet, (60, 200), (120, 200), _ink(rng), 19, cv2.LINE_AA)
    cv2.line(sheet, (320, 200), (345, 200), (40, 40, 40, 255), 6, cv2.LINE_AA)
    return sheet


THINGS: tuple[Callable[[Rng], Picture], ...] = (pad, phone, coaster, coins, pen)
