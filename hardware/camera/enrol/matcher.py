"""The networks that describe a card's crop, and compare two descriptions."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.types import Picture

PLACES, PLACE = (18, 12), 32
"""A description tells of so many places of the card, down and across, in so many numbers each."""
REACH = 1
"""So many places away a description is searched for what another has at a place."""
SIZE = PLACE * PLACES[0] * PLACES[1]
DESCRIBES, COMPARES = "describer.onnx", "comparer.onnx"
ENROLLED, SEEN, TELLING = "enrolled", "seen", "telling"
"""What the network that compares is given, by name."""
Array = npt.NDArray[Any]


class Compares(Protocol):
    """Tells whether descriptions are of one face."""

    def compare(self, enrolled: Array, seen: Array, telling: Array) -> Array:
        """Of pairs of descriptions (n x ``SIZE`` each), a logit: above 0 for one face.

        Args:
            enrolled: Faces that were shown once.
            seen: What is seen now, one for each of them.
            telling: How much each place of each face tells, n x 18 x 12, see ``telling``.
        """
        ...


class Matcher:
    """Both networks.

    Args:
        models: The folder that holds them.
    """

    def __init__(self, models: Path) -> None:
        self._files = [models / DESCRIBES, models / COMPARES]
        self._describer, self._comparer = (
            cv2.dnn.readNetFromONNX(str(file)) for file in self._files
        )

    def mark(self) -> str:
        """Which networks these are: descriptions by others mean nothing to them."""
        whole = hashlib.sha256()
        for file in self._files:
            whole.update(file.read_bytes())
        return whole.hexdigest()[:16]

    def describe(self, crops: Sequence[Picture]) -> Array:
        """Descriptions n x ``SIZE``.

        Args:
            crops: As ``hardware.camera.read.cut_out`` makes them.
        """
        if not crops:
            return np.zeros((0, SIZE), np.float32)
        self._describer.setInput(cv2.dnn.blobFromImages(list(crops), 1 / 255.0))
        return np.asarray(self._describer.forward(), np.float32).reshape(-1, SIZE)

    def compare(self, enrolled: Array, seen: Array, telling: Array) -> Array:
        """Of pairs of descriptions (n x ``SIZE`` each), a logit: above 0 for one face.

        Args:
            enrolled: Faces that were shown once.
            seen: What is seen now, one for each of them.
            telling: How much each place of each face tells, n x 18 x 12, see ``telling``.
        """
        shape = (-1, PLACE, *PLACES)
        self._comparer.setInput(np.ascontiguousarray(enrolled.reshape(shape)), ENROLLED)
        self._comparer.setInput(np.ascontiguousarray(seen.reshape(shape)), SEEN)
        self._comparer.setInput(np.ascontiguousarray(telling.reshape(-1, 1, *PLACES)), TELLING)
        return np.asarray(self._comparer.forward(), np.float32).reshape(-1)
