"""Samples that the networks learn from: a scene for the locator, a crop for the reader."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.layout import CARD_CROP
from lab.draw.asset_cache import AssetCache
from lab.draw.crops import Crop, random_corner_crop, random_crop
from lab.draw.params import CropParams, SceneParams
from lab.draw.scene import CardTruth, random_scene
from lab.train.locator_targets import locator_targets

SIDE = 256
SIDEWAYS = 0.12
LEAST_SHOWN = 0.08
"""A card of which less is seen is none."""
# More cards at once than elsewhere: finding those that others cover is what takes longest to learn.
KINDS = {"single": 0.27, "pile": 0.36, "scatter": 0.13, "spread": 0.06, "row": 0.06, "fan": 0.12}
# Where cards of one colour are printed up to their edges, little more than a shadow parts them.
BARE, FOLLOW = 0.25, 0.5
# A tower's icon is the smallest thing to tell on a card, and a bare letter the faintest of them.
LETTERS, ICONS = 0.4, 0.5
Array = npt.NDArray[Any]


class LocatorSamples:
    """Square pictures, and what the locator should say of each (``targets``)."""

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, bare=BARE)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
        """One of them, by lot."""
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
    """Whether a card's middle can be seen: nothing that was laid later covers it."""
    middle = card.corners.mean(axis=0).astype(float).tolist()
    covered = any(cv2.pointPolygonTest(other.corners, middle, False) >= 0 for other in above)
    return card.visible > 0.2 and not covered


class ReaderSamples:
    """Crops, and what the reader should say of each: colour, symbol, icon, and whether a face.

    A card that lies sideways in its crop was cut out by the wrong corners and counts as none, so
    that of the turns that are tried the right one stands out.
    """

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed, letters=LETTERS)
        self._params = CropParams(icons=ICONS)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """One of them, by lot."""
        drawn = random_crop(rng, self._assets, self._params)
        image: Array = drawn.image
        face = drawn.valid
        if rng.random() < SIDEWAYS:
            turned = np.rot90(image, 1 if rng.random() < 0.5 else 3)
            image, face = cv2.resize(turned, CARD_CROP, interpolation=cv2.INTER_LINEAR), False
        return np.ascontiguousarray(image), _classes(drawn, face)


class CornerSamples:
    """Crops of a card's corner with its index, and the same to say of each.

    A corner that is turned so that another side is up counts as none.
    """

    def __init__(self, seed: int) -> None:
        self._assets = AssetCache(seed)

    def __call__(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """One of them, by lot."""
        drawn = random_corner_crop(rng, self._assets)
        image: Array = drawn.image
        face = drawn.valid
        if rng.random() < SIDEWAYS:
            image, face = np.rot90(image, int(rng.integers(1, 4))), False
        return np.ascontiguousarray(image), _classes(drawn, face)


def _classes(drawn: Crop, face: bool) -> Array:
    return np.array((drawn.colour, drawn.symbol, drawn.icon, int(face)), np.int64)
