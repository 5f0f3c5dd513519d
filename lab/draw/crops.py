"""Crops for the reader: cards as a locator cuts them out, roughly straightened, with labels."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import COLOURS, all_cards
from hardware.camera.layout import CARD_CROP, CORNER_CROP, CORNER_MM, HEIGHT, WIDTH
from lab.draw import hands
from lab.draw.bank import Bank, Levels
from lab.draw.deal import deal
from lab.draw.lens import lit, taken
from lab.draw.paint import Canvas, claim, lay
from lab.draw.params import CropKnobs
from lab.draw.prints import Print
from lab.draw.scene import Seen, patch, seen
from lab.draw.sheet import Picture
from lab.draw.view import CARD, Corners, Matrix, apply, placement

_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)


@dataclass(frozen=True)
class Crop:
    """A crop and what it shows.

    Attributes:
        image: (height, width, 3) in BGR.
        card: The card's id, empty for a crop that shows no readable face.
        colour: Index in `cards.COLOURS`; `none` when there is no card.
        symbol: Index in `cards.SYMBOLS`, 0 when there is no card.
        icon: Index in `cards.ICONS`, 0 when there is no card.
        valid: Whether a card's face is shown as a locator should have cut it out.
        turn: Quarter turns clockwise by which the card lies in the crop, 0 to 3.
        visible: Share of the face that is to be seen.
    """

    image: Picture
    card: str
    colour: int
    symbol: int
    icon: int
    valid: bool
    turn: int
    visible: float


def crop(rng: np.random.Generator, bank: Bank, knobs: CropKnobs | None = None) -> Crop:
    """A crop of a whole card, or of something that is none, by lot."""
    knobs = knobs or CropKnobs()
    turn = int(rng.choice(knobs.turns))
    size = _resolution(rng, CARD_CROP, knobs)
    run = bank.run(rng)
    if rng.random() < knobs.negatives:
        return _negative(rng, bank, knobs, size, run)
    card = deal(rng, knobs.rare, knobs.icons, run.seed)
    image, truth = _whole(rng, bank, lambda: bank.face(card, run), run, knobs, turn, size)
    readable = truth.visible > 0.45 or (truth.visible > 0.12 and max(truth.indices) > 0.85)
    return _labelled(image, card if readable else "", turn, truth.visible)


def crop_of(
    rng: np.random.Generator, bank: Bank, face: Levels, knobs: CropKnobs | None = None
) -> tuple[Picture, float]:
    """A crop of a face that no bank knows, and the share of it that is to be seen."""
    knobs = knobs or CropKnobs()
    turn = int(rng.choice(knobs.turns))
    size = _resolution(rng, CARD_CROP, knobs)
    image, truth = _whole(rng, bank, lambda: face, bank.run(rng), knobs, turn, size)
    return image, truth.visible


def _whole(
    rng: np.random.Generator,
    bank: Bank,
    face: Callable[[], Levels],
    run: Print,
    knobs: CropKnobs,
    turn: int,
    size: tuple[int, int],
) -> tuple[Picture, Seen]:
    """A face among its surroundings, as a camera sees it."""
    quad = _unit_quad(rng, knobs, turn) * np.array(size)
    view = _to(quad)
    canvas = _canvas(rng, bank, size)
    _neighbours(rng, canvas, bank, run, view, knobs)
    _lay(rng, canvas, face(), view, quad, knobs)
    _cover(rng, canvas, bank, run, view, quad, knobs)
    truth = seen(canvas, view, "", 1)
    return _finished(rng, canvas.image, knobs, bank, CARD_CROP), truth


def corner(rng: np.random.Generator, bank: Bank, knobs: CropKnobs | None = None) -> Crop:
    """A crop of a card's upper left corner with its sign, as shown in a fan, by lot."""
    knobs = knobs or CropKnobs()
    size = _resolution(rng, CORNER_CROP, knobs)
    run = bank.run(rng)
    card = deal(rng, knobs.rare, knobs.icons, run.seed)
    negative = rng.random() < knobs.negatives
    blank = negative and rng.random() < 0.35
    around = _corner_quad(rng, size)
    view = _corner_view(around, blank)
    quad = apply(view, CARD).astype(np.float32)
    canvas = _canvas(rng, bank, size)
    _neighbours(rng, canvas, bank, run, view, knobs)
    flat = bank.face(card, run)
    if negative and not blank:
        flat = bank.back(run) if rng.random() < 0.5 else bank.lookalike(rng)
    if not (negative and rng.random() < 0.2):
        _lay(rng, canvas, flat, view, quad, knobs)
    if rng.random() < 0.7:
        _next_in_fan(rng, canvas, bank, run, view)
    truth = seen(canvas, view, card, 1)
    readable = not negative and truth.indices[0] > 0.55
    image = _finished(rng, canvas.image, knobs, bank, CORNER_CROP)
    return _labelled(image, card if readable else "", 0, truth.indices[0])


