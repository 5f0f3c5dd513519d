"""Pictures kept while something moves, to look back for a card that was covered at once."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hardware.camera.track.change import ComparableView, changed
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask
from hardware.camera.types import Picture

LEAST_STILL = 0.3
"""So much of a card, in shares of its area, has to be seen still; what differs by less is the same
rest."""


@dataclass(frozen=True)
class KeptFrame:
    """A moment while something moved.

    Attributes:
        time: When it was.
        view: What was watched.
        small: The same at half its size, for comparing.
        picture: What a recogniser would have been shown.
        reach: Where a hand was, at half size.
    """

    time: float
    view: Picture
    small: ComparableView
    picture: Picture
    reach: Mask


class Lookback:
    """The moments of the last seconds; older ones are dropped.

    Args:
        limits: The thresholds.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._kept: deque[KeptFrame] = deque(maxlen=round(limits.keep_for / limits.keep_every) + 1)

    def __iter__(self) -> Iterator[KeptFrame]:
        """The moments in order."""
        return iter(self._kept)

    def due(self, time: float) -> bool:
        """Whether another moment is to be kept."""
        return not self._kept or time - self._kept[-1].time >= self._limits.keep_every - 1e-6

    def keep(self, moment: KeptFrame) -> None:
        """Keep a moment."""
        self._kept.append(moment)
        while moment.time - self._kept[0].time > self._limits.keep_for:
            self._kept.popleft()

    def rests(
        self, before: ComparableView, after: ComparableView, zone: Mask, card: float
    ) -> list[list[KeptFrame]]:
        """When something lay still on the pile that was there neither before nor after.

        Args:
            before: The pile before, at half size.
            after: The pile now, at half size.
            zone: Where it may lie, at half size.
            card: A card's area at half size, in pixels.

        Returns:
            The moments of each such rest, and the rests, those first in which most of it was seen.
        """
        found: list[tuple[float, KeptFrame]] = []
        for one, following in pairwise(self._kept):
            if one.small.view.shape != after.view.shape:
                continue
            still = (1 - changed(one.small, following.small)) & zone
            still &= changed(before, one.small) & changed(one.small, after)
            size = float(np.count_nonzero(still))
            if size >= LEAST_STILL * card:
                found.append((size, one))
        found.sort(key=lambda item: -item[0])
        rests: list[list[KeptFrame]] = []
        for _, one in found:
            for rest in rests:
                other = changed(rest[0].small, one.small) & zone
                if np.count_nonzero(other) < LEAST_STILL * card:
                    rest.append(one)
                    break
            else:
                rests.append([one])
        return rests
