"""Faces of other games and dense pictures: what a reader must not take for a card that it knows."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.backgrounds import clutter, keyboard, pattern, text
from lab.draw.cards.backs import with_corners
from lab.draw.cards.invented_design import random_colour, random_design, random_motif, texture
from lab.draw.cards.paint_design import paint_design
from lab.draw.shapes.digits import Typeface, word
from lab.draw.shapes.motifs import blob, creature, house, jumble, plant, rune
from lab.draw.shapes.sheet import Colour, Ink, Picture, Sheet
from lab.draw.shapes.strokes import Shape, bezier, placed, stroke
from lab.draw.shapes.symbols import ellipse, rounded, star

_PAPER: Colour = (244, 246, 247)
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
_RANKS = (*"A23456789JQKBCDV", "10", "XIV", "VII", "R")
_LETTERS = "AEFHKMNRTWXY"
"""Letters that cannot be taken for a digit."""
_SYLLABLES = ("ba", "dor", "el", "fi", "gan", "hu", "ko", "lim", "mo", "nex", "pra", "sto", "ty")


def foreign_face(rng: np.random.Generator, height: int = 224) -> Picture:
    """Draw a face of another game, (height, width, 4) in BGRA."""
    weights = np.array([weight for _, weight in _KINDS])
    draw = _KINDS[int(rng.choice(len(_KINDS), p=weights / weights.sum()))][0]
    face = draw(rng, height)
    return with_corners(face, float(rng.uniform(0.5, 4.5)))


def pip_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw a playing card of up to ten pips."""
    sheet = _sheet(rng, height)
    ink, pip, rank = _suit_ink(rng), _pip(rng), int(rng.integers(1, 11))
    for x, y in _places(rank):
        size = 13.0 if rank > 1 else rng.uniform(15, 34)
        sheet.fill(placed(pip, (x, y), size if y <= 0 else -size), ink)
    _corner_marks(sheet, rng, "A" if rank == 1 else str(rank), pip, ink)
    return sheet.reduced(_width(height), height)


def court_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw a playing card with a dense, two-headed picture in a frame."""
    sheet = _sheet(rng, height)
    ink, pip = _suit_ink(rng), _pip(rng)
    across, down = rng.uniform(30, 42), rng.uniform(58, 74)
    if rng.random() < 0.8:
        frame = rounded(across, down, 0.5)
        ground = random_colour(rng) if rng.random() < 0.4 else _PAPER
        sheet.fill([frame], ground)
        sheet.fill(stroke(frame, (0.3, 0.3), True), ink)
    for _ in range(int(rng.integers(2, 6))):
        motif = random_motif(rng, (creature, jumble, plant, house))
        tints = [random_colour(rng, 0.0) for _ in range(6)]
        at = (rng.uniform(-0.25, 0.25) * across, -rng.uniform(0.05, 0.4) * down)
        size = rng.uniform(0.2, 0.5) * down
        for shape, tint in motif:
            body = placed(shape, at, size)
            sheet.print(body, Ink(tints[tint], 0.3, (25, 25, 25)))
            sheet.print([-1.0 * part for part in body], Ink(tints[tint], 0.3, (25, 25, 25)))
    for k in range(int(rng.integers(0, 3))):
        stripe = rounded(across, rng.uniform(1, 4), 0.1) + np.array([0.0, 3.0 * k])
        sheet.fill([stripe, -stripe], random_colour(rng))
    _corner_marks(sheet, rng, str(rng.choice(_RANKS)), pip, ink)
    return sheet.reduced(_width(height), height)


def shapes_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw one to three equal shapes, full, striped or open, as pattern games have them."""
    sheet = _sheet(rng, height)
    ink = random_colour(rng, 0.3)
    kind, fill, count = rng.integers(4), rng.integers(3), int(rng.integers(1, 4))
    wide, high = rng.uniform(26, 44), rng.uniform(11, 20)
    if kind == 0:
        outline = rounded(wide, high, high / 2)
    elif kind == 1:
        outline = np.array([(-wide / 2, 0.0), (0.0, -high / 2), (wide / 2, 0.0), (0.0, high / 2)])
    elif kind == 2:
        outline = blob(rng, 0.3) * np.array([wide, high])
    else:
        bow = high * rng.uniform(0.3, 0.6)
        line = bezier(
            (-wide / 2, bow / 2), (-wide / 6, -bow), (wide / 6, bow), (wide / 2, -bow / 2)
        )
        (outline, *_) = stroke(line, (high / 3, high / 3))
    gap = high * rng.uniform(1.2, 1.5)
    turned = rng.random() < 0.2
    for k in range(count):
        body = outline + np.array([0.0, (k - (count - 1) / 2) * gap])
        body = body[:, ::-1] * np.array([1.0, -1.0]) if turned else body
        if fill == 0:
            sheet.fill([body], ink)
        else:
            sheet.fill(stroke(body, (0.7, 0.7), True), ink)
        if fill == 1:
            _striped(sheet, body, ink)
    return sheet.reduced(_width(height), height)


