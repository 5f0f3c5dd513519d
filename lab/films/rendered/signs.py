"""What faces are printed with: shapes, letters and signs, on a canvas in mm."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from lab.films.staging.sheet import HIGH, WIDE

Picture = npt.NDArray[Any]
Rgb = tuple[int, int, int]
Point = tuple[float, float]

FINE = 12
"""Pixels per mm while drawing."""

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
    # The pen's zero has a slash through it, its letter has none.
    drawn = text.replace("0", "O")
    size = round(high * FINE)
    scale, thick = size / 21, max(1, round(size * 0.12))
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, tall), _ = cv2.getTextSize(drawn, font, scale, thick)
    sheet: Picture = np.zeros((tall + 6 * thick, wide + 6 * thick), np.uint8)
    at = (3 * thick, tall + 3 * thick)
    cv2.putText(sheet, drawn, at, font, scale, 255, thick, cv2.LINE_AA)
    mask = Image.fromarray(sheet)
    word = mask.crop(mask.getbbox())
    return _high(
        word.resize((round(0.82 * word.width), word.height)) if text == "0" else word, size
    )


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


def skip_sign(size: float, at: Point, grown: float) -> list[list[Point]]:
    """Return the disc of the skip sign; ``print_sign`` hollows it."""
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


def print_sign(
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
