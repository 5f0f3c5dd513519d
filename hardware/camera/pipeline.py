"""Turns a source's frames into events at the pile, and those into observations (docs/camera.md).

It has no input, output or clock; ``referee-table watch`` and the gateway's camera drive it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any, Literal

import numpy as np

from hardware.camera.reading.other_deck import DoubtingRecogniser
from hardware.camera.setup.follow import Follower, PilePosition
from hardware.camera.setup.unrest import Sign
from hardware.camera.source import Frame
from hardware.camera.thresholds import LISTED
from hardware.camera.track import DrawPileWatcher, PileEvent, PileWatcher, Thresholds
from hardware.camera.track.outcome.outcome_scorer import OutcomeScorer
from hardware.camera.types import Corners, Picture, Recogniser

# Frames are compared by every ninth pixel: noise makes those of any camera differ.
_STEP = 9

Reason = Literal["no-pictures", "no-pile"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether the pile is visible; if not, ``reason`` is for programs, ``detail`` for people."""

    state: Literal["starting", "watching", "blind"]
    reason: Reason | None = None
    detail: str = ""


WATCHING = Sight("watching")
LOOKING = Sight("starting", None, "the pile is looked at: lay no card for a moment")
NO_PILE = (
    "where the pile lies is not found in the picture: lay a card of the deck face up in its "
    "middle, with the camera 30 to 60 cm away, or the printed mat"
)


class Pipeline:
    """Watches the pile through one camera.

    Frames show the present if ``live``; a film may well stand still. ``pile`` holds the corners of
    its place in the last frame, None if unknown; ``position`` all that is known of both piles;
    ``moved`` says whether the camera was moved then.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        follower: Follower,
        *,
        live: bool,
        scorer: OutcomeScorer | None = None,
    ) -> None:
        self._limits = Thresholds()
        self._recogniser = DoubtingRecogniser(recogniser)
        self._watcher = PileWatcher(self._recogniser, self._limits, scorer)
        self._draw_pile = DrawPileWatcher(self._limits)
        self._follower = follower
        self._live = live
        # When the present run of frames began, or the wait for the first one.
        self._since: float | None = None
        # When the last frame came, and when the pile's place was last certain.
        self._last_frame = self._certain = float("-inf")
        self._sample: tuple[float, Picture] | None = None
        self._shape: tuple[int, ...] = ()
        self._picture: Picture | None = None
        self.sight = Sight("starting", None, "no picture has come yet")
        self.pile: Corners | None = None
        self.position: PilePosition | None = None
        self.moved = False

    @property
    def busy(self) -> bool:
        """True while something moves at the pile or is being read."""
        return self._watcher.busy

    @property
    def covered(self) -> bool:
        """True while something hides some of the pile's place, or nothing was seen there yet."""
        return self._watcher.covered

    @property
    def tremble(self) -> float:
        """How far the camera trembles, root mean square, in pixels of the frame."""
        return self._watcher.tremble

    @property
    def other_decks(self) -> list[str]:
        """The rulesets whose deck the cards look like, if not the named one; usually empty."""
        return self._recogniser.doubt.looks_like()

    @property
    def card(self) -> str | None:
        """The card on top, None if there is none or it is unknown."""
        top = self._watcher.top
        return None if top is None or self.sight.state != "watching" else top.card

    @property
    def chance(self) -> float:
        """How probably that is the card, by the camera alone; 0 if there is none."""
        top = self._watcher.top
        return 0.0 if self.card is None or top is None else top.probabilities[self.card]

    def take(self, frame: Frame) -> list[PileEvent]:
        """Take a frame; return what was decided now, in the order in which it happened."""
        most = self._limits.sight
        if self._since is None or frame.at - self._last_frame > most.patience:
            self._since = frame.at
        if self._live and self._same_for(frame) > most.frozen:
            self._blind("no-pictures", "the camera sends the same picture again and again")
            return []
        shape = frame.picture.shape[:2]
        if frame.at - self._last_frame > self._limits.motion.gap or shape != self._shape:
            # A card may have been laid unseen; a phone that is turned is a camera put elsewhere.
            self._forget()
        self._last_frame, self._shape = frame.at, shape
        same, self._picture = frame.picture is self._picture, frame.picture
        if same and self.sight is WATCHING and not self._watcher.busy:
            # A phone's sign that nothing has moved: what was seen is seen still.
            self._watcher.wait(frame.at)
            return []
        followed = self._follower.update(frame.picture, frame.at)
        if followed.anew:
            self._forget()
        self.position = followed
        self.pile, self.moved = followed.pile, bool(followed.moved_by)
        if followed.state == "still":
            self._certain = frame.at
        if followed.pile is None or frame.at - self._certain > most.covered:
            if frame.at - max(self._certain, self._since) > most.patience:
                self._blind("no-pile", NO_PILE)
            return []
        try:
            events = self._watcher.watch(frame.picture, frame.at, followed.pile)
        except ValueError as error:
            self._blind("no-pile", str(error))
            return []
        starts = self.sight.state == "starting" and not self._watcher.knows_pile
        # A card laid meanwhile would be taken for the one that lay there.
        self.sight = LOOKING if starts and frame.at - self._since <= most.covered else WATCHING
        self._watch_draw_pile(frame, followed.draw)
        return [self._with_origin(event, len(events), followed.turned) for event in events]

    def missing(self, at: float) -> None:
        """Note that no frame came until ``at``, in the frames' time."""
        self._since = at if self._since is None else self._since
        if at - max(self._last_frame, self._since) > self._limits.sight.patience:
            self._blind("no-pictures", "no picture comes")

    def tell_again(self) -> None:
        """Report the card on top as found, as when watching began."""
        self._forget()

    def ended(self) -> None:
        """Note that no more frames will come."""
        self._blind("no-pictures", "the film has ended")

    def _watch_draw_pile(self, frame: Frame, place: Corners | None) -> None:
        if place is None or self.moved:
            self._draw_pile.forget()
            return
        try:
            self._draw_pile.watch(frame.picture, frame.at, place)
        except ValueError:
            # Play goes on without a view of the draw pile.
            self._draw_pile.forget()

    def _with_origin(self, event: PileEvent, count: int, turned: float) -> PileEvent:
        if event.arm is not None:
            event = replace(event, arm=(event.arm + turned) % 360)
        if event.kind != "placed" or count > 1:
            return event
        return replace(event, drawn=self._draw_pile.drawn_probability(event.seen, event.at))

    def _forget(self) -> None:
        self._watcher.forget()
        self._draw_pile.forget()

    def _blind(self, reason: Reason, detail: str) -> None:
        if self.sight.state == "watching":
            # Cards may be laid unseen from now on.
            self._forget()
            self._certain = float("-inf")
        self.sight = Sight("blind", reason, detail)

    def _same_for(self, frame: Frame) -> float:
        """Return for how many seconds the same picture has come."""
        sample = frame.picture[::_STEP, ::_STEP]
        if self._sample is None or not np.array_equal(sample, self._sample[1]):
            self._sample = (frame.at, sample.copy())
        return frame.at - self._sample[0]


