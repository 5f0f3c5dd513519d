"""Pictures in the middle of action and wild cards.

Publishers' own pictures (tales, characters, tower icons) are replaced by random stand-ins, drawn
from the seed of the print style; players enrol the real ones.
"""

from collections.abc import Callable

import numpy as np

from hardware.camera.decks import SUITS, Card
from lab.draw.cards.print_style import PrintStyle
from lab.draw.shapes.digits import Typeface, character
from lab.draw.shapes.sheet import Colour, Ink, Sheet, shade
from lab.draw.shapes.strokes import Points, Shape, placed, stroke
from lab.draw.shapes.symbols import ellipse, small_card, star, swirl, tower

Place = tuple[str, float, float]
"""Colour and placement of a small card, in units of its height."""

TOWER_COLOURS = {"U": "red", "N": "blue", "O": "green", "!": "yellow"}


def pair(style: PrintStyle, colour: str) -> list[Place]:
    """Return the places of draw-two's small cards, the back one first."""
    dx, dy = (0.15, 0.22) if style.mini_slant == 0 else (0.31, 0.23)
    if style.mirrored_two:
        return [(colour, dx, -dy), (colour, -dx, dy)]
    return [(colour, -dx, dy), (colour, dx, -dy)]


def four(style: PrintStyle) -> list[Place]:
    """Return the places of wild-draw-four's small cards, the back one first."""
    spots = (
        [(0.43, -0.08), (0.25, -0.58), (-0.25, 0.54), (-0.42, 0.1)],
        [(0.53, -0.53), (0.13, 0.21), (-0.21, -0.19), (-0.63, 0.55)],
        [(-0.5, 0.1), (-0.17, -0.06), (0.17, -0.06), (0.5, 0.1)],
    )[style.four_layout]
    return [(SUITS[w], x, y) for w, (x, y) in zip(style.wild_order, spots, strict=True)]


def minis(sheet: Sheet, style: PrintStyle, places: list[Place], sign: float, scale: float) -> None:
    """Draw small overlapping cards, the back one first; ``sign`` -1 draws them upside down."""
    size = style.mini * scale
    rim = 0.0 if style.mini_slant == 0 else max(0.7, style.outline)
    shadow = (style.shadow[0] * sign, style.shadow[1] * sign)
    card = small_card(style.mini_slant, style.mini_radius, style.mini_ratio)
    for colour, x, y in places:
        at = (x * size * sign, y * size * sign)
        white = style.mini_white and len(places) < 4
        fill = style.white if white else style.colours[colour]
        outer = Ink(
            style.white, max(style.outline, 0.5), shade(style.black, 0.6), shadow, style.solid
        )
        sheet.print(placed(card, at, size), outer)
        sheet.fill(placed(card, at, size - 2.4 * rim), fill)


def letters(word: Callable[[str, Typeface], Shape], text: str, face: Typeface) -> list[Shape]:
    """Return the characters of a word, each at its place in the word."""
    whole = word(text, face)
    shapes, start = [], 0
    for sign in text:
        count = len(character(sign, face))
        shapes.append(whole[start : start + count])
        start += count
    return shapes


def two_towers(at: tuple[float, float], size: float) -> Shape:
    """Return two small towers side by side."""
    left = placed(tower(), (at[0] - 0.32 * size, at[1] + 0.08 * size), size * 0.8)
    right = placed(tower(), (at[0] + 0.38 * size, at[1] - 0.08 * size), size * 0.8)
    return [*left, *right]


def _turned(shape: Shape, sign: float) -> Shape:
    return [piece * sign for piece in shape]


def _ink(style: PrintStyle, fill: Colour) -> Ink:
    return Ink(fill, max(style.outline, 0.4), shade(style.black, 0.6), style.shadow, style.solid)


