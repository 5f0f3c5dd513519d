"""Infer what a change of the pile means: a play, a take-back, a card put right, or nothing.

Lists every explanation that the game allows, weighed, and ranks those of the first card that waits
with the cards laid after it as evidence.
"""

import math
from collections.abc import Iterator

from referee.rules.position.state import State
from referee.service.pile.cards import discards, openings, plays
from referee.service.pile.hypothesis import MOVES, Hypothesis, shares
from referee.service.pile.layers import Pile, Reading
from referee.service.pile.prior import copies, fit, likelihoods, prior_at
from referee.service.pile.seat_directions import with_origin
from referee.service.pile.thresholds import (
    DEEPER,
    EARLY_DISCARD,
    LEAST_DEEP,
    LIKELIEST,
    NEXT_REPORTED,
    POSSIBLE,
    SURE,
    UNEXPLAINED_LIFT,
    Prior,
)
from referee.service.pile.transitions import predict

WIDTH = 6
DEPTH = 3
# Answers that only people can give; until then nobody can lay a card.
ANSWERS = frozenset({"color", "powers", "report", "judge", "reveal"})


def rank_hypotheses(state: State, pile: Pile, prior: Prior, dealer: int | None) -> list[Hypothesis]:
    """Return hypotheses about the first waiting layer, likeliest first.

    The cards laid after it speak for or against each: after a red 6 a blue 6 may follow, after a
    red 9 not. Nearly impossible guesses are not followed up. No later card makes one likelier that
    the camera has seen not to be there: play that fits no rules would be explained by it best.
    """
    waiting = pile.waiting
    ranked = shares(hypotheses(state, pile, waiting[0], prior, dealer))
    if len(waiting) == 1 or len(ranked) < 2 or ranked[0].kind == "waits":
        return ranked
    rests = [
        (hypothesis, _rest(state, pile, waiting[0], hypothesis, prior, DEPTH))
        for hypothesis in ranked[:WIDTH]
    ]
    reading = pile.layers[waiting[0]].reading
    seen = [rest for hypothesis, rest in rests if not _speaks_against(reading, hypothesis)]
    best = max(seen, default=math.inf)
    followed = [
        hypothesis.times(min(rest, best) if _speaks_against(reading, hypothesis) else rest)
        for hypothesis, rest in rests
    ]
    return shares(followed) or ranked


def _speaks_against(reading: Reading | None, hypothesis: Hypothesis) -> bool:
    """Return whether a camera sure of another card has not seen the one that was moved."""
    if reading is None or hypothesis.kind not in MOVES:
        return False
    sure = max(reading.cards.values(), default=0.0) >= SURE
    return sure and reading.cards.get(hypothesis.card or "", 0.0) < POSSIBLE


def _rest(
    state: State, pile: Pile, at: int, hypothesis: Hypothesis, prior: Prior, depth: int
) -> float:
    """Return how well the later cards are explained if the hypothesis is right."""
    state, pile = predict(state, pile, at, hypothesis)
    waiting = pile.waiting
    if hypothesis.kind == "waits":
        # Any card may follow what nobody has answered yet; without a weight for those, a card that
        # nobody saw and that has to be answered would explain them best.
        seen = [pile.layers[i].reading for i in waiting if i > at][:depth]
        cards = state.game.cards
        return math.prod(average(state, likelihoods(reading, cards)) for reading in seen if reading)
    if not waiting:
        return 1.0
    ranked = sorted(hypotheses(state, pile, waiting[0], prior, None), key=lambda way: -way.weight)
    if depth == 1 or len(waiting) == 1:
        return sum(way.weight for way in ranked)
    return sum(
        way.weight * _rest(state, pile, waiting[0], way, prior, depth - 1) for way in ranked[:WIDTH]
    )


def hypotheses(
    state: State, pile: Pile, at: int, prior: Prior, dealer: int | None
) -> list[Hypothesis]:
    """Return hypotheses about the waiting layer ``at``; ``dealer`` deals next, if known."""
    reading = pile.layers[at].reading or Reading({"placed": 1.0})
    reading = with_origin(pile, reading, state.order)
    prior = prior_at(prior, state.game.options)
    likely = likelihoods(reading, state.game.cards)
    weighed: list[Hypothesis] = []
    for kind, share in reading.kinds.items():
        if kind == "placed":
            some = [
                *_said(pile, at, likely, prior),
                *_placed(state, pile, at, reading, prior, dealer),
            ]
        elif kind == "lifted":
            some = list(_lifted(pile, at, reading, likely))
        elif kind == "found":
            some = list(_found(state, pile, reading, likely, prior, dealer))
        else:
            some = [Hypothesis("nothing", None, prior.handled * _of_top(pile, at, likely))]
        weighed += [hypothesis.times(share) for hypothesis in some]
    return [hypothesis for hypothesis in weighed if hypothesis.weight > 0]


def _of_top(pile: Pile, at: int, likely: dict[str, float]) -> float:
    """Return how well the previous top card explains the reading."""
    return fit(likely, pile.layers[at - 1].card if at else None)


def _said(pile: Pile, at: int, likely: dict[str, float], prior: Prior) -> Iterator[Hypothesis]:
    """Yield hypotheses of cards that phones reported and no camera has seen yet."""
    weight = prior.reported
    for i, layer in enumerate(pile.layers[:at]):
        if not layer.seen and layer.card is not None:
            yield Hypothesis("said", layer.card, weight * fit(likely, layer.card), layer=i)
            weight *= NEXT_REPORTED


