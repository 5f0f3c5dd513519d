"""The network that describes a card's crop so that crops of one face have like descriptors."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.cards import Picture

NONE = 0.5
"""So much of the greatest likeness has the face of none. The network was trained to this."""
PLACES, PLACE = (9, 6), 24
"""A descriptor tells of so many places of the card, down and across, in so many numbers each."""
SIZE = PLACES[0] * PLACES[1] * PLACE
Array = npt.NDArray[Any]


class Matcher:
    """The network."""

    def __init__(self, model: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self._file = model

    def mark(self) -> str:
        """Which network this is: descriptors of another one mean nothing to it."""
        return hashlib.sha256(self._file.read_bytes()).hexdigest()[:16]

    def describe(self, crops: Sequence[Picture]) -> Array:
        """Descriptors n x ``SIZE``, all of the same length; their products are likenesses.

        Args:
            crops: As ``hardware.camera.read.cut_out`` makes them.
        """
        if not crops:
            return np.zeros((0, SIZE), np.float32)
        self._net.setInput(cv2.dnn.blobFromImages(list(crops), 1 / 255.0))
        return np.asarray(self._net.forward(), np.float32)
