"""Hands of several kinds from above, modelled as heights, lit, and given skin and a sleeve."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.types import Picture
from lab.films.photographed.pose import Matrix, Pose

SCALE = 2.2
"""Pixels per millimetre in the layers."""
LEFT, TOP, RIGHT, BOTTOM = -95.0, -70.0, 95.0, 520.0
"""Extent of the layers in mm around the point that holds a card; the arm is below."""

GRIP = 33.0
"""Distance in mm from a held card's middle to the point that holds it."""

Points = npt.NDArray[np.float64]
Part = tuple[Sequence[tuple[float, float]], float, float]
"""A limb: points in mm, and the thickness at its first and last point."""
FINGERS_BELOW: Sequence[Part] = (
    (((-25, 78), (-30, 34), (-16, 2)), 20, 15),
    (((-7, 70), (-11, 22), (-4, -12)), 21, 15),
    (((12, 72), (13, 26), (10, -6)), 20, 14),
    (((29, 80), (33, 46), (25, 14)), 17, 12),
)
THUMB: Part = (((-36, 118), (-45, 78), (-31, 40), (-9, 6)), 26, 19)
KINDS: dict[str, tuple[Sequence[Part], Sequence[Part]]] = {
    # Below and above a held card: a pinch from the side,
    "pinch": (FINGERS_BELOW, (THUMB,)),
    # fingertips along both edges, the index on top,
    "edges": (
        ((((-34, 116), (-47, 78), (-40, 34), (-31, 4)), 26, 18),),
        (
            (((-16, 80), (-12, 36), (-4, -16)), 20, 14),
            (((8, 74), (16, 34), (29, -4)), 20, 14),
            (((24, 80), (36, 52), (38, 20)), 19, 13),
            (((34, 92), (50, 68), (52, 42)), 16, 12),
        ),
    ),
    # and a palm over the card.
    "palm": (
        (),
        (
            (((-20, 66), (-25, 18), (-22, -28)), 21, 16),
            (((-4, 60), (-4, 6), (-3, -42)), 22, 16),
            (((12, 62), (16, 12), (18, -34)), 21, 15),
            (((27, 72), (35, 32), (39, -4)), 18, 13),
            (((-34, 112), (-52, 76), (-60, 40)), 27, 18),
        ),
    ),
}
NAILS = {"pinch": (0, 1), "edges": (0, 4), "palm": (0, 5)}
"""How many nails show below and above the card."""


@dataclass(frozen=True)
class Hand:
    """A hand in two layers, (height, width, 4) in BGRA: below a held card, and above it."""

    under: Picture
    over: Picture
    card: Pose | None = None  # Where a card must lie in it; anywhere if None

    @property
    def to_mm(self) -> Matrix:
        """The map from the layers' pixels to the hand's millimetres."""
        return np.array([[1 / SCALE, 0, LEFT], [0, 1 / SCALE, TOP], [0, 0, 1.0]])


def make_hand(rng: np.random.Generator, cloths: Sequence[Picture], kind: str | None = None) -> Hand:
    """Return a random left or right hand; sleeves are made of ``cloths``."""
    kind = kind or str(rng.choice([*KINDS], p=(0.45, 0.35, 0.2)))
    below, above = KINDS[kind]
    bend = float(rng.normal(0, 5))
    thick = float(rng.uniform(0.88, 1.12))
    palm: Sequence[Part] = (
        (((-8, 84), (10, 108)), 72, 70),
        (((4, 104), (8 + bend, 190), (14 + 2 * bend, 560)), 66, 64),
    )
    skin, light = _skin(rng), rng.normal((-0.35, -0.45), 0.35)
    arm, over = [*palm, *below], list(above)
    if kind != "pinch":  # Fingers above the card go out from the back of the hand.
        arm, over = list(below), [*palm, *above]
    layers = [
        shaded(parts, thick, skin, light, nails, rng)
        for parts, nails in zip((arm, over), NAILS[kind], strict=True)
    ]
    cloth = sleeve(rng, cloths, light, bend, thick)
    base = 1 if kind != "pinch" else 0
    layers[base] = onto(layers[base], cloth)
    if rng.random() < 0.5:
        layers = [np.ascontiguousarray(layer[:, ::-1]) for layer in layers]
    return Hand(layers[0], layers[1])


