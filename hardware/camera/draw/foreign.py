"""Families of made-up card faces, far from any known deck: what enrolment learns to tell apart.

Faces of a family are hard to tell from one another: they share a frame, a picture or a colour and
differ in the rest, sometimes in a small icon or in some strokes of a pen only.
"""

import colorsys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.layout import HEIGHT, WIDTH

from .cards import RULESETS
from .faces import render
from .motifs import HELD, MOTIFS, TINTS, Motif, creature, rune, sign, written
from .noise import clouds, mixed, rough
from .prints import Print, sample
from .sheet import Colour, Ink, Picture, Sheet
from .strokes import Shape, placed
from .symbols import ellipse, rounded
from .wear import faded, fringed, worn

Draw = Callable[[np.random.Generator], Motif]
Corner = tuple[float, float]

_FREE: Corner = (19.5, -34.0)
_OWN: Corner = (-19.5, -34.0)


@dataclass(frozen=True)
class Design:
    """One face. Lengths are in mm on a card of 56 by 87, colours in BGR.

    Attributes:
        paper: The rim.
        border: The rim's width.
        field: The ground inside the rim, one colour or a picture.
        shape: Outline of a lighter field in the middle, empty for none.
        middle: Its colour.
        motif: The picture in the middle.
        size: Its height.
        tints: What its layers are painted in.
        double: Whether it stands there twice, once upside down.
        index: What stands in the corners, and how high it is.
        index_tint: Its colour.
        index_size: Its height.
        free: Whether the other two corners carry it as well.
        icon: A mark that tells faces apart, empty for none.
        icon_at: Where, from the middle; its twin stands opposite.
        icon_size: Its height.
        line: Width of the line around the picture's parts.
        number: How many times a pip stands in the middle, 0 for the motif itself.
    """

    paper: Colour
    border: float
    field: Colour | Picture
    shape: Shape
    middle: Colour
    motif: Motif
    size: float
    tints: tuple[Colour, ...]
    double: bool = False
    index: Motif = ()  # type: ignore[assignment]
    index_tint: Colour = (250, 250, 250)
    index_size: float = 8.0
    free: bool = False
    icon: Motif = ()  # type: ignore[assignment]
    icon_at: Corner = _FREE
    icon_size: float = 7.0
    line: float = 0.0
    number: int = 0


@dataclass(frozen=True)
class Family:
    """Faces that belong together.

    Attributes:
        kind: One of `KINDS`, or `KNOWN`.
        faces: As new, (height, width, 3) in BGR, see `aged`.
        used: In what condition the cards are, 0 as new to 1.
    """

    kind: str
    faces: tuple[Picture, ...]
    used: float


def colour(rng: np.random.Generator, low: float = 0.25) -> Colour:
    """Any colour, strong ones more often."""
    strong = 1 - rng.beta(1.0, 2.5)
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), strong, rng.uniform(low, 1.0))
    return round(blue * 255), round(green * 255), round(red * 255)


def _tints(rng: np.random.Generator) -> tuple[Colour, ...]:
    return tuple(colour(rng, 0.05) for _ in range(TINTS))


def _any(rng: np.random.Generator, motifs: Sequence[Draw]) -> Motif:
    return motifs[int(rng.integers(len(motifs)))](rng)


def texture(rng: np.random.Generator, height: int = 224) -> Picture:
    """A picture without outlines, as of a photograph: clouds, a horizon, lights."""
    shape = (height, round(height * WIDTH / HEIGHT))
    low = np.array(colour(rng, 0.05), np.float64)
    high = np.array(colour(rng, 0.3), np.float64)
    image = mixed(rough(rng, shape, int(rng.integers(1, 5)), int(rng.integers(2, 6))), low, high)
    for _ in range(int(rng.integers(0, 5))):
        tint = np.array(colour(rng, 0.1), np.float32)
        mask = clouds(rng, shape, (int(rng.integers(1, 6)), int(rng.integers(1, 6))))
        share = np.clip((mask - 0.55) * rng.uniform(3, 20), 0, 1)[..., None]
        image = (image * (1 - share) + tint * share).astype(np.uint8)
    if rng.random() < 0.5:
        cut = int(shape[0] * rng.uniform(0.3, 0.8))
        ground = np.array(colour(rng, 0.1), np.float32)
        image[cut:] = (image[cut:] * 0.4 + ground * 0.6).astype(np.uint8)
    return image