def picture_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw a full picture, often in a frame with a title, as tarot and trading cards have."""
    design = random_design(rng, (creature, plant, house, jumble, rune))
    field = texture(rng) if rng.random() < 0.6 else design.field
    face = paint_design(replace(design, field=field, index=[], size=rng.uniform(34, 60)), height)
    if rng.random() < 0.6:
        y = int(
            height * (rng.uniform(0.02, 0.08) if rng.random() < 0.4 else rng.uniform(0.85, 0.9))
        )
        cv2.rectangle(face, (8, y), (face.shape[1] - 8, y + 18), _PAPER, -1)
        _print(face, rng, _nonsense(rng), (face.shape[1] / 2, y + 9), 11, (30, 30, 30))
    return face


def word_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw a coloured card whose middle and corners show words, letters or numbers above nine."""
    rim = rng.uniform(0, 5) if rng.random() < 0.8 else 0.0
    sheet = Sheet((WIDTH, HEIGHT), 1.6 * height / HEIGHT, _PAPER)
    field = random_colour(rng)
    sheet.fill([rounded(WIDTH - 2 * rim, HEIGHT - 2 * rim, 2.5)], field)
    inside = rng.random() < 0.6
    if inside:
        sheet.fill(
            [ellipse(rng.uniform(36, 46), rng.uniform(56, 76), rng.choice([0.0, 0.5]))], _PAPER
        )
    face = sheet.reduced(_width(height), height)
    ink = field if inside else _PAPER
    if rng.random() < 0.3:
        ink = (25, 25, 25)
    lot = rng.random()
    text = str(rng.integers(10, 100)) if lot < 0.4 else _nonsense(rng)
    if lot > 0.85:
        text = str(rng.choice(list(_LETTERS)))
    size = min(height * 0.34, 1.25 * face.shape[1] / max(len(text), 1))
    _print(face, rng, text, (face.shape[1] / 2, height / 2), size, ink, bold=2)
    small = text if len(text) < 3 else text[:1] if rng.random() < 0.5 else ""
    if small:
        for way in (1, -1):
            at = (face.shape[1] * (0.5 - 0.34 * way), height * (0.5 - 0.4 * way))
            _print(face, rng, small, at, height * 0.09, _PAPER if rim < 8 else ink)
    return face


def number_card(rng: np.random.Generator, height: int) -> Picture:
    """Draw a white card with a coloured digit in the middle and in the corners."""
    sheet = _sheet(rng, height)
    ink, typeface = random_colour(rng, 0.2), Typeface(stem=rng.uniform(0.1, 0.3))
    digit = str(rng.integers(10))
    if rng.random() < 0.5:
        ring = ellipse(rng.uniform(30, 46), rng.uniform(30, 70), 0.0)
        sheet.fill(stroke(ring, (rng.uniform(0.4, 2.0),) * 2, True), ink)
    sheet.fill(placed(word(digit, typeface), (0.0, 0.0), rng.uniform(16, 40)), ink)
    at = (-rng.uniform(19, 23), -rng.uniform(32, 37))
    for way in (1.0, -1.0):
        body = placed(word(digit, typeface), at, rng.uniform(6, 10))
        sheet.fill([part * way for part in body], ink)
    return sheet.reduced(_width(height), height)