def towers(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of take-two-towers: one tower in front of another."""
    on_white = style.centre in ("filled", "circle")
    fill = style.colours[card.colour] if on_white else style.white
    for x, y in ((6.0, -5.0), (-6.0, 5.0)):
        shape = placed(tower(), (x, y), style.mini * 0.95)
        sheet.print(_turned(shape, sign), _ink(style, fill))


def take_tower(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-take-tower: one tower in four colours."""
    size = style.mini * 1.35
    shape = placed(tower(), (0.0, 0.0), size)
    sheet.print(_turned(shape, sign), _ink(style, style.white))
    for k, (x, y) in enumerate(((-0.13, -0.12), (0.13, -0.12), (-0.13, 0.16), (0.13, 0.16))):
        pane = np.array([(-0.1, -0.12), (0.1, -0.12), (0.1, 0.12), (-0.1, 0.12)]) + np.array([x, y])
        sheet.fill(_turned([pane * size], sign), style.colours[SUITS[style.wild_order[k]]])


def tales(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-tales: hills, a round creature and a moon; each style has its own."""
    rng = np.random.default_rng([style.seed, 77])
    width, height = style.centre_size
    tones = [shade(style.colours[s], rng.uniform(0.7, 1.2)) for s in rng.permutation(SUITS)]
    sheet.fill([_turned([ellipse(width * 0.92, height * 0.92, style.lean)], sign)[0]], tones[0])
    hill = ellipse(width * 0.6, height * rng.uniform(0.2, 0.35), 0.0)
    sheet.fill(_turned([hill + np.array([rng.uniform(-4, 4), height * 0.25])], sign), tones[1])
    moon = ellipse(9.0, 9.0, 0.0) + np.array([rng.uniform(2, 9), -height * 0.28])
    sheet.fill(_turned([moon], sign), style.white)
    body = ellipse(rng.uniform(13, 18), rng.uniform(18, 24), 0.0) + np.array([0.0, 4.0])
    head = ellipse(rng.uniform(11, 15), 12.0, rng.uniform(-0.4, 0.4)) + np.array([0.0, -9.0])
    sheet.print(_turned([body, head], sign), _ink(style, shade(style.white, rng.uniform(0.8, 1.0))))
    for x in (-2.2, 2.2):
        sheet.fill(_turned([ellipse(1.8, 2.4, 0.0) + np.array([x, -10.0])], sign), style.black)


def shuffle(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-shuffle: cards in a ring of arrows, or two hands passing cards."""
    rng = np.random.default_rng([style.seed, 78])
    if rng.random() < 0.3:
        _two_hands(sheet, style, sign)
        return
    size = min(style.centre_size) * rng.uniform(0.66, 0.86)
    count = int(rng.choice([2, 3, 4]))
    shape = placed(swirl(count), (0.0, 0.0), size, turn=rng.uniform(0, 90))
    sheet.print(_turned(shape, sign), _ink(style, style.black))
    if rng.random() < 0.75:
        minis(sheet, style, four(style), sign, 0.36)


def _two_hands(sheet: Sheet, style: PrintStyle, sign: float) -> None:
    for turn in (1.0, -1.0):
        wrist = np.array(
            [(13.0, 22.0), (9.0, 13.0), (10.0, 7.0), (4.0, 1.0), (3.0, 5.0), (6.5, 8.0)]
        )
        lines = stroke(wrist * turn, (0.35, 0.35))
        sheet.fill(_turned(lines, sign), style.black)
        for k in range(3):
            body = placed(
                small_card(0.0), ((6.5 + 1.5 * k) * turn, -1.0 * turn), 10.0, 0.0, 14.0 * k
            )
            sheet.print(_turned(body, sign), Ink(style.white, 0.5, style.black))


def custom(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-custom: an empty field, usually with a few handwritten words."""
    if not style.custom_written:
        return
    rng = np.random.default_rng([style.seed, 79, card.number])
    pen = rng.uniform(0.25, 0.7)
    tint = shade(style.colours[str(rng.choice(SUITS))], 0.6) if rng.random() < 0.5 else style.black
    for row in range(card.number + int(rng.integers(1, 3))):
        y = -10.0 + 6.0 * row
        x = np.arange(-12.0 - y * 0.3, 11.0 - y * 0.3, 0.8)
        line = np.stack([x + rng.normal(0, 0.6, len(x)), y + rng.normal(0, 1.4, len(x))], axis=1)
        for part in np.array_split(line, int(rng.integers(2, 5))):
            if len(part) > 2:
                sheet.fill(_turned(stroke(part, (pen, pen)), sign), tint)


def _figure(seed: list[int], tall: float) -> tuple[Shape, Shape, list[Points]]:
    """Return body, hair and eyes of an invented character."""
    rng = np.random.default_rng(seed)
    head = ellipse(rng.uniform(0.3, 0.42), rng.uniform(0.32, 0.42), 0.0) + np.array([0.0, -0.2])
    wide = rng.uniform(0.2, 0.36)
    trunk = np.array([(-0.12, 0.0), (0.12, 0.0), (wide, 0.5), (-wide, 0.5)])
    arms = stroke(
        np.array([(-0.42, rng.uniform(-0.3, 0.3)), (0.0, 0.1), (0.42, rng.uniform(-0.3, 0.3))]),
        (0.05, 0.05),
    )
    spikes = int(rng.integers(3, 9))
    hair = [
        np.array([(x - 0.08, -0.28), (x + rng.uniform(-0.1, 0.1), -0.5), (x + 0.08, -0.28)])
        for x in np.linspace(-0.15, 0.15, spikes)
    ]
    eyes = [ellipse(0.05, 0.07, 0.0) + np.array([x, -0.2]) for x in (-0.07, 0.07)]
    scale = [tall * np.array(p) for p in [*hair]]
    return [tall * p for p in [head, trunk, *arms]], scale, [tall * p for p in eyes]


def power(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-power: an invented character on a field of the card's colour."""
    width, height = style.centre_size
    ink = style.colours[card.colour]
    if style.seed % 2:
        sheet.fill(_turned([ellipse(width * 0.94, height * 0.94, style.lean)], sign), ink)
    body, hair, eyes = _figure([style.seed, 80, SUITS.index(card.colour)], 40.0)
    fill = style.white if style.seed % 2 else ink
    sheet.print(_turned(body, sign), _ink(style, fill))
    sheet.print(_turned(hair, sign), _ink(style, shade(ink, 0.7)))
    for eye in eyes:
        sheet.fill(_turned([eye], sign), style.black)


def choose_power(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the middle of wild-choose-power: the characters of all four colours."""
    for k, (x, y) in enumerate(((-7.5, -7.0), (7.5, -12.0), (-7.5, 12.0), (7.5, 7.0))):
        suit = style.wild_order[k]
        body, hair, _ = _figure([style.seed, 80, suit], 17.0)
        move = np.array([x, y])
        ink = Ink(style.colours[SUITS[suit]], 0.4, style.black)
        sheet.print(_turned([p + move for p in body], sign), ink)
        sheet.print(_turned([p + move for p in hair], sign), ink)


def index_mark(
    sheet: Sheet, card: Card, style: PrintStyle, at: tuple[float, float], sign: float
) -> None:
    """Draw the small mark that distinguishes the rarer wilds on the corner's disc."""
    size = style.corner_disc * 0.5
    shapes: dict[str, Shape] = {
        "wild-take-tower": tower(),
        "wild-power": [star()],
        "wild-choose-power": [star(4, 0.3)],
    }
    shape = shapes.get(card.symbol)
    if shape is None:
        return
    fill = style.colours[card.colour] if card.symbol == "wild-power" else style.white
    mark = placed(shape, at, size * 1.3)
    sheet.print(_turned(mark, sign), Ink(fill, 0.35, style.black))


def icon(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    """Draw the icon of a tower on a number card."""
    shape = character(card.icon, style.face)
    size = style.index * 0.85
    x, y = style.index_at
    at = (-x, y) if style.icon_at == 0 else (x, y + style.index * 1.5)
    same = TOWER_COLOURS[card.icon] == card.colour and style.icon_style == 2
    ink = style.black if same else style.colours[TOWER_COLOURS[card.icon]]
    if style.icon_style == 0:
        disc = ellipse(size * 1.5, size * 1.5, 0.0) + np.array(at)
        sheet.print(_turned([disc], sign), Ink(ink, 0.5, style.white))
    elif style.icon_style == 1:
        sheet.print(_turned(placed(tower(), at, size * 1.9), sign), Ink(ink, 0.5, style.white))
    scale = size * (0.9 if style.icon_style == 0 else 0.8 if style.icon_style == 1 else 1.2)
    fill = style.white if style.icon_style < 2 else ink
    edge = Ink(fill, 0.3, style.black if style.icon_style < 2 else style.white)
    sheet.print(_turned(placed(shape, at, scale), sign), edge)
