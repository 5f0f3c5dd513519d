"""Keeps frames while something moves, to look back for a card that was covered at once."""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed
from hardware.camera.track.view.window import Mask
from hardware.camera.types import Picture


@dataclass(frozen=True)
class KeptFrame:
    """A frame taken while something moved; ``small`` and ``reach``, the hands, are at half size.

    ``picture`` is the one to show a recogniser.
    """

    time: float
    view: Picture
    small: ComparableView
    picture: Picture
    reach: Mask


class Lookback:
    """The frames of the last seconds."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits.covered
        most = round(self._limits.keep_for / self._limits.keep_every) + 1
        self._frames: deque[KeptFrame] = deque(maxlen=most)

    @property
    def latest(self) -> KeptFrame | None:
        """The latest frame."""
        return self._frames[-1] if self._frames else None

    def due(self, time: float) -> bool:
        """Return whether to keep a frame taken now."""
        return not self._frames or time - self._frames[-1].time >= self._limits.keep_every - 1e-6

    def keep(self, frame: KeptFrame) -> None:
        """Keep a frame."""
        self._frames.append(frame)
        while frame.time - self._frames[0].time > self._limits.keep_for:
            self._frames.popleft()

    def rests(
        self, before: ComparableView, after: ComparableView, zone: Mask, card: float
    ) -> list[list[KeptFrame]]:
        """Find the times when something lay on the pile that was there neither before nor after.

        Returns the frames of each such rest, those first in which most of it was seen. Views are at
        half size, and so is ``card``, a card's area in pixels.
        """
        least = self._limits.least_still * card
        candidates: list[tuple[float, KeptFrame]] = []
        for frame, following in pairwise(self._frames):
            if frame.small.view.shape != after.view.shape:
                continue
            still = (1 - changed(frame.small, following.small)) & zone
            still &= changed(before, frame.small) & changed(frame.small, after)
            size = float(np.count_nonzero(still))
            if size >= least:
                candidates.append((size, frame))
        candidates.sort(key=lambda item: -item[0])
        rests: list[list[KeptFrame]] = []
        for _, frame in candidates:
            for rest in rests:
                if np.count_nonzero(changed(rest[0].small, frame.small) & zone) < least:
                    rest.append(frame)
                    break
            else:
                rests.append([frame])
        return rests
