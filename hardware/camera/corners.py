"""Reading a card's corner: all that shows of a card in a fan, and a second opinion of others."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import Card
from hardware.camera.layout import CORNER_CROP, CORNER_MM, HEIGHT, INDEX, WIDTH
from hardware.camera.read import Array, Faces, Reading, cut_out
from hardware.camera.types import Corners, Picture

SHARE = np.array([CORNER_MM / WIDTH, CORNER_MM / HEIGHT])
"""How much of a card's width and height the square at its corner takes."""
SIZES = (0.88, 1.0, 1.14)
DRAWN_PLAIN = 0.46
"""Share of the number cards without an icon that this network learnt from (``CropKnobs.icons``)."""


class CornerReader:
    """Reads a card by the corner that comes first in its outline."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._faces = Faces(model, deck, DRAWN_PLAIN)

    def opinions(self, picture: Picture, outlines: Sequence[Corners]) -> list[Reading]:
        """What the corners say of signs. Icons are not asked for: they may stand elsewhere."""
        if not outlines:
            return []
        crops = [cut_out(picture, square(corners), CORNER_CROP) for corners in outlines]
        cards, valid = self._faces.read(crops, icons=False)
        return [Reading(corners, cards[i], float(valid[i])) for i, corners in enumerate(outlines)]

    def read(self, picture: Picture, index: Array, corners: Corners) -> Reading:
        """What a card is of which hardly more than its index is seen, at that place.

        An outline that was told from an index alone is a guess, so the corner is looked at in
        several sizes, and what they say is averaged.
        """
        placed = (corners + (index - index_places(corners)[0])).astype(np.float32)
        grown = [(placed - index) * size + index for size in SIZES]
        crops = [cut_out(picture, square(one.astype(np.float32)), CORNER_CROP) for one in grown]
        cards, valid = self._faces.read(crops)
        return Reading(placed, cards.mean(axis=0), float(valid.mean()))


def square(corners: Corners) -> Corners:
    """The square at an outline's first corner, seen as the outline is."""
    right, low = SHARE
    return _places(corners, np.array([[0, 0], [right, 0], [right, low], [0, low]]))


def index_places(corners: Corners) -> Array:
    """Where a card's two indices stand, (2, 2): that next to its first corner, and the other."""
    return _places(corners, np.array([INDEX, (1 - INDEX[0], 1 - INDEX[1])]))


def first_at(corners: Corners, anchor: Array) -> Corners:
    """The outline begun with the corner that is nearest to an index."""
    nearest = int(np.argmin(np.linalg.norm(corners - anchor, axis=1)))
    turned: Corners = np.roll(corners, -nearest, axis=0)
    return turned


def width_of(corners: Corners) -> float:
    """The width in pixels of an unforeshortened card as large as the outline."""
    return float(np.sqrt(max(cv2.contourArea(corners), 1.0) * WIDTH / HEIGHT))


def _places(corners: Corners, shares: Array) -> Array:
    """Points given as shares of a card's width and height, in the picture."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    places = cv2.perspectiveTransform(shares[None].astype(np.float32), matrix)[0]
    return np.asarray(places, np.float32)
