"""Weigh a camera's probabilities with what was likely before it looked.

``python -m bench prior`` measures what the defaults cost and save.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from referee.rules.options import Options
from referee.rules.position.state import State
from referee.service.pile.layers import Reading
from referee.service.pile.thresholds import (
    AT_TABLES,
    DOUBT,
    IMPOSSIBLE,
    LEAST_ORIGIN,
    PLACES,
    Prior,
)

MOST_KEPT = 64


@lru_cache(MOST_KEPT)
def prior_at(prior: Prior, options: Options) -> Prior:
    """Return the prior of a table that plays with these house rules."""
    for (option, value), factors in AT_TABLES.items():
        if getattr(options, option) == value:
            changes: dict[str, Any] = {
                name: getattr(prior, name) * factor for name, factor in factors.items()
            }
            prior = replace(prior, **changes)
    return prior


def likelihoods(reading: Reading, cards: Mapping[str, object]) -> dict[str, float]:
    """Return for every card in play how well it explains what the camera saw."""
    rest = max(DOUBT, 1 - sum(reading.cards.values())) / max(1, len(cards))
    return {card: reading.cards.get(card, 0.0) + rest for card in cards}


def fit(likely: Mapping[str, float], card: str | None) -> float:
    """Return how well a card explains what the camera saw; one not in play like any it cannot name.

    Somebody may have laid such a card, out of turn or from another deck.
    """
    if card is None or card not in likely:
        return min(likely.values(), default=0.0)
    return likely[card]


def copies(state: State, card: str) -> float:
    """Count the copies of a card that may still be in a hand or the draw pile."""
    deck = state.game.ruleset.deck
    left = min(deck.limits[t] - state.known.get(t, 0) for t in deck.cards[card].tallies)
    return float(left) if left > 0 else IMPOSSIBLE


def from_hand(reading: Reading) -> float:
    """Return how well the card's origin fits a player's hand; 1 if the origin is unknown."""
    return 1.0 if reading.drawn is None else max(LEAST_ORIGIN, 1 - reading.drawn) / PLACES


def from_pile(reading: Reading) -> float:
    """Return how well the card's origin fits the draw pile; 1 if the origin is unknown."""
    return 1.0 if reading.drawn is None else reading.drawn


def reached(reading: Reading, seat: int, state: State) -> float:
    """Return how well the hand's direction fits this seat.

    It is 1 for anybody, who may have pushed the pile, and for a camera that reports no seat.
    """
    if not reading.origin:
        return 1.0
    unknown = max(LEAST_ORIGIN, 1 - sum(reading.origin.values()))
    return len(state.hands) * (reading.origin.get(str(seat), 0.0) + unknown / PLACES)
