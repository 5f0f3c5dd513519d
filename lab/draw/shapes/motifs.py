"""Random pictures for invented faces: creatures, plants, houses, signs, scribbles.

A motif is a list of layers: each a shape, about one unit high around its middle, and the number of
its tint. `HELD_OUT_MOTIFS` are kept out of training, to measure enrolment with.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from lab.draw.shapes.digits import Typeface, character
from lab.draw.shapes.strokes import Points, Shape, bezier, placed, stroke
from lab.draw.shapes.symbols import ellipse, rounded, star, tower

Layer = tuple[Shape, int]
Motif = list[Layer]
TINTS = 6
"""Number of tints a motif may use."""


def blob(rng: np.random.Generator, rough: float = 0.3, waves: int = 5) -> Points:
    """Return a round shape with bulges."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    radius = np.ones(40)
    for k in range(1, waves + 1):
        radius += rough / k * rng.normal() * np.cos(k * angle + rng.uniform(0, 2 * np.pi))
    radius = np.clip(radius, 0.25, 2.0)
    wide = rng.uniform(0.5, 1.0)
    out = np.stack([wide * radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return np.asarray(out / (2 * np.abs(out).max()))


def scribble(rng: np.random.Generator, pen: float | None = None) -> Shape:
    """Return a curved pen stroke."""
    at = rng.uniform(-0.5, 0.5, (4, 2))
    line = bezier(*[(float(x), float(y)) for x, y in at])
    half = rng.uniform(0.01, 0.05) if pen is None else pen
    return stroke(line, (half, half))


def _tint(rng: np.random.Generator) -> int:
    return int(rng.integers(TINTS))


def _mirrored(shape: Shape) -> Shape:
    return [piece * np.array([-1.0, 1.0]) for piece in shape]


def creature(rng: np.random.Generator) -> Motif:
    """Draw body, limbs, head, ears, eyes and a mouth."""
    body, head = _tint(rng), _tint(rng)
    motif: Motif = []
    trunk = blob(rng, 0.2) * rng.uniform(0.5, 0.8) + np.array([0.0, 0.2])
    for y in rng.uniform(0.0, 0.45, int(rng.integers(1, 4))):
        end = (rng.uniform(0.2, 0.5), y + rng.uniform(-0.4, 0.2))
        limb = stroke(np.array([(0.0, y), end]), (0.04, 0.04))
        motif.append(([*limb, *_mirrored(limb)], body))
    motif.append(([trunk], body))
    size, lift = rng.uniform(0.3, 0.55), rng.uniform(-0.3, -0.15)
    ear = blob(rng, 0.3) * rng.uniform(0.1, 0.3)
    ear = ear + np.array([rng.uniform(0.1, 0.25), lift - rng.uniform(0.05, 0.3)])
    motif.append(([ear, *_mirrored([ear])], head))
    motif.append(([blob(rng, 0.15) * size + np.array([0.0, lift])], head))
    eye = ellipse(rng.uniform(0.03, 0.1), rng.uniform(0.03, 0.12), 0.0)
    eye = eye + np.array([rng.uniform(0.05, 0.12), lift - rng.uniform(-0.02, 0.06)])
    motif.append(([eye, *_mirrored([eye])], _tint(rng)))
    bow = rng.uniform(-0.08, 0.08)
    mouth = bezier((-0.09, lift + 0.1), (0.0, lift + 0.1 + bow), (0.09, lift + 0.1))
    motif.append((stroke(mouth, (0.015, 0.015)), _tint(rng)))
    if rng.random() < 0.5:
        motif.append(([blob(rng, 0.4) * 0.2 + rng.uniform(-0.3, 0.3, 2)], _tint(rng)))
    return motif


def plant(rng: np.random.Generator) -> Motif:
    """Draw a stem with leaves or flowers."""
    stem = bezier((0.0, 0.5), (rng.uniform(-0.3, 0.3), 0.1), (rng.uniform(-0.2, 0.2), -0.4))
    motif: Motif = [(stroke(stem, (0.025, 0.02)), _tint(rng))]
    leaf, petal = _tint(rng), _tint(rng)
    for k in range(int(rng.integers(2, 8))):
        at = stem[int(rng.integers(len(stem)))]
        shape = ellipse(rng.uniform(0.08, 0.3), rng.uniform(0.06, 0.16), 0.0)
        turned = placed([shape], (float(at[0]), float(at[1])), 1.0, 0.0, rng.uniform(-70, 70))
        motif.append((turned, leaf if k % 2 else petal))
    points = int(rng.integers(4, 10))
    motif.append(([star(points, rng.uniform(0.3, 0.8)) * 0.4 + stem[-1]], petal))
    motif.append(([ellipse(0.12, 0.12, 0.0) + stem[-1]], _tint(rng)))
    return motif


def house(rng: np.random.Generator) -> Motif:
    """Draw blocks with windows, roofs or battlements."""
    motif: Motif = []
    for _ in range(int(rng.integers(1, 4))):
        x, wide, high = rng.uniform(-0.3, 0.3), rng.uniform(0.2, 0.5), rng.uniform(0.3, 0.8)
        top = 0.5 - high
        wall = np.array(
            [(x - wide / 2, top), (x + wide / 2, top), (x + wide / 2, 0.5), (x - wide / 2, 0.5)]
        )
        motif.append(([wall], _tint(rng)))
        if rng.random() < 0.6:
            roof = np.array([(x - wide * 0.6, top), (x, top - 0.25), (x + wide * 0.6, top)])
            motif.append(([roof], _tint(rng)))
        else:
            motif.append((placed(tower(int(rng.integers(2, 5))), (x, top), wide), _tint(rng)))
        panes = [
            rounded(0.07, 0.1, 0.01) + np.array([x + dx, top + dy])
            for dx in (-wide / 4, wide / 4)
            for dy in np.arange(0.12, high - 0.1, 0.2)
        ]
        if panes:
            motif.append((panes, _tint(rng)))
    return motif


def jumble(rng: np.random.Generator) -> Motif:
    """Draw overlapping blobs, stars, boxes and lines."""
    motif: Motif = []
    for _ in range(int(rng.integers(3, 11))):
        kind, size = rng.integers(4), rng.uniform(0.15, 0.7)
        if kind == 0:
            shape = [blob(rng, 0.5)]
        elif kind == 1:
            shape = [star(int(rng.integers(3, 9)), rng.uniform(0.2, 0.9))]
        elif kind == 2:
            shape = [rounded(rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0), 0.03)]
        else:
            shape = scribble(rng)
        at = rng.uniform(-0.35, 0.35, 2)
        turn = rng.uniform(0, 360)
        motif.append((placed(shape, (float(at[0]), float(at[1])), size, 0.0, turn), _tint(rng)))
    return motif


def character_sign(rng: np.random.Generator) -> Motif:
    """Draw a digit or letter in a random typeface."""
    face = Typeface(width=rng.uniform(0.55, 0.95), stem=rng.uniform(0.12, 0.3))
    text = str(rng.choice(list("0123456789UNOWILD!+")))
    return [(placed(character(text, face), (0.0, 0.0), 0.9, rng.uniform(-0.1, 0.3)), 0)]


def rune(rng: np.random.Generator) -> Motif:
    """Draw an invented sign of straight and bent strokes."""
    pen, knots = rng.uniform(0.05, 0.11), rng.uniform(-0.42, 0.42, (int(rng.integers(3, 7)), 2))
    shape: Shape = []
    for a, b in pairwise(knots):
        if rng.random() < 0.6:
            shape += stroke(np.array([a, b]), (pen, pen * 0.8))
        else:
            c = rng.uniform(-0.5, 0.5, 2)
            line = bezier(*[(float(p[0]), float(p[1])) for p in (a, c, b)])
            shape += stroke(line, (pen, pen * 0.8))
    return [(shape, 0)]


def written(rng: np.random.Generator) -> Motif:
    """Draw lines of handwriting, or a sketch by hand."""
    motif: Motif = []
    pen, tint = rng.uniform(0.008, 0.022), _tint(rng)
    if rng.random() < 0.25:
        return [(scribble(rng, pen), tint) for _ in range(int(rng.integers(2, 9)))]
    size = rng.uniform(0.06, 0.14)
    rows = int(rng.integers(1, 5))
    for row in range(rows):
        x, y = -0.45, (row - (rows - 1) / 2) * size * 2.2
        end = rng.uniform(-0.1, 0.45)
        while x < end:
            points = rng.uniform(-0.5, 0.5, (int(rng.integers(3, 5)), 2)) * size
            points = points * np.array([1.0, 1.6]) + np.array([x, y])
            line = bezier(*[(float(px), float(py)) for px, py in points])
            motif.append((stroke(line, (pen, pen)), tint))
            x += size * (2.4 if rng.random() < 0.2 else 1.0)
    return motif


def insect(rng: np.random.Generator) -> Motif:
    """Draw wings, a striped body and feelers."""
    motif: Motif = []
    for y in (-0.12, 0.14):
        wing = ellipse(rng.uniform(0.25, 0.5), rng.uniform(0.12, 0.35), rng.uniform(-0.6, 0.6))
        wing = wing + np.array([rng.uniform(0.18, 0.3), y])
        tint = _tint(rng)
        motif.append(([wing, *_mirrored([wing])], tint))
        spot = ellipse(0.1, 0.1, 0.0) + np.array([rng.uniform(0.15, 0.35), y])
        motif.append(([spot, *_mirrored([spot])], _tint(rng)))
    long = rng.uniform(0.5, 0.8)
    motif.append(([ellipse(0.14, long, 0.0)], _tint(rng)))
    tint = _tint(rng)
    motif.extend(
        ([rounded(0.14, 0.04, 0.01) + np.array([0.0, y])], tint)
        for y in np.arange(-long / 3, long / 3, 0.12)
    )
    feeler = stroke(bezier((0.0, -long / 2), (0.15, -0.5), (0.25, -0.48)), (0.01, 0.01))
    motif.append(([*feeler, *_mirrored(feeler)], _tint(rng)))
    return motif


def crest(rng: np.random.Generator) -> Motif:
    """Draw a divided shield with a charge on it."""
    shield = np.array([(-0.4, -0.45), (0.4, -0.45), (0.4, 0.05), (0.0, 0.5), (-0.4, 0.05)])
    motif: Motif = [([shield], _tint(rng))]
    kind = rng.integers(4)
    if kind == 0:
        motif.append(([shield * np.array([0.5, 1.0]) - np.array([0.2, 0.0])], _tint(rng)))
    elif kind == 1:
        motif.append(([np.array([(-0.4, -0.45), (0.4, -0.45), (-0.4, 0.05)])], _tint(rng)))
    elif kind == 2:
        motif.append(([rounded(0.8, 0.16, 0.0) - np.array([0.0, 0.15])], _tint(rng)))
    else:
        motif.append(([rounded(0.16, 0.75, 0.0)], _tint(rng)))
    charge = [star(int(rng.integers(3, 8)), rng.uniform(0.3, 0.7))]
    for _ in range(int(rng.integers(1, 4))):
        at = rng.uniform(-0.22, 0.15, 2)
        motif.append((placed(charge, (float(at[0]), float(at[1])), 0.24), _tint(rng)))
    return motif


def vehicle(rng: np.random.Generator) -> Motif:
    """Draw a box on wheels, a ship, or the outline of an aeroplane."""
    base, tint = rng.uniform(0.1, 0.25), _tint(rng)
    hull = np.array([(-0.5, 0.0), (0.5, -0.05), (rng.uniform(0.2, 0.5), base), (-0.4, base)])
    motif: Motif = [([hull], tint)]
    for _ in range(int(rng.integers(1, 4))):
        x, high = rng.uniform(-0.35, 0.3), rng.uniform(0.1, 0.4)
        part = rounded(rng.uniform(0.1, 0.4), high, 0.02) + np.array([x, -high / 2])
        motif.append(([part], _tint(rng)))
    round_tint, size = _tint(rng), rng.uniform(0.1, 0.26)
    for x in np.linspace(-0.35, 0.35, int(rng.integers(2, 5))):
        motif.append(([ellipse(size, size, 0.0) + np.array([x, base])], round_tint))
        motif.append(([ellipse(size / 2, size / 2, 0.0) + np.array([x, base])], _tint(rng)))
    return motif


MOTIFS: tuple[Callable[[np.random.Generator], Motif], ...] = (
    creature,
    plant,
    house,
    jumble,
    character_sign,
    rune,
    written,
)
HELD_OUT_MOTIFS: tuple[Callable[[np.random.Generator], Motif], ...] = (insect, crest, vehicle)
