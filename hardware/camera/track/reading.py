"""Reads the top in several still frames until k of n agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hardware.camera.track.change import ComparableView, changed, share
from hardware.camera.track.sightings import CardSighting, fuse, in_same_place
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad
from hardware.camera.track.window import Mask


class TopVote:
    """The readings of one still pile.

    Attributes:
        tries: Number of frames read.
        now: The still pile in the last of them; None before the first.
        settled: Whether it was read after the pile had been still for long enough.
    """

    def __init__(self, limits: Thresholds, since: float) -> None:
        self._limits = limits
        self._since = since
        self.tries = 0
        self.now: ComparableView | None = None
        self.settled = False
        self._sightings: list[CardSighting] = []
        self._last = since

    def due(self, time: float) -> bool:
        """Return whether to read this frame too."""
        most = self._limits.reading
        return self.tries < most.tries or time - self._last >= most.again

    def add(self, top: CardSighting | None, now: ComparableView, time: float) -> None:
        """Add a frame's top; None if no card was found there."""
        self.tries += 1
        self._last = time
        if top is not None:
            self.now = now
            self._sightings.append(top)
        elif not self._sightings:
            self.now = now

    def would_repeat(self, now: ComparableView, zone: Mask) -> bool:
        """Return whether the frame shows the same as the last one, which was read for certain.

        Reading the same picture again would repeat its errors, and its cost.
        """
        if self.now is None or not self._sightings:
            return False
        if self._sightings[-1].chance < self._limits.reading.certain:
            return False
        return share(changed(self.now, now), zone) < self._limits.change.untouched

    def repeat(self, time: float) -> None:
        """Count the last reading again, for another frame."""
        self.tries += 1
        self._last = time
        self._sightings.append(replace(self._sightings[-1], time=time))

    def wait(self, time: float) -> None:
        """Start over: what is on top is still held up. It is read again in a while."""
        self._sightings.clear()
        self.tries = self._limits.reading.tries
        self._since = self._last = time

    def answer(self, *, hurry: bool = False) -> tuple[dict[str, float], Quad] | None:
        """Return the card's probabilities and corners once enough frames agree, None before.

        ``hurry`` accepts a single sure reading, since no more frames will follow.
        """
        most = self._limits.reading
        agree = in_same_place(self._sightings, self._limits)
        counts = Counter(one.card for one in agree if one.sure)
        ranked: Sequence[tuple[str | None, int]] = counts.most_common(2)
        needed = 1 if hurry else most.agree
        if ranked:
            other = ranked[1][1] if len(ranked) > 1 else 0
            if ranked[0][1] >= needed + most.outvote * other:
                return fuse(agree)
        if self.tries >= most.tries and len(agree) >= most.agree:
            chances, corners = fuse(agree)
            if max(chances.values()) >= most.least:
                return chances, corners
        return None

    @property
    def blank(self) -> bool:
        """Whether several frames showed no card at all."""
        return not self._sightings and self.tries >= self._limits.reading.blank_tries

    def timed_out(self, time: float) -> bool:
        """Return whether to stop retrying and ask a player."""
        return time - self._since >= self._limits.reading.unread_after
