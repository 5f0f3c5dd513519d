"""The networks that describe a card's crop and compare two descriptors."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.types import Array, Picture

PLACES, PLACE = (18, 12), 32
"""Grid of places on a card (down, across) that a descriptor covers, and numbers for each."""
REACH = 1
"""Offset, in places, within which two descriptors are searched for the same feature."""
SIZE = PLACE * PLACES[0] * PLACES[1]
DESCRIBER, COMPARER = "describer.onnx", "comparer.onnx"
ENROLLED, SEEN, DISTINCTIVENESS = "enrolled", "seen", "telling"
"""Names of the comparing network's inputs."""


class Matcher:
    """Both networks, from the folder ``models``."""

    def __init__(self, models: Path) -> None:
        self._files = [models / DESCRIBER, models / COMPARER]
        self._describer, self._comparer = (
            cv2.dnn.readNetFromONNX(str(file)) for file in self._files
        )

    def mark(self) -> str:
        """Return a hash of the networks; descriptors of others are meaningless to them."""
        digest = hashlib.sha256()
        for file in self._files:
            digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    def describe(self, crops: Sequence[Picture]) -> Array:
        """Return descriptors, n x ``SIZE``, of crops of ``reading.read.cut_out``."""
        if not crops:
            return np.zeros((0, SIZE), np.float32)
        self._describer.setInput(cv2.dnn.blobFromImages(list(crops), 1 / 255.0))
        return np.asarray(self._describer.forward(), np.float32).reshape(-1, SIZE)

    def compare(self, enrolled: Array, seen: Array, weights: Array) -> Array:
        """Return a logit per pair of descriptors (n x ``SIZE`` each), above 0 for one face.

        ``weights`` is each place's distinctiveness in the enrolled faces, n x 18 x 12.
        """
        shape = (-1, PLACE, *PLACES)
        self._comparer.setInput(np.ascontiguousarray(enrolled.reshape(shape)), ENROLLED)
        self._comparer.setInput(np.ascontiguousarray(seen.reshape(shape)), SEEN)
        self._comparer.setInput(
            np.ascontiguousarray(weights.reshape(-1, 1, *PLACES)), DISTINCTIVENESS
        )
        return np.asarray(self._comparer.forward(), np.float32).reshape(-1)
