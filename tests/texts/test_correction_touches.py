"""What a correction that takes moves back means to the hands of those who made them."""

from typing import Any

import pytest

from referee.texts.touches.correction import from_correction

LAID = {"id": 7, "round": 1, "move": 3, "seat": 2, "kind": "play", "card": "red-1"}
PLAY = {**LAID, "verdict": "legal"}
ENTERED = {**PLAY, "id": 9}
OTHER = {**PLAY, "id": 8, "move": 4, "seat": 3}
DISCARD = {"id": 7, "round": 1, "move": 3, "seat": 2, "kind": "discard", "verdict": "legal"}
ILLEGAL = {"verdict": "illegal"}


def undoes(change: str, was: tuple[int, ...] = (7, 7, 7), **fields: Any) -> dict[str, Any]:
    """Return a correction; ``was`` are the hands before it, of seven cards each after it."""
    state = {"awaiting": [], "turn": 2, "hands": [7, 7, 7]}
    differs = {"hands": {"was": list(was), "now": state["hands"]}}
    return {"change": {"kind": change}, "state": state, "differs": differs, **fields}


def drew(*more: int) -> dict[str, list[int]]:
    """Return how many cards seats drew before and after a correction, ``more`` after it."""
    return {"was": [4] * len(more), "now": [4 + count for count in more]}


@pytest.mark.parametrize(
    ("entry", "touched"),
    [
        # Nobody made the move that was entered in this one's place: only the other card goes back.
        (
            undoes(
                "replace", (7, 7, 6), fell=[PLAY, OTHER], entered=PLAY, ruling={"verdict": "legal"}
            ),
            {3: ("undone", "play"), 2: ("entered", None)},
        ),
        # A card that was against the rules lies in the hand, and is laid again.
        (
            undoes(
                "replace",
                (7, 8, 7),
                fell=[PLAY | ILLEGAL],
                entered=PLAY,
                ruling={"verdict": "legal"},
            ),
            {2: ("entered", "lay")},
        ),
        # Taken back, a correction takes its own move with it, and no card of it.
        (undoes("undo", (7, 6, 7), voids=9, fell=[ENTERED]), {2: ("undone", None)}),
        (
            undoes("undo", (7, 7, 6), voids=9, fell=[ENTERED, OTHER], stands=[PLAY]),
            {3: ("undone", "play"), 2: ("restored", None)},
        ),
        (
            undoes("undo", (7, 8, 7), voids=9, fell=[ENTERED | ILLEGAL], stands=[PLAY]),
            {2: ("restored", "play")},
        ),
        (undoes("undo", (7, 6, 7), fell=[PLAY]), {2: ("undone", "play")}),
        # Discards are told with their number, where the entry has it.
        (undoes("undo", (7, 5, 7), fell=[DISCARD | {"count": 2}]), {2: ("undone", "discard")}),
        (undoes("undo", fell=[DISCARD]), {2: ("undone", "discard")}),
        # Cards that were drawn go back, or are drawn again, by number.
        (undoes("undo", (7, 9, 7), cards_drawn=drew(0, -2, 0)), {2: ("hand-set", "less-drawn")}),
        (undoes("redo", (5, 7, 7), cards_drawn=drew(2, 0, 0)), {1: ("hand-set", "more-drawn")}),
        (undoes("undo", (7, 9, 7), cards_drawn=drew(0, -1, 0)), {2: ("hand-set", "less")}),
    ],
)
def test_cards_go_back_that_hands_have_laid(
    entry: dict[str, Any], touched: dict[int, tuple[str, str | None]]
) -> None:
    assert {one.seat: (one.kind, one.special) for one in from_correction(entry)} == touched
