"""Hands that went round the table go where they belong after a correction."""

from typing import Any

import pytest

from referee.rules.position.events import HandsPassed, Redealt
from referee.service.history.returned_hands import HandsMoved, hands_kept, hands_to_pass


def moved(*events: HandsPassed | Redealt, number: int = 1) -> list[HandsMoved]:
    return [HandsMoved(entry, number, entry, event) for entry, event in enumerate(events, 1)]


ZERO = HandsPassed((2, 3, 1))
SWAP = HandsPassed((1, 3))
SHUFFLED = Redealt((1, 3), (5, 7, 5))


@pytest.mark.parametrize(
    ("before", "after", "passed"),
    [
        ([ZERO], [], [[1, 3, 2]]),
        ([SWAP], [], [[1, 3]]),
        ([], [ZERO], [[1, 2, 3]]),
        ([ZERO, SWAP], [ZERO], [[1, 3]]),
        # The swap stays: whoever had which hand when the 0 came is another one now.
        ([ZERO, SWAP], [SWAP], [[1, 2, 3]]),
        ([SWAP, SWAP], [], []),
        ([SWAP, HandsPassed((2, 4))], [], [[1, 3], [2, 4]]),
        ([SHUFFLED], [], []),
        ([], [SHUFFLED], []),
    ],
)
def test_the_difference_is_passed(before: Any, after: Any, passed: list[list[int]]) -> None:
    assert hands_to_pass(moved(*before), moved(*after), 1) == passed


def test_shuffled_hands_stay_whether_the_card_counts_no_longer_or_again() -> None:
    both, alone = moved(SHUFFLED, SHUFFLED), moved(SHUFFLED)
    assert hands_kept(alone, [], 1) == hands_kept([], alone, 1) == [1, 3]
    # A swap since then: both hold a hand that was shuffled.
    assert hands_kept(moved(SHUFFLED, HandsPassed((1, 2))), [], 1) == [1, 2, 3]
    assert hands_kept(both, alone, 1) == [1, 3]
    assert hands_kept(both, both, 1) == hands_kept(alone, [], 2) == []


def test_what_came_before_a_shuffle_moves_nothing_after_it() -> None:
    shuffled = HandsMoved(2, 1, 9, Redealt((1, 2, 3), (5, 5, 5)))
    assert hands_to_pass([*moved(SWAP), shuffled], [shuffled], 1) == []


def test_another_round_counts_for_itself() -> None:
    assert hands_to_pass(moved(ZERO, number=2), [], 1) == []
