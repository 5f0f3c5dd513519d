"""Whole pictures as a camera takes them, with the truth about every card in them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.decks import SUITS
from hardware.camera.layout import HEIGHT, WIDTH
from lab.draw import hands
from lab.draw.bank import Bank, Levels
from lab.draw.deal import deal
from lab.draw.layouts import KINDS
from lab.draw.lens import cut_out, lit, taken
from lab.draw.paint import Canvas, claim, lay
from lab.draw.params import Knobs
from lab.draw.prints import Print
from lab.draw.sheet import Picture
from lab.draw.view import (
    CARD,
    Corners,
    Matrix,
    apply,
    area,
    corners,
    framed,
    in_front,
    placement,
    tilted,
)

OTHERS = 0.2
"""Share of other cards where most have one colour."""
_SHAPES = ((3, 4), (4, 3), (9, 16), (16, 9), (1, 1))


@dataclass(frozen=True)
class Seen:
    """The truth about one card that lies face up.

    Attributes:
        card: Its id.
        corners: Its corners in pixels, (4, 2) as x and y: its own upper left, then clockwise.
            They may lie outside the picture; the upper left pixel reaches from 0 to 1.
        visible: Share of its face that is in the picture and not covered.
        indices: The same for the signs in its upper left and lower right corner.
    """

    card: str
    corners: Corners
    visible: float
    indices: tuple[float, float]


@dataclass(frozen=True)
class Scene:
    """A picture and what is in it.

    Attributes:
        image: The picture, (height, width, 3) in BGR.
        kind: `single`, `pile`, `scatter`, `spread`, `row`, `fan` or `empty`.
        cards: The cards that lie face up, the back one first.
        backs: Corners of cards that lie face down, and of flat things like cards.
    """

    image: Picture
    kind: str
    cards: tuple[Seen, ...]
    backs: tuple[Corners, ...]


def compose(rng: np.random.Generator, bank: Bank, knobs: Knobs | None = None) -> Scene:
    """Draw a scene by lot.

    Args:
        rng: The lot; equal lots and equal banks give equal scenes.
        bank: Faces and grounds.
        knobs: How often what; the defaults when None.
    """
    knobs = knobs or Knobs()
    kind = _pick(rng, knobs.kinds)
    canvas = Canvas(patch(rng, bank, _size(rng, knobs)))
    places = KINDS[kind](rng)
    view = _view(rng, knobs, places, canvas.image.shape[:2])
    if rng.random() < knobs.distractors:
        _distract(rng, canvas, view, bank)
    if kind == "single" and rng.random() < knobs.empty:
        image = taken(lit(canvas.image, rng, knobs), rng, knobs, bank)
        return Scene(image, "empty", (), ())
    faces, backs = _cards(rng, canvas, view, places, bank, knobs, kind)
    image = lit(canvas.image, rng, knobs)
    if rng.random() < knobs.cut_out:
        image = cut_out(image, canvas.owner, rng)
    image = taken(image, rng, knobs, bank)
    truth = tuple(seen(canvas, view @ place, card, number) for number, card, place in faces)
    return Scene(image, kind, truth, tuple(corners(view, place) for place in backs))


def _pick(rng: np.random.Generator, weights: dict[str, float]) -> str:
    share = np.array(list(weights.values()))
    return list(weights)[int(rng.choice(len(share), p=share / share.sum()))]


def _size(rng: np.random.Generator, knobs: Knobs) -> tuple[int, int]:
    w, h = _SHAPES[int(rng.integers(len(_SHAPES)))]
    scale = knobs.long_side / max(w, h)
    return round(h * scale), round(w * scale)


def patch(rng: np.random.Generator, bank: Bank, shape: tuple[int, int]) -> Picture:
    """A part of a ground, (height, width, 3)."""
    whole = bank.ground(rng)
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
    rng: np.random.Generator, knobs: Knobs, places: list[Matrix], shape: tuple[int, int]
) -> Matrix:
    points = np.concatenate([apply(place, CARD) for place in places])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    middle = placement(-centre[0], -centre[1], 0)
    reach = float(np.abs(points - centre).max())
    share = rng.uniform(*knobs.fill[_pick(rng, knobs.distances)])
    if len(places) > 1:
        share = max(share, min(0.95, 0.4 + 0.03 * len(places)))
    height, width = shape
    room = np.maximum(0.0, 1 - share) * 0.5 * np.array([width, height])
    at = np.array([width, height]) / 2 + rng.uniform(-1, 1, 2) * np.maximum(room, 0.06 * width)
    flat = rng.random() < knobs.flat
    for _ in range(8):
        tilt = rng.uniform(0, 8) if flat else rng.uniform(*knobs.tilt)
        view = tilted(
            tilt,
            rng.normal(0, 30) if rng.random() < 0.6 else rng.uniform(0, 360),
            reach * rng.uniform(2.2, 9.0),
        )
        if in_front(view @ middle, points):
            break
    else:
        view = tilted(0.0, 0.0, 4 * reach)
    extent = (share * width, share * height)
    return framed(view @ middle, points, (float(at[0]), float(at[1])), extent)


def _distract(rng: np.random.Generator, canvas: Canvas, view: Matrix, bank: Bank) -> None:
    """Things like cards but of other sizes lie about: phones, papers, books, boxes."""
    height, width = canvas.image.shape[:2]
    back: Matrix = np.asarray(np.linalg.inv(view), dtype=np.float64)
    for _ in range(int(rng.integers(1, 4))):
        at = apply(back, np.array([[rng.uniform(0, width), rng.uniform(0, height)]]))[0]
        size = np.diag([*rng.uniform(0.5, 2.6, 2), 1.0])
        place = placement(float(at[0]), float(at[1]), rng.uniform(0, 360)) @ size
        points = apply(place, CARD)
        if in_front(view, points):
            quad = corners(view, place)
            if area(quad) < 0.5 * width * height:
                lay(canvas, bank.lookalike(rng), view @ place, quad, rng.uniform(0, 0.5))


Placed = list[tuple[int, str, Matrix]]


def _cards(
    rng: np.random.Generator,
    canvas: Canvas,
    view: Matrix,
    places: list[Matrix],
    bank: Bank,
    knobs: Knobs,
    kind: str,
) -> tuple[Placed, list[Matrix]]:
    """Lay the cards, and the hand that holds them; returns faces with their numbers, and backs."""
    held = kind in ("single", "fan") and rng.random() < (0.7 if kind == "fan" else knobs.fingers)
    whole = _hull(view, places)
    tone = hands.skin(rng)
    if held:
        hands.behind(canvas, whole, tone, rng)
    run, faces, backs = bank.run(rng), Placed(), list[Matrix]()
    shade = rng.uniform(0.1, 0.6) if rng.random() < 0.7 else 0.0
    down = 0.04 if kind == "single" else 0.12
    suit = _followed(rng, knobs)
    for number, place in enumerate(places, 1):
        flat, card = _drawn(rng, bank, knobs, down, run, suit)
        quad = corners(view, place)
        levels = flat if flat is not None else bank.face(card, run)
        bend = (rng.normal(0, 1.2), rng.normal(0, 1.6)) if rng.random() < knobs.bent else (0.0, 0.0)
        lay(canvas, levels, view @ place, quad, shade, bend)
        claim(canvas, quad, number)
        if flat is None:
            faces.append((number, card, place))
        else:
            backs.append(place)
    if held:
        hands.holding(canvas, whole, tone, rng)
    elif rng.random() < knobs.passing:
        hands.reaching(canvas, rng)
    return faces, backs


def _followed(rng: np.random.Generator, knobs: Knobs) -> str | None:
    """The colour that most cards of a scene have; None if it is left to chance."""
    if not knobs.follow or rng.random() >= knobs.follow:
        return None
    return SUITS[int(rng.integers(len(SUITS)))]


def _drawn(
    rng: np.random.Generator,
    bank: Bank,
    knobs: Knobs,
    down: float,
    run: Print,
    suit: str | None,
) -> tuple[Levels | None, str]:
    if rng.random() < down:
        other = bank.back(bank.run(rng)) if rng.random() < 0.7 else bank.lookalike(rng)
        return other, ""
    if knobs.deck:
        return None, knobs.deck[int(rng.integers(len(knobs.deck)))]
    card = deal(rng, knobs.rare, knobs.icons, run.seed)
    if suit is None or rng.random() < OTHERS:
        return None, card
    colour, _, sign = card.partition("-")
    return None, f"{suit}-{sign}" if colour in SUITS else card


def _hull(view: Matrix, places: list[Matrix]) -> Corners:
    points = np.concatenate([corners(view, place) for place in places])
    if len(places) == 1:
        return points
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), dtype=np.float32)


_GRID: NDArray[np.float64] = (
    np.stack(np.meshgrid(np.linspace(4, 15, 5), np.linspace(4, 17, 5)), axis=-1).reshape(-1, 2)
    - np.array([WIDTH, HEIGHT]) / 2
)


def seen(canvas: Canvas, view: Matrix, card: str, number: int) -> Seen:
    """The truth about one card of a finished scene.

    Args:
        canvas: The scene.
        view: The card's millimetres to the scene's pixels.
        card: Its id.
        number: Its number in `canvas.owner`.
    """
    quad = apply(view, CARD).astype(np.float32)
    shown = int(np.count_nonzero(canvas.owner == number))
    visible = min(1.0, shown / max(1.0, area(quad)))
    indices = (_share(canvas, view, _GRID, number), _share(canvas, view, -_GRID, number))
    return Seen(card, quad, visible, indices)


def _share(canvas: Canvas, view: Matrix, points: NDArray[np.float64], number: int) -> float:
    height, width = canvas.owner.shape
    at = np.floor(apply(view, points)).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
    at = at[inside]
    return float(np.count_nonzero(canvas.owner[at[:, 1], at[:, 0]] == number)) / len(points)
