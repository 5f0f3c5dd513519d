"""Drawn backgrounds: tables, cloth, paper, keyboards, rooms."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.shapes.digits import Typeface, character
from lab.draw.shapes.noise import blend_colours, fractal_noise, value_noise
from lab.draw.shapes.sheet import Picture
from lab.draw.shapes.strokes import placed

SIZE = 384
_SHAPE = (SIZE, SIZE)
Tint = NDArray[np.float64]


def _tint(rng: np.random.Generator, saturation: float = 0.8, low: float = 0.1) -> Tint:
    hue, strength = rng.uniform(0, 180), rng.uniform(0, saturation) * 255
    pixel = np.array([[[hue, strength, rng.uniform(low, 1.0) * 255]]], dtype=np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float64)


def _pen(tint: Tint) -> tuple[float, float, float]:
    return float(tint[0]), float(tint[1]), float(tint[2])


def plain(rng: np.random.Generator) -> Picture:
    """Return one slightly uneven colour."""
    tint = _tint(rng, 0.9, 0.02)
    return blend_colours(fractal_noise(rng, _SHAPE, 2), tint * rng.uniform(0.75, 0.98), tint)


def white(rng: np.random.Generator) -> Picture:
    """Return white or light grey: paper, a desk, a wall."""
    tint = rng.uniform(190, 255) + rng.normal(0, 7, 3)
    return blend_colours(fractal_noise(rng, _SHAPE, 4), tint * rng.uniform(0.85, 1.0), tint)


def black(rng: np.random.Generator) -> Picture:
    """Return black, or nearly."""
    tint = rng.uniform(2, 50) + rng.normal(0, 4, 3)
    return blend_colours(fractal_noise(rng, _SHAPE, 5), tint * 0.6, tint * 1.3)


def wood(rng: np.random.Generator) -> Picture:
    """Return boards with grain."""
    cells = (int(rng.integers(40, 120)), int(rng.integers(2, 6)))
    grain = value_noise(rng, _SHAPE, cells)
    bend = value_noise(rng, _SHAPE, (4, 2)) * rng.uniform(2, 14)
    rings = 0.5 + 0.5 * np.sin(
        (np.linspace(0, rng.uniform(6, 30), SIZE, dtype=np.float32)[:, None] + bend) * 2
    )
    plane = 0.6 * grain + 0.4 * rings.astype(np.float32)
    hue = rng.uniform(6, 20)
    pixels = [[hue, rng.uniform(40, 190), rng.uniform(25, 250)] for _ in range(1)]
    base = cv2.cvtColor(np.array([pixels], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)
    image = blend_colours(plane, base * rng.uniform(0.5, 0.85), base)
    if rng.random() < 0.4:
        _boards(image, rng, base)
    return image if rng.random() < 0.5 else np.ascontiguousarray(image.transpose(1, 0, 2))


def _boards(image: Picture, rng: np.random.Generator, base: Tint) -> None:
    step = int(rng.integers(40, 140))
    for y in range(int(rng.integers(step)), SIZE, step):
        cv2.line(image, (0, y), (SIZE, y), _pen(base * 0.4), int(rng.integers(1, 4)))


def cloth(rng: np.random.Generator) -> Picture:
    """Return woven cloth, felt or carpet."""
    tint = _tint(rng, 1.0)
    fine = rng.random((SIZE // 2, SIZE // 2), dtype=np.float32)
    weave = cv2.resize(fine, _SHAPE, interpolation=cv2.INTER_LINEAR)
    plane = 0.5 * np.asarray(weave, dtype=np.float32) + 0.5 * fractal_noise(rng, _SHAPE, 3)
    return blend_colours(plane.astype(np.float32), tint * rng.uniform(0.4, 0.85), tint)


def pattern(rng: np.random.Generator) -> Picture:
    """Return a tablecloth with checks, stripes or dots."""
    first, second = _tint(rng, 0.9), _tint(rng, 0.9)
    step = int(rng.integers(12, 80))
    y, x = np.mgrid[:SIZE, :SIZE]
    kind = rng.integers(4)
    if kind == 0:
        plane = ((x // step + y // step) % 2).astype(np.float32)
    elif kind == 1:
        plane = ((x + int(rng.integers(2)) * y) // step % 2).astype(np.float32)
    elif kind == 2:
        plane = 0.5 * (x // step % 2 + y // step % 2).astype(np.float32)
    else:
        plane = (np.hypot(x % step - step / 2, y % step - step / 2) < step / 4).astype(np.float32)
    image = blend_colours(plane, first, second)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.5)), dtype=np.uint8)


def gradient(rng: np.random.Generator) -> Picture:
    """Return a gradient between two colours."""
    way = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[-0.5 : 0.5 : SIZE * 1j, -0.5 : 0.5 : SIZE * 1j]
    plane = (0.5 + 0.6 * (x * np.cos(way) + y * np.sin(way))).astype(np.float32)
    return blend_colours(plane, _tint(rng), _tint(rng))


def keyboard(rng: np.random.Generator) -> Picture:
    """Return rows of keys with signs on them."""
    dark = rng.random() < 0.75
    base = np.array([30.0, 30.0, 32.0]) if dark else np.array([205.0, 208.0, 210.0])
    image = blend_colours(fractal_noise(rng, _SHAPE, 2), base * 0.7, base * 1.2)
    key = int(rng.integers(26, 64))
    gap = max(2, key // 9)
    face, ink = (55, 230) if dark else (235, 40)
    level = face * rng.uniform(0.5, 1.05)
    for row, y in enumerate(range(-key // 2, SIZE, key + gap)):
        for x in range(-key + row * key // 3 % key, SIZE, key + gap):
            cv2.rectangle(image, (x, y), (x + key, y + key), (level, level, level), -1)
            _sign(image, rng, (x + key * 0.35, y + key * 0.4), key * 0.34, ink)
    return image


def _sign(
    image: Picture, rng: np.random.Generator, at: tuple[float, float], size: float, ink: int
) -> None:
    body = character(str(rng.choice(list("0123457UNOLD"))), Typeface(stem=0.13, bar=0.12))
    for piece in placed(body, at, size):
        cv2.fillPoly(
            image, [np.round(piece * 16).astype(np.int32)], (ink, ink, ink), cv2.LINE_AA, 4
        )


def text(rng: np.random.Generator) -> Picture:
    """Return a printed page, or a screen with lines of code."""
    dark = rng.random() < 0.4
    base = _tint(rng, 0.3, 0.05) * 0.2 if dark else np.full(3, rng.uniform(200, 252))
    image = blend_colours(fractal_noise(rng, _SHAPE, 2), base * 0.95, base)
    step = int(rng.integers(7, 18))
    for y in range(step, SIZE, step):
        x = int(rng.integers(0, 60)) if dark else 8
        end = int(rng.integers(100, SIZE))
        ink = _pen(_tint(rng, 0.9, 0.6)) if dark else _pen(np.full(3, rng.uniform(20, 110)))
        while x < end:
            length = int(rng.integers(4, 34))
            cv2.line(image, (x, y), (x + length, y), ink, max(1, step // 4))
            x += length + step // 2
    return image


def room(rng: np.random.Generator) -> Picture:
    """Return a room, out of focus."""
    image = blend_colours(fractal_noise(rng, _SHAPE, 3), _tint(rng, 0.5), _tint(rng, 0.5))
    clutter(image, rng, int(rng.integers(6, 22)))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(1.0, 7.0)), dtype=np.uint8)


def messy(rng: np.random.Generator) -> Picture:
    """Return a cluttered table."""
    image = wood(rng) if rng.random() < 0.5 else plain(rng)
    clutter(image, rng, int(rng.integers(4, 16)))
    return image


def clutter(image: Picture, rng: np.random.Generator, count: int) -> None:
    """Draw boxes, discs, bands and lines of random colours over a picture."""
    for _ in range(count):
        x, y = (float(v) for v in rng.uniform(0, SIZE, 2))
        w, h = (float(v) for v in rng.uniform(8, 170, 2))
        tint, turn = _pen(_tint(rng, 0.9, 0.05)), rng.uniform(0, 180)
        kind = rng.integers(4)
        if kind < 2:
            box = cv2.boxPoints(((x, y), (w, h), turn)).astype(np.int32)
            cv2.fillConvexPoly(image, box, tint, cv2.LINE_AA)
            cv2.polylines(image, [box], True, _pen(np.array(tint) * 0.6), 1, cv2.LINE_AA)
        elif kind == 2:
            size = (int(w / 3), int(h / 3))
            cv2.ellipse(image, (int(x), int(y)), size, turn, 0, 360, tint, -1, cv2.LINE_AA)
        else:
            end = rng.uniform(0, SIZE, 2)
            thick = int(rng.integers(1, 14))
            cv2.line(image, (int(x), int(y)), (int(end[0]), int(end[1])), tint, thick, cv2.LINE_AA)


BACKGROUNDS: tuple[tuple[Callable[[np.random.Generator], Picture], float], ...] = (
    (plain, 0.1),
    (white, 0.14),
    (black, 0.1),
    (wood, 0.2),
    (cloth, 0.1),
    (pattern, 0.07),
    (gradient, 0.04),
    (keyboard, 0.08),
    (text, 0.05),
    (room, 0.07),
    (messy, 0.05),
)


def random_background(rng: np.random.Generator) -> Picture:
    """Return a random background, `SIZE` by `SIZE` pixels in BGR."""
    share = np.array([weight for _, weight in BACKGROUNDS])
    return BACKGROUNDS[int(rng.choice(len(BACKGROUNDS), p=share / share.sum()))][0](rng)
