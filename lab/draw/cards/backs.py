"""Card backs and flat objects, which must not be read as faces."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.print_style import PrintStyle
from lab.draw.shapes.digits import Typeface, character, word
from lab.draw.shapes.sheet import Colour, Ink, Picture, Sheet
from lab.draw.shapes.strokes import placed, stroke
from lab.draw.shapes.symbols import ellipse, rounded, star

_LETTERS = "UNOWILD"


def _colour(rng: np.random.Generator) -> Colour:
    b, g, r = (int(v) for v in rng.integers(10, 246, 3))
    return b, g, r


def with_corners(image: Picture, radius: float) -> Picture:
    """Return the picture as BGRA, transparent outside round corners of ``radius`` mm."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    shape = rounded(WIDTH, HEIGHT, radius) * (height / HEIGHT) + np.array([width / 2, height / 2])
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return np.dstack([image, mask])


def back(style: PrintStyle, rng: np.random.Generator, height: int = 224) -> Picture:
    """Draw the card back of a print style, (height, width, 4) in BGRA."""
    dark = rng.random() < 0.75
    sheet = Sheet((WIDTH, HEIGHT), 2 * height / HEIGHT, style.rim)
    inner = rounded(WIDTH - 2 * style.border, HEIGHT - 2 * style.border, style.field_radius)
    sheet.fill([inner], style.black if dark else _colour(rng))
    outline = ellipse(style.centre_size[0], style.centre_size[1] * 0.95, style.lean)
    kind = rng.integers(4)
    if kind < 2:
        sheet.fill([outline], style.colours["red"] if rng.random() < 0.7 else _colour(rng))
        text = "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 5))))
        turn = float(rng.choice([-25.0, -60.0, -75.0]))
        size = 42.0 / (len(text) + 0.5)
        body = placed(word(text, style.face), (0.0, 0.0), size, 0.1, turn)
        fill = style.colours["yellow"] if rng.random() < 0.6 else style.white
        sheet.print(body, Ink(fill, 0.8, style.black, (0.8, 0.8), True, 0.6, style.white))
    elif kind == 2:
        for scale in (0.9, 0.7, 0.5, 0.3):
            sheet.fill(stroke(outline * scale, (0.5, 0.5), True), style.white)
    else:
        for x in np.arange(-22.0, 23.0, 5.5):
            for y in np.arange(-36.0, 37.0, 6.0):
                sheet.fill(placed([star(4, 0.5)], (x, y), 4.0), style.white)
    return with_corners(sheet.reduced(round(height * WIDTH / HEIGHT), height), style.card_radius)


def lookalike(rng: np.random.Generator, height: int = 224) -> Picture:
    """Draw something of a card's size: another game's card, a note, a blank card, a label."""
    paper = _colour(rng) if rng.random() < 0.4 else (244, 246, 247)
    sheet = Sheet((WIDTH, HEIGHT), 2 * height / HEIGHT, paper)
    kind = rng.integers(5)
    if kind == 0:
        _pips(sheet, rng)
    elif kind == 1:
        sheet.fill([rounded(WIDTH - 9, HEIGHT - 9, 2.0)], _colour(rng))
    elif kind == 2:
        for y in np.arange(-36.0, 36.0, float(rng.uniform(3, 7))):
            end = rng.uniform(-10, 24)
            line: NDArray[np.float64] = np.array([(-23.0, y), (end, y)])
            sheet.fill(stroke(line, (0.5, 0.5)), (60, 55, 55))
    elif kind == 3:
        for _ in range(int(rng.integers(2, 7))):
            shape = rounded(rng.uniform(8, 45), rng.uniform(8, 60), 0.5) + rng.uniform(-15, 15, 2)
            sheet.fill([shape], _colour(rng))
    return with_corners(sheet.reduced(round(height * WIDTH / HEIGHT), height), rng.uniform(0.1, 4))


def _pips(sheet: Sheet, rng: np.random.Generator) -> None:
    ink: Colour = (30, 25, 190) if rng.random() < 0.5 else (25, 25, 25)
    sign = str(rng.choice(list("23456789")))
    face = Typeface(stem=0.14, bar=0.1, width=0.6)
    for turn in (1.0, -1.0):
        body = placed(character(sign, face), (-22.5, -36.0), 8.0)
        sheet.fill([p * turn for p in body], ink)
        suit = placed([star(4, 0.6)], (-22.5, -27.0), 6.0)
        sheet.fill([p * turn for p in suit], ink)
    for k in range(int(sign)):
        at = ((-11.0, 11.0)[k % 2], -28.0 + 56.0 * (k // 2) / max(1, (int(sign) - 1) // 2))
        sheet.fill(placed([star(4, 0.6)], at, 11.0), ink)
