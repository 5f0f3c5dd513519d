"""Kinds of families: what made-up faces have in common, and by what they differ."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from lab.draw.designs import FREE, Design, Draw, any_motif, any_tints, colour, design, texture
from lab.draw.motifs import TINTS, Motif, creature, rune, sign, written
from lab.draw.strokes import placed
from lab.draw.symbols import ellipse, rounded

Kind = Callable[[np.random.Generator, int, Sequence[Draw]], list[Design]]
"""Makes so many designs of one family."""


def pictures(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """One frame, a picture of its own on each; sometimes a corner sign of its own."""
    base = design(rng, motifs)
    own = rng.random() < 0.5
    return [
        replace(
            base,
            motif=any_motif(rng, motifs),
            tints=any_tints(rng) if own else base.tints,
            index=any_motif(rng, (sign, rune)) if own and base.index else base.index,
        )
        for _ in range(count)
    ]


def suited(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Some colours times some signs: one sign in other colours, one colour with other signs."""
    base = design(rng, motifs)
    fields = [colour(rng) for _ in range(int(rng.integers(2, 5)))]
    signs = [any_motif(rng, (sign, rune)) for _ in range(int(rng.integers(2, 5)))]
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
                extra = any_motif(rng, motifs)[-1]
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
    at = FREE if rng.random() < 0.6 else (rng.uniform(-18, 18), rng.uniform(-34, -12))
    size = rng.uniform(6.0, 12.0)
    disc: Motif = []
    if rng.random() < 0.4:
        disc = [([ellipse(1.5, 1.5, 0.0)], int(rng.integers(TINTS)))]
    faces = [
        replace(
            base,
            icon=[*disc, *any_motif(rng, (*motifs, sign, rune))],
            icon_at=at,
            icon_size=size,
        )
        for _ in range(count)
    ]
    return [replace(base, icon=[]), *faces[1:]] if rng.random() < 0.4 else faces


def characters(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Full-length figures in a frame that is the same for all."""
    draw = (creature,) if creature in motifs else motifs
    base = replace(design(rng, motifs), size=rng.uniform(40, 58), double=False, shape=[])
    return [replace(base, motif=any_motif(rng, draw), tints=any_tints(rng)) for _ in range(count)]


def scenes(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """Pictures like photographs, with or without something before them."""
    base = design(rng, motifs)
    bare = rng.random() < 0.4
    return [
        replace(base, field=texture(rng), shape=[], motif=[] if bare else any_motif(rng, motifs))
        for _ in range(count)
    ]


def tinted(rng: np.random.Generator, count: int, motifs: Sequence[Draw]) -> list[Design]:
    """One picture in other colours."""
    base = design(rng, motifs)
    recoloured = rng.random() < 0.5
    return [
        replace(base, tints=any_tints(rng)) if recoloured else replace(base, field=colour(rng))
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