def _skin(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a skin colour in BGR: between very light and very dark."""
    dark = float(rng.random())
    low, high = np.array([178, 196, 234]), np.array([38, 52, 78])
    tone = (low + (high - low) * dark) * (1 + rng.normal(0, 0.03, 3))
    return np.asarray(np.clip(tone, 15, 250), np.float32)


def canvas() -> tuple[int, int]:
    """Return height and width of the layers in pixels."""
    return round((BOTTOM - TOP) * SCALE), round((RIGHT - LEFT) * SCALE)


def _heights(parts: Sequence[Part], thick: float) -> Picture:
    """Return how high limbs are above the middle of their own section, in pixels."""
    height: Picture = np.zeros(canvas(), np.float32)
    for points, first, last in parts:
        line = _smooth(np.array(points, float))
        widths = np.linspace(first, last, len(line)) * thick * SCALE
        limb: Picture = np.zeros(canvas(), np.float32)
        for (x, y), wide in zip((line - (LEFT, TOP)) * SCALE, widths, strict=True):
            r = wide / 2
            x0, x1 = max(0, int(x - r)), min(canvas()[1], int(x + r) + 2)
            y0, y1 = max(0, int(y - r)), min(canvas()[0], int(y + r) + 2)
            if x0 >= x1 or y0 >= y1:
                continue
            ys, xs = np.mgrid[y0:y1, x0:x1]
            ball = np.sqrt(np.maximum(r * r - (xs - x) ** 2 - (ys - y) ** 2, 0)).astype(np.float32)
            part = limb[y0:y1, x0:x1]
            np.maximum(part, ball, out=part)
        np.maximum(height, limb, out=height)
    return height


def shaded(
    parts: Sequence[Part],
    thick: float,
    skin: npt.NDArray[np.float32],
    light: Points,
    nails: int,
    rng: np.random.Generator,
) -> Picture:
    """Return limbs as a layer, (height, width, 4)."""
    if not parts:
        return np.zeros((*canvas(), 4), np.uint8)
    height = _heights(parts, thick)
    alpha = np.clip(height / 2.5, 0, 1)
    round_ = cv2.GaussianBlur(height, (0, 0), 1.6 * SCALE)
    dx, dy = cv2.Sobel(round_, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(round_, cv2.CV_32F, 0, 1) / 8
    normal = np.sqrt(dx * dx + dy * dy + 1)
    lit = (1 - light[0] * dx * -1 - light[1] * dy * -1) / normal
    lit = 0.42 + 0.58 * np.clip(lit, 0, 1.4)
    # Deep places between fingers get less light.
    lit *= 0.78 + 0.22 * np.clip(height / (6 * SCALE), 0, 1)
    patches = sum(_noise(rng, step) * much for step, much in ((3, 0.015), (9, 0.018), (40, 0.03)))
    tint = skin[None, None] * (lit * (1 + patches))[..., None]
    redness = _noise(rng, 25)[..., None] * np.array([-1.0, -0.5, 2.0])
    picture = tint + redness
    for points, _, last in parts[len(parts) - nails :]:
        _nail(picture, np.array(points, float), last * thick, skin)
        _creases(picture, np.array(points, float), last * thick)
    layer = np.dstack([np.clip(picture, 0, 255), 255 * alpha])
    layer[alpha <= 0] = 0
    return layer.astype(np.uint8)


def _nail(picture: Picture, limb: Points, thick: float, skin: Picture) -> None:
    way = (limb[-1] - limb[-2]) / max(1e-6, float(np.hypot(*(limb[-1] - limb[-2]))))
    turn = float(np.degrees(np.arctan2(way[1], way[0])))
    part, at = _near(picture, limb[-1] + 0.12 * thick * way, thick)
    mask: Picture = np.zeros(part.shape[:2], np.float32)
    axes = (round(0.36 * thick * SCALE), round(0.25 * thick * SCALE))
    cv2.ellipse(mask, at, axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
    share = 0.62 * cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
    part[:] = part * (1 - share) + share * np.clip(0.5 * skin + (95, 98, 118), 0, 250)


def _creases(picture: Picture, limb: Points, thick: float) -> None:
    way = (limb[-1] - limb[-2]) / max(1e-6, float(np.hypot(*(limb[-1] - limb[-2]))))
    side = 0.3 * thick * SCALE * np.array([-way[1], way[0]])
    for back in (1.25, 1.4, 2.9, 3.05):
        part, at = _near(picture, limb[-1] - back * thick * way, thick)
        mask: Picture = np.zeros(part.shape[:2], np.float32)
        a, b = (np.round(at + sign * side).astype(int) for sign in (-1, 1))
        cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, 2, cv2.LINE_AA)
        part *= 1 - 0.2 * cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None]


def _near(picture: Picture, place: Points, room: float) -> tuple[Picture, tuple[int, int]]:
    """Return the part of a layer around a place in mm, and where the place is in it."""
    x, y = (round(float(v)) for v in (place - (LEFT, TOP)) * SCALE)
    reach = round(room * SCALE)
    x0, y0 = max(0, x - reach), max(0, y - reach)
    return picture[y0 : y + reach, x0 : x + reach], (x - x0, y - y0)


def sleeve(
    rng: np.random.Generator,
    cloths: Sequence[Picture],
    light: Points,
    bend: float,
    thick: float,
    cuff: float | None = None,
) -> Picture:
    """Return a sleeve of cloth.

    It begins ``cuff`` mm below; if None, somewhere between wrist and elbow, or nowhere.
    """
    if cuff is None:
        cuff = float(rng.choice([150.0, 185.0, 240.0, 900.0], p=(0.3, 0.3, 0.25, 0.15)))
        cuff += float(rng.uniform(-12, 12))
    if cuff > BOTTOM:
        return np.zeros((*canvas(), 4), np.uint8)
    wide = float(rng.uniform(80, 104)) * thick
    top = np.array([(8 + bend * cuff / 190, cuff), (14 + 2 * bend, 600)])
    height = _heights([([tuple(end) for end in top], wide, wide * 1.15)], 1.0)
    ys, _ = np.mgrid[: canvas()[0], : canvas()[1]]
    alpha = np.clip(height, 0, 1) * (ys > (cuff - TOP) * SCALE)
    tall, across = canvas()
    if cloths and rng.random() < 0.6:
        piece = cloths[int(rng.integers(len(cloths)))]
        piece = np.hstack([piece, piece[:, ::-1]])
        piece = np.vstack([piece, piece[::-1]])
        over = (-(-tall // piece.shape[0]), -(-across // piece.shape[1]))
        cloth = np.tile(piece, (*over, 1))[:tall, :across].astype(np.float32)
        cloth *= float(rng.uniform(0.4, 1.2))
    else:
        cloth = np.full((tall, across, 3), rng.integers(12, 235, 3), np.float32)
        if rng.random() < 0.4:
            stripes = (ys / SCALE / float(rng.uniform(6, 25))).astype(int) % 2
            cloth[stripes == 1] = rng.integers(12, 235, 3)
        cloth += _noise(rng, 2)[..., None] * 9
    round_ = cv2.GaussianBlur(height, (0, 0), 3 * SCALE) + 5 * SCALE * _noise(rng, 45)
    dx, dy = cv2.Sobel(round_, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(round_, cv2.CV_32F, 0, 1) / 8
    lit = 0.45 + 0.55 * np.clip(
        (1 + light[0] * dx + light[1] * dy) / np.sqrt(dx**2 + dy**2 + 1), 0, 1.4
    )
    rim = np.clip(1 - (ys - (cuff - TOP) * SCALE) / (3 * SCALE), 0, 1)
    lit *= 1 - 0.35 * rim * (ys > (cuff - TOP) * SCALE)
    layer = np.dstack([np.clip(cloth * lit[..., None], 0, 255), 255 * alpha])
    layer[alpha <= 0] = 0
    return layer.astype(np.uint8)


def onto(below: Picture, above: Picture) -> Picture:
    """Lay a layer over another one."""
    share = above[..., 3:].astype(np.float32) / 255
    out = (
        below * (1 - share) + np.dstack([above[..., :3], np.full(canvas(), 255, np.uint8)]) * share
    )
    return np.asarray(out, np.uint8)


def _noise(rng: np.random.Generator, step: int) -> Picture:
    tall, across = canvas()
    coarse = rng.normal(0, 1, (tall // step + 2, across // step + 2)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (across, tall), interpolation=cv2.INTER_CUBIC))


def _smooth(points: Points) -> Points:
    """Return points a millimetre or two apart on a smooth line through given ones (Catmull-Rom)."""
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    out = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        steps = max(2, int(np.hypot(*(c - b)) / 1.5))
        u = (np.arange(steps) / steps)[:, None]
        square, cube = (2 * a - 5 * b + 4 * c - d) * u**2, (3 * b - a - 3 * c + d) * u**3
        out.append(0.5 * (2 * b + (c - a) * u + square + cube))
    return np.vstack([*out, points[-1:]])
