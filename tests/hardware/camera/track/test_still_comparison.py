"""Two still views show what happened in between."""

import numpy as np
import pytest

from hardware.camera.track.still_comparison import StillComparison, StillOutcome
from hardware.camera.track.top_cards import Quad, TopHistory
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, laid, still, table, top

Cards = list[tuple[str, Quad]]


def pile(cards: Cards) -> Picture:
    view = table()
    for card, corners in cards:
        view = laid(view, card, corners)
    return view


def outcome(
    before: Cards,
    after: Cards,
    hand: bool = True,
    complete: bool = False,
    read: str | None = None,
    chance: float = 0.97,
    empty: bool = True,
) -> StillOutcome:
    """Compare two piles; all of the first was seen laid, and its place too if ``empty``."""
    history = TopHistory(16)
    history.clear(complete)
    for n in range(1, len(before)):
        card, corners = before[n - 1]
        history.add(top(card, corners, pile(before[:n])))
    then, now = still(pile(before), 1), still(pile(after), 2)
    old = top(*before[-1], then.view)
    place = still(table(), 3) if empty else None
    comparison = StillComparison(LIMITS, then, now, old, history, hand, place)
    chances = {"yellow-9": 1 - chance, read or after[-1][0]: chance}
    return comparison.outcome(chances, after[-1][1])


LOW: Cards = [("green-8", at(-5, 4, 10)), ("red-5", at(3, -2, -8))]


@pytest.mark.parametrize(
    "card", [("yellow-1", at(10, 6, 25)), ("blue-5", at(4, -1, -7)), ("red-2", at(2, -3, -9))]
)
def test_another_face_on_top_is_a_card_laid(card: tuple[str, Quad]) -> None:
    assert outcome(LOW, [*LOW, card], complete=True).kinds == ("placed",)


def test_an_equal_card_beside_the_old_top_is_a_card_laid() -> None:
    found = outcome(LOW, [*LOW, ("red-5", at(14, 10, 14))])
    assert found.kinds == ("placed",)
    assert found.push_excluded


@pytest.mark.parametrize("empty", [True, False])
def test_a_pushed_pile_is_the_same(empty: bool) -> None:
    pushed = [(card, corners + np.array([9, -6])) for card, corners in LOW]
    found = outcome(LOW, pushed, empty=empty)
    assert found.kinds == ("same",)
    assert found.pile_moved
    assert not found.top_moved


def test_a_pushed_top_is_the_same() -> None:
    found = outcome(LOW, [LOW[0], ("red-5", at(14, 10, 6))])
    assert found.kinds == ("same",)
    assert found.top_moved
    assert not found.pile_moved


def test_nothing_moves_without_a_hand() -> None:
    assert outcome(LOW, [*LOW, ("red-5", at(3.5, -2, -8))], hand=False).kinds == ("same",)


def test_an_equal_card_laid_exactly_on_it_cannot_be_seen() -> None:
    found = outcome(LOW, [*LOW, LOW[-1]])
    assert found.open
    assert set(found.kinds) == {"same", "placed"}


def test_an_earlier_top_that_shows_again_was_lifted_off() -> None:
    found = outcome([*LOW, ("blue-1", at(8, 3, 20))], LOW)
    assert found.kinds == ("lifted",)
    assert found.earlier is not None
    assert found.earlier.card == "red-5"


def test_a_lift_is_seen_although_the_old_place_hardly_changes_its_colour() -> None:
    # Below what stuck out of the lifted card there is the same colour.
    low = [("yellow-7", at(12, 0, 0)), ("green-8", at(-10, 0, 0))]
    assert outcome([*low, ("yellow-1", at(8, 0, 0))], low).kinds == ("lifted",)


def test_two_cards_lifted_at_once() -> None:
    low: Cards = [*LOW, ("blue-1", at(8, 3, 20)), ("yellow-7", at(-6, 6, -15))]
    found = outcome(low, LOW)
    assert found.kinds == ("lifted",)
    assert found.earlier is not None
    assert found.earlier.card == "red-5"


def test_what_the_reader_took_for_another_is_the_same_if_it_looks_the_same() -> None:
    pushed = [(card, corners + np.array([6, -4])) for card, corners in LOW]
    assert outcome(LOW, pushed, read="red-9").kinds == ("same",)


def test_below_the_first_card_seen_there_may_be_any() -> None:
    found = outcome([("red-5", at(0, 0, 0))], [("green-8", at(2, 1, 2))])
    assert found.kinds == ("placed", "lifted")


WIDE: Cards = [("green-8", at(-22, 14, 60)), ("blue-3", at(20, 8, 30)), ("red-5", at(0, 0, -8))]
NARROW: Cards = [
    ("red-8", at(-12, 14, 30)),
    ("red-3", at(12, -12, 25)),
    ("red-1", at(-12, -12, 15)),
    ("red-5", at(0, 0, -12)),
]


@pytest.mark.parametrize("spread", [WIDE, NARROW])
@pytest.mark.parametrize("empty", [True, False])
def test_a_pile_that_was_squared_up_is_the_same_whatever_is_read(
    spread: Cards, empty: bool
) -> None:
    square = [(card, at(3, 1, 12)) for card, _ in spread]
    assert outcome(spread, square, empty=empty).kinds == ("same",)
    # A card that shows less clearly there is the same one too; another one is not.
    assert outcome(spread, square, read="red-5", chance=0.1, empty=empty).kinds == ("same",)
    laid_too = [*square, ("yellow-1", at(3, 1, 12))]
    assert outcome(spread, laid_too, complete=True, empty=empty).kinds == ("placed",)


@pytest.mark.parametrize("empty", [True, False])
def test_an_equal_card_that_pushes_those_below_a_little_is_a_card_laid(empty: bool) -> None:
    slipped = [(card, corners + np.array([1.5, -1.5])) for card, corners in LOW]
    assert outcome(LOW, [*slipped, ("red-5", at(22, 16, 20))], empty=empty).kinds == ("placed",)
