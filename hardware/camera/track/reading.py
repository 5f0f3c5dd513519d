"""k of n: the top is read in several still frames until they agree."""

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

    Args:
        limits: The thresholds.
        since: Since when it is still.

    Attributes:
        since: Since when it is still.
        tries: In how many frames it was read.
        now: The still pile, as it was read last; None before that.
        settled: Whether it was read when the pile had been quiet for long enough.
    """

    def __init__(self, limits: Thresholds, since: float) -> None:
        self._limits = limits
        self.since = since
        self.tries = 0
        self.now: ComparableView | None = None
        self.settled = False
        self._sightings: list[CardSighting] = []
        self._last = since

    def due(self, time: float) -> bool:
        """Whether to read this frame too."""
        return self.tries < self._limits.readings or time - self._last >= self._limits.again

    def add(self, top: CardSighting | None, now: ComparableView, time: float) -> None:
        """What lay on top in a frame; None if no card was found there."""
        self.tries += 1
        self._last = time
        if top is not None:
            self.now = now
            self._sightings.append(top)
        elif not self._sightings:
            self.now = now

    def would_repeat(self, now: ComparableView, zone: Mask) -> bool:
        """Whether this frame shows what was read last, and so certainly that it is not read again.

        A second reading of the same picture errs as the first one did; it costs as much.
        """
        if self.now is None or not self._sightings:
            return False
        if self._sightings[-1].chance < self._limits.certain:
            return False
        return share(changed(self.now, now), zone) < self._limits.untouched

    def repeat(self, time: float) -> None:
        """The card lies there in another frame as well."""
        self.tries += 1
        self._last = time
        self._sightings.append(replace(self._sightings[-1], time=time))

    def answer(self, *, hurry: bool = False) -> tuple[dict[str, float], Quad] | None:
        """The card and its corners, once enough frames agree.

        Args:
            hurry: There will be no more frames: a sure one is enough.
        """
        agree = in_same_place(self._sightings)
        counts = Counter(one.card for one in agree if one.sure)
        ranked: Sequence[tuple[str | None, int]] = counts.most_common(2)
        needed = 1 if hurry else self._limits.agree
        if ranked and ranked[0][1] >= needed:
            other = ranked[1][1] if len(ranked) > 1 else 0
            if ranked[0][1] >= needed + 2 * other:
                return fuse(agree)
        if self.tries >= self._limits.readings and len(agree) >= self._limits.agree:
            chances, corners = fuse(agree)
            if max(chances.values()) >= self._limits.least:
                return chances, corners
        return None

    @property
    def blank(self) -> bool:
        """Whether several frames have shown no card at all."""
        return not self._sightings and self.tries >= 3

    def timed_out(self, time: float) -> bool:
        """Whether it is time to ask people."""
        return time - self.since >= self._limits.unread_after
