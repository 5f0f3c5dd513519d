"""Discrepancies of the pile, each with the smallest fix."""

from typing import Any

from referee.rules.position.state import State
from referee.service.pile.layers import Pile

Json = dict[str, Any]


def pile_discrepancies(state: State, pile: Pile | None) -> list[Json]:
    """Return the differences between the pile that the camera sees and the game's.

    ``kind`` is "take-back" for an illegal card that still lies there, "not-on-top" when another
    card (``is``; None for none) lies where the top one (``should``) belongs.
    """
    if pile is None or pile.sight != "watching" or not state.in_progress:
        return []
    discrepancies: list[Json] = [
        {"kind": "take-back", "is": layer.card, "should": state.top}
        for layer in pile.layers
        if layer.standing == "wrong" and layer.seen
    ]
    return discrepancies or _not_on_top(state, pile)


def _not_on_top(state: State, pile: Pile) -> list[Json]:
    discarding = any(need == "discard" for _, need in state.awaiting)
    if discarding or pile.top is None or pile.waiting:
        return []
    seen = pile.visible
    # A card that only a phone has reported is seen in a moment: the one below it is in order.
    if pile.gone or (seen is not None and seen.standing == "aside"):
        return [{"kind": "not-on-top", "is": seen and seen.card, "should": state.top}]
    return []
