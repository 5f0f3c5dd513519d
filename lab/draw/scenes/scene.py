"""Synthetic camera pictures with the ground truth of every card."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import SUITS
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.asset_cache import AssetCache, Mipmap
from lab.draw.cards.print_style import PrintStyle
from lab.draw.scenes import hands
from lab.draw.scenes.augment import augment_camera, augment_light, cut_out
from lab.draw.scenes.compositing import Canvas, composite, mark_owner
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.projection import (
    CARD_CORNERS,
    Corners,
    Matrix,
    card_corners,
    in_front,
    placement,
    project_points,
    quad_area,
    tilted_view,
    zoomed_view,
)
from lab.draw.scenes.random_card import random_card
from lab.draw.shapes.sheet import Picture


def single(rng: np.random.Generator) -> list[Matrix]:
    """Place one card at a random rotation."""
    upright = rng.random() < 0.4
    turn = rng.normal(0, 12) + (180 if rng.random() < 0.3 else 0)
    return [placement(0, 0, turn if upright else rng.uniform(0, 360))]


def pile(rng: np.random.Generator) -> list[Matrix]:
    """Place a discard pile, sometimes untidy, sometimes with a second pile beside it."""
    loose = rng.exponential(8.0)
    base = rng.uniform(0, 360)
    swing = float(rng.choice([4.0, 15.0, 60.0]))
    # Players who lay from their own seats put some cards crosswise.
    across = float(rng.choice([0.0, 0.4]))
    out = [
        placement(
            rng.normal(0, loose),
            rng.normal(0, loose),
            base + rng.normal(0, swing) + 90 * (rng.random() < across),
        )
        for _ in range(int(rng.integers(2, 10)))
    ]
    if rng.random() < 0.4:
        far = WIDTH + rng.uniform(5, 60)
        other = [
            placement(far + rng.normal(0, 2), rng.normal(0, 2), base + rng.normal(0, 3))
            for _ in range(int(rng.integers(1, 4)))
        ]
        out = other + out
    return out


def scatter(rng: np.random.Generator) -> list[Matrix]:
    """Place cards thrown on the table, some of them overlapping."""
    count = int(rng.integers(2, 14))
    side = math.sqrt(count * WIDTH * HEIGHT) * rng.uniform(0.6, 1.3)
    return [
        placement(side * rng.uniform(-0.5, 0.5), side * rng.uniform(-0.5, 0.5), rng.uniform(0, 360))
        for _ in range(count)
    ]


def spread(rng: np.random.Generator) -> list[Matrix]:
    """Place up to 25 cards in rows and columns."""
    columns, rows = int(rng.integers(2, 8)), int(rng.integers(1, 6))
    count = int(rng.integers(max(2, columns), min(25, columns * rows) + 1)) if rows > 1 else columns
    dx, dy = WIDTH * rng.uniform(0.97, 1.4), HEIGHT * rng.uniform(0.97, 1.3)
    loose, swing = rng.uniform(0, 6), rng.uniform(0, 9)
    base = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 4)
    out = []
    for k in range(count):
        x, y = k % columns * dx, k // columns * dy
        flip = 180 if rng.random() < 0.3 else 0
        at = rng.normal((x, y), loose)
        out.append(placement(0, 0, base) @ placement(at[0], at[1], flip + rng.normal(0, swing)))
    return out


def row(rng: np.random.Generator) -> list[Matrix]:
    """Place cards that overlap like roof tiles, along their width or their height."""
    count = int(rng.integers(2, 13))
    step = rng.uniform(11, 34)
    down = rng.random() < 0.3
    base, swing = rng.uniform(0, 360), rng.uniform(0, 5)
    back = rng.random() < 0.15
    out = []
    for k in range(count):
        x, y = (rng.normal(0, 2), k * step) if down else (k * step, rng.normal(0, 3))
        flip = 180 if rng.random() < 0.15 else 0
        out.append(placement(0, 0, base) @ placement(x, y, flip + rng.normal(0, swing)))
    return out[::-1] if back else out


def fan(rng: np.random.Generator) -> list[Matrix]:
    """Place cards as held in a hand: fanned, so that their upper left corners show."""
    count = int(rng.integers(2, 13))
    radius = rng.uniform(75, 190)
    step = rng.uniform(5, 17) if count < 8 else rng.uniform(4, 11)
    base = rng.normal(0, 25) if rng.random() < 0.7 else rng.uniform(0, 360)
    back = rng.random() < 0.2
    out = []
    for k in range(count):
        turn = (k - (count - 1) / 2) * step + rng.normal(0, 1.2)
        flip = 180 if rng.random() < 0.2 else 0
        reach = radius + rng.normal(0, 2)
        out.append(placement(0, 0, base + turn) @ placement(0, -reach, flip))
    return out[::-1] if back else out


LAYOUTS: dict[str, Callable[[np.random.Generator], list[Matrix]]] = {
    "single": single,
    "pile": pile,
    "scatter": scatter,
    "spread": spread,
    "row": row,
    "fan": fan,
}
"""The layouts by name; each returns placements from the lowest card to the topmost."""


OTHERS = 0.2
"""Share of other cards where most have one colour."""
_SHAPES = ((3, 4), (4, 3), (9, 16), (16, 9), (1, 1))


@dataclass(frozen=True)
class CardTruth:
    """The ground truth of a face-up card."""

    card: str
    # Its corners in pixels, (4, 2) as x and y: its own upper left, then clockwise. They may lie
    # outside the picture; the upper left pixel reaches from 0 to 1.
    corners: Corners
    visible: float  # Share of its face that is in the picture and not covered
    indices: tuple[float, float]  # The same for the signs in its upper left and lower right corner


@dataclass(frozen=True)
class Scene:
    """A picture and what is in it."""

    image: Picture  # The picture, (height, width, 3) in BGR
    kind: str  # `single`, `pile`, `scatter`, `spread`, `row`, `fan` or `empty`
    cards: tuple[CardTruth, ...]  # The cards that lie face up, the back one first
    backs: tuple[Corners, ...]  # Corners of cards that lie face down, and of flat things like cards


def random_scene(
    rng: np.random.Generator, assets: AssetCache, params: SceneParams | None = None
) -> Scene:
    """Draw a random scene."""
    params = params or SceneParams()
    kind = _pick(rng, params.kinds)
    canvas = Canvas(background_patch(rng, assets, _size(rng, params)))
    places = LAYOUTS[kind](rng)
    view = _view(rng, params, places, canvas.image.shape[:2])
    if rng.random() < params.distractors:
        _distract(rng, canvas, view, assets)
    if kind == "single" and rng.random() < params.empty:
        image = augment_camera(augment_light(canvas.image, rng, params), rng, params, assets)
        return Scene(image, "empty", (), ())
    faces, backs = _cards(rng, canvas, view, places, assets, params, kind)
    image = augment_light(canvas.image, rng, params)
    if rng.random() < params.cut_out:
        image = cut_out(image, canvas.owner, rng)
    image = augment_camera(image, rng, params, assets)
    truth = tuple(card_truth(canvas, view @ place, card, number) for number, card, place in faces)
    return Scene(image, kind, truth, tuple(card_corners(view, place) for place in backs))


def _pick(rng: np.random.Generator, weights: dict[str, float]) -> str:
    share = np.array(list(weights.values()))
    return list(weights)[int(rng.choice(len(share), p=share / share.sum()))]


def _size(rng: np.random.Generator, params: SceneParams) -> tuple[int, int]:
    w, h = _SHAPES[int(rng.integers(len(_SHAPES)))]
    scale = params.long_side / max(w, h)
    return round(h * scale), round(w * scale)


def background_patch(
    rng: np.random.Generator, assets: AssetCache, shape: tuple[int, int]
) -> Picture:
    """A part of a ground, (height, width, 3)."""
    whole = assets.background(rng)
    side = whole.shape[0]
    scale = side * rng.uniform(0.4, 1.0) / max(shape)
    width, height = int(shape[1] * scale), int(shape[0] * scale)
    x, y = int(rng.integers(side - width + 1)), int(rng.integers(side - height + 1))
    part = whole[y : y + height, x : x + width]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    out = cv2.resize(part, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(out, dtype=np.uint8)


def _view(
    rng: np.random.Generator, params: SceneParams, places: list[Matrix], shape: tuple[int, int]
) -> Matrix:
    points = np.concatenate([project_points(place, CARD_CORNERS) for place in places])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    middle = placement(-centre[0], -centre[1], 0)
    reach = float(np.abs(points - centre).max())
    share = rng.uniform(*params.fill[_pick(rng, params.distances)])
    if len(places) > 1:
        share = max(share, min(0.95, 0.4 + 0.03 * len(places)))
    height, width = shape
    room = np.maximum(0.0, 1 - share) * 0.5 * np.array([width, height])
    at = np.array([width, height]) / 2 + rng.uniform(-1, 1, 2) * np.maximum(room, 0.06 * width)
    flat = rng.random() < params.flat
    for _ in range(8):
        tilt = rng.uniform(0, 8) if flat else rng.uniform(*params.tilt)
        view = tilted_view(
            tilt,
            rng.normal(0, 30) if rng.random() < 0.6 else rng.uniform(0, 360),
            reach * rng.uniform(2.2, 9.0),
        )
        if in_front(view @ middle, points):
            break
    else:
        view = tilted_view(0.0, 0.0, 4 * reach)
    extent = (share * width, share * height)
    return zoomed_view(view @ middle, points, (float(at[0]), float(at[1])), extent)


def _distract(rng: np.random.Generator, canvas: Canvas, view: Matrix, assets: AssetCache) -> None:
    """Draw rectangular objects other than cards."""
    height, width = canvas.image.shape[:2]
    back: Matrix = np.asarray(np.linalg.inv(view), dtype=np.float64)
    for _ in range(int(rng.integers(1, 4))):
        at = project_points(back, np.array([[rng.uniform(0, width), rng.uniform(0, height)]]))[0]
        size = np.diag([*rng.uniform(0.5, 2.6, 2), 1.0])
        place = placement(float(at[0]), float(at[1]), rng.uniform(0, 360)) @ size
        points = project_points(place, CARD_CORNERS)
        if in_front(view, points):
            quad = card_corners(view, place)
            if quad_area(quad) < 0.5 * width * height:
                composite(canvas, assets.lookalike(rng), view @ place, quad, rng.uniform(0, 0.5))


Placed = list[tuple[int, str, Matrix]]


def _cards(
    rng: np.random.Generator,
    canvas: Canvas,
    view: Matrix,
    places: list[Matrix],
    assets: AssetCache,
    params: SceneParams,
    kind: str,
) -> tuple[Placed, list[Matrix]]:
    """Lay the cards, and the hand that holds them; returns faces with their numbers, and backs."""
    held = kind in ("single", "fan") and rng.random() < (0.7 if kind == "fan" else params.fingers)
    whole = _hull(view, places)
    tone = hands.random_skin(rng)
    if held:
        hands.draw_behind(canvas, whole, tone, rng)
    style, faces, backs = assets.style(rng), Placed(), list[Matrix]()
    shade = rng.uniform(0.1, 0.6) if rng.random() < 0.7 else 0.0
    down = 0.04 if kind == "single" else 0.12
    suit = _followed(rng, params)
    for number, place in enumerate(places, 1):
        flat, card = _drawn(rng, assets, params, down, style, suit)
        quad = card_corners(view, place)
        levels = flat if flat is not None else assets.face(card, style)
        bend = (
            (rng.normal(0, 1.2), rng.normal(0, 1.6)) if rng.random() < params.bent else (0.0, 0.0)
        )
        composite(canvas, levels, view @ place, quad, shade, bend)
        mark_owner(canvas, quad, number)
        if flat is None:
            faces.append((number, card, place))
        else:
            backs.append(place)
    if held:
        hands.draw_thumb(canvas, whole, tone, rng)
    elif rng.random() < params.passing:
        hands.draw_reaching_hand(canvas, rng)
    return faces, backs


def _followed(rng: np.random.Generator, params: SceneParams) -> str | None:
    """The colour that most cards of a scene have; None if it is left to chance."""
    if not params.follow or rng.random() >= params.follow:
        return None
    return SUITS[int(rng.integers(len(SUITS)))]


def _drawn(
    rng: np.random.Generator,
    assets: AssetCache,
    params: SceneParams,
    down: float,
    style: PrintStyle,
    suit: str | None,
) -> tuple[Mipmap | None, str]:
    if rng.random() < down:
        other = assets.back(assets.style(rng)) if rng.random() < 0.7 else assets.lookalike(rng)
        return other, ""
    if params.deck:
        return None, params.deck[int(rng.integers(len(params.deck)))]
    card = random_card(rng, params.rare, params.icons, style.seed)
    if suit is None or rng.random() < OTHERS:
        return None, card
    colour, _, sign = card.partition("-")
    return None, f"{suit}-{sign}" if colour in SUITS else card


def _hull(view: Matrix, places: list[Matrix]) -> Corners:
    points = np.concatenate([card_corners(view, place) for place in places])
    if len(places) == 1:
        return points
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), dtype=np.float32)


_GRID: NDArray[np.float64] = (
    np.stack(np.meshgrid(np.linspace(4, 15, 5), np.linspace(4, 17, 5)), axis=-1).reshape(-1, 2)
    - np.array([WIDTH, HEIGHT]) / 2
)


def card_truth(canvas: Canvas, view: Matrix, card: str, number: int) -> CardTruth:
    """Return the truth about the card that has this number in ``canvas.owner``.

    ``view`` maps the card's millimetres to the scene's pixels.
    """
    quad = project_points(view, CARD_CORNERS).astype(np.float32)
    shown = int(np.count_nonzero(canvas.owner == number))
    visible = min(1.0, shown / max(1.0, quad_area(quad)))
    indices = (_share(canvas, view, _GRID, number), _share(canvas, view, -_GRID, number))
    return CardTruth(card, quad, visible, indices)


def _share(canvas: Canvas, view: Matrix, points: NDArray[np.float64], number: int) -> float:
    height, width = canvas.owner.shape
    at = np.floor(project_points(view, points)).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
    at = at[inside]
    return float(np.count_nonzero(canvas.owner[at[:, 1], at[:, 0]] == number)) / len(points)
