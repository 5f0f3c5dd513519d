"""Digits and letters as middle lines for a broad pen, in many designs from one description.

A character is one unit high and stands on y = 0.5, its middle at the origin. The lines are laid
inside by half a pen's width, so that weight changes the holes and not the size.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lab.draw.shapes.strokes import Points, Shape, arc, bezier, extent, path, stroke

_Line = tuple[Points, bool]


@dataclass(frozen=True)
class Typeface:
    """A design of digits and letters."""

    width: float = 0.74  # Width of a digit to its height
    stem: float = 0.2  # Width of an upright stroke to the height
    bar: float = 0.165  # Width of a level stroke to the height
    square: float = 2.2  # Superellipse power of the bowls, 2 (round) to 3.4
    hook: float = 0.5  # How far curved strokes run on before they end, 0 to 1
    straight: bool = False  # Whether 6 and 9 have straight necks
    flat_three: bool = False  # Whether 3 has a flat top
    open_four: bool = False  # Whether the top of 4 is open
    curved_seven: bool = True  # Whether the leg of 7 bends
    flag: float = 0.7  # How far the flag of 1 reaches, 0.3 to 1
    foot: bool = False  # Whether 1 has a foot
    tight_bar: float = 0.1  # Gap between 6 or 9 and its bar, to the height
    bar_length: float = 1.05  # Length of the bar to the width of the digit


def _zero(face: Typeface) -> list[_Line]:
    return [(arc((0.5, 0.5), (0.5, 0.5), 0, 351, face.square), True)]


def _two(face: Typeface) -> list[_Line]:
    top = arc((0.5, 0.3), (0.5, 0.3), 192 - 22 * face.hook, 378)
    fall = bezier((0.97, 0.4), (0.86, 0.6), (0.03, 1.0))
    return [(path(top, fall, [(1.0, 1.0)]), False)]


def _three(face: Typeface) -> list[_Line]:
    low_end = 152 + 30 * face.hook
    low = arc((0.48, 0.73), (0.52, 0.27), -92, low_end, face.square)
    if face.flat_three:
        return [(path([(0.05, 0.0), (0.95, 0.0), (0.42, 0.45)], low), False)]
    top = arc((0.47, 0.235), (0.46, 0.235), 205 - 30 * face.hook, 450, face.square)
    return [(top, False), (low, False), (path([(0.3, 0.465), (0.52, 0.465)]), False)]


def _four(face: Typeface) -> list[_Line]:
    stem_at = 0.74
    if face.open_four:
        arm = path([(0.35, -0.06), (0.02, 0.68), (1.06, 0.68)])
        return [(arm, False), (path([(stem_at, 0.25), (stem_at, 1.08)]), False)]
    frame = path([(stem_at - 0.02, 0.0), (0.04, 0.7), (1.08, 0.7)])
    return [(frame, False), (path([(stem_at, -0.1), (stem_at, 1.1)]), False)]


def _five(face: Typeface) -> list[_Line]:
    top = path([(0.98, 0.0), (0.14, 0.0), (0.04, 0.56)])
    bowl = arc((0.47, 0.67), (0.53, 0.33), 218, 500 + 30 * face.hook, face.square)
    return [(top, False), (bowl, False)]


def _six(face: Typeface) -> list[_Line]:
    bowl = arc((0.5, 0.68), (0.5, 0.32), 0, 351, face.square)
    if face.straight:
        return [(bowl, True), (path([(0.7, -0.06), (0.06, 0.58)]), False)]
    head = arc((0.5, 0.3), (0.5, 0.3), 340 - 25 * face.hook + 12, 180, face.square)
    return [(bowl, True), (path(head, [(0.0, 0.7)]), False)]


def _seven(face: Typeface) -> list[_Line]:
    if face.curved_seven:
        leg = bezier((0.98, 0.02), (0.5, 0.45), (0.36, 1.08))
    else:
        leg = np.array([(0.98, 0.02), (0.26, 1.08)])
    return [(path([(-0.08, 0.0), (1.0, 0.0)], leg), False)]


def _eight(face: Typeface) -> list[_Line]:
    top = arc((0.5, 0.235), (0.44, 0.235), 0, 351, face.square)
    low = arc((0.5, 0.73), (0.5, 0.27), 0, 351, face.square)
    return [(top, True), (low, True)]


_LETTERS: dict[str, Callable[[Typeface], list[_Line]]] = {
    "0": _zero,
    "2": _two,
    "3": _three,
    "4": _four,
    "5": _five,
    "6": _six,
    "7": _seven,
    "8": _eight,
    "O": _zero,
    "U": lambda _face: [
        (path([(0, -0.1)], arc((0.5, 0.66), (0.5, 0.34), 180, 0), [(1, -0.1)]), False)
    ],
    "N": lambda _face: [
        (path([(0.0, 1.1), (0.0, -0.1)]), False),
        (path([(0.0, 0.0), (1.0, 1.0)]), False),
        (path([(1.0, 1.1), (1.0, -0.1)]), False),
    ],
    "W": lambda _face: [
        (path([(-0.12, -0.1), (0.24, 0.95), (0.5, 0.1), (0.76, 0.95), (1.12, -0.1)]), False)
    ],
    "I": lambda _face: [(path([(0.5, -0.1), (0.5, 1.1)]), False)],
    "L": lambda _face: [(path([(0.05, -0.1), (0.05, 1.0), (1.05, 1.0)]), False)],
    "D": lambda _face: [
        (path([(0.05, -0.1), (0.05, 1.1)]), False),
        (
            path([(0.05, 0.0), (0.4, 0.0)], arc((0.4, 0.5), (0.6, 0.5), 270, 450), [(0.05, 1)]),
            False,
        ),
    ],
}

_WIDTHS = {
    "4": 1.1,
    "1": 1.0,
    "W": 1.45,
    "I": 0.42,
    "L": 0.85,
    "N": 1.1,
    "O": 1.12,
    "U": 1.05,
    "D": 1.05,
}


def _inside(line: Points, face: Typeface, width: float) -> Points:
    room = np.array([width - face.stem, 1 - face.bar])
    corner = np.array([face.stem / 2 - width / 2, face.bar / 2 - 0.5])
    return np.asarray(line * room + corner)


def _cropped(shape: Shape) -> Shape:
    """Ends that run past the line of the others are cut level with it."""
    return [np.column_stack([p[:, 0], np.clip(p[:, 1], -0.5, 0.5)]) for p in shape]


def _one(face: Typeface) -> Shape:
    stem = face.stem * 1.06
    left, right = -stem * 0.35, stem * 0.65
    reach = left - face.flag * 0.42 * face.width
    shape = [_box(left, -0.5, right, 0.5)]
    drop = 0.2 + 0.08 * face.hook
    thick = face.bar * 0.92
    shape.append(
        np.array(
            [
                (left + stem * 0.2, -0.5),
                (reach, -0.5 + drop),
                (reach, -0.5 + drop + thick),
                (left, -0.5 + drop * 0.75 + thick),
                (left + stem * 0.3, -0.4),
            ]
        )
    )
    if face.foot:
        shape.append(_box(-face.width * 0.42, 0.5 - face.bar, face.width * 0.5, 0.5))
    return shape


def _box(left: float, top: float, right: float, bottom: float) -> Points:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _mark(face: Typeface) -> Shape:
    wide, slim = face.stem * 0.62, face.stem * 0.4
    dot = 0.5 - min(1.2 * face.stem, 0.24)
    body = np.array([(-wide, -0.5), (wide, -0.5), (slim, dot - 0.08), (-slim, dot - 0.08)])
    return [body, _box(-wide, dot, wide, 0.5)]


def _plus(face: Typeface) -> Shape:
    arm, half = 0.34, face.bar * 0.5
    return [_box(-arm, -half, arm, half), _box(-half, -arm, half, arm)]


@lru_cache(maxsize=2000)
def character(sign: str, face: Typeface) -> Shape:
    """Return the body of a digit, of ``+`` or ``!``, or of one of the letters U N O W I L D.

    It is upright, centred on the origin, in units of the character's height.
    """
    if sign == "1":
        return _one(face)
    if sign == "9":
        return [-1.0 * piece for piece in character("6", face)]
    if sign == "!":
        return _mark(face)
    if sign == "+":
        return _plus(face)
    width = face.width * _WIDTHS.get(sign, 1.0)
    thin = 0.86 if sign == "4" else 1.0
    half = (face.stem / 2 * thin, face.bar / 2 * thin)
    shape: Shape = []
    for line, closed in _LETTERS[sign](face):
        shape += stroke(_inside(line, face, width), half, closed)
    return _cropped(shape)


def underlined(sign: str, face: Typeface) -> Shape:
    """A 6 or 9 with the bar beneath that tells them apart, the digit itself centred."""
    shape = character(sign, face)
    left, _, right, _ = extent(shape)
    left, right = left * face.bar_length, right * face.bar_length
    top = 0.5 + face.tight_bar
    return [*shape, _box(left, top, right, top + face.bar * 0.55)]


def digit(sign: str, face: Typeface) -> Shape:
    """A digit as it stands on a card: 6 and 9 with their bar."""
    return underlined(sign, face) if sign in "69" else character(sign, face)


def word(text: str, face: Typeface, gap: float = 0.08) -> Shape:
    """Characters in a row, centred on the origin, in units of their height."""
    shape: Shape = []
    edge = 0.0
    for sign in text:
        body = character(sign, face)
        left, _, right, _ = extent(body)
        shape += [piece + np.array([edge - left, 0.0]) for piece in body]
        edge += right - left + gap
    middle: NDArray[np.float64] = np.array([(edge - gap) / 2, 0.0])
    return [np.asarray(piece - middle) for piece in shape]
