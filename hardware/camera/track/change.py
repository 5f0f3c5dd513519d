"""Finds differences between two still views of the pile, ignoring changes of the light."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.motion import contrast
from hardware.camera.track.thresholds import ChangeThresholds, Thresholds
from hardware.camera.track.window import Mask
from hardware.camera.types import Picture

Planes = npt.NDArray[Any]

# Added before dividing and taking logarithms: colour and contrast in the dark are noise.
DARK_SUM, DARK_GREY = 45, 8


@dataclass(frozen=True)
class ComparableView:
    """A still view, prepared for comparing.

    ``planes`` are contrast, two shares of colours and brightness, (height, width, 4), each divided
    by the change that counts; ``low`` and ``high`` are the least and the greatest around each
    pixel.
    """

    view: Picture
    planes: Planes
    low: Planes
    high: Planes
    limits: ChangeThresholds


def comparable(view: Picture, limits: Thresholds) -> ComparableView:
    """Prepare a view for comparing."""
    smooth = cv2.GaussianBlur(view, (3, 3), 0).astype(np.float32)
    blue, green, red = cv2.split(smooth)
    total = blue + green + red
    grey = total * np.float32(1 / 3)
    weight = 1 / (total + DARK_SUM)
    planes = cv2.merge(
        [
            contrast(grey) / np.float32(limits.change.structure),
            (blue - green) * weight / np.float32(limits.change.colour),
            (red - green) * weight / np.float32(limits.change.colour),
            np.log(grey + DARK_GREY) / np.float32(limits.change.level),
        ]
    )
    kernel = np.ones((3, 3), np.uint8)
    low, high = np.asarray(cv2.erode(planes, kernel)), np.asarray(cv2.dilate(planes, kernel))
    return ComparableView(view, planes, low, high, limits.change)


def changed(before: ComparableView, after: ComparableView) -> Mask:
    """Return a mask (height, width) that is 1 where the views show different things.

    A shift by one pixel, a change of all the light or of white balance, and soft shadows do not
    count.
    """
    # The light changes most of the picture alike.
    offset = np.median((after.planes - before.planes)[::4, ::4].reshape(-1, 4), axis=0)
    now = after.planes - offset.astype(np.float32)
    beyond = np.maximum(now - before.high, before.low - now)
    structure, *colours, level = cv2.split(beyond)
    # Beside something bright that moved a spot's contrast changes, but not its brightness; in a
    # soft shadow its brightness changes, but not its contrast.
    own = level * np.float32(after.limits.spot)
    most = np.maximum(np.minimum(structure, own), np.maximum(*colours))
    mask = (np.maximum(most, level) > after.limits.beyond).astype(np.uint8)
    return np.asarray(cv2.medianBlur(mask, 3))


def share(mask: Mask, within: Mask) -> float:
    """Return the marked share of a part of the picture; 0 if the part is empty."""
    size = int(np.count_nonzero(within))
    return float(np.count_nonzero(mask[within > 0])) / size if size else 0.0


def edge_connected(mask: Mask, gap: int = 5) -> Mask:
    """Return the marked areas that reach the picture's edge: hands, and what they hold.

    Gaps narrower than ``gap`` pixels are closed.
    """
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
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


def halved(picture: Any) -> Any:
    """Return a picture or mask at half its size."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    if picture.ndim == 2:
        return cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
