"""Faces of the classic deck in three print styles, drawn with Pillow from the rule sheets' words.

It shares nothing with ``lab.draw``, whose faces the networks learnt from.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from lab.films.rendered.signs import (
    Canvas,
    Picture,
    Point,
    Print,
    Rgb,
    letters,
    oval,
    print_sign,
    reverse_sign,
    skip_sign,
    slab,
    write,
)
from lab.films.staging.sheet import HIGH, WIDE

TALL = 420
"""Height of a finished face in pixels."""
SUITS = ("red", "yellow", "green", "blue")
NUMBERS = tuple("0123456789")
CARDS = (
    *(f"{suit}-{sign}" for suit in SUITS for sign in (*NUMBERS, "skip", "reverse", "draw-two")),
    "wild",
    "wild-draw-four",
)
"""The distinct cards that the films use."""


PRINTS = (
    Print(((213, 24, 32), (251, 206, 10), (38, 152, 58), (10, 96, 178))),
    Print(
        ((228, 38, 26), (255, 188, 0), (84, 170, 40), (0, 122, 202)),
        filled=False,
        oval=(37.0, 68.0),
        lean=32.0,
        shadow=(0.0, 0.0),
        rim=0.7,
        slant=0.1,
        bold=1.7,
        middle=34.0,
        small=10.0,
    ),
    Print(
        ((190, 30, 45), (240, 196, 30), (20, 130, 70), (30, 80, 160)),
        border=2.8,
        oval=(40.0, 64.0),
        lean=24.0,
        shadow=(0.6, 0.8),
        rim=0.35,
        pen=True,
        middle=33.0,
        small=11.0,
    ),
)
"""The styles of the films: ``PRINTS[seed % 3]``."""


def draw_face(card: str, style: Print) -> Picture:
    """Draw a face (TALL high) as BGR with alpha; alpha is 0 outside the round corners."""
    canvas = Canvas(style)
    suit, _, sign = card.partition("-")
    wild = suit == "wild"
    ground = style.black if wild else style.suits[SUITS.index(suit)]
    canvas.fill(slab(WIDE - 2 * style.border, HIGH - 2 * style.border, 2.6), ground)
    if wild:
        _wild(canvas, sign)
    else:
        _suited(canvas, sign, ground)
    for _ in range(2):
        _corner(canvas, card)
        canvas.mirror()
    return _finished(np.asarray(canvas.image))


def draw_back(style: Print) -> Picture:
    """Draw the back of a card as BGR with alpha."""
    canvas = Canvas(style)
    canvas.fill(slab(WIDE - 2 * style.border, HIGH - 2 * style.border, 2.6), style.black)
    canvas.fill(oval(*style.oval, style.lean), style.suits[0])
    high = 13.0
    mask = letters("ONE", high, style, 0.0).rotate(62 - style.lean, expand=True)
    canvas.stamp(mask, (0.0, 0.0), style.suits[1])
    return _finished(np.asarray(canvas.image))


def _finished(image: Picture) -> Picture:
    wide = round(TALL * WIDE / HIGH)
    scale = 4 * TALL / HIGH
    mask: Picture = np.zeros((4 * TALL, 4 * wide), np.uint8)
    points = (np.array(slab(WIDE, HIGH, 3.6)) + np.array([WIDE, HIGH]) / 2) * scale
    cv2.fillPoly(mask, [points.round().astype(np.int32)], 255)
    small = cv2.resize(image, (wide, TALL), interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(mask, (wide, TALL), interpolation=cv2.INTER_AREA)
    return np.dstack([small[..., ::-1], alpha])


def _oval(canvas: Canvas, fill: Rgb, ground: Rgb, ring: float) -> None:
    style = canvas.style
    canvas.fill(oval(*style.oval, style.lean), style.white)
    if not style.filled:
        wide, high = style.oval
        canvas.fill(oval(wide - 2 * ring, high - 2 * ring, style.lean), ground)
    elif fill != style.white:
        canvas.fill(oval(*style.oval, style.lean), fill)


def _suited(canvas: Canvas, sign: str, ground: Rgb) -> None:
    style = canvas.style
    _oval(canvas, style.white, ground, 1.5)
    ink = ground if style.filled else style.white
    if sign in NUMBERS:
        lift = -style.middle * 0.06 if sign in "69" else 0.0
        write(canvas, sign, style.middle, (0.0, lift), ink)
    elif sign == "draw-two":
        _cards(canvas, [(ground, -4.5, 4.5), (ground, 4.5, -4.5)], (16.0, 25.0))
    else:
        shape = skip_sign if sign == "skip" else reverse_sign
        size = 31.0 if sign == "skip" else 40.0
        rim = max(style.rim, 0.4)
        for points in shape(size, (style.shadow[0], style.shadow[1]), rim):
            canvas.fill(points, style.black)
        print_sign(
            canvas, shape, size, (0.0, 0.0), ink, style.white if style.filled else ground, rim
        )


def _cards(
    canvas: Canvas, places: Sequence[tuple[Rgb, float, float]], size: tuple[float, float]
) -> None:
    style = canvas.style
    for colour, x, y in places:
        for grown, ink in ((1.7, style.black), (1.3, style.white), (0.0, colour)):
            canvas.fill(slab(size[0] + grown, size[1] + grown, 1.6, 14.0, (x, y)), ink)


def _wild(canvas: Canvas, sign: str) -> None:
    style = canvas.style
    red, yellow, green, blue = style.suits
    if sign == "draw-four":
        canvas.fill(oval(*style.oval, style.lean), style.white)
        places = [(blue, -1.5, -7.0), (green, -7.0, 4.5), (red, 7.5, -2.5), (yellow, 2.0, 8.0)]
        _cards(canvas, places, (12.5, 19.5))
        return
    _quarters(canvas, style.oval, (0.0, 0.0), 1.3)


def _quarters(canvas: Canvas, size: tuple[float, float], at: Point, rim: float) -> None:
    """Fill an oval with the four colours."""
    style = canvas.style
    red, yellow, green, blue = style.suits
    canvas.fill(oval(size[0] + rim, size[1] + rim, style.lean, at), style.white)
    outline = oval(*size, style.lean, at)
    # Steps of the outline begin at the short axis on the right and go clockwise.
    for first, colour in ((90, blue), (0, green), (30, yellow), (60, red)):
        part = [outline[(first + step) % 120] for step in range(31)]
        canvas.fill([at, *part], colour)


def _corner(canvas: Canvas, card: str) -> None:
    style = canvas.style
    suit, _, sign = card.partition("-")
    at = (-WIDE / 2 + style.border + 5.0, -HIGH / 2 + style.border + 6.6)
    if suit == "wild":
        if sign == "draw-four":
            write(canvas, "+4", style.small * 0.86, (at[0] + 1.6, at[1]), style.white)
        else:
            _quarters(canvas, (5.6, 9.6), (at[0] - 0.2, at[1]), 0.9)
        return
    ground = style.suits[SUITS.index(suit)]
    if sign in NUMBERS:
        lift = -0.8 if sign in "69" else 0.0
        write(canvas, sign, style.small, (at[0], at[1] + lift), style.white)
    elif sign == "draw-two":
        write(canvas, "+2", style.small * 0.86, (at[0] + 1.6, at[1]), style.white)
    elif sign == "skip":
        print_sign(canvas, skip_sign, 8.2, at, style.white, ground, 0.3)
    else:
        print_sign(canvas, reverse_sign, 11.0, at, style.white, ground, 0.3)
