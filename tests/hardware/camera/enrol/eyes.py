"""A matcher that compares pixels, and a locator of known outlines: both without networks."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.enrol.matcher import SIZE
from hardware.camera.reading.locate import Candidate
from hardware.camera.types import Corners, Picture
from lab.draw.cards.face_families import FAMILY_KINDS, random_family

CORNERS = np.array([[100, 60], [292, 60], [292, 348], [100, 348]], np.float32)


class PixelMatcher:
    """Describes crops by their own pixels."""

    def mark(self) -> str:
        return "pixels"

    def describe(self, crops: Sequence[Picture]) -> np.ndarray:
        rows = [cv2.resize(c, (48, 48), interpolation=cv2.INTER_AREA).reshape(-1) for c in crops]
        out = np.array(rows, np.float32).reshape(-1, SIZE)
        out -= out.mean(axis=1, keepdims=True)
        return 9 * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)

    def compare(self, enrolled: np.ndarray, seen: np.ndarray, telling: np.ndarray) -> np.ndarray:
        return np.asarray((enrolled * seen).sum(axis=1) - 40, np.float32)


class KnownPlaces:
    """Finds the given outlines."""

    def __init__(self, *outlines: Corners) -> None:
        self.found = [candidate(corners) for corners in outlines]

    def locate(self, picture: Picture, long_side: int = 256) -> list[Candidate]:
        return self.found

    def closer(self, picture: Picture, one: Candidate) -> Candidate:
        return one


def candidate(corners: Corners, heat: float = 0.9) -> Candidate:
    return Candidate(corners, heat, corners.mean(axis=0), False)


def faces(count: int, kind: str = "pictures", seed: int = 3) -> list[Picture]:
    assert kind in FAMILY_KINDS
    made = random_family(np.random.default_rng(seed), count, kind, height=288)
    return list(made.faces)


def shown(
    face: Picture, corners: Corners = CORNERS, shape: tuple[int, int] = (420, 400)
) -> Picture:
    """Draw a face at an outline on a dark table."""
    height, width = face.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    table = np.full((*shape, 3), 40, np.uint8)
    cv2.warpPerspective(
        face, matrix, (shape[1], shape[0]), table, borderMode=cv2.BORDER_TRANSPARENT
    )
    return table
