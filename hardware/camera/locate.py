"""Finding cards in a picture: a small network looks at it whole, then again at each card."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.corners import first_at
from hardware.camera.quads import decode
from hardware.camera.types import Corners, Picture

STRIDE = 8
UNIT = 32.0
"""What a coded 1 is, in pixels of the picture that the network sees."""
HEATS = 2
ASTRAY = 0.12
"""A card that is looked at again is at most so far from where it was, as a share of the window."""
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What is taken for a card.

    ``heat`` is the least of a candidate; ``overlap`` the share of two outlines' common area above
    which they are one card, told of twice by the same part; ``most`` limits how many there are.
    """

    heat: float = 0.2
    overlap: float = 0.75
    most: int = 120


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a card, and how sure it is.

    It is told of by the middle of a card, and then it is open which end of its outline is the top,
    or by an index, and then the outline begins next to that. ``anchor`` is where that part is seen.
    """

    corners: Corners
    heat: float
    anchor: Corners
    index: bool


class Locator:
    """The network, and how it is looked through."""

    def __init__(self, model: Path, thresholds: Thresholds | None = None) -> None:
        self._model = model
        self._thresholds = thresholds or Thresholds()
        self._nets: dict[tuple[int, int], cv2.dnn.Net] = {}

    def locate(self, picture: Picture, long_side: int = 256) -> list[Candidate]:
        """All candidates, the surest first, the picture being seen with that long side."""
        seen, scale = shrink(picture, long_side)
        found = self._look(seen)
        return [
            Candidate(one.corners / scale, one.heat, one.anchor / scale, one.index) for one in found
        ]

    def closer(self, picture: Picture, candidate: Candidate, margin: float = 0.35) -> Candidate:
        """The same card, looked at again by itself; as it was if it is not found again."""
        window, matrix = zoom(picture, candidate.corners, margin)
        anchor = candidate.anchor @ matrix[:, :2].T + matrix[:, 2]
        again = [one for one in self._look(window) if one.index == candidate.index]
        far = [float(np.linalg.norm(one.anchor - anchor)) for one in again]
        if not far or min(far) > ASTRAY * window.shape[0]:
            return candidate
        best = again[int(np.argmin(far))]
        back = cv2.invertAffineTransform(matrix)
        corners, place = (
            points @ back[:, :2].T + back[:, 2] for points in (best.corners, best.anchor)
        )
        heat = max(best.heat, candidate.heat)
        return Candidate(corners.astype(np.float32), heat, place.astype(np.float32), best.index)

    def _look(self, seen: Picture) -> list[Candidate]:
        net = self._net(seen.shape[:2])
        net.setInput(cv2.dnn.blobFromImage(seen, 1 / 255.0))
        return candidates(net.forward()[0], self._thresholds)

    def _net(self, shape: Sequence[int]) -> cv2.dnn.Net:
        """A network of its own for each shape: changing one's shape costs more than it takes."""
        key = (shape[0], shape[1])
        if key not in self._nets:
            self._nets[key] = cv2.dnn.readNetFromONNX(str(self._model))
        return self._nets[key]


def shrink(picture: Picture, long_side: int) -> tuple[Picture, float]:
    """The picture with that long side, its sides padded to multiples of 32; and the scale."""
    height, width = picture.shape[:2]
    scale = long_side / max(height, width)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=method)
    below, right = -size[1] % 32, -size[0] % 32
    return cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE), scale


def zoom(
    picture: Picture, corners: Corners, margin: float, side: int = 256
) -> tuple[Picture, Array]:
    """A square window around an outline with some margin, and the matrix that leads into it."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    reach = float((high - low).max()) * (0.5 + margin) + 1
    scale = side / (2 * reach)
    left, top = (low + high) / 2 - reach
    matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]], np.float32)
    seen = matrix
    if scale < 0.5:
        # Averaged first: picking single pixels of a large picture would be noise.
        step = int(1 / scale)
        x, y = (max(0, int(at)) for at in (left, top))
        part = picture[y : int(top + 2 * reach) + step, x : int(left + 2 * reach) + step]
        if part.size:
            picture = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            seen = np.column_stack([matrix[:, :2] * step, matrix @ (x, y, 1)]).astype(np.float32)
    window = cv2.warpAffine(picture, seen, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return window, matrix


def candidates(maps: Array, thresholds: Thresholds) -> list[Candidate]:
    """The candidates in the network's answer (2 + 8, h, w), in pixels of what it saw."""
    heat = 1 / (1 + np.exp(-maps[:HEATS]))
    peaks = np.stack([cv2.dilate(layer, np.ones((3, 3), np.uint8)) for layer in heat])
    layer, y, x = np.nonzero((heat >= peaks) & (heat > thresholds.heat))
    order = np.argsort(-heat[layer, y, x])[: thresholds.most]
    layer, y, x = layer[order], y[order], x[order]
    cells = (np.stack([x, y], axis=1).astype(np.float32) + 0.5) * STRIDE
    outlines = decode(maps[HEATS:, y, x].T, cells, UNIT)
    found: list[Candidate] = []
    for number, corners in enumerate(outlines):
        index = bool(layer[number])
        outline = first_at(corners, cells[number]) if index else corners
        # What was found already is surer.
        if not any(
            one.index == index and _same(outline, one.corners, thresholds.overlap, index)
            for one in found
        ):
            score = float(heat[layer[number], y[number], x[number]])
            anchor = _summit(heat[layer[number]], int(x[number]), int(y[number]))
            found.append(Candidate(outline, score, anchor, index))
    return found


def _summit(heat: Array, x: int, y: int) -> Corners:
    """Where a peak stands, finer than the cells, in pixels."""
    left, top = max(x - 1, 0), max(y - 1, 0)
    around = heat[top : y + 2, left : x + 2]
    rows, columns = np.mgrid[top : top + around.shape[0], left : left + around.shape[1]]
    at = np.array([(columns * around).sum(), (rows * around).sum()]) / around.sum()
    return np.asarray((at + 0.5) * STRIDE, np.float32)


def _same(one: Corners, other: Corners, least: float, index: bool) -> bool:
    """Whether outlines are of one card, told of by the same part of it."""
    ends_differ = index and np.linalg.norm(one[0] - other[0]) > np.linalg.norm(one[0] - other[2])
    return overlap(one, other) > least and not ends_differ


def overlap(one: Corners, other: Corners) -> float:
    """The common area of two outlines by the area of both together."""
    if not (cv2.isContourConvex(one) and cv2.isContourConvex(other)):
        return 0.0
    common, _ = cv2.intersectConvexConvex(one, other)
    union = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / union) if union > 0 else 0.0
