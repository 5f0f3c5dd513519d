"""The locator's training targets: heat maps and outlines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import INDEX
from hardware.camera.reading.locate import CHANNELS, encode

STRIDE = 8
UNIT = 32.0
Array = npt.NDArray[Any]

SPREAD = 0.09
"""Standard deviation of a heat peak, as a share of the card's shorter side."""
LEAST_SPREAD = 0.6
"""Its least value, in cells."""


def locator_targets(
    outlines: Array, shown: Sequence[tuple[bool, bool, bool]], shape: tuple[int, int]
) -> tuple[Array, Array, Array]:
    """Return the targets of a scene.

    Args:
        outlines: n x 4 x 2, in pixels of the network's input; the topmost card last.
        shown: For each card whether its middle, first index and second index are visible.
        shape: Height and width of the picture.

    Returns:
        Heat 2 x h x w, outlines 8 x h x w, and the weight of each cell's outline, h x w; half
        floats, one cell per 8 pixels.
    """
    rows, columns = shape[0] // STRIDE, shape[1] // STRIDE
    heat = np.zeros((2, rows, columns), np.float32)
    coded = np.zeros((CHANNELS, rows, columns), np.float32)
    weight = np.zeros((rows, columns), np.float32)
    ys, xs = np.mgrid[0:rows, 0:columns]
    cells = np.stack([xs.ravel(), ys.ravel()], axis=1).astype(np.float32)
    for corners, seen in zip(outlines, shown, strict=True):
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        spread = max(LEAST_SPREAD, SPREAD * float(min(sides[0], sides[1])) / STRIDE)
        anchors = [corners.mean(axis=0), *(_index(corners, turn) for turn in (0, 2))]
        for number, (anchor, visible) in enumerate(zip(anchors, seen, strict=True)):
            at = anchor / STRIDE - 0.5
            inside = -0.5 <= at[0] < columns - 0.5 and -0.5 <= at[1] < rows - 0.5
            if not (visible and inside):
                continue
            layer = 0 if number == 0 else 1
            hill = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / (2 * spread**2))
            column, row = round(float(at[0])), round(float(at[1]))
            hill[row, column] = 1.0
            # Where peaks overlap, a cell predicts the outline of the stronger one.
            better = (hill > weight) & (hill > 0.3)
            chosen = np.flatnonzero(better.ravel())
            told = encode(
                np.repeat(corners[None], len(chosen), axis=0),
                (cells[chosen] + 0.5) * STRIDE,
                UNIT,
            )
            coded.reshape(CHANNELS, -1)[:, chosen] = told.T
            weight[better] = hill[better]
            heat[layer] = np.maximum(heat[layer], hill)
    return heat.astype(np.float16), coded.astype(np.float16), weight.astype(np.float16)


def _index(corners: Array, turn: int) -> Array:
    """Return the place of the index in that corner."""
    own = np.roll(corners, -turn, axis=0)
    across, down = own[1] - own[0], own[3] - own[0]
    place: Array = own[0] + INDEX[0] * across + INDEX[1] * down
    return place