def dense_picture(rng: np.random.Generator, height: int) -> Picture:
    """Draw a texture full of edges: tiles, prints on cloth, pages, scraps."""
    kind = rng.integers(5)
    if kind == 0:
        cell = int(rng.integers(6, 40))
        rows, columns = height // cell + 2, _width(height) // cell + 2
        tiles = rng.integers(0, 256, (rows, columns, 3)).astype(np.uint8)
        way = cv2.INTER_NEAREST if rng.random() < 0.6 else cv2.INTER_CUBIC
        whole = cv2.resize(tiles, (columns * cell, rows * cell), interpolation=way)
    elif kind == 1:
        whole = (text, keyboard, pattern)[int(rng.integers(3))](rng)
    elif kind == 2:
        whole = pattern(rng)
        clutter(whole, rng, int(rng.integers(20, 120)))
    else:
        sheet = Sheet((WIDTH, HEIGHT), 1.6 * height / HEIGHT, random_colour(rng, 0.0))
        motifs = [random_motif(rng, (creature, plant, jumble, rune)) for _ in range(3)]
        step = rng.uniform(9, 30)
        for y in np.arange(-46, 47, step):
            for x in np.arange(-30, 31, step):
                for shape, _ in motifs[int(rng.integers(3))]:
                    at = (x + rng.normal(0, 1.5), y + rng.normal(0, 1.5))
                    turned = placed(shape, at, step * 0.95, 0.0, rng.uniform(0, 360))
                    sheet.fill(turned, random_colour(rng, 0.0))
        whole = sheet.image
    y = int(rng.integers(max(1, whole.shape[0] - height + 1)))
    x = int(rng.integers(max(1, whole.shape[1] - _width(height) + 1)))
    part = whole[y : y + height, x : x + _width(height)]
    return np.ascontiguousarray(cv2.resize(part, (_width(height), height)), np.uint8)


_KINDS: tuple[tuple[Callable[[np.random.Generator, int], Picture], float], ...] = (
    (pip_card, 0.18),
    (court_card, 0.22),
    (shapes_card, 0.14),
    (picture_card, 0.16),
    (word_card, 0.14),
    (number_card, 0.06),
    (dense_picture, 0.14),
)


def _width(height: int) -> int:
    return round(height * WIDTH / HEIGHT)


def _sheet(rng: np.random.Generator, height: int) -> Sheet:
    low = 0.72 if rng.random() < 0.2 else 0.94
    paper = np.array(_PAPER) * rng.uniform(low, 1.0, 3)
    blue, green, red = (int(v) for v in paper)
    return Sheet((WIDTH, HEIGHT), 1.6 * height / HEIGHT, (blue, green, red))


def _suit_ink(rng: np.random.Generator) -> Colour:
    lot = rng.random()
    if lot < 0.4:
        return (int(rng.integers(20, 70)), int(rng.integers(10, 50)), int(rng.integers(160, 230)))
    return (25, 22, 22) if lot < 0.75 else random_colour(rng, 0.2)


def _pip(rng: np.random.Generator) -> Shape:
    """Return a suit's sign, one unit high."""
    kind = rng.integers(7)
    drop = np.array([(0.0, -0.5), (0.42, 0.1), (0.3, 0.35), (0.0, 0.2), (-0.3, 0.35), (-0.42, 0.1)])
    stem = np.array([(-0.04, 0.1), (0.04, 0.1), (0.18, 0.5), (-0.18, 0.5)])
    disc = ellipse(0.46, 0.46, 0.0)
    if kind == 0:
        return [-1.0 * drop]
    if kind == 1:
        return [drop, stem]
    if kind == 2:
        return [np.array([(0.0, -0.5), (0.38, 0.0), (0.0, 0.5), (-0.38, 0.0)])]
    if kind == 3:
        around = [(0.0, -0.25), (-0.24, 0.1), (0.24, 0.1)]
        return [*(disc + np.array(at) for at in around), stem]
    if kind == 4:
        ring: Shape = stroke(ellipse(0.8, 0.8, 0.0), (0.08, 0.08), True)
        return [*ring, ellipse(0.4, 0.4, 0.0)]
    if kind == 5:
        return [star(int(rng.integers(4, 9)), float(rng.uniform(0.3, 0.7))) * 0.5]
    return [blob(rng, 0.35)]


