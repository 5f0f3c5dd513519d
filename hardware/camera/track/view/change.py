"""Finds movement, and differences between still views of the pile, ignoring changes of the light.

Contrast tells movement: light, flicker and exposure leave it unchanged.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.thresholds import ChangeThresholds, Thresholds
from hardware.camera.track.view.window import Mask
from hardware.camera.types import Picture

Plane = npt.NDArray[Any]

# Added to brightness before dividing by it, to suppress noise in the dark.
DARK_OFFSET = 24.0
# Frames remembered: more than ``lag`` seconds at any usual rate.
REMEMBERED = 12
# Share of the noise estimate that each frame renews.
NOISE_RATE = 0.05


def contrast(grey: Plane) -> Plane:
    """Return each spot's brightness above its surroundings, relative to them."""
    plane = np.asarray(grey, np.float32)
    # A fifth of the picture: wider than a finger, narrower than bands of flicker and soft shadows.
    side = (min(plane.shape) // 5) | 1
    around = cv2.blur(plane, (side, side), borderType=cv2.BORDER_REFLECT)
    return np.asarray((plane - around) / (around + DARK_OFFSET))


class MotionDetector:
    """Finds movement between views.

    ``since_last`` masks what moved since the last view alone; slow hands do not show in it.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits.motion
        self._past: deque[tuple[float, Plane]] = deque(maxlen=REMEMBERED)
        self._noise = 0.0
        self.since_last: Plane = np.zeros((0, 0), np.uint8)

    def moving(self, view: Picture, time: float) -> Plane:
        """Return a mask (height / 2, width / 2), 1 where something moves.

        Views, (height, width, 3), always have the same size; ``time`` is in seconds.
        """
        size = (view.shape[1] // 2, view.shape[0] // 2)
        half = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
        plane = contrast(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY))
        if self._past and self._past[-1][1].shape != plane.shape:
            self._past.clear()
        if not self._past:
            self._past.append((time, plane))
            self.since_last = np.ones(plane.shape, np.uint8)
            return self.since_last
        newest = moved = self._difference(plane, time, self._past[-1])
        earlier = [past for past in self._past if past[0] <= time - self._limits.lag + 1e-6]
        if earlier and earlier[-1] is not self._past[-1]:
            moved = np.maximum(newest, cv2.absdiff(plane, earlier[-1][1]))
        self._past.append((time, plane))
        self._learn_noise(newest)
        self.since_last = self._mask(newest)
        return self._mask(moved)

    def forget(self) -> None:
        """Drop earlier views; the next one is compared with none of them."""
        self._past.clear()

    def _difference(self, plane: Plane, time: float, past: tuple[float, Plane]) -> Plane:
        """Return how far a view differs from the one before it."""
        before = past[1]
        if time - past[0] < self._limits.sparse:
            return np.asarray(cv2.absdiff(plane, before))
        # Long after it a trembling camera is elsewhere, and edges are registered to a pixel at
        # best. What really moves has by then moved further.
        kernel = np.ones((3, 3), np.uint8)
        beyond = np.maximum(plane - cv2.dilate(before, kernel), cv2.erode(before, kernel) - plane)
        return np.asarray(np.maximum(beyond, 0))

    def _mask(self, moved: Plane) -> Plane:
        limit = max(self._limits.contrast, self._limits.over_noise * self._noise)
        mask = cv2.medianBlur((moved > limit).astype(np.uint8), 3)
        if int(np.count_nonzero(mask)) < self._limits.smallest * mask.size:
            mask[:] = 0
        return np.asarray(mask)

    def _learn_noise(self, difference: Plane) -> None:
        # The median ignores what moves in a part of the view; 0.6745 turns it into a deviation.
        sample = float(np.median(difference[::3, ::3])) / 0.6745
        kept = (1 - NOISE_RATE) * self._noise + NOISE_RATE * sample
        self._noise = sample if not self._noise else kept


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
    planes: Plane
    low: Plane
    high: Plane
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
    planes = after.planes - offset.astype(np.float32)
    beyond = np.maximum(planes - before.high, before.low - planes)
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
