"""Whole card faces, flat and seen from straight above, in any print run."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import SUITS, Card, all_cards
from hardware.camera.layout import HEIGHT, WIDTH
from lab.draw import art
from lab.draw.digits import digit, word
from lab.draw.prints import Print
from lab.draw.sheet import Colour, Ink, Picture, Sheet, shade
from lab.draw.strokes import Shape, placed, stroke
from lab.draw.symbols import curled, ellipse, quarters, reverse, rounded, skip
from lab.draw.wear import faded, fringed, worn

_SUPER = 2


def render(card_id: str, run: Print, height: int = 288) -> Picture:
    """One card's face.

    Args:
        card_id: An id of `cards.all_cards()`.
        run: The print run.
        height: Height of the picture in pixels; the width follows from 56 by 87 mm.

    Returns:
        The picture (height, width, 4) in BGRA; beyond the round corners alpha is 0.

    Raises:
        KeyError: There is no such card.
    """
    card = all_cards()[card_id]
    rng = np.random.default_rng([run.seed, *card_id.encode()])
    width = round(height * WIDTH / HEIGHT)
    sheet = Sheet((WIDTH, HEIGHT), _SUPER * height / HEIGHT, run.rim)
    _field(sheet, card, run)
    _centre(sheet, card, run, rng)
    for sign in (1.0, -1.0):
        _index(sheet, card, run, sign)
        _icon(sheet, card, run, sign)
    image = sheet.reduced(width, height)
    image = fringed(image, run.fringe * height / HEIGHT, rng)
    image = worn(faded(image, run.fade), run.wear * rng.uniform(0.3, 1.0), rng)
    return np.dstack([image, _outline(height, width, run.card_radius)])


@cache
def _outline(height: int, width: int, radius: float) -> NDArray[np.uint8]:
    scale = 4 * height / HEIGHT
    mask = np.zeros((4 * height, 4 * width), np.uint8)
    shape = rounded(WIDTH, HEIGHT, radius) * scale + np.array([2 * width, 2 * height])
    cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _on_black(card: Card) -> bool:
    return card.colour == "none" or card.symbol == "wild-power"


def _ground(card: Card, run: Print) -> Colour:
    return run.black if _on_black(card) else run.colours[card.colour]


def _field(sheet: Sheet, card: Card, run: Print) -> None:
    radius = run.field_radius if run.border else run.card_radius
    inner = rounded(WIDTH - 2 * run.border, HEIGHT - 2 * run.border, radius)
    sheet.fill([inner], _ground(card, run))
    shape = ellipse(*run.centre_size, run.lean)
    filled = run.centre in ("filled", "circle") or card.symbol in _PICTURES
    if card.symbol == "wild":
        return
    if filled:
        sheet.fill([shape], run.white)
    elif run.centre in ("ring", "ring-circle"):
        inset = shape * (1 - run.ring / np.array(run.centre_size))
        sheet.fill(stroke(inset, (run.ring / 2, run.ring / 2), True), run.white)


def _centre(sheet: Sheet, card: Card, run: Print, rng: np.random.Generator) -> None:
    sign = -1.0 if rng.random() < run.flipped else 1.0
    _CENTRES.get(card.symbol, _digit)(sheet, card, run, sign)


def _ink(card: Card, run: Print) -> Ink:
    on_white = run.centre in ("filled", "circle")
    fill = run.colours[card.colour] if run.coloured and on_white else run.white
    outline = max(run.outline, 0.45) if on_white and not run.coloured else run.outline
    return Ink(fill, outline, shade(run.black, 0.6), run.shadow, run.solid)


def _turned(shape: Shape, sign: float) -> Shape:
    return [piece * sign for piece in shape]


def _printed(sheet: Sheet, shape: Shape, ink: Ink, sign: float) -> None:
    dx, dy = ink.shadow
    turned = Ink(
        ink.fill, ink.outline, ink.line, (dx * sign, dy * sign), ink.solid, ink.halo, ink.rim
    )
    sheet.print(_turned(shape, sign), turned)


def _digit(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    shape = placed(digit(card.symbol, run.face), (0.0, 0.0), run.digit, run.slant)
    _printed(sheet, shape, _ink(card, run), sign)
    if card.symbol == "0" and run.small_print:
        mark = [ellipse(2.6, 2.6, 0.0) + np.array([-run.digit * 0.55, 0.0])]
        _printed(sheet, mark, Ink(run.white, 0.35, run.black), sign)
        dot = ellipse(1.1, 1.5, 0.0) + np.array([-run.digit * 0.55, 0.0])
        _printed(sheet, [dot], Ink(run.black), sign)


def _skip(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    size, ring, lean = run.skip
    shape = placed(skip(ring, ring * run.slash, lean), (0.0, 0.0), size)
    _printed(sheet, shape, _ink(card, run), sign)


def _reverse_shape(run: Print) -> Shape:
    return curled(run.arrows.lean - 90) if run.curled else reverse(run.arrows)


def _reverse(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    size = run.reverse * (0.8 if run.curled else 1.0)
    shape = placed(_reverse_shape(run), (0.0, 0.0), size)
    _printed(sheet, shape, _ink(card, run), sign)


def _draw_one(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    art.minis(sheet, run, [(card.colour, 0.0, 0.0)], sign, 1.15)


def _draw_two(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    art.minis(sheet, run, art.pair(run, card.colour), sign, 1.0)


def _draw_four(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    art.minis(sheet, run, art.four(run), sign, 0.8)


def _wild(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    width, height = run.centre_size
    sheet.fill([ellipse(width, height, run.lean)], run.white)
    rim = 2 * run.ring if run.ring > 1 else 0.0
    _four_colours(sheet, run, (width - rim, height - rim), (0.0, 0.0), sign)
    if run.wild_word:
        _word(sheet, run, sign)


def _four_colours(
    sheet: Sheet, run: Print, size: tuple[float, float], at: tuple[float, float], sign: float
) -> None:
    for which, piece in zip(run.wild_order, quarters(*size, run.lean), strict=True):
        sheet.fill(_turned([piece + np.array(at)], sign), run.colours[SUITS[which]])


def _word(sheet: Sheet, run: Print, sign: float) -> None:
    shape = placed(word("WILD", run.face), (0.0, 0.0), 14.0, 0.0, -18.0)
    whole = Ink(run.white, 1.0, shade(run.black, 0.6), run.shadow, run.solid, 0.5, run.white)
    _printed(sheet, shape, whole, sign)
    if run.coloured:
        return
    for k, letter in enumerate(art.letters(word, "WILD", run.face)):
        part = placed(letter, (0.0, 0.0), 14.0, 0.0, -18.0)
        sheet.fill(_turned(part, sign), run.colours[SUITS[run.wild_order[k]]])


def _index(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    fill = run.white
    if run.border == 0 and run.centre == "plain":
        fill = shade(run.white, 0.97)
    ink = Ink(fill, run.index_outline, shade(run.black, 0.6), run.index_shadow, run.solid)
    shape = _index_shape(card, run)
    if shape is None:
        _index_disc(sheet, card, run, sign)
        return
    if card.symbol == "wild-draw-four" and run.index_halo:
        halo = run.index_halo
        ink = Ink(fill, run.index_outline + 0.3, ink.line, (0.0, 0.0), True, halo, run.white)
    _printed(sheet, shape, ink, sign)


_PLUS = {"draw-one": "+1", "draw-two": "+2", "wild-draw-four": "+4"}


def _index_shape(card: Card, run: Print) -> Shape | None:
    at, size = run.index_at, run.index
    if card.symbol in _PLUS:
        body = word(_PLUS[card.symbol], run.face, 0.04)
        return placed(body, (at[0] + size * 0.42, at[1]), size * run.plus, run.slant)
    if card.symbol.isdigit():
        lift = size * 0.1 if card.symbol in "69" else 0.0
        return placed(digit(card.symbol, run.face), (at[0], at[1] - lift), size, run.slant)
    if card.symbol == "skip":
        _, ring, lean = run.skip
        return placed(skip(ring, ring * run.slash, lean), at, run.index_sign)
    if card.symbol == "reverse":
        return placed(_reverse_shape(run), at, run.index_sign * 1.25)
    if card.symbol == "take-two-towers":
        return art.two_towers(at, run.index_sign)
    return None


def _index_disc(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    size = run.corner_disc
    at = (run.index_at[0] + 0.3, run.index_at[1] + 0.4)
    ratio = run.centre_size[0] / run.centre_size[1]
    width, height = size * max(ratio, 0.66), size
    rim = ellipse(width + 1.0, height + 1.0, run.lean) + np.array(at)
    sheet.fill(_turned([rim], sign), run.white)
    _four_colours(sheet, run, (width, height), at, sign)
    art.index_mark(sheet, card, run, at, sign)


def _icon(sheet: Sheet, card: Card, run: Print, sign: float) -> None:
    if card.icon != "none":
        art.icon(sheet, card, run, sign)


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