def _places(count: int) -> list[tuple[float, float]]:
    """Return where a playing card's pips stand, in mm from its middle."""
    rows = {4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}.get(count, 0)
    left = count - 2 * rows
    places = [(x, float(y)) for y in np.linspace(-27, 27, rows) for x in (-11.0, 11.0)]
    alone = {1: [0.0], 2: [-20.0, 20.0], 3: [-24.0, 0.0, 24.0]}
    ys = alone.get(left, [0.0] * left) if rows == 0 else [-13.5, 13.5][:left]
    return [*places, *((0.0, y if rows != 2 else 0.0) for y in ys)]


def _corner_marks(
    sheet: Sheet, rng: np.random.Generator, rank: str, pip: Shape, ink: Colour
) -> None:
    """Print rank and suit into two or four corners."""
    x, y, size = rng.uniform(21, 24), rng.uniform(34, 37.5), rng.uniform(5, 10)
    corners = [(1.0, 1.0)] if rng.random() < 0.8 else [(1.0, 1.0), (-1.0, 1.0)]
    drawn = set(rank) <= set("0123456789")
    typeface = Typeface(width=rng.uniform(0.5, 0.9), stem=rng.uniform(0.1, 0.26))
    for side, _ in corners:
        for way in (1.0, -1.0):
            at = (-x * side * way, -y * way)
            if drawn:
                sheet.fill(placed(word(rank, typeface), at, size * way), ink)
            else:
                scale = sheet.image.shape[0] / HEIGHT
                middle = ((at[0] + WIDTH / 2) * scale, (at[1] + HEIGHT / 2) * scale)
                _print(sheet.image, rng, rank, middle, size * scale, ink, bold=2)
            below = (at[0], at[1] + way * size * 1.15)
            sheet.fill(placed(pip, below, size * 0.9 * way), ink)


def _print(
    image: Picture,
    rng: np.random.Generator,
    text: str,
    middle: tuple[float, float],
    size: float,
    ink: Colour,
    bold: int = 1,
) -> None:
    """Print a word around a point, ``size`` pixels high."""
    font = _FONTS[int(rng.integers(len(_FONTS)))]
    thick = max(1, round(size * rng.uniform(0.06, 0.12) * bold))
    (_, tall), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = size / max(tall, 1)
    (across, tall), _ = cv2.getTextSize(text, font, scale, thick)
    at = (round(middle[0] - across / 2), round(middle[1] + tall / 2))
    cv2.putText(image, text, at, font, scale, ink, thick, cv2.LINE_AA)


def _nonsense(rng: np.random.Generator) -> str:
    text = "".join(str(part) for part in rng.choice(_SYLLABLES, int(rng.integers(1, 4))))
    return text.upper() if rng.random() < 0.6 else text.capitalize()


def _striped(sheet: Sheet, body: NDArray[np.float64], ink: Colour) -> None:
    left, right = body[:, 0].min(), body[:, 0].max()
    mask, window = sheet.mask([body])
    lines = sheet.image.copy()
    scale = sheet.image.shape[0] / HEIGHT
    for x in np.arange(left, right, 1.8):
        at = round((x + WIDTH / 2) * scale)
        cv2.line(lines, (at, 0), (at, lines.shape[0]), ink, max(1, round(0.5 * scale)))
    cv2.copyTo(lines[window], mask, sheet.image[window])
