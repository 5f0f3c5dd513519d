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

WIDTH, HEIGHT = 96, 144
PARTS = (len(COLOURS), len(SYMBOLS), len(ICONS), 1)
Array = npt.NDArray[Any]
FLAT = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True)
class Reading:
    """What an outline holds: its corners from the card's own top left, and each card's chance."""

    corners: Corners
    probabilities: Array
    valid: float


class Reader:
    """The network, for the cards of some deck."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self.deck = tuple(deck)
        self._classes = np.array([card.classes for card in deck])

    def read(self, picture: Picture, outlines: Sequence[Corners]) -> list[Reading]:
        """What the outlines hold; each is tried with every corner as the top left one."""
        turned = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in range(4)]
        if not turned:
            return []
        crops = [cut_out(picture, corners) for corners in turned]
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        cards, valid = self._joint(self._net.forward())
        found = []
        for first in range(0, len(turned), 4):
            best = first + int(np.argmax(cards[first : first + 4].max(axis=1)))
            found.append(Reading(turned[best], cards[best], float(valid[best])))
        return found

    def _joint(self, logits: Array) -> tuple[Array, Array]:
        """Probabilities n x cards, the chance that it is a face counted in; and that chance."""
        edges = np.cumsum(PARTS)[:-1]
        colour, symbol, icon, face = np.split(logits, edges, axis=1)
        valid = 1 / (1 + np.exp(-face[:, 0]))
        parts = (_softmax(part) for part in (colour, symbol, icon))
        joint = np.ones((len(logits), len(self.deck)), np.float32)
        for number, part in enumerate(parts):
            joint *= part[:, self._classes[:, number]]
        # Cards that look alike (the custom ones) share what their face gets.
        _, same, count = np.unique(self._classes, axis=0, return_inverse=True, return_counts=True)
        return joint * valid[:, None] / count[same.ravel()], valid


def cut_out(picture: Picture, corners: Corners) -> Picture:
    """The outline's inside, straight, as wide and high as the network wants it."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shrunk = max(sides[0] + sides[2], 1) / (2 * WIDTH)
    if shrunk > 2:
        # Averaged first: picking single pixels of a large picture would be noise.
        step = float(int(shrunk))
        low = np.maximum(np.floor(corners.min(axis=0)) - step, 0).astype(int)
        high = np.ceil(corners.max(axis=0)).astype(int) + int(step)
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            picture, corners = small, ((corners - low) / step).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), FLAT)
    return cv2.warpPerspective(
        picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
