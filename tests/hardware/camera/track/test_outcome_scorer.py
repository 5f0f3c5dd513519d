"""The scorer tells what happened from drawn still views and hands."""

import tomllib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hardware.camera.track.outcome.hand_visits import HandVisit
from hardware.camera.track.outcome.outcome_scorer import (
    WEIGHTS,
    Likelihoods,
    Outcome,
    features,
    fitted_scorer,
    gather_evidence,
)
from hardware.camera.track.outcome.still_views import StillViews
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, laid, still, table, top

Cards = list[tuple[str, Quad]]


def pile(cards: Cards) -> Picture:
    view = table()
    for card, corners in cards:
        view = laid(view, card, corners)
    return view


def seen(
    before: Cards,
    after: Cards,
    complete: bool = False,
    read: str | None = None,
    chance: float = 0.97,
) -> tuple[TrackedPile, StillViews]:
    """Compare two piles; all of the first was seen laid."""
    tracked = TrackedPile(LIMITS)
    tracked.history.clear(complete)
    for n in range(1, len(before)):
        card, corners = before[n - 1]
        tracked.history.add(top(card, corners, pile(before[:n])))
    then, now = still(pile(before), 1), still(pile(after), 2)
    tracked.top = old = top(*before[-1], then.view)
    chances = {read or after[-1][0]: chance, "yellow-9": 1 - chance}
    views = StillViews(LIMITS, then, now, old, tracked.history, chances, after[-1][1])
    return tracked, views


def likelihoods(before: Cards, after: Cards, brought: float = 0.0, **known: Any) -> Likelihoods:
    """Return what the scorer makes of it; ``brought`` is the area of the top in a hand."""
    tracked, views = seen(before, after, **known)
    evidence = gather_evidence(tracked, HandVisit(LIMITS), views)
    evidence = replace(evidence, brought=brought, brought_old=brought * views.same_face)
    return fitted_scorer().likelihoods(evidence)


def outcome(before: Cards, after: Cards, **known: Any) -> Outcome:
    found = likelihoods(before, after, **known)
    assert sum(found.values()) == pytest.approx(1.0)
    return max(found, key=found.__getitem__)


LOW: Cards = [("green-8", at(-5, 4, 10)), ("red-5", at(3, -2, -8))]


def moved(x: float, y: float) -> Cards:
    """The low pile, pushed."""
    return [(card, corners + np.array([x, y])) for card, corners in LOW]


@pytest.mark.parametrize(
    ("after", "known", "expected"),
    [
        ([*LOW, ("yellow-1", at(10, 6, 25))], {"complete": True}, "placed"),
        ([*LOW, ("blue-5", at(4, -1, -7))], {"complete": True}, "placed"),
        ([*LOW, ("red-2", at(2, -3, -9))], {"complete": True}, "placed"),
        ([*LOW, ("red-5", at(14, 10, 14))], {"brought": 0.7}, "placed"),
        ([*moved(1.5, -1.5), ("red-5", at(22, 16, 20))], {}, "placed"),
        ([*LOW, ("red-5", at(3.5, -2, -8))], {}, "same"),
        (moved(6, -4), {"read": "red-9"}, "same"),
    ],
    ids=[
        *("another face", "another colour", "another number"),
        *("equal, beside the old top", "equal, those below slipped"),
        *("it lies where it lay", "read as another, looks the same"),
    ],
)
def test_what_is_on_top_was_laid_or_is_the_same(
    after: Cards, known: dict[str, Any], expected: Outcome
) -> None:
    assert outcome(LOW, after, **known) == expected


def test_a_pushed_pile_is_the_same() -> None:
    pushed = moved(9, -6)
    assert outcome(LOW, pushed) == "same"
    _, views = seen(LOW, pushed)
    assert views.pile_pushed > max(views.top_pushed, 0)


def test_a_pushed_top_is_the_same() -> None:
    pushed = [LOW[0], ("red-5", at(14, 10, 6))]
    assert outcome(LOW, pushed) == "same"
    _, views = seen(LOW, pushed)
    assert views.top_pushed > 0 > views.pile_pushed


