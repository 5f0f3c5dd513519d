"""Finds cards with a small network: in the whole picture first, then around each candidate.

The corners of a card seen in perspective are a centre c, half axes u (along the width) and v (along
the height), and a bend p: c - u - v + p, c + u - v - p, c + u + v + p, c - u + v - p. Which end is
the top cannot be seen from the outline, so u and -u must have the same code: u with its angle
doubled. The bend is the same for both. The reader finds the top later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.reading.geometry import overlap, start_at
from hardware.camera.thresholds import CANDIDATE_HEAT
from hardware.camera.types import Array, Corners, Picture

CHANNELS = 8
"""Centre relative to the cell, u and v with doubled angles, bend: 2 values each."""


def encode(corners: Array, cells: Array, unit: float) -> Array:
    """Encode outlines (n x 4 x 2, clockwise from the top left of the card) as n x 8.

    ``cells`` (n x 2) are the centres of the cells that report them. All are in pixels; ``unit`` is
    pixels per coded unit.
    """
    centre = corners.mean(axis=1)
    u = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 4
    v = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 4
    bend = (corners[:, 0] - corners[:, 1] + corners[:, 2] - corners[:, 3]) / 4
    coded = [centre - cells, _doubled(u), _doubled(v), bend]
    return (np.concatenate(coded, axis=1) / unit).astype(np.float32)


def decode(coded: Array, cells: Array, unit: float) -> Array:
    """Return the corners, clockwise (n x 4 x 2), starting at either end."""
    coded = coded * unit
    centre = cells + coded[:, 0:2]
    u, v, bend = _halved(coded[:, 2:4]), _halved(coded[:, 4:6]), coded[:, 6:8]
    # In a picture, where y points down, clockwise means that v is to the right of u.
    turned = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) < 0
    v = np.where(turned[:, None], -v, v)
    corners = [
        centre - u - v + bend,
        centre + u - v - bend,
        centre + u + v + bend,
        centre - u + v - bend,
    ]
    return np.stack(corners, axis=1).astype(np.float32)


def _doubled(axis: Array) -> Array:
    """Double a vector's angle, keeping its length."""
    length = np.hypot(axis[:, 0], axis[:, 1]) + 1e-6
    x, y = axis[:, 0], axis[:, 1]
    return np.stack([(x * x - y * y) / length, 2 * x * y / length], axis=1)


def _halved(doubled: Array) -> Array:
    """Halve a vector's angle, keeping its length; of two solutions return one."""
    length = np.hypot(doubled[:, 0], doubled[:, 1])
    angle = np.arctan2(doubled[:, 1], doubled[:, 0]) / 2
    return np.stack([length * np.cos(angle), length * np.sin(angle)], axis=1)


STRIDE = 8
UNIT = 32.0
"""Pixels of the network's input per unit of its coded outlines."""
HEATS = 2
LOCATED_AT = 256
"""Long side of a whole picture, in pixels, as the network first sees it."""
FINER = (256, 384, 512)
"""Long sides, in pixels, of a finer look at the part of a picture that holds cards."""
ENOUGH = 100.0
"""Long side of a card, in pixels, from which such a look shows enough of an index.

Chosen on fans of cut-out cards (``lab.measure.fans``)."""
AROUND = 0.25
"""Margin around that part, as a share of a card's long side."""
DUPLICATE_OVERLAP = 0.75
"""Overlap from which two candidates from the same part are one card."""
MOST = 120
"""Candidates per picture."""
MOST_SHIFT = 0.12
"""Distance, as a share of the window, within which a second look must find the same card."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible card, found by its middle or by one of its indices.

    Found by an index, its outline starts at the corner next to it; found by the middle, either end
    may be the top. ``heat`` is the network's confidence, 0 to 1; ``anchor`` is the centre of the
    part it was found by.
    """

    corners: Corners
    heat: float
    anchor: Corners
    index: bool