def _labelled(image: Picture, card: str, turn: int, visible: float) -> Crop:
    if not card:
        return Crop(image, "", COLOURS.index("none"), 0, 0, False, turn, visible)
    colour, symbol, icon = all_cards()[card].classes
    return Crop(image, card, colour, symbol, icon, True, turn, visible)


def _resolution(
    rng: np.random.Generator, full: tuple[int, int], knobs: CropKnobs
) -> tuple[int, int]:
    """How many pixels the camera had for the crop, fewer along a foreshortened side."""
    share = 1.0 if rng.random() < knobs.sharp else rng.uniform(*knobs.resolution)
    across, down = share, share
    if rng.random() < knobs.foreshortened:
        squeeze = rng.uniform(0.3, 0.9)
        across, down = (share * squeeze, share) if rng.random() < 0.5 else (share, share * squeeze)
    return max(14, round(full[0] * across)), max(14, round(full[1] * down))


def _unit_quad(rng: np.random.Generator, knobs: CropKnobs, turn: int) -> NDArray[np.float64]:
    """Where the card's corners come to lie in a crop of size 1, by a locator that errs."""
    error = knobs.jitter * (0.4 + rng.exponential(0.6))
    lean = np.radians(rng.normal(0, 60 * error))
    grow = 1 + rng.normal(0, error, 2)
    spun = np.array([[1, -lean], [lean, 1]])
    points = (_UNIT - 0.5) * grow @ spun.T + 0.5 + rng.normal(0, error, 2)
    points += rng.normal(0, error * 0.6, (4, 2))
    return np.roll(points, -turn, axis=0)


def _to(quad: NDArray[np.float64]) -> Matrix:
    out = cv2.getPerspectiveTransform(CARD.astype(np.float32), quad.astype(np.float32))
    return np.asarray(out, dtype=np.float64)


def _canvas(rng: np.random.Generator, bank: Bank, size: tuple[int, int]) -> Canvas:
    return Canvas(patch(rng, bank, (size[1], size[0])))


def _lay(
    rng: np.random.Generator,
    canvas: Canvas,
    flat: Levels,
    view: Matrix,
    quad: NDArray[np.float64] | Corners,
    knobs: CropKnobs,
) -> None:
    corners = quad.astype(np.float32)
    shade = rng.uniform(0.1, 0.6) if rng.random() < 0.4 else 0.0
    bend = (rng.normal(0, 1.2), rng.normal(0, 1.6)) if rng.random() < knobs.bent else (0.0, 0.0)
    lay(canvas, flat, view, corners, shade, bend)
    claim(canvas, corners, 1)


def _neighbours(
    rng: np.random.Generator,
    canvas: Canvas,
    bank: Bank,
    run: Print,
    view: Matrix,
    knobs: CropKnobs,
) -> None:
    """Cards that lie beneath or beside and show at the crop's edges."""
    if rng.random() > knobs.neighbours:
        return
    for _ in range(int(rng.integers(1, 4))):
        place = placement(rng.normal(0, 30), rng.normal(0, 40), rng.uniform(0, 360))
        _extra(canvas, bank, run, view @ place, deal(rng, 0.2, 0.0, run.seed), 0)


def _extra(canvas: Canvas, bank: Bank, run: Print, view: Matrix, card: str, number: int) -> None:
    quad = apply(view, CARD).astype(np.float32)
    if _sound(quad, canvas):
        lay(canvas, bank.face(card, run), view, quad, 0.3)
        claim(canvas, quad, number)


def _sound(quad: Corners, canvas: Canvas) -> bool:
    """Whether a card lies before the camera, so that its corners make sense."""
    reach = 6 * max(canvas.image.shape[:2])
    return bool(np.abs(quad).max() < reach and cv2.isContourConvex(quad))


