"""Families of invented card faces, unlike any known deck, to train and measure enrolment with.

The faces of a family are easily confused: they share a frame, a picture or a colour, and differ in
the rest, sometimes only in a small icon or a few pen strokes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.cards.faces import render_face
from lab.draw.cards.invented_design import (
    FREE_CORNER,
    Design,
    DrawMotif,
    random_colour,
    random_design,
    random_motif,
    random_tints,
    texture,
)
from lab.draw.cards.paint_design import paint_design
from lab.draw.cards.print_style import PrintStyle, random_style
from lab.draw.shapes.motifs import (
    HELD_OUT_MOTIFS,
    MOTIFS,
    TINTS,
    Motif,
    character_sign,
    creature,
    rune,
    written,
)
from lab.draw.shapes.sheet import Picture
from lab.draw.shapes.strokes import placed
from lab.draw.shapes.symbols import ellipse, rounded

KNOWN_DECK = "known"
"""Kind of a family taken from a known deck, in a random print style."""


@dataclass(frozen=True)
class Family:
    """Similar faces."""

    kind: str  # One of `FAMILY_KINDS`, or `KNOWN_DECK`
    # Pictures of new cards, (height, width, 3) in BGR; `paint_design.aged` wears them.
    faces: tuple[Picture, ...]
    used: float  # Wear of the cards, from 0 (new) to 1


def random_family(
    rng: np.random.Generator, count: int, kind: str, *, held: bool = False, height: int = 224
) -> Family:
    """Draw ``count`` faces of a kind: one of `FAMILY_KINDS`, or `KNOWN_DECK`.

    With ``held`` they use motifs that training never sees.
    """
    motifs: tuple[DrawMotif, ...] = HELD_OUT_MOTIFS if held else MOTIFS
    used = float(rng.beta(1.0, 3.0))
    faces: list[Picture] = []
    while len(faces) < count:
        if kind == KNOWN_DECK:
            drawn = _known(rng, count, height)
        else:
            drawn = [paint_design(face, height) for face in FAMILY_KINDS[kind](rng, count, motifs)]
        for face in drawn:
            if len(faces) < count and all(distinguishable(face, other) for other in faces):
                faces.append(face)
    return Family(kind, tuple(faces), used)


def distinguishable(first: Picture, second: Picture) -> bool:
    """Return whether a player can distinguish two faces from a metre away."""
    size = (48, 72)
    a, b = (
        cv2.resize(face[..., :3], size, interpolation=cv2.INTER_AREA) for face in (first, second)
    )
    return float(cv2.GaussianBlur(cv2.absdiff(a, b), (0, 0), 1.0).max()) > _APART


_APART = 45.0


def _known(rng: np.random.Generator, count: int, height: int) -> list[Picture]:
    deck = RULESETS[str(rng.choice(list(RULESETS)))]
    drawn = random_style(int(rng.integers(1 << 40)))
    style: PrintStyle = replace(drawn, custom_written=True, wear=0.0, fade=0.0)
    lot = rng.random()
    order = list(rng.permutation(len(deck)))
    if lot < 0.6:
        # Prefer cards that share a colour or a sign.
        like = deck[int(order[0])]
        order.sort(
            key=lambda k: (
                deck[k].colour != like.colour if lot < 0.3 else deck[k].symbol != like.symbol
            )
        )
    return [render_face(deck[k].id, style, height)[..., :3] for k in order[:count]]


Kind = Callable[[np.random.Generator, int, Sequence[DrawMotif]], list[Design]]
"""Takes generator, number of designs and motifs; returns the designs of one family."""


def pictures(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return one frame with a different picture on each face, sometimes also a different index."""
    base = random_design(rng, motifs)
    own = rng.random() < 0.5
    return [
        replace(
            base,
            motif=random_motif(rng, motifs),
            tints=random_tints(rng) if own else base.tints,
            index=random_motif(rng, (character_sign, rune)) if own and base.index else base.index,
        )
        for _ in range(count)
    ]


def suited(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return suits: each of a few signs in each of a few colours."""
    base = random_design(rng, motifs)
    fields = [random_colour(rng) for _ in range(int(rng.integers(2, 5)))]
    signs = [random_motif(rng, (character_sign, rune)) for _ in range(int(rng.integers(2, 5)))]
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


def parts(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return one picture with some layers removed, recoloured or added."""
    base = replace(random_design(rng, motifs), index=[])
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
                extra = random_motif(rng, motifs)[-1]
                size = rng.uniform(0.4, 0.8)
                shape = placed(extra[0], (float(at[0]), float(at[1])), size)
                motif.append((shape, int(rng.integers(TINTS))))
        faces.append(replace(base, motif=motif))
    return faces


def custom(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return equal blank cards with handwriting."""
    base = random_design(rng, motifs)
    pens = tuple(
        random_colour(rng, 0.0) if rng.random() < 0.5 else (40, 30, 30) for _ in range(TINTS)
    )
    blank = replace(base, motif=[], size=rng.uniform(28, 42), tints=pens, double=False, line=0.0)
    if not blank.shape:
        wide = rng.uniform(30, 48)
        blank = replace(blank, shape=[rounded(wide, rng.uniform(35, 65), 2.0)])
    blank = replace(blank, middle=(245, 246, 247))
    faces = [replace(blank, motif=written(rng)) for _ in range(count)]
    return [blank, *faces[1:]] if rng.random() < 0.3 else faces


def icons(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return equal faces that differ in a small icon in two corners, or lack it."""
    base = replace(random_design(rng, motifs), free=False)
    at = FREE_CORNER if rng.random() < 0.6 else (rng.uniform(-18, 18), rng.uniform(-34, -12))
    size = rng.uniform(6.0, 12.0)
    disc: Motif = []
    if rng.random() < 0.4:
        disc = [([ellipse(1.5, 1.5, 0.0)], int(rng.integers(TINTS)))]
    faces = [
        replace(
            base,
            icon=[*disc, *random_motif(rng, (*motifs, character_sign, rune))],
            icon_at=at,
            icon_size=size,
        )
        for _ in range(count)
    ]
    return [replace(base, icon=[]), *faces[1:]] if rng.random() < 0.4 else faces


def characters(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return full-length figures in a common frame."""
    draw = (creature,) if creature in motifs else motifs
    base = replace(random_design(rng, motifs), size=rng.uniform(40, 58), double=False, shape=[])
    return [
        replace(base, motif=random_motif(rng, draw), tints=random_tints(rng)) for _ in range(count)
    ]


def scenes(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return pictures like photographs, with or without a motif in front."""
    base = random_design(rng, motifs)
    bare = rng.random() < 0.4
    return [
        replace(base, field=texture(rng), shape=[], motif=[] if bare else random_motif(rng, motifs))
        for _ in range(count)
    ]


def tinted(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return one picture in different colours."""
    base = random_design(rng, motifs)
    recoloured = rng.random() < 0.5
    return [
        replace(base, tints=random_tints(rng))
        if recoloured
        else replace(base, field=random_colour(rng))
        for _ in range(count)
    ]


def mixed_bag(rng: np.random.Generator, count: int, motifs: Sequence[DrawMotif]) -> list[Design]:
    """Return faces that have nothing in common."""
    return [random_design(rng, motifs) for _ in range(count)]


FAMILY_KINDS: dict[str, Kind] = {
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
