"""The likeliest explanation of the first card that waits, given those after it."""

from dataclasses import replace

from referee.rules.state import State
from referee.service.pile.explain import hypotheses
from referee.service.pile.hypothesis import Hypothesis, shares
from referee.service.pile.layers import Pile
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import predict

WIDTH = 6
DEPTH = 3


def rank_hypotheses(state: State, pile: Pile, prior: Prior, dealer: int | None) -> list[Hypothesis]:
    """What the first waiting layer may be, as probabilities, the likeliest first.

    The cards laid after it speak for or against each: after a red 6 a blue 6 may follow, after a
    red 9 not. Guesses that already are next to impossible are not followed up.
    """
    waiting = pile.waiting
    found = shares(hypotheses(state, pile, waiting[0], prior, dealer))
    if len(waiting) == 1 or len(found) < 2 or found[0].kind == "waits":
        return found
    followed = [
        replace(
            hypothesis,
            weight=hypothesis.weight * _rest(state, pile, waiting[0], hypothesis, prior, DEPTH),
        )
        for hypothesis in found[:WIDTH]
    ]
    return shares(followed) or found


def _rest(
    state: State, pile: Pile, at: int, hypothesis: Hypothesis, prior: Prior, depth: int
) -> float:
    """Return how well the later cards are explained if the hypothesis is right."""
    state, pile = predict(state, pile, at, hypothesis)
    waiting = pile.waiting
    if not waiting or hypothesis.kind == "waits":
        return 1.0
    found = sorted(hypotheses(state, pile, waiting[0], prior, None), key=lambda one: -one.weight)
    if depth == 1 or len(waiting) == 1:
        return sum(one.weight for one in found)
    return sum(
        one.weight * _rest(state, pile, waiting[0], one, prior, depth - 1) for one in found[:WIDTH]
    )
