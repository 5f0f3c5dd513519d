"""Shapes of the signs on action and wild cards, one unit high around their middle."""

import math
from dataclasses import dataclass

import numpy as np

from lab.draw.shapes.strokes import Points, Shape, arc, path, placed, stroke


@dataclass(frozen=True)
class Arrows:
    """The design of the reverse sign."""

    lean: float = 46.0  # Degrees that the first arrow leans to the right from straight up
    head: float = 2.3  # Width of an arrow's head to that of its shaft
    point: float = 1.3  # Length of the head to the width of the shaft
    reach: float = 1.2  # Length of the shaft from the middle to the head
    tail: float = 0.55  # How far the shaft runs beyond the middle
    gap: float = 0.14  # Distance between the shafts
    round: bool = True  # Whether the tails are rounded; else they are cut slantwise


def ellipse(width: float, height: float, lean: float, count: int = 72) -> Points:
    """Return ``count`` points of a tilted ellipse, given by the box around it.

    ``lean`` is the correlation of x and -y on the outline, -1 to 1; positive leans to the right.
    """
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False)
    x = np.cos(angle)
    y = -(lean * x + math.sqrt(1 - lean * lean) * np.sin(angle))
    return np.stack([x * width / 2, y * height / 2], axis=1)


def rounded(width: float, height: float, radius: float) -> Points:
    """A rectangle with round corners around the origin."""
    x, y = width / 2 - radius, height / 2 - radius
    corners = [(x, -y, 270), (x, y, 0), (-x, y, 90), (-x, -y, 180)]
    return path(*[arc((cx, cy), (radius, radius), a, a + 90) for cx, cy, a in corners])


def skip(ring: float, slash: float, lean: float) -> Shape:
    """Return a ring with a slash from the lower left to the upper right, ``lean`` degrees steep.

    The ring's width is relative to the diameter.
    """
    radius = 0.5 - ring / 2
    circle = arc((0.0, 0.0), (radius, radius), 0, 351)
    x, y = radius * math.cos(math.radians(lean)), radius * math.sin(math.radians(lean))
    line = np.array([(-x, y), (x, -y)])
    return [*stroke(circle, (ring / 2, ring / 2), True), *stroke(line, (slash / 2, slash / 2))]


def reverse(design: Arrows) -> Shape:
    """Two arrows side by side; the one that points up lies on the left, as on the cards."""
    near, far = -design.gap / 2, -design.gap / 2 - 1.0
    middle, wing = (near + far) / 2, design.head / 2
    base = -design.reach
    head = [(middle + wing, base), (middle, base - design.point), (middle - wing, base)]
    if design.round:
        turn = arc((near, design.tail - 0.9), (1.0, 0.9), 180, 90)
    else:
        turn = np.array([(far, design.tail - 1.0), (near, design.tail)])
    up = path(head, [(far, base)], turn, [(near, base)])
    length = 2 * (design.reach + design.point)
    return placed([up, -up], (0.0, 0.0), 1 / length, turn=design.lean)


def curled(lean: float, thick: float = 0.17) -> Shape:
    """Two bent arrows that chase each other clockwise, a rarer reverse sign."""
    shape: Shape = []
    for sign in (1.0, -1.0):
        bow = arc((0.0, 0.0), (0.36, 0.36), 150, 285)
        tip = bow[-1]
        way = np.array([math.cos(math.radians(15)), math.sin(math.radians(15))])
        side = np.array([-way[1], way[0]])
        head = np.array(
            [tip + side * thick * 1.25, tip + way * thick * 1.7, tip - side * thick * 1.25]
        )
        shape += [sign * piece for piece in [*stroke(bow, (thick / 2, thick / 2)), head]]
    return placed(shape, (0.0, 0.0), 1.0, turn=lean)


def small_card(slant: float, radius: float = 0.08, ratio: float = 0.62) -> Shape:
    """A card as drawn on other cards."""
    return placed([rounded(ratio, 1.0, radius)], (0.0, 0.0), 1.0, slant)


def tower(notches: int = 3, waist: float = 0.78) -> Shape:
    """A castle's tower with battlements."""
    half, neck = 0.36, 0.36 * waist
    body = np.array(
        [(-half, -0.3), (half, -0.3), (half, -0.12), (neck, -0.02), (neck, 0.36), (-neck, 0.36)]
    )
    body = path(body, [(-neck, -0.02), (-half, -0.12)])
    foot = np.array([(-half, 0.34), (half, 0.34), (half, 0.5), (-half, 0.5)])
    step = 2 * half / (2 * notches - 1)
    teeth = [
        np.array([(x, -0.5), (x + step, -0.5), (x + step, -0.28), (x, -0.28)])
        for x in (-half + 2 * step * k for k in range(notches))
    ]
    return [body, foot, *teeth]


def quarters(width: float, height: float, lean: float) -> list[Points]:
    """Cut an ellipse in four along the level and its leaning middle line, from the upper left."""
    count = 72
    outline = ellipse(width, height, lean, count)
    # With angle 0 at the rightmost point, y falls towards it by the lean.
    level = math.atan2(-lean, math.sqrt(1 - lean * lean))
    start = round(level / (2 * math.pi) * count)
    cuts = [start + count // 2, start + count // 4, start, start - count // 4]
    centre = np.zeros((1, 2))
    pieces = []
    for k in range(4):
        high, low = cuts[k], cuts[(k + 1) % 4] if k < 3 else cuts[0] - count
        index = np.arange(high, low - 1, -1) % count
        pieces.append(np.concatenate([centre, outline[index]]))
    return pieces


def swirl(count: int, thick: float = 0.12) -> Shape:
    """Arrows around a circle, all clockwise."""
    shape: Shape = []
    for k in range(count):
        turn = 360 / count
        bow = arc((0.0, 0.0), (0.38, 0.38), 0, turn * 0.62)
        tip, last = bow[-1], bow[-1] - bow[-2]
        way = last / float(np.hypot(*last))
        side = np.array([-way[1], way[0]])
        head = np.array(
            [tip + side * thick * 1.2, tip + way * thick * 1.5, tip - side * thick * 1.2]
        )
        arrow = [*stroke(bow, (thick / 2, thick / 2)), head]
        shape += placed(arrow, (0.0, 0.0), 1.0, turn=turn * k)
    return shape


def star(points: int = 5, inner: float = 0.45) -> Points:
    """A star, one unit high."""
    angle = np.radians(np.arange(2 * points) * 180 / points - 90)
    radius = np.where(np.arange(2 * points) % 2 == 0, 0.5, 0.5 * inner)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
