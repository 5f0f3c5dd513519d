"""Decks whose cards have two sides: a card that turns all of them over, and which side is up."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules import actions as act
from referee.rules.house.rows import after
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.ruleset import Check, MoveRules
from referee.rules.rulings import Args

# The fields of moves that name cards of a hand.
NAMED: Mapping[type, str] = {
    act.Play: "card",
    act.Reveal: "hand",
    act.Discard: "cards",
    act.Give: "cards",
}


def turn_over(draft: Draft, laid: Laid) -> int | None:
    """Turn all cards over; on top lies the other side of the card that does it."""
    back = draft.card(laid.card).back
    if back is not None:
        draft.emit(ev.TurnedOver(back))
    return laid.victim


def with_sides(moves: Mapping[type, MoveRules], rule: str) -> Mapping[type, MoveRules]:
    """Return the moves of a deck with two sides: ``rule`` refuses faces that are down."""
    return {
        move: replace(rules, rows=after(rules.rows, "deck.unknown", (rule, side_up(NAMED[move]))))
        if move in NAMED and any(name == "deck.unknown" for name, _ in rules.rows)
        else rules
        for move, rules in moves.items()
    }


def side_up(field: str) -> Check:
    """Return the check that the cards in a field show the side that is up."""

    def check(state: State, move: Any) -> Args | None:
        if state.top is None:
            return None
        cards, named = state.game.cards, getattr(move, field) or ()
        side = cards[state.top].side
        for name in (named,) if isinstance(named, str) else named:
            if cards[name].side != side:
                return {"card": name}
        return None

    return check
