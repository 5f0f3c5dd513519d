"""A guess: one thing that a change of the pile may mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from referee.rules.actions import Action

# play, flip, discard, illegal: moves. opening: a round begins. turned: turned up for it, and does
# not stay on top. said: a phone has said it already.
# shows: the top card lies, or lies again, where it should. nothing: nothing was laid. idle: not a
# matter of the game. waits: something has to come first. put-right: what did not belong there was
# taken away. away: discarded already, and belongs under the top card. take-back: cards of the game
# were. differs: nobody knows how it came about.
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
    """One reading of what happened.

    ``weight`` is what speaks for it, comparable among the guesses about one change. ``moves`` are
    what is to be ruled on, the last one with the card; ``layer`` which layer it is about;
    ``dealer`` who deals, for an opening. ``ask``: too much hangs on it to go by likelihood.
    """

    kind: Kind
    card: str | None
    weight: float
    moves: tuple[Action, ...] = ()
    layer: int | None = None
    dealer: int = 0
    opening: tuple[str, ...] = ()
    ask: bool = False


def shares(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The guesses with their probabilities as weights, the likeliest first."""
    whole = sum(hypothesis.weight for hypothesis in hypotheses)
    if whole <= 0:
        return []
    found = [replace(hypothesis, weight=hypothesis.weight / whole) for hypothesis in hypotheses]
    return sorted(found, key=lambda hypothesis: -hypothesis.weight)
