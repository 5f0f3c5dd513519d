"""Training samples: scenes for the locator, crops for the readers, families for the matcher."""

from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import CARD_CROP
from lab.draw.cards.asset_cache import AssetCache, Mipmap, mipmap
from lab.draw.cards.face_families import FAMILY_KINDS, KNOWN_DECK, random_family
from lab.draw.cards.paint_design import aged
from lab.draw.scenes.crops import Crop, crop_of_face, random_corner_crop, random_crop
from lab.draw.scenes.enrolment_views import ENROLMENT_VIEW, HARD_VIEW, ORDINARY_VIEW, enrolment_crop
from lab.draw.scenes.params import CropParams, SceneParams
from lab.draw.scenes.scene import CardTruth, random_scene
from lab.train.locator_targets import locator_targets

SIDE = 256
SIDEWAYS = 0.12
LEAST_SHOWN = 0.08
"""Visible share below which a card is ignored."""
# More overlapping cards than elsewhere: occluded cards take the locator longest to learn.
KINDS = {"single": 0.27, "pile": 0.36, "scatter": 0.13, "spread": 0.06, "row": 0.06, "fan": 0.12}
# Only a shadow separates borderless cards of one colour.
BARE, FOLLOW = 0.25, 0.5
# Tower icons are the smallest marks on a card, and bare letters the faintest of them.
LETTERS, ICONS = 0.4, 0.5
# What the reader does not know must be asked about: other games' faces, and signs out of focus.
FOREIGN, DEFOCUSED = 0.16, 0.12
Array = npt.NDArray[Any]


class LocatorSamples:
    """Square pictures with the locator's targets (``locator_targets``)."""

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, bare=BARE)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
        """Draw a sample."""
        params = SceneParams(long_side=SIDE, kinds=KINDS, follow=FOLLOW)
        scene = random_scene(rng, self._assets, params)
        below, right = SIDE - scene.image.shape[0], SIDE - scene.image.shape[1]
        picture = cv2.copyMakeBorder(scene.image, 0, below, 0, right, cv2.BORDER_REPLICATE)
        cards = [card for card in scene.cards if card.visible > LEAST_SHOWN]
        outlines = np.array([card.corners for card in cards], np.float32).reshape(-1, 4, 2)
        shown = [
            (_middle_shown(card, cards[number:]), card.indices[0] > 0.5, card.indices[1] > 0.5)
            for number, card in enumerate(cards, 1)
        ]
        return picture, *locator_targets(outlines, shown, (SIDE, SIDE))


def _middle_shown(card: CardTruth, above: list[CardTruth]) -> bool:
    """Return whether no later card covers the middle of this one."""
    middle = card.corners.mean(axis=0).astype(float).tolist()
    covered = any(cv2.pointPolygonTest(other.corners, middle, False) >= 0 for other in above)
    return card.visible > 0.2 and not covered


class ReaderSamples:
    """Card crops with their colour, symbol and icon classes, and 1 for a readable face.

    A card that lies sideways in its crop counts as no face: of the rotations that the reader tries,
    the right one then stands out.
    """

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, letters=LETTERS)
        self._params = CropParams(icons=ICONS, foreign=FOREIGN, defocus=DEFOCUSED)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw a sample."""
        drawn = random_crop(rng, self._assets, self._params)
        image: Array = drawn.image
        face = drawn.valid
        if rng.random() < SIDEWAYS:
            turned = np.rot90(image, 1 if rng.random() < 0.5 else 3)
            image, face = cv2.resize(turned, CARD_CROP, interpolation=cv2.INTER_LINEAR), False
        return np.ascontiguousarray(image), _classes(drawn, face)


class CornerSamples:
    """Crops of a card's index corner, labelled like the card crops.

    A rotated corner counts as no face.
    """

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw a sample."""
        drawn = random_corner_crop(rng, self._assets)
        image: Array = drawn.image
        face = drawn.valid
        if rng.random() < SIDEWAYS:
            image, face = np.rot90(image, int(rng.integers(1, 4))), False
        return np.ascontiguousarray(image), _classes(drawn, face)


def _classes(drawn: Crop, face: bool) -> Array:
    return np.array((drawn.colour, drawn.symbol, drawn.icon, int(face)), np.int64)


FACES, STRANGERS = 6, 2
"""Faces in a sample that are enrolled, and faces that are only seen."""
FAMILY, FAMILIES, USES = 9, 24, 10
"""Faces per family, families in use, and samples per family."""
LEAST_FACE_SHOWN = 0.55
STEEP = 0.5
"""Share of hard views among those seen later."""
OFTEN = ("suited", "parts", "icons", "tinted")
"""The most easily confused families, drawn three times as often."""
Card = tuple[Mipmap, Mipmap]
"""Two cards with one face and different wear."""


class MatcherSamples:
    """Crops of one family's faces: enrolment pictures, then all faces as they are seen later."""

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, styles=6)
        self._seed = seed
        self._families: list[tuple[int, tuple[Card, ...]]] = []
        self._drawn = 0

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw (2 · ``FACES`` + ``STRANGERS``, 144, 96, 3) crops and the ids of the later ones."""
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
        self._drawn += 1
        if len(self._families) < FAMILIES or self._drawn % USES == 0:
            kind = str(rng.choice([*FAMILY_KINDS, KNOWN_DECK, KNOWN_DECK, *OFTEN, *OFTEN]))
            family = random_family(rng, FAMILY, kind)
            # Two cards per face, so that scratches do not identify it.
            cards = tuple(
                (mipmap(aged(face, family.used, rng)), mipmap(aged(face, family.used, rng)))
                for face in family.faces
            )
            self._families = [*self._families[1 - FAMILIES :], (self._number(), cards)]
        return self._families[int(rng.integers(len(self._families)))]

    def _number(self) -> int:
        return self._seed * 1_000_000 + self._drawn

    def _crop(self, rng: np.random.Generator, face: Mipmap, params: CropParams) -> Array:
        while True:
            image, visible = crop_of_face(rng, self._assets, face, params)
            if visible > LEAST_FACE_SHOWN:
                return image