def _cover(
    rng: np.random.Generator,
    canvas: Canvas,
    bank: Bank,
    run: Print,
    view: Matrix,
    quad: NDArray[np.float64],
    knobs: CropKnobs,
) -> None:
    """Another card or fingers over the card."""
    lot = rng.random()
    if lot < knobs.covered:
        side = rng.choice([-1.0, 1.0])
        if rng.random() < 0.5:
            place = placement(side * rng.uniform(14, 55), rng.normal(0, 12), rng.normal(0, 16))
        else:
            place = placement(rng.normal(0, 14), side * rng.uniform(24, 85), rng.uniform(0, 360))
        _extra(canvas, bank, run, view @ place, deal(rng, 0.2, 0.0, run.seed), 2)
    elif lot < knobs.covered + knobs.fingers:
        hands.holding(canvas, quad.astype(np.float32), hands.skin(rng), rng)


def _negative(
    rng: np.random.Generator, bank: Bank, knobs: CropKnobs, size: tuple[int, int], run: Print
) -> Crop:
    canvas = _canvas(rng, bank, size)
    lot, turn = rng.random(), int(rng.choice(knobs.turns))
    quad = _unit_quad(rng, knobs, turn)
    if lot < 0.4:
        flat = bank.face(deal(rng, knobs.rare, 0.0, run.seed), run)
        quad = _missed(rng, quad)
    elif lot < 0.65:
        flat = bank.back(run)
    else:
        flat = bank.lookalike(rng)
    if lot < 0.85:
        quad = quad * np.array(size)
        _lay(rng, canvas, flat, _to(quad), quad, knobs)
    if rng.random() < 0.1:
        hands.reaching(canvas, rng)
    image = _finished(rng, canvas.image, knobs, bank, CARD_CROP)
    return _labelled(image, "", turn, 0.0)


def _missed(rng: np.random.Generator, quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """A card that the crop misses by far: beside it, much too small or much too large."""
    lot = rng.random()
    if lot < 0.6:
        way = rng.uniform(0, 2 * np.pi)
        return quad + rng.uniform(0.45, 0.85) * np.array([np.cos(way), np.sin(way)])
    scale = rng.uniform(0.25, 0.55) if lot < 0.8 else rng.uniform(1.9, 3.2)
    spun = placement(0, 0, rng.uniform(0, 360))
    return np.asarray(apply(spun, (quad - 0.5) * scale) + 0.5 + rng.normal(0, 0.15, 2))


def _corner_quad(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float64]:
    """Where the square at the card's corner comes to lie in the crop."""
    lean = np.radians(rng.normal(0, 7))
    spun = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    # An outline of which only a corner shows is a guess, and the square at its corner another.
    off = rng.choice([0.5, 1.0, 1.6])
    points = (_UNIT - 0.5) * rng.normal(1, 0.08 * off, 2) @ spun.T
    points += 0.5 + rng.normal(0, 0.06 * off, 2) + rng.normal(0, 0.02 * off, (4, 2))
    return np.asarray(points * np.array(size))


def _corner_view(around: NDArray[np.float64], blank: bool) -> Matrix:
    """The card's millimetres to a crop of its corner; of one without a sign if `blank`."""
    left = WIDTH / 2 - CORNER_MM if blank else -WIDTH / 2
    square = _UNIT * CORNER_MM + np.array([left, -HEIGHT / 2])
    out = cv2.getPerspectiveTransform(square.astype(np.float32), around.astype(np.float32))
    return np.asarray(out, dtype=np.float64)


def _next_in_fan(
    rng: np.random.Generator, canvas: Canvas, bank: Bank, run: Print, view: Matrix
) -> None:
    """The card of the fan that lies on this one and hides all but its corner."""
    card = deal(rng, 0.2, 0.0, run.seed)
    place = placement(rng.uniform(11, 30), rng.normal(4, 5), rng.normal(8, 7))
    _extra(canvas, bank, run, view @ place, card, 2)


def _finished(
    rng: np.random.Generator, image: Picture, knobs: CropKnobs, bank: Bank, full: tuple[int, int]
) -> Picture:
    light = replace(knobs.light, long_side=max(full))
    out = taken(lit(image, rng, light), rng, light, bank)
    if (out.shape[1], out.shape[0]) == full:
        return out
    way = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(out, full, interpolation=way), dtype=np.uint8)
