"""What is different between two still pictures of the pile, whatever the light did meanwhile."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.motion import contrast
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask
from hardware.camera.types import Picture

Planes = npt.NDArray[Any]

SPOT = 4.0
"""A spot has changed if its own brightness did by a fourth of what no shadow explains."""
CHANGED = 0.6
"""What goes so far beyond the neighbouring pixels has changed, in units of the thresholds."""


@dataclass(frozen=True)
class ComparableView:
    """A still view, and what of it can be compared.

    Attributes:
        view: The picture, (height, width, 3).
        planes: Contrast, two shares of colours and brightness, (height, width, 4), each divided by
            the change that counts.
        low: The least of ``planes`` around each pixel.
        high: The greatest.
    """

    view: Picture
    planes: Planes
    low: Planes
    high: Planes


def comparable(view: Picture, limits: Thresholds) -> ComparableView:
    """Prepare a view for comparing."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0).astype(np.float32)
    blue, green, red = cv2.split(smooth)
    total = blue + green + red
    grey = total * np.float32(1 / 3)
    # Colour in the dark is noise.
    weight = 1 / (total + 45)
    planes = cv2.merge(
        [
            contrast(grey) / np.float32(limits.structure),
            (blue - green) * weight / np.float32(limits.colour),
            (red - green) * weight / np.float32(limits.colour),
            np.log(grey + 8) / np.float32(limits.level),
        ]
    )
    kernel = np.ones((3, 3), np.uint8)
    return ComparableView(
        view, planes, np.asarray(cv2.erode(planes, kernel)), np.asarray(cv2.dilate(planes, kernel))
    )


def changed(before: ComparableView, after: ComparableView) -> Mask:
    """Where another thing is seen: a mask (height, width) of 0 and 1.

    A shift by one pixel, a change of the light as a whole, of white balance, and soft shadows
    are no change.
    """
    # What most of the picture does, the light does.
    offset = np.median((after.planes - before.planes)[::4, ::4].reshape(-1, 4), axis=0)
    now = after.planes - offset.astype(np.float32)
    beyond = np.maximum(now - before.high, before.low - now)
    contrast_of, *colours, level = cv2.split(beyond)
    # Beside something bright that moved the contrast changes too, but not the spot itself; in a
    # soft shadow the spot changes, but not its contrast.
    own = level * np.float32(SPOT)
    most = np.maximum(np.minimum(contrast_of, own), np.maximum(*colours))
    mask = (np.maximum(most, level) > CHANGED).astype(np.uint8)
    return np.asarray(cv2.medianBlur(mask, 3))


def share(mask: Mask, within: Mask) -> float:
    """Which share of a part of the picture is marked; 0 if the part is empty."""
    size = int(np.count_nonzero(within))
    return float(np.count_nonzero(mask[within > 0])) / size if size else 0.0


def edge_connected(mask: Mask) -> Mask:
    """Of what changed, that which comes in from the picture's edge: hands, and what they hold."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels = cv2.connectedComponents(closed)
    edge = np.unique(
        np.concatenate(
            [labels[:2].ravel(), labels[-2:].ravel(), labels[:, :2].ravel(), labels[:, -2:].ravel()]
        )
    )
    touching = np.zeros(int(labels.max()) + 1, np.uint8)
    touching[edge] = 1
    touching[0] = 0
    return np.asarray(touching[labels])
