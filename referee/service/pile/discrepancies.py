"""What lies on the pile that should not, and the smallest thing that puts it right."""

from typing import Any

from referee.rules.state import State
from referee.service.pile.layers import Pile

Json = dict[str, Any]


def pile_discrepancies(state: State, pile: Pile | None) -> list[Json]:
    """How the pile that the camera sees differs from the game's.

    ``kind`` is "take-back" for a card that was ruled illegal and lies there still, "not-on-top"
    when another card (``is``; None for none) lies where the top one (``should``) belongs. Nothing
    is concluded from what no camera sees now.
    """
    if pile is None or pile.sight != "watching" or not state.in_progress:
        return []
    found: list[Json] = [
        {"kind": "take-back", "is": one.card, "should": state.top}
        for one in pile.layers
        if one.standing == "wrong" and one.seen
    ]
    discarding = any(need == "discard" for _, need in state.awaiting)
    top = pile.top
    if found or discarding or top is None or pile.waiting:
        return found
    if pile.gone:
        return [{"kind": "not-on-top", "is": None, "should": state.top}]
    seen = pile.visible
    # A card that a phone has said is seen in a moment; until then the one below it is in order.
    if seen is not None and seen.standing == "aside":
        return [{"kind": "not-on-top", "is": seen.card, "should": state.top}]
    return []