def design(rng: np.random.Generator, motifs: Sequence[Draw] = MOTIFS) -> Design:
    """A face by lot."""
    light = rng.random() < 0.8
    paper: Colour = (245, 246, 247) if light else colour(rng, 0.02)
    border = 0.0 if rng.random() < 0.2 else rng.uniform(1.5, 6.0)
    ground: Colour | Picture = colour(rng, 0.05)
    if rng.random() < 0.2:
        ground = texture(rng)
    shape: Shape = []
    lot = rng.random()
    across, down = rng.uniform(30, 50), rng.uniform(40, 70)
    if lot < 0.35:
        shape = [ellipse(across, down, float(rng.choice([0.0, 0.5, rng.uniform(-0.7, 0.7)])))]
    elif lot < 0.6:
        shape = [rounded(across, down, rng.uniform(0.0, 8.0))]
    return Design(
        paper=paper,
        border=border,
        field=ground,
        shape=shape,
        middle=(245, 246, 247) if rng.random() < 0.6 else colour(rng, 0.3),
        motif=_any(rng, motifs),
        size=rng.uniform(22, 52),
        tints=_tints(rng),
        double=bool(rng.random() < 0.15),
        index=_any(rng, (sign, rune)) if rng.random() < 0.75 else [],
        index_tint=colour(rng, 0.0) if rng.random() < 0.5 else (250, 250, 250),
        index_size=rng.uniform(6.0, 12.0),
        free=bool(rng.random() < 0.15),
        line=rng.uniform(0.2, 0.8) if rng.random() < 0.4 else 0.0,
    )


def paint(face: Design, height: int = 224) -> Picture:
    """A face as a picture (height, width, 3) in BGR, as new."""
    width = round(height * WIDTH / HEIGHT)
    sheet = Sheet((WIDTH, HEIGHT), 1.6 * height / HEIGHT, face.paper)
    _field(sheet, face)
    if face.shape:
        sheet.fill(face.shape, face.middle)
    places: list[tuple[float, float, float]] = [(0.0, 0.0, 1.0)]
    if face.number:
        places = _pips(face.number)
    elif face.double:
        places = [(0.0, -face.size * 0.45, 1.0), (0.0, face.size * 0.45, -1.0)]
    size = face.size if len(places) == 1 else min(face.size * 0.75, 30.0)
    size = size if not face.number else min(13.0, size)
    for x, y, way in places:
        _motif(sheet, face.motif, (x, y), size * way, face.tints, face.line)
    for way in (1.0, -1.0):
        tints = (face.index_tint,) * TINTS
        for x, y in (_OWN, *((_FREE,) if face.free else ())):
            _motif(sheet, face.index, (x * way, y * way), face.index_size * way, tints, 0.25)
        x, y = face.icon_at
        _motif(sheet, face.icon, (x * way, y * way), face.icon_size * way, face.tints, 0.3)
    return sheet.reduced(width, height)


def aged(image: Picture, used: float, rng: np.random.Generator) -> Picture:
    """A face after years of play (``used`` 0 to 1), cut to shape: (height, width, 4) in BGRA."""
    height, width = image.shape[:2]
    if used > 0.2:
        image = fringed(image, rng.uniform(0.0, 0.4) * height / HEIGHT, rng)
    image = worn(faded(image, 0.5 * used * rng.random()), used, rng)
    return np.dstack([image, _corners(height, width)])


def _field(sheet: Sheet, face: Design) -> None:
    inner = rounded(WIDTH - 2 * face.border, HEIGHT - 2 * face.border, 2.5)
    if isinstance(face.field, tuple):
        sheet.fill([inner], face.field)
        return
    rows, columns = sheet.image.shape[:2]
    mask = np.zeros((rows, columns), np.uint8)
    middle = np.array([columns / 2, rows / 2])
    points = inner * (rows / HEIGHT) + middle
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255)
    wide = cv2.resize(face.field, (columns, rows), interpolation=cv2.INTER_LINEAR)
    cv2.copyTo(wide, mask, sheet.image)


