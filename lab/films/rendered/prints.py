"""Faces of the classic deck in three print styles, drawn with Pillow from the rule sheets' words.

It shares nothing with ``lab.draw``, whose faces the networks learnt from.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Picture = npt.NDArray[Any]
Rgb = tuple[int, int, int]
Point = tuple[float, float]

WIDE, HIGH = 56.0, 87.0
"""A card in mm."""
FINE = 12
"""Pixels per mm while drawing."""
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


Sign = Callable[[float, Point, float], list[list[Point]]]
"""Outlines of a sign, given its size, place and how much wider than usual it is."""


@dataclass(frozen=True)
class Print:
    """A print style; lengths in mm."""

    suits: tuple[Rgb, Rgb, Rgb, Rgb]  # Red, yellow, green, blue
    black: Rgb = (20, 18, 20)
    white: Rgb = (250, 250, 247)
    border: float = 3.6
    oval: tuple[float, float] = (38.0, 66.0)  # Short and long axis
    lean: float = 28.0  # Degrees that the oval leans to the right
    filled: bool = True  # Whether the oval is white, else it is an outline
    bold: float = 1.3  # Width of strokes added to the letters
    slant: float = 0.18  # Shear of digits
    shadow: Point = (0.9, 0.9)  # Offset of the digits' black shadow
    rim: float = 0.5  # Width of the black rim around digits
    pen: bool = False  # Digits by OpenCV's pen strokes, else by Pillow's typeface
    middle: float = 36.0  # Height of the middle digit
    small: float = 10.5  # Height of a digit in the corner


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


class Canvas:
    """A face being drawn; coordinates in mm from its middle, y down."""

    def __init__(self, style: Print) -> None:
        self.style = style
        self.image = Image.new("RGB", (round(WIDE * FINE), round(HIGH * FINE)), style.white)
        self._pen = ImageDraw.Draw(self.image)

    def fill(self, outline: Sequence[Point], colour: Rgb) -> None:
        """Fill a polygon."""
        self._pen.polygon([self._at(p) for p in outline], fill=colour)

    def stamp(self, mask: Image.Image, at: Point, colour: Rgb) -> None:
        """Print a mask of the canvas's scale with its middle at a point."""
        x, y = self._at(at)
        self.image.paste(colour, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)

    def mirror(self) -> None:
        """Turn what is drawn by half a turn, to draw the other corner."""
        self.image = self.image.transpose(Image.Transpose.ROTATE_180)
        self._pen = ImageDraw.Draw(self.image)

    def _at(self, point: Point) -> Point:
        return ((point[0] + WIDE / 2) * FINE, (point[1] + HIGH / 2) * FINE)


def oval(wide: float, high: float, lean: float, at: Point = (0.0, 0.0)) -> list[Point]:
    """Return the outline of an ellipse that leans to the right by so many degrees."""
    turn = math.radians(lean)
    points = []
    for step in range(120):
        angle = math.tau * step / 120
        x, y = wide / 2 * math.cos(angle), high / 2 * math.sin(angle)
        points.append(
            (
                at[0] + x * math.cos(turn) - y * math.sin(turn),
                at[1] + x * math.sin(turn) + y * math.cos(turn),
            )
        )
    return points


def slab(
    wide: float, high: float, radius: float, turn: float = 0.0, at: Point = (0.0, 0.0)
) -> list[Point]:
    """Return the outline of a rectangle with round corners, turned by degrees."""
    points = []
    x, y, way = wide / 2 - radius, high / 2 - radius, math.radians(turn)
    for cx, cy, start in ((x, -y, -90), (x, y, 0), (-x, y, 90), (-x, -y, 180)):
        for step in range(9):
            angle = math.radians(start + step * 90 / 8)
            px, py = cx + radius * math.cos(angle), cy + radius * math.sin(angle)
            points.append(
                (
                    at[0] + px * math.cos(way) - py * math.sin(way),
                    at[1] + px * math.sin(way) + py * math.cos(way),
                )
            )
    return points


@lru_cache(maxsize=256)
def letters(text: str, high: float, style: Print, grown: float) -> Image.Image:
    """Return a mask of a word ``high`` mm high, its strokes grown by ``grown`` mm."""
    mask = _pen_letters(text, high, style) if style.pen else _typeface(text, high, style)
    if style.slant:
        extra = round(style.slant * mask.height)
        wide = Image.new("L", (mask.width + 2 * extra, mask.height))
        wide.paste(mask, (extra, 0))
        shear = (1, style.slant, -style.slant * mask.height / 2, 0, 1, 0)
        mask = wide.transform(wide.size, Image.Transform.AFFINE, shear, Image.Resampling.BILINEAR)
    if grown:
        size = round(grown * FINE)
        around = 2 * size + 2
        room = Image.new("L", (mask.width + 2 * around, mask.height + 2 * around))
        room.paste(mask, (around, around))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * size + 1,) * 2)
        mask = Image.fromarray(cv2.dilate(np.asarray(room), kernel))
    return mask


