"""Labelled crops for the readers: cards as the locator cuts them out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import COLOURS, all_cards
from hardware.camera.reading.geometry import CARD_CROP, CORNER_CROP, CORNER_MM, HEIGHT, WIDTH
from lab.draw.cards.asset_cache import AssetCache, Mipmap
from lab.draw.cards.print_style import PrintStyle
from lab.draw.scenes import hands
from lab.draw.scenes.augment import augment_camera, augment_light, defocused
from lab.draw.scenes.compositing import Canvas, composite, mark_owner
from lab.draw.scenes.params import CropParams
from lab.draw.scenes.projection import CARD_CORNERS, Corners, Matrix, placement, project_points
from lab.draw.scenes.random_card import random_card
from lab.draw.scenes.scene import CardTruth, background_patch, card_truth
from lab.draw.shapes.sheet import Picture

DEFOCUS = (0.008, 0.065)
"""Radius of the disc that a point becomes out of focus, as a share of the crop's long side."""
EQUAL = 0.3
"""Share of cards in a fan whose neighbour is the same card."""
_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)


@dataclass(frozen=True)
class Crop:
    """A crop and what it shows."""

    image: Picture  # (height, width, 3) in BGR
    card: str  # The card's id, empty for a crop that shows no readable face
    colour: int  # Index in `cards.COLOURS`; `none` when there is no card
    symbol: int  # Index in `cards.SYMBOLS`, 0 when there is no card
    icon: int  # Index in `cards.ICONS`, 0 when there is no card
    valid: bool  # Whether a card's face is shown as a locator should have cut it out
    turn: int  # Quarter turns clockwise by which the card lies in the crop, 0 to 3
    visible: float  # Share of the face that is to be seen


def random_crop(
    rng: np.random.Generator, assets: AssetCache, params: CropParams | None = None
) -> Crop:
    """Draw a random crop of a whole card, or a negative."""
    params = params or CropParams()
    turn = int(rng.choice(params.turns))
    size = _resolution(rng, CARD_CROP, params)
    style = assets.style(rng)
    if params.foreign and rng.random() < params.foreign:
        image, truth = _whole(rng, assets, lambda: assets.foreign(rng), style, params, turn, size)
        return _labelled(image, "", turn, truth.visible)
    if rng.random() < params.negatives:
        return _negative(rng, assets, params, size, style)
    card = random_card(rng, params.rare, params.icons, style.seed)
    image, truth = _whole(rng, assets, lambda: assets.face(card, style), style, params, turn, size)
    readable = truth.visible > 0.45 or (truth.visible > 0.12 and max(truth.indices) > 0.85)
    return _labelled(image, card if readable else "", turn, truth.visible)


def crop_of_face(
    rng: np.random.Generator, assets: AssetCache, face: Mipmap, params: CropParams | None = None
) -> tuple[Picture, float]:
    """Draw a crop of a given face; return it and the face's visible share."""
    params = params or CropParams()
    turn = int(rng.choice(params.turns))
    size = _resolution(rng, CARD_CROP, params)
    image, truth = _whole(rng, assets, lambda: face, assets.style(rng), params, turn, size)
    return image, truth.visible


def _whole(
    rng: np.random.Generator,
    assets: AssetCache,
    face: Callable[[], Mipmap],
    style: PrintStyle,
    params: CropParams,
    turn: int,
    size: tuple[int, int],
) -> tuple[Picture, CardTruth]:
    """A face among its surroundings, as a camera sees it."""
    quad = _unit_quad(rng, params, turn) * np.array(size)
    view = _to(quad)
    canvas = _canvas(rng, assets, size)
    _neighbours(rng, canvas, assets, style, view, params)
    _lay(rng, canvas, face(), view, quad, params)
    _cover(rng, canvas, assets, style, view, quad, params)
    truth = card_truth(canvas, view, "", 1)
    return _finished(rng, canvas.image, params, assets, CARD_CROP), truth


