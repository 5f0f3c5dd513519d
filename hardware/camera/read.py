"""Reading a card whose outline is known: cut out straight, all turns tried, one joint answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.cards import Corners, Picture
from hardware.camera.draw.cards import COLOURS, ICONS, SYMBOLS, Card
from hardware.camera.layout import CARD_CROP

PARTS = (len(COLOURS), len(SYMBOLS), len(ICONS), 1)
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an outline holds: its corners from the card's own top left, and each card's chance.

    The chance that it is a readable face at all, ``valid``, is counted in.
    """

    corners: Corners
    probabilities: Array
    valid: float


class Faces:
    """A network that reads crops, for the cards of some deck."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        classes = np.array([card.classes for card in deck])
        # Cards that look alike (the custom ones) share what their face gets.
        self._faces, self._of, count = np.unique(
            classes, axis=0, return_inverse=True, return_counts=True
        )
        self._of = self._of.ravel()
        self._share = (1 / count[self._of]).astype(np.float32)

    def read(self, crops: Sequence[Picture]) -> tuple[Array, Array]:
        """Probabilities n x cards, the chance that it is a face counted in; and that chance."""
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        edges = np.cumsum(PARTS)[:-1]
        *parts, face = np.split(self._net.forward(), edges, axis=1)
        valid = 1 / (1 + np.exp(-face[:, 0]))
        joint = np.ones((len(crops), len(self._faces)), np.float32)
        for number, part in enumerate(parts):
            joint *= _softmax(part)[:, self._faces[:, number]]
        return joint[:, self._of] * self._share * valid[:, None], valid


class Reader:
    """Reads whole cards."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._faces = Faces(model, deck)

    def read(self, picture: Picture, outlines: Sequence[Corners]) -> list[Reading]:
        """What the outlines hold; each is tried with every corner as the top left one."""
        turned = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in range(4)]
        if not turned:
            return []
        crops = [cut_out(picture, corners, CARD_CROP) for corners in turned]
        cards, valid = self._faces.read(crops)
        found = []
        for first in range(0, len(turned), 4):
            best = first + int(np.argmax(cards[first : first + 4].max(axis=1)))
            found.append(Reading(turned[best], cards[best], float(valid[best])))
        return found


def cut_out(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    """The outline's inside, straight, with that width and height."""
    width, height = size
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shrunk = max(sides[0] + sides[2], 1) / (2 * width)
    if shrunk > 2:
        # Averaged first: picking single pixels of a large picture would be noise.
        step = float(int(shrunk))
        low = np.maximum(np.floor(corners.min(axis=0)) - step, 0).astype(int)
        high = np.ceil(corners.max(axis=0)).astype(int) + int(step)
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            picture, corners = small, ((corners - low) / step).astype(np.float32)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    return cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
