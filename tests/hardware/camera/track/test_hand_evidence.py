"""What hands brought settles what the pictures leave open."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hardware.camera.track.events import Kind
from hardware.camera.track.hand_evidence import settle
from hardware.camera.track.hand_visits import CardFlow, HandVisit
from hardware.camera.track.shift import Shift
from hardware.camera.track.still_comparison import StillOutcome
from hardware.camera.track.top_cards import Quad
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, table

MOVED, NOT_MOVED, FAR = (Shift(np.eye(3), 0.0, far) for far in (0.1, 0.003, 0.4))


class Seen(HandVisit):
    """A visit of which the end is known: first for the card that lies there now."""

    def __init__(self, *carried: CardFlow) -> None:
        super().__init__(LIMITS)
        self._carried = list(carried)

    def carried(
        self, view: Picture, corners: Quad, places: Sequence[Quad], after: Picture
    ) -> CardFlow:
        return self._carried.pop(0)


def outcome(
    verdict: StillOutcome, now: float, was: float = 0.0, watched: bool = True
) -> tuple[Kind, ...]:
    visit = Seen(CardFlow(now, watched), CardFlow(was, watched))
    view = (table(), at())
    return settle(verdict, visit, view, view, (), LIMITS)


OPEN = StillOutcome(("placed", "same"), shift=MOVED)
AGAINST = StillOutcome(("same", "placed"), shift=MOVED, against=True)
EXACT = StillOutcome(("same", "placed"), shift=NOT_MOVED)
AS_LAID = StillOutcome(("placed",), shift=MOVED)
ROUND = StillOutcome(("placed",), shift=Shift(np.eye(3), 0.35, 0.1))
OTHER = StillOutcome(("lifted", "placed"))


@pytest.mark.parametrize(
    ("verdict", "now", "kinds"),
    [
        (OPEN, 0.6, ("placed",)),
        (OPEN, 0.01, ("same",)),
        (OPEN, 0.06, ("same", "placed")),
        (AGAINST, 0.6, ("same", "placed")),
        (AGAINST, 0.06, ("same",)),
        (EXACT, 0.2, ("same",)),
        (EXACT, 0.8, ("same", "placed")),
        (AS_LAID, 0.01, ("same", "placed")),
        (AS_LAID, 0.06, ("placed", "same")),
        (AS_LAID, 0.4, ("placed",)),
        (ROUND, 0.01, ("placed", "same")),
        (ROUND, 0.06, ("placed",)),
        (OTHER, 0.5, ("placed",)),
        (OTHER, 0.01, ("lifted",)),
        (OTHER, 0.06, ("lifted", "placed")),
    ],
)
def test_what_came_decides(verdict: StillOutcome, now: float, kinds: tuple[Kind, ...]) -> None:
    assert outcome(verdict, now) == kinds


def test_what_went_decides() -> None:
    assert outcome(OTHER, 0.06, was=-0.5) == ("lifted",)


def test_a_hand_that_was_not_seen_decides_nothing() -> None:
    assert outcome(OPEN, 0.0, watched=False) == ("same", "placed")
    assert outcome(OTHER, 0.0, watched=False) == ("lifted", "placed")


def test_what_is_proved_below_needs_no_hand() -> None:
    proved = StillOutcome(("placed",), shift=FAR, proved=True)
    assert outcome(proved, 0.0) == ("placed",)
    # Near the old place corners may be inexact, and then a hand that came empty has pushed it.
    nearer = replace(proved, shift=MOVED)
    assert outcome(nearer, 0.0) == ("same", "placed")
    assert outcome(nearer, 0.06) == ("placed",)
    near = replace(AS_LAID, shift=Shift(np.eye(3), 0.0, 0.2))
    assert outcome(near, 0.06) == ("placed", "same")
    assert outcome(replace(near, proved=True), 0.06) == ("placed",)


def test_what_lies_nearly_where_the_top_lay_needs_one() -> None:
    assert outcome(AS_LAID, 0.0, watched=False) == ("placed", "same")
    assert outcome(AS_LAID, 0.4, watched=False) == ("placed",)
    assert outcome(replace(AS_LAID, proved=True), 0.0, watched=False) == ("placed",)
    assert outcome(StillOutcome(("placed",), shift=FAR), 0.0, watched=False) == ("placed",)


def test_what_is_decided_stays() -> None:
    assert outcome(StillOutcome(("same",), shift=MOVED), 0.9) == ("same",)
    assert outcome(StillOutcome(("lifted",)), 0.9) == ("lifted",)
