"""What a change of the pile may mean now: every reading of it that the game leaves, weighed."""

from collections.abc import Iterator
from dataclasses import replace

from referee.rules.state import State
from referee.service.pile.cards import EARLY, discards, openings, plays
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.layers import Pile, Reading
from referee.service.pile.prior import Prior, copies, likelihoods
from referee.service.pile.seat_directions import with_origin

# Needs that only people can meet; until then nobody can lay a card.
ANSWERS = frozenset({"color", "powers", "report", "judge", "reveal"})
# Each further card is so much less likely to have been lifted too, above all when the one on top
# was to be taken back; but never less likely than what cannot be explained.
DEEPER, LEAST_DEEP = 0.1, 0.001


def hypotheses(
    state: State, pile: Pile, at: int, prior: Prior, dealer: int | None
) -> list[Hypothesis]:
    """What the waiting layer ``at`` may be. ``dealer`` deals the next round, if that is known."""
    reading = pile.layers[at].reading or Reading({"placed": 1.0})
    reading = with_origin(pile, reading, len(state.hands))
    likely = likelihoods(reading, state.game.cards)
    found: list[Hypothesis] = []
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
        found += [replace(hypothesis, weight=hypothesis.weight * share) for hypothesis in some]
    return [hypothesis for hypothesis in found if hypothesis.weight > 0]


def _of_top(pile: Pile, at: int, likely: dict[str, float]) -> float:
    """How well the card that lay there before explains what is seen."""
    below = pile.layers[at - 1] if at else None
    if below is None or below.card is None:
        return min(likely.values(), default=0.0)
    return likely.get(below.card, 0.0)


def _said(pile: Pile, at: int, likely: dict[str, float], prior: Prior) -> Iterator[Hypothesis]:
    """Phones have said it before the camera saw it."""
    weight = prior.said
    for i, layer in enumerate(pile.layers[:at]):
        if not layer.seen and layer.card is not None:
            yield Hypothesis("said", layer.card, weight * likely[layer.card], layer=i)
            weight /= 4


def _placed(
    state: State, pile: Pile, at: int, reading: Reading, prior: Prior, dealer: int | None
) -> list[Hypothesis]:
    likely = likelihoods(reading, state.game.cards)
    if not state.in_progress:
        return _between_rounds(state, pile, reading, dealer)
    found: list[Hypothesis] = []
    if state.top is not None and (pile.gone or _buried(pile)):
        found.append(Hypothesis("shows", state.top, prior.rearranged * likely[state.top]))
    needs = {need for _, need in state.awaiting}
    if needs & ANSWERS:
        return [*found, Hypothesis("waits", reading.card, average(state, likely))]
    if state.moves == 0 and pile.gone and state.dealer:
        again = openings(state, reading, (), state.dealer, again=True)
        found += [hypothesis for hypothesis in again if hypothesis.card != state.top]
    below = _under_wrong(pile, at)
    if below is not None:
        card = pile.layers[below].card or ""
        put_right = prior.lifted * likely.get(card, 0.0)
        found.append(Hypothesis("put-right", card, put_right, layer=below))
    if pile.away:
        found.append(Hypothesis("away", reading.card, prior.away * average(state, likely)))
    if "discard" in needs:
        # Discards are due; a play means that all who have made none have declined.
        late = [replace(one, weight=one.weight * EARLY) for one in plays(state, reading, prior)]
        return [*found, *discards(state, reading, prior), *late]
    return found + plays(state, reading, prior)


def _buried(pile: Pile) -> bool:
    """Whether cards that belong under the top one were seen on it."""
    above = pile.layers[0 if pile.top is None else pile.top + 1 :]
    return any(one.standing == "aside" and one.seen for one in above)


def _under_wrong(pile: Pile, at: int) -> int | None:
    """The layer under the cards that are to be taken back from the top; None if there are none."""
    below = at - 1
    while below >= 0 and pile.layers[below].standing == "wrong" and pile.layers[below].seen:
        below -= 1
    return below if 0 <= below < at - 1 else None


def _between_rounds(
    state: State, pile: Pile, reading: Reading, dealer: int | None
) -> list[Hypothesis]:
    likely = likelihoods(reading, state.game.cards)
    if state.awaiting or state.winner is not None or not (pile.gone or state.round == 0):
        return [Hypothesis("idle", reading.card, average(state, likely))]
    turned = tuple(one.card for one in pile.layers if one.standing == "aside" and one.card)
    return openings(state, reading, turned, dealer)


def _found(
    state: State,
    pile: Pile,
    reading: Reading,
    likely: dict[str, float],
    prior: Prior,
    dealer: int | None,
) -> Iterator[Hypothesis]:
    """Watching began: this lies there now. Exactly one play may have been missed."""
    if state.top is not None:
        yield Hypothesis("shows", state.top, prior.rearranged * likely[state.top])
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
    """An earlier card shows again; cards of the game among those above it are taken back."""
    taken, wrong, offered = 0, False, False
    for i in reversed(range(at)):
        layer = pile.layers[i]
        shows = 1.0 if not reading.cards else likely.get(layer.card or "", 0.0)
        if i == at - 1:
            expected = DEEPER if layer.standing == "wrong" else 1.0
            yield Hypothesis("nothing", layer.card, 0.02 * expected * shows)
        elif taken == 0:
            # What can be put right by lifting fewer cards is.
            yield Hypothesis(
                "put-right", layer.card, shows * (DEEPER**2 if offered else 1), layer=i
            )
            offered = offered or shows >= 0.5
        else:
            # One play is taken back at once or not at all; for several, people are asked.
            weight = max(DEEPER**taken, LEAST_DEEP) * (DEEPER if wrong else 1.0)
            yield Hypothesis("take-back", layer.card, weight * shows, layer=i, ask=taken > 1)
        taken += layer.standing == "in" and (layer.seen or i == pile.top)
        wrong = wrong or layer.standing == "wrong"
    yield Hypothesis("differs", reading.card, 0.02 * sum(likely.values()) / max(1, len(likely)))


def average(state: State, likely: dict[str, float]) -> float:
    """How well some card or other explains what is seen."""
    numbers = {card: copies(state, card) for card in likely}
    return sum(likely[card] * number for card, number in numbers.items()) / sum(numbers.values())
