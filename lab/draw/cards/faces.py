"""Whole card faces, flat and seen from straight above, in any print style."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import SUITS, Card, all_cards
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards import art
from lab.draw.cards.print_style import PrintStyle
from lab.draw.shapes.digits import digit, word
from lab.draw.shapes.sheet import Colour, Ink, Picture, Sheet, shade
from lab.draw.shapes.strokes import Shape, placed, stroke
from lab.draw.shapes.symbols import curled, ellipse, quarters, reverse, rounded, skip
from lab.draw.shapes.wear import faded, misregistered, worn

_SUPER = 2


def render_face(card_id: str, style: PrintStyle, height: int = 288) -> Picture:
    """Draw a card's face (height, width, 4) in BGRA; outside the round corners alpha is 0.

    The card is 56 by 87 mm. Raises KeyError if there is no such card.
    """
    card = all_cards()[card_id]
    rng = np.random.default_rng([style.seed, *card_id.encode()])
    width = round(height * WIDTH / HEIGHT)
    sheet = Sheet((WIDTH, HEIGHT), _SUPER * height / HEIGHT, style.rim)
    _field(sheet, card, style)
    _centre(sheet, card, style, rng)
    for sign in (1.0, -1.0):
        _index(sheet, card, style, sign)
        _icon(sheet, card, style, sign)
    image = sheet.reduced(width, height)
    image = misregistered(image, style.fringe * height / HEIGHT, rng)
    image = worn(faded(image, style.fade), style.wear * rng.uniform(0.3, 1.0), rng)
    return np.dstack([image, _outline(height, width, style.card_radius)])


@cache
def _outline(height: int, width: int, radius: float) -> NDArray[np.uint8]:
    scale = 4 * height / HEIGHT
    mask = np.zeros((4 * height, 4 * width), np.uint8)
    shape = rounded(WIDTH, HEIGHT, radius) * scale + np.array([2 * width, 2 * height])
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _on_black(card: Card) -> bool:
    return card.colour == "none" or card.symbol == "wild-power"


def _ground(card: Card, style: PrintStyle) -> Colour:
    return style.black if _on_black(card) else style.colours[card.colour]


def _field(sheet: Sheet, card: Card, style: PrintStyle) -> None:
    radius = style.field_radius if style.border else style.card_radius
    inner = rounded(WIDTH - 2 * style.border, HEIGHT - 2 * style.border, radius)
    sheet.fill([inner], _ground(card, style))
    shape = ellipse(*style.centre_size, style.lean)
    filled = style.centre in ("filled", "circle") or card.symbol in _PICTURES
    if card.symbol == "wild":
        return
    if filled:
        sheet.fill([shape], style.white)
    elif style.centre in ("ring", "ring-circle"):
        inset = shape * (1 - style.ring / np.array(style.centre_size))
        sheet.fill(stroke(inset, (style.ring / 2, style.ring / 2), True), style.white)


def _centre(sheet: Sheet, card: Card, style: PrintStyle, rng: np.random.Generator) -> None:
    sign = -1.0 if rng.random() < style.flipped else 1.0
    _CENTRES.get(card.symbol, _digit)(sheet, card, style, sign)


def _ink(card: Card, style: PrintStyle) -> Ink:
    on_white = style.centre in ("filled", "circle")
    fill = style.colours[card.colour] if style.coloured and on_white else style.white
    outline = max(style.outline, 0.45) if on_white and not style.coloured else style.outline
    return Ink(fill, outline, shade(style.black, 0.6), style.shadow, style.solid)


def _turned(shape: Shape, sign: float) -> Shape:
    return [piece * sign for piece in shape]


def _printed(sheet: Sheet, shape: Shape, ink: Ink, sign: float) -> None:
    dx, dy = ink.shadow
    turned = Ink(
        ink.fill, ink.outline, ink.line, (dx * sign, dy * sign), ink.solid, ink.halo, ink.rim
    )
    sheet.print(_turned(shape, sign), turned)


def _digit(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    shape = placed(digit(card.symbol, style.face), (0.0, 0.0), style.digit, style.slant)
    _printed(sheet, shape, _ink(card, style), sign)
    if card.symbol == "0" and style.small_print:
        mark = [ellipse(2.6, 2.6, 0.0) + np.array([-style.digit * 0.55, 0.0])]
        _printed(sheet, mark, Ink(style.white, 0.35, style.black), sign)
        dot = ellipse(1.1, 1.5, 0.0) + np.array([-style.digit * 0.55, 0.0])
        _printed(sheet, [dot], Ink(style.black), sign)


def _skip(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    size, ring, lean = style.skip
    shape = placed(skip(ring, ring * style.slash, lean), (0.0, 0.0), size)
    _printed(sheet, shape, _ink(card, style), sign)


def _reverse_shape(style: PrintStyle) -> Shape:
    return curled(style.arrows.lean - 90) if style.curled else reverse(style.arrows)


def _reverse(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    size = style.reverse * (0.8 if style.curled else 1.0)
    shape = placed(_reverse_shape(style), (0.0, 0.0), size)
    _printed(sheet, shape, _ink(card, style), sign)


def _draw_one(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    art.minis(sheet, style, [(card.colour, 0.0, 0.0)], sign, 1.15)


def _draw_two(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    art.minis(sheet, style, art.pair(style, card.colour), sign, 1.0)


def _draw_four(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    art.minis(sheet, style, art.four(style), sign, 0.8)


def _wild(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    width, height = style.centre_size
    sheet.fill([ellipse(width, height, style.lean)], style.white)
    rim = 2 * style.ring if style.ring > 1 else 0.0
    _four_colours(sheet, style, (width - rim, height - rim), (0.0, 0.0), sign)
    if style.wild_word:
        _word(sheet, style, sign)


def _four_colours(
    sheet: Sheet, style: PrintStyle, size: tuple[float, float], at: tuple[float, float], sign: float
) -> None:
    for which, piece in zip(style.wild_order, quarters(*size, style.lean), strict=True):
        sheet.fill(_turned([piece + np.array(at)], sign), style.colours[SUITS[which]])


def _word(sheet: Sheet, style: PrintStyle, sign: float) -> None:
    shape = placed(word("WILD", style.face), (0.0, 0.0), 14.0, 0.0, -18.0)
    whole = Ink(
        style.white, 1.0, shade(style.black, 0.6), style.shadow, style.solid, 0.5, style.white
    )
    _printed(sheet, shape, whole, sign)
    if style.coloured:
        return
    for k, letter in enumerate(art.letters(word, "WILD", style.face)):
        part = placed(letter, (0.0, 0.0), 14.0, 0.0, -18.0)
        sheet.fill(_turned(part, sign), style.colours[SUITS[style.wild_order[k]]])


def _index(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    fill = style.white
    if style.border == 0 and style.centre == "plain":
        fill = shade(style.white, 0.97)
    ink = Ink(fill, style.index_outline, shade(style.black, 0.6), style.index_shadow, style.solid)
    shape = _index_shape(card, style)
    if shape is None:
        _index_disc(sheet, card, style, sign)
        return
    if card.symbol == "wild-draw-four" and style.index_halo:
        halo = style.index_halo
        ink = Ink(fill, style.index_outline + 0.3, ink.line, (0.0, 0.0), True, halo, style.white)
    _printed(sheet, shape, ink, sign)


_PLUS = {"draw-one": "+1", "draw-two": "+2", "wild-draw-four": "+4"}


def _index_shape(card: Card, style: PrintStyle) -> Shape | None:
    at, size = style.index_at, style.index
    if card.symbol in _PLUS:
        body = word(_PLUS[card.symbol], style.face, 0.04)
        return placed(body, (at[0] + size * 0.42, at[1]), size * style.plus, style.slant)
    if card.symbol.isdigit():
        lift = size * 0.1 if card.symbol in "69" else 0.0
        return placed(digit(card.symbol, style.face), (at[0], at[1] - lift), size, style.slant)
    if card.symbol == "skip":
        _, ring, lean = style.skip
        return placed(skip(ring, ring * style.slash, lean), at, style.index_sign)
    if card.symbol == "reverse":
        return placed(_reverse_shape(style), at, style.index_sign * 1.25)
    if card.symbol == "take-two-towers":
        return art.two_towers(at, style.index_sign)
    return None


def _index_disc(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    size = style.corner_disc
    at = (style.index_at[0] + 0.3, style.index_at[1] + 0.4)
    ratio = style.centre_size[0] / style.centre_size[1]
    width, height = size * max(ratio, 0.66), size
    rim = ellipse(width + 1.0, height + 1.0, style.lean) + np.array(at)
    sheet.fill(_turned([rim], sign), style.white)
    _four_colours(sheet, style, (width, height), at, sign)
    art.index_mark(sheet, card, style, at, sign)


def _icon(sheet: Sheet, card: Card, style: PrintStyle, sign: float) -> None:
    if card.icon != "none":
        art.icon(sheet, card, style, sign)


_PICTURES = frozenset(
    {
        "wild-draw-four",
        "wild-take-tower",
        "wild-tales",
        "wild-shuffle",
        "wild-custom",
        "wild-power",
        "wild-choose-power",
    }
)

_CENTRES = {
    "skip": _skip,
    "reverse": _reverse,
    "draw-one": _draw_one,
    "draw-two": _draw_two,
    "take-two-towers": art.towers,
    "wild": _wild,
    "wild-draw-four": _draw_four,
    "wild-take-tower": art.take_tower,
    "wild-tales": art.tales,
    "wild-shuffle": art.shuffle,
    "wild-custom": art.custom,
    "wild-power": art.power,
    "wild-choose-power": art.choose_power,
}