def _typeface(text: str, high: float, style: Print) -> Image.Image:
    size = high * FINE
    font = ImageFont.load_default(size * 1.36)
    stroke = round(style.bold * FINE * high / 36)
    left, top, right, low = font.getbbox(text, stroke_width=stroke)
    mask = Image.new("L", (math.ceil(right - left), math.ceil(low - top)))
    pen = ImageDraw.Draw(mask)
    pen.text((-left, -top), text, fill=255, font=font, stroke_width=stroke, stroke_fill=255)
    return _high(mask, size)


def _pen_letters(text: str, high: float, style: Print) -> Image.Image:
    size = round(high * FINE)
    scale, thick = size / 21, max(1, round(size * 0.125))
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, tall), _ = cv2.getTextSize(text, font, scale, thick)
    sheet: Picture = np.zeros((tall + 6 * thick, wide + 6 * thick), np.uint8)
    at = (3 * thick, tall + 3 * thick)
    cv2.putText(sheet, text, at, font, scale, 255, thick, cv2.LINE_AA)
    mask = Image.fromarray(sheet)
    return _high(mask.crop(mask.getbbox()), size)


def _high(mask: Image.Image, size: float) -> Image.Image:
    share = size / mask.height
    return mask.resize((max(1, round(mask.width * share)), round(size)), Image.Resampling.LANCZOS)


def write(canvas: Canvas, text: str, high: float, at: Point, colour: Rgb) -> None:
    """Print a word with the style's shadow and rim."""
    style = canvas.style
    share = min(1.0, high / 30)
    rim = max(style.rim * share, 0.25)
    if style.shadow != (0.0, 0.0):
        dx, dy = (v * max(share, 0.45) for v in style.shadow)
        canvas.stamp(letters(text, high, style, rim), (at[0] + dx, at[1] + dy), style.black)
    canvas.stamp(letters(text, high, style, rim), at, style.black)
    canvas.stamp(letters(text, high, style, 0.0), at, colour)
    if text in ("6", "9"):
        line = at[1] + high * 0.66
        canvas.fill(slab(high * 0.5, high * 0.1 + 2 * rim, 0.05, 0, (at[0], line)), style.black)
        canvas.fill(slab(high * 0.5 - rim, high * 0.1, 0.05, 0, (at[0], line)), colour)


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
        _cut(canvas, shape, size, (0.0, 0.0), ink, style.white if style.filled else ground, rim)


def _cut(
    canvas: Canvas, shape: Sign, size: float, at: Point, ink: Rgb, ground: Rgb, rim: float
) -> None:
    """Print a sign with its rim, and with its ground where it is hollow."""
    for points in shape(size, at, rim):
        canvas.fill(points, canvas.style.black)
    if shape is skip_sign:
        # Inside the ring the ground shows, with the bar across it.
        canvas.fill(oval(size * 0.66 - 2 * rim, size * 0.66 - 2 * rim, 0, at), ground)
        bar = size * 0.74
        canvas.fill(slab(bar, size * 0.17 + 2 * rim, 0.01, -45, at), canvas.style.black)
    for points in shape(size, at, 0.0):
        canvas.fill(points, ink)
    if shape is skip_sign:
        canvas.fill(oval(size * 0.66, size * 0.66, 0, at), canvas.style.black)
        canvas.fill(oval(size * 0.66 - 2 * rim, size * 0.66 - 2 * rim, 0, at), ground)
        canvas.fill(slab(size * 0.7, size * 0.17 + 2 * rim, 0.01, -45, at), canvas.style.black)
        canvas.fill(slab(size * 0.8, size * 0.17, 0.01, -45, at), ink)


def skip_sign(size: float, at: Point, grown: float) -> list[list[Point]]:
    """Return the disc of the skip sign; ``_cut`` hollows it."""
    return [oval(size + 2 * grown, size + 2 * grown, 0, at)]


def reverse_sign(size: float, at: Point, grown: float) -> list[list[Point]]:
    """Return two arrows side by side; one points up to the right, the other the opposite way."""
    shaft, head, tip = size * 0.1 + grown, size * 0.22 + 1.8 * grown, size * 0.5 + 1.8 * grown
    base, tail, middle = size * 0.24 - 0.9 * grown, size * 0.1 + grown, size * 0.125
    arrow = [(-shaft, tail), (-shaft, -base), (-head, -base), (0.0, -tip)]
    arrow += [(head, -base), (shaft, -base), (shaft, tail)]
    turn = math.radians(45)
    c, s = math.cos(turn), math.sin(turn)
    return [
        [
            (at[0] + sign * (c * (x - middle) - s * y), at[1] + sign * (s * (x - middle) + c * y))
            for x, y in arrow
        ]
        for sign in (1.0, -1.0)
    ]


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
        _cut(canvas, skip_sign, 8.2, at, style.white, ground, 0.3)
    else:
        _cut(canvas, reverse_sign, 11.0, at, style.white, ground, 0.3)
