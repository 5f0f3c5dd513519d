"""Hands that went round the table go where they belong after a correction."""

from referee.rules.position.events import HandsPassed, Redealt
from referee.service.history.returned_hands import HandsMoved, hands_to_pass


def moved(*events: HandsPassed | Redealt, number: int = 1) -> list[HandsMoved]:
    return [HandsMoved(entry, number, entry, event) for entry, event in enumerate(events, 1)]


ZERO = HandsPassed((2, 3, 1))
SWAP = HandsPassed((1, 3))
SHUFFLED = Redealt((1, 3), (5, 7, 5))


def test_what_was_passed_on_goes_back() -> None:
    assert hands_to_pass(moved(ZERO), [], 1) == [[1, 3, 2]]
    assert hands_to_pass(moved(SWAP), [], 1) == [[1, 3]]


def test_what_counts_again_goes_on() -> None:
    assert hands_to_pass([], moved(ZERO), 1) == [[1, 2, 3]]


def test_only_the_difference_is_passed() -> None:
    assert hands_to_pass(moved(ZERO, SWAP), moved(ZERO), 1) == [[1, 3]]
    # The swap stays: whoever had which hand when the 0 came is another one now.
    assert hands_to_pass(moved(ZERO, SWAP), moved(SWAP), 1) == [[1, 2, 3]]
    assert hands_to_pass(moved(SWAP, SWAP), [], 1) == []


def test_two_swaps_are_undone_one_by_one() -> None:
    assert hands_to_pass(moved(SWAP, HandsPassed((2, 4))), [], 1) == [[1, 3], [2, 4]]


def test_hands_that_were_shuffled_stay() -> None:
    assert hands_to_pass(moved(SHUFFLED), [], 1) == []
    assert hands_to_pass([], moved(SHUFFLED), 1) == []


def test_what_came_before_a_shuffle_moves_nothing_after_it() -> None:
    shuffled = HandsMoved(2, 1, 9, Redealt((1, 2, 3), (5, 5, 5)))
    assert hands_to_pass([*moved(SWAP), shuffled], [shuffled], 1) == []


def test_another_round_counts_for_itself() -> None:
    assert hands_to_pass(moved(ZERO, number=2), [], 1) == []
