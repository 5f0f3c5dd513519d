"""The host sets a hand count right: within what the cards allow."""

import pytest

from referee.rules.engine import decide
from referee.rules.notation import move_from_text, position_from_text, position_to_text

POSITION = "classic-108 7,6,5 2> play red-7 80+10"


@pytest.mark.parametrize(("count", "piles"), [(1, "85+10"), (6, "80+10"), (86, "0+10")])
def test_a_count_that_can_be_is_set(count: int, piles: str) -> None:
    decision = decide(position_from_text(POSITION), move_from_text(f"2 hand {count}"))
    assert (decision.ruling.verdict, decision.ruling.rule) == ("legal", "host.hand-count")
    assert position_to_text(decision.state).startswith(
        f"classic-108 7,{count},5 2> play red-7 {piles}"
    )


@pytest.mark.parametrize("count", [0, 87, 112])
def test_a_count_that_cannot_be_is_refused_and_changes_nothing(count: int) -> None:
    state = position_from_text(POSITION)
    decision = decide(state, move_from_text(f"2 hand {count}"))
    assert (decision.ruling.verdict, decision.ruling.rule) == ("illegal", "hand.count")
    assert decision.state.hands == state.hands
    assert decision.state.draw_pile == state.draw_pile
