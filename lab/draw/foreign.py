"""Families of made-up card faces, far from any known deck: what enrolment learns to tell apart.

Faces of a family are hard to tell from one another: they share a frame, a picture or a colour and
differ in the rest, sometimes in a small icon or in some strokes of a pen only.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.designs import Draw
from lab.draw.drawing import paint
from lab.draw.faces import render
from lab.draw.kinds import KINDS
from lab.draw.motifs import HELD, MOTIFS
from lab.draw.prints import Print, sample
from lab.draw.sheet import Picture

KNOWN = "known"
"""The kind of a family from a known deck, in a print run of its own."""


@dataclass(frozen=True)
class Family:
    """Faces that belong together.

    Attributes:
        kind: One of `kinds.KINDS`, or `KNOWN`.
        faces: As new, (height, width, 3) in BGR, see `drawing.aged`.
        used: In what condition the cards are, 0 as new to 1.
    """

    kind: str
    faces: tuple[Picture, ...]
    used: float


def family(
    rng: np.random.Generator, count: int, kind: str, *, held: bool = False, height: int = 224
) -> Family:
    """So many faces of a kind: one of `kinds.KINDS`, or `KNOWN`.

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
