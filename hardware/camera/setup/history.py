"""Measurements that need several pictures: flicker, unrest, a frozen picture, a covered mat."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hardware.camera.setup.conditions import Conditions
from hardware.camera.setup.unrest import Unrest
from hardware.camera.types import Corners, Picture

# Seconds over which flicker is measured, and least number of pictures.
SPAN = 3.0
LEAST = 10


@dataclass(slots=True)
class ConditionHistory:
    """Measurements of recent pictures. Times are the pictures' own, in seconds."""

    unrest: Unrest = field(default_factory=Unrest)
    _levels: dict[int, deque[tuple[float, float]]] = field(default_factory=dict)
    _last: npt.NDArray[np.uint8] | None = None
    _changed_at: float | None = None
    _covered_since: float | None = None
    _now: float = 0.0

    def add(
        self,
        picture: Picture,
        conditions: Conditions,
        at: float,
        pile: Corners | None = None,
        *,
        by_mat: bool = True,
    ) -> None:
        """Add a picture; ``pile`` is the pile's place, ``by_mat`` that a mat should be in it."""
        self._now = at
        self.unrest.add(picture, at, pile)
        # Sensor noise makes two identical samples impossible.
        sample = picture[::7, ::7].copy()
        if self._last is None or sample.shape != self._last.shape or (sample != self._last).any():
            self._changed_at = at
        self._last = sample
        levels = {-1: conditions.brightness} if conditions.mat is None else conditions.mat.whites
        for number, level in levels.items():
            self._levels.setdefault(number, deque(maxlen=200)).append((at, level))
        for series in self._levels.values():
            while series and not 0 <= at - series[0][0] <= SPAN:
                series.popleft()
        covered = by_mat and (
            conditions.mat is None or conditions.mat.seen <= conditions.mat.tags // 2
        )
        if not covered:
            self._covered_since = None
        elif self._covered_since is None:
            self._covered_since = at

    @property
    def frozen_for(self) -> float:
        """Seconds for which the picture has not changed by a bit."""
        return 0.0 if self._changed_at is None else max(0.0, self._now - self._changed_at)

    @property
    def covered_for(self) -> float:
        """Seconds for which at most half of the tags have been visible."""
        return 0.0 if self._covered_since is None else max(0.0, self._now - self._covered_since)

    @property
    def flicker(self) -> float | None:
        """Amplitude of the light's flicker as a share of its brightness; None if it is too early.

        A slow change, such as a cloud's, does not count: it must alternate many times.
        """
        shares = [_flicker(np.array(series)) for series in self._levels.values()]
        measured = [share for share in shares if share is not None]
        return float(np.median(measured)) if measured else None


def _flicker(series: npt.NDArray[np.float64]) -> float | None:
    if len(series) < LEAST or series[-1, 0] - series[0, 0] < SPAN / 3:
        return None
    at, level = series[:, 0] - series[0, 0], series[:, 1]
    rest = level - np.polyval(np.polyfit(at, level, 2), at)
    crossings = int((np.diff(np.sign(rest)) != 0).sum())
    if crossings < len(series) // 5:
        return 0.0
    return float(rest.std() / max(level.mean(), 1.0))