def _motif(
    sheet: Sheet,
    motif: Motif,
    at: Corner,
    size: float,
    tints: Sequence[Colour],
    line: float,
) -> None:
    for shape, tint in motif:
        body = placed(shape, at, size)
        if line:
            sheet.print(body, Ink(tints[tint], line, (20, 20, 20)))
        else:
            sheet.fill(body, tints[tint])


def _pips(number: int) -> list[tuple[float, float, float]]:
    rows = (number + 1) // 2
    ys = np.linspace(-24, 24, rows) if rows > 1 else np.zeros(1)
    places = [(x, float(y), 1.0 if y <= 0 else -1.0) for y in ys for x in (-10.0, 10.0)]
    if number % 2:
        places[-2:] = [(0.0, places[-1][1], places[-1][2])]
    return places


_MASKS: dict[tuple[int, int], NDArray[np.uint8]] = {}


def _corners(height: int, width: int) -> NDArray[np.uint8]:
    if (height, width) not in _MASKS:
        mask = np.zeros((height, width), np.uint8)
        shape = rounded(WIDTH, HEIGHT, 3.2) * (height / HEIGHT)
        points = np.round((shape + np.array([width / 2, height / 2])) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
        _MASKS[height, width] = mask
    return _MASKS[height, width]


# Each makes so many designs of one family.
Kind = Callable[[np.random.Generator, int, Sequence[Draw]], list[Design]]


def pictures(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """One frame, a picture of its own on each; sometimes a corner sign of its own."""
    base = design(rng, motifs)
    own = rng.random() < 0.5
    return [
        replace(
            base,
            motif=_any(rng, motifs),
            tints=_tints(rng) if own else base.tints,
            index=_any(rng, (sign, rune)) if own and base.index else base.index,
        )
        for _ in range(count)
    ]


def suited(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Some colours times some signs: one sign in other colours, one colour with other signs."""
    base = design(rng, motifs)
    fields = [colour(rng) for _ in range(int(rng.integers(2, 5)))]
    signs = [_any(rng, (sign, rune)) for _ in range(int(rng.integers(2, 5)))]
    pips = rng.random() < 0.3
    pairs = [(f, s) for f in range(len(fields)) for s in range(len(signs))]
    rng.shuffle(pairs)
    centred = rng.random() < 0.5
    faces = []
    for f, s in pairs[:count]:
        motif = signs[s] if centred else base.motif
        tints = (fields[f], *base.tints[1:]) if base.shape else base.tints
        face = replace(base, field=fields[f], index=signs[s], motif=motif, tints=tints)
        faces.append(replace(face, number=s + 1) if pips else face)
    return faces + pictures(rng, count - len(faces), motifs)


def parts(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """One picture of which some layers differ: gone, recoloured, or another one laid on."""
    base = replace(design(rng, motifs), index=[])
    faces = [base]
    for _ in range(count - 1):
        motif = [*base.motif]
        for _ in range(int(rng.integers(1, 4))):
            which, lot = int(rng.integers(len(motif))), rng.random()
            shape, tint = motif[which]
            if lot < 0.35:
                motif[which] = (shape, (tint + 1 + int(rng.integers(TINTS - 1))) % TINTS)
            else:
                at = rng.uniform(-0.3, 0.3, 2)
                extra = _any(rng, motifs)[-1]
                size = rng.uniform(0.4, 0.8)
                shape = placed(extra[0], (float(at[0]), float(at[1])), size)
                motif.append((shape, int(rng.integers(TINTS))))
        faces.append(replace(base, motif=motif))
    return faces


def custom(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Equal blank cards that somebody has written on."""
    base = design(rng, motifs)
    pens = tuple(colour(rng, 0.0) if rng.random() < 0.5 else (40, 30, 30) for _ in range(TINTS))
    blank = replace(base, motif=[], size=rng.uniform(28, 42), tints=pens, double=False, line=0.0)
    if not blank.shape:
        wide = rng.uniform(30, 48)
        blank = replace(blank, shape=[rounded(wide, rng.uniform(35, 65), 2.0)])
    blank = replace(blank, middle=(245, 246, 247))
    faces = [replace(blank, motif=written(rng)) for _ in range(count)]
    return [blank, *faces[1:]] if rng.random() < 0.3 else faces


def icons(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Equal faces with another small icon in two corners, or with none."""
    base = replace(design(rng, motifs), free=False)
    at = _FREE if rng.random() < 0.6 else (rng.uniform(-18, 18), rng.uniform(-34, -12))
    size = rng.uniform(6.0, 12.0)
    disc: Motif = []
    if rng.random() < 0.4:
        disc = [([ellipse(1.5, 1.5, 0.0)], int(rng.integers(TINTS)))]
    faces = [
        replace(base, icon=[*disc, *_any(rng, (*motifs, sign, rune))], icon_at=at, icon_size=size)
        for _ in range(count)
    ]
    return [replace(base, icon=[]), *faces[1:]] if rng.random() < 0.4 else faces


def characters(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Full-length figures in a frame that is the same for all."""
    draw = (creature,) if creature in motifs else motifs
    base = replace(design(rng, motifs), size=rng.uniform(40, 58), double=False, shape=[])
    return [replace(base, motif=_any(rng, draw), tints=_tints(rng)) for _ in range(count)]


def scenes(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Pictures like photographs, with or without something before them."""
    base = design(rng, motifs)
    bare = rng.random() < 0.4
    return [
        replace(base, field=texture(rng), shape=[], motif=[] if bare else _any(rng, motifs))
        for _ in range(count)
    ]


def tinted(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """One picture in other colours."""
    base = design(rng, motifs)
    recoloured = rng.random() < 0.5
    return [
        replace(base, tints=_tints(rng)) if recoloured else replace(base, field=colour(rng))
        for _ in range(count)
    ]


def mixed_bag(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Faces that have nothing in common."""
    return [design(rng, motifs) for _ in range(count)]


KINDS: dict[str, Kind] = {
    "pictures": pictures,
    "suited": suited,
    "parts": parts,
    "custom": custom,
    "icons": icons,
    "characters": characters,
    "scenes": scenes,
    "tinted": tinted,
    "mixed": mixed_bag,
}
KNOWN = "known"
"""The kind of a family from a known deck, in a print run of its own."""


def family(
    rng: np.random.Generator, count: int, kind: str, *, held: bool = False, height: int = 224
) -> Family:
    """So many faces of a kind: one of `KINDS`, or `KNOWN`.

    Faces with ``held`` are drawn with motifs that training never sees.
    """
    motifs: tuple[Draw, ...] = HELD if held else MOTIFS
    used = float(rng.beta(1.0, 3.0))
    faces: list[Picture] = []
    while len(faces) < count:
        if kind == KNOWN:
            drawn = _known(rng, count, height)
        else:
            drawn = [paint(face, height) for face in KINDS[kind](rng, count, motifs)]
        for face in drawn:
            if len(faces) < count and all(differ(face, other) for other in faces):
                faces.append(face)
    return Family(kind, tuple(faces), used)


def differ(one: Picture, other: Picture) -> bool:
    """Whether two faces can be told apart by eye from a yard away."""
    size = (48, 72)
    a, b = (cv2.resize(face[..., :3], size, interpolation=cv2.INTER_AREA) for face in (one, other))
    return float(cv2.GaussianBlur(cv2.absdiff(a, b), (0, 0), 1.0).max()) > _APART


_APART = 45.0


def _known(rng: np.random.Generator, count: int, height: int) -> list[Picture]:
    deck = RULESETS[str(rng.choice(list(RULESETS)))]
    drawn = sample(int(rng.integers(1 << 40)))
    run: Print = replace(drawn, custom_written=True, wear=0.0, fade=0.0)
    lot = rng.random()
    order = list(rng.permutation(len(deck)))
    if lot < 0.6:
        # Cards of one colour, or with one sign, before all others.
        like = deck[int(order[0])]
        order.sort(
            key=lambda k: (
                deck[k].colour != like.colour if lot < 0.3 else deck[k].symbol != like.symbol
            )
        )
    return [render(deck[k].id, run, height)[..., :3] for k in order[:count]]
