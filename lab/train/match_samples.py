"""Samples that the matcher learns from: some faces of one family, each seen twice."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.draw.asset_cache import AssetCache, Mipmap, mipmap
from lab.draw.crops import crop_of_face
from lab.draw.enrolment_views import ENROLMENT_VIEW, HARD_VIEW, ORDINARY_VIEW, enrolment_crop
from lab.draw.face_families import FAMILY_KINDS, KNOWN_DECK, random_family
from lab.draw.paint_design import aged
from lab.draw.params import CropParams

FACES, STRANGERS = 6, 2
"""Faces of a family that are enrolled in a sample, and that are only seen."""
FAMILY, KEPT, USES = 9, 24, 10
"""Faces drawn of a family, families at hand, and how often each is used."""
LEAST_SHOWN = 0.55
STEEP = 0.5
"""Share of the later views that are hard ones."""
OFTEN = ("suited", "parts", "icons", "tinted")
"""Kinds of faces that are hard to tell apart are drawn as often again, and once more."""
Card = tuple[Mipmap, Mipmap]
"""Two cards of one face, worn in their own ways."""
Array = npt.NDArray[Any]


class MatcherSamples:
    """Crops of some faces: those enrolled as they were, then all as they are seen later."""

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, styles=6)
        self._seed = seed
        self._kept: list[tuple[int, tuple[Card, ...]]] = []
        self._asked = 0

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """One of them, by lot: 2 · ``FACES`` + ``STRANGERS`` x 144 x 96 x 3, and which they are."""
        number, faces = self._family(rng)
        chosen = rng.permutation(len(faces))[: FACES + STRANGERS]
        first = [
            enrolment_crop(partial(self._crop, rng, faces[k][0], ENROLMENT_VIEW))
            for k in chosen[:FACES]
        ]
        again = [
            self._crop(rng, faces[k][1], HARD_VIEW if rng.random() < STEEP else ORDINARY_VIEW)
            for k in chosen
        ]
        return np.stack([*first, *again]), (number * FAMILY + chosen).astype(np.int64)

    def _family(self, rng: np.random.Generator) -> tuple[int, tuple[Card, ...]]:
        self._asked += 1
        if len(self._kept) < KEPT or self._asked % USES == 0:
            kind = str(rng.choice([*FAMILY_KINDS, KNOWN_DECK, KNOWN_DECK, *OFTEN, *OFTEN]))
            made = random_family(rng, FAMILY, kind)
            # Scratches must not be what a face is known by: a deck has several of each card.
            cards = tuple(
                (mipmap(aged(face, made.used, rng)), mipmap(aged(face, made.used, rng)))
                for face in made.faces
            )
            self._kept = [*self._kept[1 - KEPT :], (self._number(), cards)]
        return self._kept[int(rng.integers(len(self._kept)))]

    def _number(self) -> int:
        """Of a family; those who draw beside this one count apart."""
        return self._seed * 1_000_000 + self._asked

    def _crop(self, rng: np.random.Generator, face: Mipmap, params: CropParams) -> Array:
        while True:
            image, visible = crop_of_face(rng, self._assets, face, params)
            if visible > LEAST_SHOWN:
                return image