def random_corner_crop(
    rng: np.random.Generator, assets: AssetCache, params: CropParams | None = None
) -> Crop:
    """A crop of a card's upper left corner with its sign, as in a fan."""
    params = params or CropParams()
    size = _resolution(rng, CORNER_CROP, params)
    style = assets.style(rng)
    card = random_card(rng, params.rare, params.icons, style.seed)
    negative = rng.random() < params.negatives
    blank = negative and rng.random() < 0.35
    around = _corner_quad(rng, size)
    view = _corner_view(around, blank)
    quad = project_points(view, CARD_CORNERS).astype(np.float32)
    canvas = _canvas(rng, assets, size)
    _neighbours(rng, canvas, assets, style, view, params)
    if rng.random() < 0.4:
        _in_fan(rng, canvas, assets, style, view, card, above=False)
    flat = assets.face(card, style)
    if negative and not blank:
        flat = assets.back(style) if rng.random() < 0.5 else assets.lookalike(rng)
    if params.foreign and rng.random() < params.foreign:
        negative, flat = True, assets.foreign(rng)
    if not (negative and rng.random() < 0.2):
        _lay(rng, canvas, flat, view, quad, params)
    if rng.random() < 0.7:
        _in_fan(rng, canvas, assets, style, view, card, above=True)
    truth = card_truth(canvas, view, card, 1)
    readable = not negative and truth.indices[0] > 0.55
    image = _finished(rng, canvas.image, params, assets, CORNER_CROP)
    return _labelled(image, card if readable else "", 0, truth.indices[0])


def _labelled(image: Picture, card: str, turn: int, visible: float) -> Crop:
    if not card:
        return Crop(image, "", COLOURS.index("none"), 0, 0, False, turn, visible)
    colour, symbol, icon = all_cards()[card].classes
    return Crop(image, card, colour, symbol, icon, True, turn, visible)


def _resolution(
    rng: np.random.Generator, full: tuple[int, int], params: CropParams
) -> tuple[int, int]:
    """Return the camera's pixels for the crop, fewer along a foreshortened side."""
    share = 1.0 if rng.random() < params.sharp else rng.uniform(*params.resolution)
    across, down = share, share
    if rng.random() < params.foreshortened:
        squeeze = rng.uniform(0.3, 0.9)
        across, down = (share * squeeze, share) if rng.random() < 0.5 else (share, share * squeeze)
    return max(14, round(full[0] * across)), max(14, round(full[1] * down))


def _unit_quad(rng: np.random.Generator, params: CropParams, turn: int) -> NDArray[np.float64]:
    """Where the card's corners come to lie in a crop of size 1, by a locator that errs."""
    error = params.jitter * (0.4 + rng.exponential(0.6))
    lean = np.radians(rng.normal(0, 60 * error))
    grow = 1 + rng.normal(0, error, 2)
    spun = np.array([[1, -lean], [lean, 1]])
    points = (_UNIT - 0.5) * grow @ spun.T + 0.5 + rng.normal(0, error, 2)
    points += rng.normal(0, error * 0.6, (4, 2))
    return np.roll(points, -turn, axis=0)


def _to(quad: NDArray[np.float64]) -> Matrix:
    out = cv2.getPerspectiveTransform(CARD_CORNERS.astype(np.float32), quad.astype(np.float32))
    return np.asarray(out, dtype=np.float64)


def _canvas(rng: np.random.Generator, assets: AssetCache, size: tuple[int, int]) -> Canvas:
    return Canvas(background_patch(rng, assets, (size[1], size[0])))


def _lay(
    rng: np.random.Generator,
    canvas: Canvas,
    flat: Mipmap,
    view: Matrix,
    quad: NDArray[np.float64] | Corners,
    params: CropParams,
) -> None:
    corners = quad.astype(np.float32)
    shade = rng.uniform(0.1, 0.6) if rng.random() < 0.4 else 0.0
    bend = (rng.normal(0, 1.2), rng.normal(0, 1.6)) if rng.random() < params.bent else (0.0, 0.0)
    composite(canvas, flat, view, corners, shade, bend)
    mark_owner(canvas, corners, 1)


def _neighbours(
    rng: np.random.Generator,
    canvas: Canvas,
    assets: AssetCache,
    style: PrintStyle,
    view: Matrix,
    params: CropParams,
) -> None:
    """Cards that lie beneath or beside and show at the crop's edges."""
    if rng.random() > params.neighbours:
        return
    for _ in range(int(rng.integers(1, 4))):
        place = placement(rng.normal(0, 30), rng.normal(0, 40), rng.uniform(0, 360))
        _extra(canvas, assets, style, view @ place, random_card(rng, 0.2, 0.0, style.seed), 0)


