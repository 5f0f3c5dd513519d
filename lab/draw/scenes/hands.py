"""Fingers and hands, drawn as rounded shapes lit from one side."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.scenes.compositing import OCCLUDED, Canvas
from lab.draw.scenes.projection import Corners

Tone = NDArray[np.float64]
Points = NDArray[np.float64]


def random_skin(rng: np.random.Generator) -> Tone:
    """Return a random skin colour, in BGR."""
    light = rng.uniform(0.2, 0.97)
    hue, strength = rng.uniform(4, 15), rng.uniform(0.28, 0.6) + 0.15 * (1 - light)
    pixel = np.array([[[hue, min(1, strength) * 255, light * 255]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float64)


def _stroke(image: NDArray[np.uint8], points: Points, tint: Tone | int, thick: float) -> None:
    colour = tint if isinstance(tint, int) else tuple(float(v) for v in tint)
    line = np.round(points * 16).astype(np.int32)
    cv2.polylines(image, [line], False, colour, max(1, round(thick)), cv2.LINE_AA, 4)


def finger(
    canvas: Canvas, points: Points, thick: float, tone: Tone, nail: bool, front: bool
) -> None:
    """Draw a finger ``thick`` pixels wide along points (n, 2), from the hand to the tip.

    A finger in front hides the cards drawn so far.
    """
    image = canvas.image
    side = np.array([-0.16, -0.2]) * thick
    _stroke(image, points - side * 0.4, tone * 0.55, thick * 1.06)
    for part, light in ((1.0, 0.8), (0.74, 0.92), (0.5, 1.0), (0.26, 1.06)):
        _stroke(image, points + side * (1 - part), np.minimum(tone * light, 255), thick * part)
    if nail:
        _nail(image, points, thick, tone)
    if front:
        _stroke(canvas.owner, points, OCCLUDED, thick)


def _nail(image: NDArray[np.uint8], points: Points, thick: float, tone: Tone) -> None:
    way = points[-1] - points[-2]
    way /= max(1e-6, float(np.hypot(*way)))
    at = points[-1] + way * thick * 0.08
    angle = float(np.degrees(np.arctan2(way[1], way[0])))
    size = (max(1, int(thick * 0.3)), max(1, int(thick * 0.24)))
    tint = tuple(float(v) for v in np.minimum(tone * 0.9 + np.array([26, 24, 34]), 255))
    cv2.ellipse(image, (int(at[0]), int(at[1])), size, angle, 0, 360, tint, -1, cv2.LINE_AA)


def _bent(start: Points, end: Points, rng: np.random.Generator) -> Points:
    middle = (start + end) / 2 + rng.normal(0, 0.08, 2) * float(np.hypot(*(end - start)))
    t = np.linspace(0, 1, 7)[:, None]
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end)


def _edge(quad: Corners, rng: np.random.Generator, lowest: bool) -> tuple[Points, Points, float]:
    """Return a random point on an edge of the card, the outward direction, and the card's width."""
    corners = quad.astype(np.float64)
    middle = corners.mean(axis=0)
    which = int(rng.integers(4))
    if lowest:
        which = int(np.argmax([(corners[k] + corners[(k + 1) % 4])[1] for k in range(4)]))
    a, b = corners[which], corners[(which + 1) % 4]
    at = a + (b - a) * rng.uniform(0.2, 0.8)
    out = (a + b) / 2 - middle
    out /= max(1e-6, float(np.hypot(*out)))
    sides = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T)
    return at, out, float(np.sort(sides)[1])


def draw_behind(canvas: Canvas, quad: Corners, tone: Tone, rng: np.random.Generator) -> None:
    """Draw the part of a holding hand behind the card: palm and finger tips."""
    at, out, size = _edge(quad, rng, True)
    if rng.random() < 0.25:
        _open_palm(canvas, quad, out, size, tone, rng)
        return
    palm = at + out * size * rng.uniform(0.3, 0.7)
    arm = palm + (out + rng.normal(0, 0.4, 2)) * size * 3
    _stroke(canvas.image, np.array([palm, arm]), tone * 0.7, size * rng.uniform(0.45, 0.8))
    _stroke(canvas.image, np.array([palm, arm]), tone * 0.9, size * 0.4)
    across = np.array([-out[1], out[0]])
    for k in range(int(rng.integers(1, 4))):
        tip = at - out * size * rng.uniform(0.1, 0.8) + across * size * rng.uniform(-0.75, 0.75)
        line = _bent(palm + across * size * 0.1 * k, tip, rng)
        finger(canvas, line, size * rng.uniform(0.2, 0.3), tone, False, False)


def _open_palm(
    canvas: Canvas, quad: Corners, out: Points, size: float, tone: Tone, rng: np.random.Generator
) -> None:
    """Draw an open hand under the card: a broad palm, and fingers that reach beyond the card."""
    middle = quad.astype(np.float64).mean(axis=0) + out * size * rng.uniform(0.2, 0.7)
    across = np.array([-out[1], out[0]])
    wide = size * rng.uniform(0.9, 1.3)
    arm = np.array([middle, middle + out * size * 5])
    _stroke(canvas.image, arm, tone * 0.75, wide * 0.75)
    _stroke(canvas.image, np.array([middle - out * 0.2 * size, middle]), tone * 0.85, wide)
    _stroke(canvas.image, np.array([middle - out * 0.2 * size, middle]), tone * 0.97, wide * 0.7)
    for k in range(4):
        start = middle + across * wide * (k - 1.5) * 0.24
        spread = -out + across * (k - 1.5) * rng.uniform(0.0, 0.25)
        tip = start + spread * size * rng.uniform(0.7, 1.5)
        finger(canvas, _bent(start, tip, rng), wide * rng.uniform(0.2, 0.27), tone, False, False)


def draw_thumb(canvas: Canvas, quad: Corners, tone: Tone, rng: np.random.Generator) -> None:
    """Draw a thumb over the card's edge, sometimes with a finger."""
    for k in range(1 if rng.random() < 0.7 else 2):
        at, out, size = _edge(quad, rng, k == 0 and rng.random() < 0.7)
        tip = at - out * size * rng.uniform(0.05, 0.3)
        swerve = rng.normal(0, 0.35) * np.array([-out[1], out[0]])
        start = at + (out + swerve) * size * rng.uniform(0.6, 1.6)
        thick = size * rng.uniform(0.2, 0.33)
        finger(canvas, _bent(start, tip, rng), thick, tone, rng.random() < 0.6, True)


def draw_reaching_hand(canvas: Canvas, rng: np.random.Generator) -> None:
    """Draw a hand that reaches into the picture over everything else."""
    height, width = canvas.image.shape[:2]
    size, tone = min(height, width) * rng.uniform(0.15, 0.4), random_skin(rng)
    angle = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([width, height]) / 2
    knuckle = middle + out * max(height, width) * rng.uniform(0.3, 0.6)
    across = np.array([-out[1], out[0]])
    arm = np.array([knuckle, knuckle + out * size * 6])
    _stroke(canvas.image, arm, tone * 0.8, size * 1.2)
    _stroke(canvas.image, arm, tone * 0.95, size * 0.7)
    _stroke(canvas.owner, arm, OCCLUDED, size * 1.2)
    for k in range(int(rng.integers(1, 5))):
        start = knuckle + across * size * (k - 1.5) * 0.3
        tip = start - out * size * rng.uniform(0.6, 1.6) + rng.normal(0, 0.15, 2) * size
        finger(canvas, _bent(start, tip, rng), size * rng.uniform(0.24, 0.34), tone, True, True)
