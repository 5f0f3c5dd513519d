"""The whole of the watching: a source's pictures in, what happened at the pile out.

No input, no output, no clock of its own: ``referee-table watch`` and the gateway's camera drive it.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hardware.camera.setup.follow import Follower
from hardware.camera.source import Frame
from hardware.camera.track import DrawPileWatcher, PileEvent, PileWatcher, Thresholds
from hardware.camera.types import Corners, Picture, Recogniser

# After so long without a picture a card may have been laid unseen: what lies there is found anew.
GAP = 1.0
# So long without a picture, or with no pile in it, is not worth telling anybody.
PATIENCE = 3.0
# So long may arms hide all that the pile's place is known by.
COVERED = 30.0
# A camera's noise makes every picture another one; streams may send the same one for seconds.
FROZEN = 12.0
_STEP = 9

Reason = Literal["no-pictures", "no-pile"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether the pile is seen, and if not, why: ``reason`` for programs, ``detail`` for people."""

    state: Literal["starting", "watching", "blind"]
    reason: Reason | None = None
    detail: str = ""


WATCHING = Sight("watching")


class Pipeline:
    """Watches the pile through one camera.

    Args:
        recogniser: Reads cards.
        follower: Knows where the pile is.
        live: Whether pictures show the present; a film may well stand still.
        limits: What the watcher of the pile goes by.

    Attributes:
        sight: Whether the pile is seen now.
        pile: Corners of its place in the last picture, None if they are not known.
        moved: Whether the camera was found to have moved in the last picture.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        follower: Follower,
        *,
        live: bool,
        limits: Thresholds | None = None,
    ) -> None:
        self._watcher = PileWatcher(recogniser, limits)
        self._draw_pile = DrawPileWatcher(limits)
        self._follower = follower
        self._live = live
        # When the present run of pictures began, or the wait for the first one.
        self._since: float | None = None
        self._pictured = self._certain = float("-inf")
        self._sample: tuple[float, Picture] | None = None
        self.sight = Sight("starting", None, "no picture has come yet")
        self.pile: Corners | None = None
        self.moved = False

    @property
    def busy(self) -> bool:
        """Whether something moves at the pile, or is being read."""
        return self._watcher.busy

    @property
    def card(self) -> str | None:
        """The card on top, None if there is none or it is not known."""
        top = self._watcher.top
        return None if top is None or self.sight.state != "watching" else top.card

    def take(self, frame: Frame) -> list[PileEvent]:
        """Look at a picture; what was decided now, in the order in which it happened."""
        if self._since is None or frame.at - self._pictured > PATIENCE:
            self._since = frame.at
        if self._live and self._same_for(frame) > FROZEN:
            self._blind("no-pictures", "the camera sends the same picture again and again")
            return []
        if frame.at - self._pictured > GAP:
            self._forget()
        self._pictured = frame.at
        followed = self._follower.update(frame.picture, frame.at)
        self.pile, self.moved = followed.pile, bool(followed.moved_by)
        if followed.state == "still":
            self._certain = frame.at
        if followed.pile is None or frame.at - self._certain > COVERED:
            if frame.at - max(self._certain, self._since) > PATIENCE:
                self._blind("no-pile", "where the pile lies is not found in the picture")
            return []
        try:
            events = self._watcher.watch(frame.picture, frame.at, followed.pile)
        except ValueError as error:
            self._blind("no-pile", str(error))
            return []
        self.sight = WATCHING
        self._look_at_draw_pile(frame, followed.draw)
        return [self._with_drawn(event, len(events)) for event in events]

    def missing(self, at: float) -> None:
        """No picture came until ``at``, in the time of the pictures."""
        self._since = at if self._since is None else self._since
        if at - max(self._pictured, self._since) > PATIENCE:
            self._blind("no-pictures", "no picture comes")

    def ended(self) -> None:
        """No picture will come any more."""
        self._blind("no-pictures", "the film has ended")

    def _look_at_draw_pile(self, frame: Frame, place: Corners | None) -> None:
        if place is None or self.moved:
            self._draw_pile.forget()
            return
        try:
            self._draw_pile.watch(frame.picture, frame.at, place)
        except ValueError:
            # That it is not in the picture, or hardly, does not keep anybody from playing.
            self._draw_pile.forget()

    def _with_drawn(self, event: PileEvent, told: int) -> PileEvent:
        if event.kind != "placed" or told > 1:
            return event
        return replace(event, drawn=self._draw_pile.brought(event.seen, event.at))

    def _forget(self) -> None:
        self._watcher.forget()
        self._draw_pile.forget()

    def _blind(self, reason: Reason, detail: str) -> None:
        if self.sight.state == "watching":
            # Whatever is there later may have come unseen.
            self._forget()
            self._certain = float("-inf")
        self.sight = Sight("blind", reason, detail)

    def _same_for(self, frame: Frame) -> float:
        """For how many seconds the same picture has come."""
        sample = frame.picture[::_STEP, ::_STEP]
        if self._sample is None or not np.array_equal(sample, self._sample[1]):
            self._sample = (frame.at, sample.copy())
        return frame.at - self._sample[0]