def _extra(
    canvas: Canvas, assets: AssetCache, style: PrintStyle, view: Matrix, card: str, number: int
) -> None:
    quad = project_points(view, CARD_CORNERS).astype(np.float32)
    if _sound(quad, canvas):
        composite(canvas, assets.face(card, style), view, quad, 0.3)
        mark_owner(canvas, quad, number)


def _sound(quad: Corners, canvas: Canvas) -> bool:
    """Whether a card lies before the camera, as valid corners require."""
    reach = 6 * max(canvas.image.shape[:2])
    return bool(np.abs(quad).max() < reach and cv2.isContourConvex(quad))


def _cover(
    rng: np.random.Generator,
    canvas: Canvas,
    assets: AssetCache,
    style: PrintStyle,
    view: Matrix,
    quad: NDArray[np.float64],
    params: CropParams,
) -> None:
    """Cover the card with another card or fingers."""
    lot = rng.random()
    if lot < params.covered:
        side = rng.choice([-1.0, 1.0])
        if rng.random() < 0.5:
            place = placement(side * rng.uniform(14, 55), rng.normal(0, 12), rng.normal(0, 16))
        else:
            place = placement(rng.normal(0, 14), side * rng.uniform(24, 85), rng.uniform(0, 360))
        _extra(canvas, assets, style, view @ place, random_card(rng, 0.2, 0.0, style.seed), 2)
    elif lot < params.covered + params.fingers:
        hands.draw_thumb(canvas, quad.astype(np.float32), hands.random_skin(rng), rng)


def _negative(
    rng: np.random.Generator,
    assets: AssetCache,
    params: CropParams,
    size: tuple[int, int],
    style: PrintStyle,
) -> Crop:
    canvas = _canvas(rng, assets, size)
    lot, turn = rng.random(), int(rng.choice(params.turns))
    quad = _unit_quad(rng, params, turn)
    if lot < 0.4:
        flat = assets.face(random_card(rng, params.rare, 0.0, style.seed), style)
        quad = _missed(rng, quad)
    elif lot < 0.65:
        flat = assets.back(style)
    else:
        flat = assets.lookalike(rng)
    if lot < 0.85:
        quad = quad * np.array(size)
        _lay(rng, canvas, flat, _to(quad), quad, params)
    if rng.random() < 0.1:
        hands.draw_reaching_hand(canvas, rng)
    image = _finished(rng, canvas.image, params, assets, CARD_CROP)
    return _labelled(image, "", turn, 0.0)


def _missed(rng: np.random.Generator, quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """A card that the crop misses by far: beside it, much too small or much too large."""
    lot = rng.random()
    if lot < 0.6:
        way = rng.uniform(0, 2 * np.pi)
        return quad + rng.uniform(0.45, 0.85) * np.array([np.cos(way), np.sin(way)])
    scale = rng.uniform(0.25, 0.55) if lot < 0.8 else rng.uniform(1.9, 3.2)
    spun = placement(0, 0, rng.uniform(0, 360))
    return np.asarray(project_points(spun, (quad - 0.5) * scale) + 0.5 + rng.normal(0, 0.15, 2))


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


def _in_fan(
    rng: np.random.Generator,
    canvas: Canvas,
    assets: AssetCache,
    style: PrintStyle,
    view: Matrix,
    card: str,
    *,
    above: bool,
) -> None:
    """The card of the fan that hides all but this one's corner, or the one that it hides."""
    # Hands hold equal cards beside one another; of these each has to be found.
    other = card if rng.random() < EQUAL else random_card(rng, 0.2, 0.0, style.seed)
    way = 1 if above else -1
    place = placement(way * rng.uniform(11, 30), rng.normal(4, 5), way * rng.normal(8, 7))
    _extra(canvas, assets, style, view @ place, other, 2 if above else 0)


def _finished(
    rng: np.random.Generator,
    image: Picture,
    params: CropParams,
    assets: AssetCache,
    full: tuple[int, int],
) -> Picture:
    light = replace(params.light, long_side=max(full))
    out = augment_light(image, rng, light)
    if params.defocus and rng.random() < params.defocus:
        out = defocused(out, rng.uniform(*DEFOCUS) * max(out.shape[:2]))
    out = augment_camera(out, rng, light, assets)
    if (out.shape[1], out.shape[0]) == full:
        return out
    way = cv2.INTER_CUBIC if rng.random() < 0.4 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(out, full, interpolation=way), dtype=np.uint8)