class Locator:
    """Runs the locator network on pictures and on parts of them."""

    def __init__(self, model: Path) -> None:
        self._model = model
        self._nets: dict[tuple[int, int], cv2.dnn.Net] = {}

    def locate(self, picture: Picture, long_side: int = LOCATED_AT) -> list[Candidate]:
        """Return all candidates, surest first, in a picture scaled to ``long_side`` pixels."""
        seen, scale = shrink(picture, long_side)
        candidates = self._look(seen)
        return [
            Candidate(part.corners / scale, part.heat, part.anchor / scale, part.index)
            for part in candidates
        ]

    def locate_finer(self, picture: Picture, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Locate cards again, enlarged, in the part of the picture around all ``candidates``."""
        card = float(np.median([_long_side(candidate.corners) for candidate in candidates]))
        corners = np.concatenate([candidate.corners for candidate in candidates])
        limits = picture.shape[1], picture.shape[0]
        left, top = np.clip(corners.min(axis=0) - AROUND * card, 0, limits).astype(int)
        right, low = np.clip(corners.max(axis=0) + AROUND * card, 0, limits).astype(int)
        part = picture[top:low, left:right]
        if not part.size:
            return []
        scale = card / max(part.shape[:2])
        side = next((side for side in FINER if side * scale >= ENOUGH), FINER[-1])
        at = np.array([left, top], np.float32)
        return [
            Candidate(finer.corners + at, finer.heat, finer.anchor + at, finer.index)
            for finer in self.locate(part, side)
        ]

    def closer(self, picture: Picture, candidate: Candidate, margin: float = 0.35) -> Candidate:
        """Find a candidate again in a window around it; return it unchanged if that fails.

        ``margin`` is the window's margin as a share of the card's long side.
        """
        window, matrix = zoom(picture, candidate.corners, margin)
        anchor = candidate.anchor @ matrix[:, :2].T + matrix[:, 2]
        again = [other for other in self._look(window) if other.index == candidate.index]
        distances = [float(np.linalg.norm(other.anchor - anchor)) for other in again]
        if not distances or min(distances) > MOST_SHIFT * window.shape[0]:
            return candidate
        best = again[int(np.argmin(distances))]
        back = cv2.invertAffineTransform(matrix)
        corners, place = (
            points @ back[:, :2].T + back[:, 2] for points in (best.corners, best.anchor)
        )
        heat = max(best.heat, candidate.heat)
        return Candidate(corners.astype(np.float32), heat, place.astype(np.float32), best.index)

    def _look(self, seen: Picture) -> list[Candidate]:
        net = self._net(seen.shape[:2])
        net.setInput(cv2.dnn.blobFromImage(seen, 1 / 255.0))
        return decode_candidates(net.forward()[0])

    def _net(self, shape: Sequence[int]) -> cv2.dnn.Net:
        """Keep a network per input shape: reshaping one costs more than running it."""
        key = (shape[0], shape[1])
        if key not in self._nets:
            self._nets[key] = cv2.dnn.readNetFromONNX(str(self._model))
        return self._nets[key]


def _long_side(corners: Corners) -> float:
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())


def shrink(picture: Picture, long_side: int) -> tuple[Picture, float]:
    """Scale a picture to a long side and pad it to multiples of 32; return it and the scale."""
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
    """Cut a square window around an outline; return it and the 2 x 3 matrix into it."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    reach = float((high - low).max()) * (0.5 + margin) + 1
    scale = side / (2 * reach)
    left, top = (low + high) / 2 - reach
    matrix = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]], np.float32)
    seen = matrix
    if scale < 0.5:
        # Average first: warping picks single pixels, which are noisy.
        step = int(1 / scale)
        x, y = (max(0, int(at)) for at in (left, top))
        part = picture[y : int(top + 2 * reach) + step, x : int(left + 2 * reach) + step]
        if part.size:
            picture = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            seen = np.column_stack([matrix[:, :2] * step, matrix @ (x, y, 1)]).astype(np.float32)
    window = cv2.warpAffine(picture, seen, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return window, matrix


def decode_candidates(maps: Array) -> list[Candidate]:
    """Decode the network's output (2 + 8, h, w) into candidates, in pixels of its input."""
    heat = 1 / (1 + np.exp(-maps[:HEATS]))
    peaks = np.stack([cv2.dilate(layer, np.ones((3, 3), np.uint8)) for layer in heat])
    layer, y, x = np.nonzero((heat >= peaks) & (heat > CANDIDATE_HEAT))
    order = np.argsort(-heat[layer, y, x])[:MOST]
    layer, y, x = layer[order], y[order], x[order]
    cells = (np.stack([x, y], axis=1).astype(np.float32) + 0.5) * STRIDE
    outlines = decode(maps[HEATS:, y, x].T, cells, UNIT)
    candidates: list[Candidate] = []
    for number, corners in enumerate(outlines):
        index = bool(layer[number])
        outline = start_at(corners, cells[number]) if index else corners
        # Earlier candidates are surer.
        if not any(p.index == index and _same(outline, p.corners, index) for p in candidates):
            score = float(heat[layer[number], y[number], x[number]])
            anchor = _summit(heat[layer[number]], int(x[number]), int(y[number]))
            candidates.append(Candidate(outline, score, anchor, index))
    return candidates


def _summit(heat: Array, x: int, y: int) -> Corners:
    """Return a peak's position in pixels, interpolated between cells."""
    left, top = max(x - 1, 0), max(y - 1, 0)
    around = heat[top : y + 2, left : x + 2]
    rows, columns = np.mgrid[top : top + around.shape[0], left : left + around.shape[1]]
    at = np.array([(columns * around).sum(), (rows * around).sum()]) / around.sum()
    return np.asarray((at + 0.5) * STRIDE, np.float32)


def _same(quad: Corners, other: Corners, index: bool) -> bool:
    """Return whether two outlines from the same kind of part are one card."""
    ends_differ = index and np.linalg.norm(quad[0] - other[0]) > np.linalg.norm(quad[0] - other[2])
    return overlap(quad, other) > DUPLICATE_OVERLAP and not ends_differ