def test_an_equal_card_laid_almost_exactly_on_it_is_known_by_what_the_hand_brought() -> None:
    card, corners = LOW[-1]
    almost = [*LOW, (card, corners + np.array([1, 1]))]
    laid = [likelihoods(LOW, almost, brought=area)["placed"] for area in (0.0, 0.3, 0.9)]
    assert laid == sorted(laid)
    assert laid[0] < 0.01 < 0.1 < laid[-1]


def test_nobody_lays_a_card_so_exactly_that_nothing_shows() -> None:
    # An arm of the card's colour passed.
    assert likelihoods(LOW, [*LOW, LOW[-1]], brought=0.9)["same"] > 0.98


class Carrying(HandVisit):
    """A visit of hands that hold cards of every colour."""

    def brought(self, *_: object) -> float:
        return 1.0


@pytest.mark.parametrize("over", [True, False])
def test_what_hands_hold_that_never_come_over_the_pile_is_not_laid(over: bool) -> None:
    visit = Carrying(LIMITS)
    visit.over = over
    tracked, views = seen(LOW, LOW)
    evidence = gather_evidence(tracked, visit, views)
    assert evidence.brought == evidence.brought_old == float(over)


def assert_lifted(before: Cards) -> None:
    assert outcome(before, LOW) == "lifted"
    _, views = seen(before, LOW)
    assert views.earlier is not None
    assert views.earlier.top.card == "red-5"


def test_an_earlier_top_that_shows_again_was_lifted_off() -> None:
    assert_lifted([*LOW, ("blue-1", at(8, 3, 20))])


def test_a_lift_is_seen_although_the_old_place_hardly_changes_its_colour() -> None:
    # Below what stuck out of the lifted card there is the same colour.
    low = [("yellow-7", at(12, 0, 0)), ("green-8", at(-10, 0, 0))]
    assert outcome([*low, ("yellow-1", at(8, 0, 0))], low) == "lifted"


def test_what_others_carry_away_is_not_the_old_top_while_that_still_shows() -> None:
    before: Cards = [*LOW, ("blue-1", at(8, 3, 20))]
    tracked, views = seen(before, [*before, ("red-5", at(20, 12, 8))])
    evidence = gather_evidence(tracked, HandVisit(LIMITS), views)
    passed = fitted_scorer().likelihoods(replace(evidence, brought=-1.0, brought_old=-1.0))
    assert passed["placed"] > 0.98


def test_two_cards_lifted_at_once() -> None:
    low: Cards = [*LOW, ("blue-1", at(8, 3, 20)), ("yellow-7", at(-6, 6, -15))]
    assert_lifted(low)


def test_below_the_first_card_seen_there_may_be_any() -> None:
    first, other = [("red-5", at(0, 0, 0))], [("green-8", at(2, 1, 2))]
    unknown, known = (likelihoods(first, other, complete=known) for known in (False, True))
    assert unknown["lifted"] > known["lifted"]


def test_weights_belong_to_the_features() -> None:
    _, views = seen(LOW, LOW)
    measured = features(gather_evidence(TrackedPile(LIMITS), HandVisit(LIMITS), views))
    with WEIGHTS.open("rb") as file:
        assert [*tomllib.load(file)["weights"]] == [*measured]


WIDE: Cards = [("green-8", at(-22, 14, 60)), ("blue-3", at(20, 8, 30)), ("red-5", at(0, 0, -8))]
NARROW: Cards = [
    ("red-8", at(-12, 14, 30)),
    ("red-3", at(12, -12, 25)),
    ("red-1", at(-12, -12, 15)),
    ("red-5", at(0, 0, -12)),
]


@pytest.mark.parametrize("spread", [WIDE, NARROW])
def test_a_pile_that_was_squared_up_is_the_same_whatever_is_read(spread: Cards) -> None:
    square = [(card, at(3, 1, 12)) for card, _ in spread]
    assert outcome(spread, square) == "same"
    # A card that shows less clearly there is the same one too; another one is not.
    assert outcome(spread, square, read="red-5", chance=0.1) == "same"
    laid_too = [*square, ("yellow-1", at(3, 1, 12))]
    assert outcome(spread, laid_too, complete=True) == "placed"
