"""Situations at a table, made without a server: a position, a pile, a moment."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from referee.rules.notation import position_from_text
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.log.past_rounds import PastMove
from referee.service.pile.layers import Layer, Pile, Reading
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import initial_pile
from referee.service.reconcile.apply_hypothesis import Situation

TIME = datetime(2026, 11, 22, 12, tzinfo=UTC)
CAMERA = Principal("camera", "table", "device")
BO = Principal("bo", "table", "seat", 2)
# Seat 2 of three is to play on a red 7.
ON_RED_7 = "classic-108 7,7,7 2> play red-7"


def position(text: str = ON_RED_7) -> State:
    return position_from_text(text)


def reading(kind: str = "placed", /, **cards: float) -> Reading:
    """What a camera saw; ``red_7=0.9`` for a red 7."""
    return Reading({kind: 1.0}, {name.replace("_", "-"): share for name, share in cards.items()})


def waiting(seen: Reading, entry: int = 20) -> Layer:
    return Layer(None, "waiting", True, entry, reading=seen)


def laid(card: str, move: int, seat: int = 1, standing: Any = "in", **more: Any) -> Layer:
    return Layer(card, standing, True, move - 1, move, seat, **more)


def watched(state: State, *layers: Layer) -> Pile:
    """A pile that a camera sees: the game's top card, and layers on it."""
    pile = initial_pile(state)
    if pile.layers:
        pile = pile.change(0, seen=True)
    for layer in layers:
        pile = pile.put(layer)
    return Pile(pile.layers, "watching", device=CAMERA.id)


def situation(state: State, pile: Pile, moves: Sequence[PastMove] = (), **more: Any) -> Situation:
    fields: Mapping[str, Any] = {"prior": Prior(), "dealer": 1, "time": TIME, **more}
    return Situation(CAMERA.table_id, state, pile, read_moves=lambda: moves, **fields)
