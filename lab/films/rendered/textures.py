"""Tables made of noise, and flat things that lie about on them: a pad, a phone, coins, a pen."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[Any]
Rng = np.random.Generator

REACH = 520.0
"""A texture shows the table from -REACH to REACH in mm, both ways."""
PIXELS = 1560


def clouds(rng: Rng, wide: int, high: int, cell: float, octaves: int = 4) -> Picture:
    """Return smooth noise (high, wide), about -1 to 1, whose largest spots are ``cell`` pixels."""
    total: Picture = np.zeros((high, wide), np.float32)
    for octave in range(octaves):
        size = max(cell / 2**octave, 1.0)
        small = rng.standard_normal(
            (max(3, round(high / size)), max(3, round(wide / size))), np.float32
        )
        total += cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC) * 0.5**octave
    return total / 1.6


def wood(rng: Rng) -> Picture:
    """Boards with grain along them."""
    tone = np.array(
        [(60, 110, 165), (40, 70, 110), (95, 145, 190), (120, 160, 190)][rng.integers(4)]
    )
    boards = int(rng.integers(3, 8))
    picture = np.empty((PIXELS, PIXELS, 3), np.float32)
    edges = np.linspace(0, PIXELS, boards + 1).astype(int)
    for low, high in pairwise(edges):
        rows = high - low
        warp = clouds(rng, PIXELS, rows, 260, 3)
        rings = np.sin((np.arange(rows)[:, None] / rows * rng.uniform(6, 16) + 2.2 * warp) * 3.0)
        fibre = cv2.blur(rng.standard_normal((rows, PIXELS), np.float32), (41, 1)) * 3
        light = 1 + 0.09 * rings + 0.05 * fibre + rng.normal(0, 0.05)
        picture[low:high] = tone * light[..., None]
        picture[low : low + 2] *= 0.55
    return _as_texture(picture, rng)


def laminate(rng: Rng) -> Picture:
    """A plain table top, slightly mottled."""
    tone = np.array(
        [(215, 222, 226), (175, 190, 200), (70, 72, 78), (140, 160, 150), (190, 200, 230)][
            rng.integers(5)
        ]
    )
    light = 1 + 0.03 * clouds(rng, PIXELS, PIXELS, 300) + 0.015 * _grain(rng)
    return _as_texture(tone * light[..., None], rng)


def felt(rng: Rng) -> Picture:
    """A card table's felt."""
    tone = np.array([(60, 95, 30), (110, 60, 30), (50, 40, 120), (75, 75, 75)][rng.integers(4)])
    light = 1 + 0.05 * clouds(rng, PIXELS, PIXELS, 60) + 0.10 * _grain(rng)
    return _as_texture(tone * light[..., None], rng)


def cloth(rng: Rng) -> Picture:
    """A woven tablecloth with folds."""
    tone = np.array(
        [(200, 210, 215), (120, 130, 190), (170, 140, 100), (90, 160, 190)][rng.integers(4)]
    )
    x, y = np.meshgrid(np.arange(PIXELS), np.arange(PIXELS))
    weave = np.sign(np.sin(x * 1.05)) * np.sign(np.sin(y * 1.05))
    folds = np.sin((x * rng.uniform(-1, 1) + y * rng.uniform(-1, 1)) / rng.uniform(90, 200))
    light = 1 + 0.03 * weave + 0.05 * folds + 0.04 * clouds(rng, PIXELS, PIXELS, 200)
    return _as_texture(tone * light[..., None], rng)


def plaid(rng: Rng) -> Picture:
    """A chequered or plaid tablecloth."""
    base, dark = (
        np.array(c, np.float32)
        for c in [
            ((225, 230, 235), (60, 50, 190)),
            ((225, 228, 230), (150, 90, 50)),
            ((60, 80, 40), (50, 40, 150)),
            ((210, 225, 240), (90, 140, 60)),
        ][rng.integers(4)]
    )
    period = float(rng.uniform(40, 110))
    ramp = np.arange(PIXELS) / period
    wide = float(rng.uniform(0.35, 0.5))
    band = ((ramp % 1) < wide) * 0.5 + (((ramp + 0.3) % 1) < 0.06) * 0.35
    share = np.clip(band[:, None] + band[None, :], 0, 1).astype(np.float32)
    threads = 1 + 0.05 * _grain(rng) + 0.03 * clouds(rng, PIXELS, PIXELS, 240)
    picture = (base + (dark - base) * share[..., None]) * threads[..., None]
    return _as_texture(picture, rng)


def stone(rng: Rng) -> Picture:
    """Granite or marble."""
    tone = np.array([(205, 205, 205), (95, 95, 100), (150, 165, 175)][rng.integers(3)])
    veins = np.abs(clouds(rng, PIXELS, PIXELS, 330, 5))
    light = 1 + 0.10 * clouds(rng, PIXELS, PIXELS, 14, 2) - 0.28 * np.exp(-veins * 26)
    return _as_texture(tone * light[..., None], rng)


def oilcloth(rng: Rng) -> Picture:
    """A cloth printed with blots in several colours."""
    tone = np.array([(235, 235, 235), (190, 220, 235), (120, 150, 90)][rng.integers(3)], np.float64)
    picture = np.empty((PIXELS, PIXELS, 3), np.float32)
    picture[:] = tone
    colours = [(60, 60, 200), (60, 180, 230), (80, 150, 60), (180, 110, 60), (150, 90, 170)]
    step = int(rng.integers(70, 150))
    for row in range(0, PIXELS + step, step):
        for column in range(0, PIXELS + step, step):
            at = (column + (row // step % 2) * step // 2, row)
            ink = colours[int(rng.integers(len(colours)))]
            for petal in range(5):
                turn = petal * 2 * np.pi / 5 + rng.uniform(0, 0.3)
                middle = (
                    round(at[0] + 0.16 * step * np.cos(turn)),
                    round(at[1] + 0.16 * step * np.sin(turn)),
                )
                cv2.circle(picture, middle, round(0.11 * step), ink, -1, cv2.LINE_AA)
            cv2.circle(picture, at, round(0.08 * step), (70, 200, 240), -1, cv2.LINE_AA)
    light = 1 + 0.03 * clouds(rng, PIXELS, PIXELS, 300) + 0.02 * _grain(rng)
    return _as_texture(picture * light[..., None], rng)


TABLES: dict[str, Callable[[Rng], Picture]] = {
    "wood": wood,
    "laminate": laminate,
    "felt": felt,
    "cloth": cloth,
    "stone": stone,
    "plaid": plaid,
    "oilcloth": oilcloth,
}


def _grain(rng: Rng) -> Picture:
    return cv2.GaussianBlur(rng.standard_normal((PIXELS, PIXELS), np.float32), (0, 0), 0.8) * 2


def _as_texture(picture: Picture, rng: Rng) -> Picture:
    """Return a texture as 8 bits, turned by a random angle."""
    whole = np.clip(picture, 0, 255).astype(np.uint8)
    turn = cv2.getRotationMatrix2D((PIXELS / 2, PIXELS / 2), float(rng.uniform(0, 360)), 1.0)
    return np.asarray(
        cv2.warpAffine(whole, turn, (PIXELS, PIXELS), borderMode=cv2.BORDER_REFLECT_101)
    )


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
