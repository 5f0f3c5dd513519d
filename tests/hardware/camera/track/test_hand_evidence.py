"""Hands settle what the still views leave open."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hardware.camera.track.events import Kind
from hardware.camera.track.hand_evidence import Likelihoods, settle, unchanged_or_laid
from hardware.camera.track.hand_visits import CardFlow, HandVisit
from hardware.camera.track.shift import Shift
from hardware.camera.track.still_comparison import StillOutcome
from hardware.camera.track.top_cards import Quad
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, table

MOVED, NOT_MOVED, FAR = (Shift(np.eye(3), 0.0, far) for far in (0.1, 0.003, 0.4))
BEFORE, AFTER = (table(1), at(5, 5)), (table(2), at())


class Seen(HandVisit):
    """A visit with the given flows of the old and the new top."""

    def __init__(self, was: CardFlow, now: CardFlow) -> None:
        super().__init__(LIMITS)
        self._flows = ((BEFORE, was), (AFTER, now))

    def card_flow(
        self, view: Picture, corners: Quad, outlines: Sequence[Quad], after: Picture
    ) -> CardFlow:
        assert after is AFTER[0]
        (flow,) = (flow for (seen, place), flow in self._flows if seen is view and place is corners)
        return flow


def likelihoods(
    outcome: StillOutcome, now: float, was: float = 0.0, watched: bool = True
) -> Likelihoods:
    visit = Seen(was=CardFlow(was, watched), now=CardFlow(now, watched))
    return settle(outcome, visit, BEFORE, AFTER, (), LIMITS)


def kinds(outcome: StillOutcome, now: float, **visit: float) -> tuple[Kind, ...]:
    return tuple(likelihoods(outcome, now, **visit))


OPEN = StillOutcome(("placed", "same"), shift=MOVED)
AGAINST = StillOutcome(("same", "placed"), shift=MOVED, contradicts_placed=True)
EXACT = StillOutcome(("same", "placed"), shift=NOT_MOVED)
AS_LAID = StillOutcome(("placed",), shift=MOVED)
TURNED = StillOutcome(("placed",), shift=Shift(np.eye(3), 0.35, 0.1))
OTHER = StillOutcome(("lifted", "placed"))


@pytest.mark.parametrize(
    ("outcome", "now", "expected"),
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
        (TURNED, 0.01, ("placed", "same")),
        (TURNED, 0.06, ("placed",)),
        (OTHER, 0.5, ("placed",)),
        (OTHER, 0.01, ("lifted",)),
        (OTHER, 0.06, ("lifted", "placed")),
    ],
)
def test_what_came_decides(outcome: StillOutcome, now: float, expected: tuple[Kind, ...]) -> None:
    found = likelihoods(outcome, now)
    assert tuple(found) == expected
    assert sum(found.values()) == pytest.approx(1.0)
    assert [*found.values()] == sorted(found.values(), reverse=True)


@pytest.mark.parametrize(
    ("outcome", "less", "more", "rises"),
    [
        (OPEN, 0.04, 0.09, "placed"),
        (AGAINST, 0.2, 0.9, "placed"),
        (EXACT, 0.3, 0.9, "placed"),
        (AS_LAID, 0.04, 0.09, "placed"),
        (OTHER, 0.04, 0.09, "placed"),
    ],
)
def test_the_more_came_the_likelier_a_card_was_laid(
    outcome: StillOutcome, less: float, more: float, rises: Kind
) -> None:
    assert likelihoods(outcome, less)[rises] < likelihoods(outcome, more)[rises]


def test_a_likelihood_is_surest_where_it_is_nearly_decided() -> None:
    surest, even = pytest.approx(5 / 6, abs=0.01), pytest.approx(0.5, abs=0.01)
    assert likelihoods(AS_LAID, LIMITS.hands.brought - 0.0001)["placed"] == surest
    assert likelihoods(OPEN, LIMITS.hands.nothing_brought)["same"] == surest
    assert likelihoods(OPEN, LIMITS.hands.brought - 0.0001)["same"] == even
    assert unchanged_or_laid(LIMITS.hands.brought_unseen, LIMITS)["same"] == surest
    assert unchanged_or_laid(1.0, LIMITS)["same"] == even
    assert likelihoods(OPEN, 0.0, watched=False)["same"] == pytest.approx(2 / 3)


def test_what_went_decides() -> None:
    assert kinds(OTHER, 0.06, was=-0.5) == ("lifted",)


def test_a_hand_that_was_not_seen_decides_nothing() -> None:
    assert kinds(OPEN, 0.0, watched=False) == ("same", "placed")
    assert kinds(OTHER, 0.0, watched=False) == ("lifted", "placed")


def test_what_is_proved_below_needs_no_hand() -> None:
    proved = StillOutcome(("placed",), shift=FAR, push_excluded=True)
    assert kinds(proved, 0.0) == ("placed",)
    # Near the old place corners may be inexact, and then a hand that came empty has pushed it.
    nearer = replace(proved, shift=MOVED)
    assert kinds(nearer, 0.0) == ("same", "placed")
    assert kinds(nearer, 0.06) == ("placed",)
    near = replace(AS_LAID, shift=Shift(np.eye(3), 0.0, 0.2))
    assert kinds(near, 0.06) == ("placed", "same")
    assert kinds(replace(near, push_excluded=True), 0.06) == ("placed",)


def test_what_lies_nearly_where_the_top_lay_needs_a_hand() -> None:
    assert kinds(AS_LAID, 0.0, watched=False) == ("placed", "same")
    assert kinds(AS_LAID, 0.4, watched=False) == ("placed",)
    assert kinds(replace(AS_LAID, push_excluded=True), 0.0, watched=False) == ("placed",)
    assert kinds(StillOutcome(("placed",), shift=FAR), 0.0, watched=False) == ("placed",)


def test_what_is_decided_stays() -> None:
    assert kinds(StillOutcome(("same",), shift=MOVED), 0.9) == ("same",)
    assert kinds(StillOutcome(("lifted",)), 0.9) == ("lifted",)