def _placed(
    state: State, pile: Pile, at: int, reading: Reading, prior: Prior, dealer: int | None
) -> list[Hypothesis]:
    likely = likelihoods(reading, state.game.cards)
    if not state.in_progress:
        return _between_rounds(state, pile, reading, dealer)
    weighed = list(_top_put_back(state, pile, likely, prior))
    if any(need in ANSWERS for _, need in state.awaiting):
        return [*weighed, Hypothesis("waits", reading.card, average(state, likely))]
    if state.moves == 0 and pile.gone and state.dealer:
        again = openings(state, reading, (), state.dealer, again=True)
        weighed += [opening for opening in again if opening.card != state.top]
    weighed += _illegal_lifted(pile, at, likely, prior)
    if pile.away:
        weighed.append(Hypothesis("away", reading.card, prior.away * average(state, likely)))
    return [*weighed, *_laid(state, reading, prior)]


def _laid(state: State, reading: Reading, prior: Prior) -> list[Hypothesis]:
    """Return hypotheses of a play or, where discards are due, of a discard."""
    cards = plays(state, reading, prior)
    if not any(need == "discard" for _, need in state.awaiting):
        return cards
    # A play now means that all who have discarded nothing have declined to.
    late = [hypothesis.times(EARLY_DISCARD) for hypothesis in cards]
    return [*discards(state, reading, prior), *late]


def _top_put_back(
    state: State, pile: Pile, likely: dict[str, float], prior: Prior
) -> Iterator[Hypothesis]:
    """Yield the hypothesis that the game's top card was put back on top."""
    if state.top is not None and (pile.gone or _buried(pile)):
        yield Hypothesis("shows", state.top, prior.rearranged * fit(likely, state.top))


def _buried(pile: Pile) -> bool:
    """Return whether cards that belong under the top one were seen on it."""
    above = pile.layers[0 if pile.top is None else pile.top + 1 :]
    return any(layer.standing == "aside" and layer.seen for layer in above)


def _illegal_lifted(
    pile: Pile, at: int, likely: dict[str, float], prior: Prior
) -> Iterator[Hypothesis]:
    """Yield the hypothesis that the illegal cards on top were taken away."""
    below = at - 1
    while below >= 0 and pile.layers[below].standing == "wrong" and pile.layers[below].seen:
        below -= 1
    if 0 <= below < at - 1:
        card = pile.layers[below].card or ""
        weight = prior.lifted * likely.get(card, 0.0)
        yield Hypothesis("put-right", card, weight, layer=below)


def _between_rounds(
    state: State, pile: Pile, reading: Reading, dealer: int | None
) -> list[Hypothesis]:
    likely = likelihoods(reading, state.game.cards)
    if state.awaiting or state.winner is not None or not (pile.gone or state.round == 0):
        return [Hypothesis("idle", reading.card, average(state, likely))]
    turned = tuple(layer.card for layer in pile.layers if layer.standing == "aside" and layer.card)
    return openings(state, reading, turned, dealer)


def _found(
    state: State,
    pile: Pile,
    reading: Reading,
    likely: dict[str, float],
    prior: Prior,
    dealer: int | None,
) -> Iterator[Hypothesis]:
    """Yield hypotheses about a card found when watching began: one play may have been missed."""
    if state.top is not None:
        yield Hypothesis("shows", state.top, prior.rearranged * fit(likely, state.top))
    if not state.in_progress:
        yield from _between_rounds(state, pile, reading, dealer)
        return
    yield Hypothesis("differs", reading.card, prior.missed * average(state, likely))
    if not {need for _, need in state.awaiting} & (ANSWERS | {"discard"}):
        yield from (
            hypothesis
            for hypothesis in plays(state, reading, prior)
            if hypothesis.kind != "illegal"
        )


def _lifted(
    pile: Pile, at: int, reading: Reading, likely: dict[str, float]
) -> Iterator[Hypothesis]:
    """Yield hypotheses about the cards taken away, now that an earlier one shows again."""
    taken, wrong, offered = 0, False, False
    for i in reversed(range(at)):
        layer = pile.layers[i]
        shows = likely.get(layer.card or "", 0.0) if reading.cards else 1.0
        illegal = layer.standing == "wrong"
        if i == at - 1:
            weight = UNEXPLAINED_LIFT * (DEEPER if illegal else 1.0)
            yield Hypothesis("nothing", layer.card, weight * shows)
        elif taken == 0:
            # Lifting fewer cards is the likelier way to put the pile right.
            weight = DEEPER**2 if offered else 1.0
            yield Hypothesis("put-right", layer.card, weight * shows, layer=i)
            offered = offered or shows >= LIKELIEST
        else:
            # A single play may be taken back without asking; several may not.
            weight = max(DEEPER**taken, LEAST_DEEP) * (DEEPER if wrong else 1.0)
            yield Hypothesis("take-back", layer.card, weight * shows, layer=i, ask=taken > 1)
        taken += layer.standing == "in" and (layer.seen or i == pile.top)
        wrong |= illegal
    average_share = sum(likely.values()) / max(1, len(likely))
    yield Hypothesis("differs", reading.card, UNEXPLAINED_LIFT * average_share)


def average(state: State, likely: dict[str, float]) -> float:
    """Return how well a card drawn at random explains the reading."""
    numbers = {card: copies(state, card) for card in likely}
    return sum(likely[card] * number for card, number in numbers.items()) / sum(numbers.values())