MOST_CARDS = 10
STOPPED = {"kind": "camera", "state": "blind", "reason": "stopped"}


def pile_body(event: PileEvent, before: int) -> dict[str, Any]:
    """Return the observation of an event; earlier watchers reported ``before`` events."""
    likely = [(card, chance) for card, chance in event.probabilities.items() if chance >= LISTED]
    body: dict[str, Any] = {
        "kind": "pile",
        "number": before + event.number,
        "event": event.kind,
        "cards": {card: min(round(chance, 5), 1.0) for card, chance in likely[:MOST_CARDS]},
    }
    if event.readings:
        # For programs that know no likelihoods.
        body["readings"] = list(event.readings)
    if event.likelihoods:
        # Rounded down, they sum to at most 1.
        body["likelihoods"] = {k: floor(1000 * p) / 1000 for k, p in event.likelihoods.items()}
    if event.resolves is not None:
        body["resolves"] = before + event.resolves
    if event.drawn is not None:
        body["from"] = {"draw-pile": event.drawn}
    if event.arm is not None:
        body["arm"] = round(event.arm, 1)
    return body


def sight_body(sight: Sight) -> dict[str, Any]:
    """Return the observation of whether the camera sees the pile."""
    body = {"kind": "camera", "state": sight.state}
    return body if sight.reason is None else {**body, "reason": sight.reason}


def warnings_body(warnings: Sequence[Sign]) -> dict[str, Any]:
    """Return the observation of what disturbs a camera that sees the pile."""
    return {"kind": "camera", "state": "watching", "warnings": list(warnings)}
