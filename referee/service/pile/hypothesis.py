"""Hypotheses: what a change of the pile may mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from referee.rules.actions import Action

# play, flip, discard, illegal: moves. opening: a round begins. turned: turned up for an opening and
# replaced. said: a phone has reported it already. shows: the top card lies where it should, or does
# again. nothing: nothing was laid. idle: no part of the game. waits: something has to come first.
# put-right: what did not belong there was taken away. away: discarded already, and belongs under
# the top card. take-back: cards of the game were taken away. differs: nobody can explain it.
Kind = Literal[
    "play",
    "flip",
    "discard",
    "illegal",
    "opening",
    "turned",
    "said",
    "shows",
    "nothing",
    "idle",
    "waits",
    "put-right",
    "away",
    "take-back",
    "differs",
]
MOVES = ("play", "flip", "discard", "illegal")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One explanation of a change of the pile.

    ``weight`` compares it with the others for the same change. ``moves`` are to be ruled on, the
    last one with the card; ``layer`` is the layer it is about; ``dealer`` who deals an opening.
    ``ask``: too much depends on it to act on likelihood.
    """

    kind: Kind
    card: str | None
    weight: float
    moves: tuple[Action, ...] = ()
    layer: int | None = None
    dealer: int = 0
    opening: tuple[str, ...] = ()
    ask: bool = False

    def times(self, factor: float) -> "Hypothesis":
        """Return the hypothesis with its weight multiplied; faster than ``replace``."""
        weight = self.weight * factor
        rest = self.moves, self.layer, self.dealer, self.opening, self.ask
        return Hypothesis(self.kind, self.card, weight, *rest)


def shares(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the hypotheses with probabilities as weights, the likeliest first."""
    whole = sum(hypothesis.weight for hypothesis in hypotheses)
    if whole <= 0:
        return []
    shared = [hypothesis.times(1 / whole) for hypothesis in hypotheses]
    return sorted(shared, key=lambda hypothesis: -hypothesis.weight)
