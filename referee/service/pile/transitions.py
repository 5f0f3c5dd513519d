"""Update the pile once a change has been explained."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action, Flip, Overruled, Play
from referee.rules.engine import Decision, decide, open_round
from referee.rules.position import events as ev
from referee.rules.position.state import State
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.layers import Layer, Pile
from referee.service.pile.thresholds import LIKELIEST

# Illegal only until something else happens: the card need not be taken back.
TOO_EARLY = ("round.awaiting", "round.over", "deck.unknown")


def settle_layer(pile: Pile, at: int, hypothesis: Hypothesis) -> Pile:
    """Return the pile once a hypothesis about layer ``at`` that makes no move is accepted."""
    kind, layer = hypothesis.kind, hypothesis.layer
    if kind == "said" and layer is not None:
        for i in range(layer + 1):
            pile = pile.change(i, seen=True)
        return replace(pile.without([at]), gone=False)
    if kind == "shows":
        return _showing_top(pile, at)
    if kind in ("put-right", "take-back") and layer is not None:
        return replace(pile.without(range(layer + 1, at + 1)), gone=False)
    if kind == "away":
        pile = replace(pile, away=pile.away - 1)
    if kind in ("turned", "differs", "away"):
        return replace(pile.change(at, card=hypothesis.card, standing="aside"), gone=False)
    if kind in ("nothing", "idle"):
        return replace(pile.without([at]), last=pile.layers[at].reading)
    return pile


def _showing_top(pile: Pile, at: int) -> Pile:
    top = pile.top
    below = pile.layers[: 0 if top is None else top + 1]
    inside = [replace(layer, seen=True) for layer in below if layer.standing == "in"]
    above = [pile.layers[i] for i in pile.waiting if i > at]
    return replace(pile, layers=(*inside, *above), gone=False)


def after_ruling(
    pile: Pile,
    action: Action,
    decision: Decision,
    entry: int,
    at: int | None,
    *,
    reported: bool,
    presumed: bool = False,
) -> Pile:
    """Return the pile after the ruling in entry ``entry``; ``at`` is the layer that it explains."""
    move = action.move if isinstance(action, Overruled) else action
    new = Layer(None, "in", False, 0, entry, move.seat, reported, presumed)
    if not decision.ruling.legal:
        if not isinstance(move, Play | Flip) or decision.ruling.rule in TOO_EARLY:
            return pile
        return _laid(pile, replace(new, card=move.card, standing="wrong"), at)
    for event in decision.events:
        if isinstance(event, ev.Played | ev.Flipped):
            # A card that was refused and never seen was never there.
            phantoms = [i for i in _unseen_wrong(pile) if i != at]
            pile, at = pile.without(phantoms), _shifted(at, phantoms)
            laid = replace(new, card=event.card, seat=event.seat)
            pile = replace(_laid(pile, laid, at), away=0)
        elif isinstance(event, ev.Discarded):
            pile = _discarded(pile, event, entry, at)
        elif isinstance(event, ev.Reshuffled):
            gone = reshuffled(pile)
            pile, at = pile.without(gone), _shifted(at, gone)
        elif isinstance(event, ev.HandsPassed):
            # What was called or caught was about the hands that these seats had.
            kept = tuple(word for word in pile.early if about(word["move"]) not in event.seats)
            pile = replace(pile, early=kept)
    return pile


def about(word: Mapping[str, Any]) -> int:
    """Return the seat that a call or a catch, as JSON, is about."""
    return int(word.get("accused", word["seat"]))


def _unseen_wrong(pile: Pile) -> list[int]:
    return [
        i for i, layer in enumerate(pile.layers) if layer.standing == "wrong" and not layer.seen
    ]


def _shifted(at: int | None, gone: Sequence[int]) -> int | None:
    """Return the index of layer ``at`` once others are gone."""
    return None if at is None else at - sum(i < at for i in gone)


def _discarded(pile: Pile, event: ev.Discarded, entry: int, at: int | None) -> Pile:
    if at is not None:
        card = event.cards[0] if event.cards else pile.layers[at].card
        pile = pile.change(at, standing="aside", card=card, move=entry)
    return replace(pile, away=pile.away + event.count - (at is not None))


def _laid(pile: Pile, layer: Layer, at: int | None) -> Pile:
    if at is None:
        return pile.put(layer)
    there = pile.layers[at]
    layer = replace(layer, seen=there.seen, entry=there.entry, reading=there.reading)
    layers = (*pile.layers[:at], layer, *pile.layers[at + 1 :])
    return replace(pile, layers=layers, gone=False)


def initial_pile(state: State) -> Pile:
    """Return the pile of a game that no camera has seen yet."""
    if state.top is None:
        return Pile()
    return Pile((Layer(state.top, "in", seen=False, said=True),))


def after_opening(
    opening: Sequence[str], entry: int, pile: Pile, at: int | None, *, reported: bool
) -> Pile:
    """Return the pile of a new round: its opening card, seen as layer ``at``, or only reported.

    ``reported``: a person reported it.
    """
    card = opening[-1]
    there = None if at is None else pile.layers[at]
    last = pile.last
    seen = there is not None or (last is not None and last.cards.get(card, 0.0) >= LIKELIEST)
    layer = Layer(card, "in", seen, there.entry if there else 0, entry, said=reported)
    later = [] if at is None else [x for x in pile.layers[at + 1 :] if x.standing == "waiting"]
    return replace(pile, layers=(layer, *later), gone=False, last=None, early=(), hands=(), away=0)


def reshuffled(pile: Pile) -> list[int]:
    """Return the layers that a reshuffle takes away: all under the top card."""
    top = pile.top
    return [
        i
        for i, layer in enumerate(pile.layers)
        if top is not None and i < top and layer.standing in ("in", "aside")
    ]


def predict(state: State, pile: Pile, at: int, hypothesis: Hypothesis) -> tuple[State, Pile]:
    """Return the state and the pile to be expected if a hypothesis is right."""
    if hypothesis.kind == "opening":
        if not hypothesis.dealer or state.in_progress:
            return state, pile.without([at])
        state, _ = open_round(state, hypothesis.dealer, hypothesis.opening)
        return state, after_opening(hypothesis.opening, 0, pile, at, reported=False)
    if hypothesis.kind not in MOVES:
        return state, settle_layer(pile, at, hypothesis)
    for action in hypothesis.moves:
        decision = decide(state, action)
        state = decision.state
        # Earlier moves may have shifted the layers.
        last = pile.waiting[0] if action is hypothesis.moves[-1] else None
        pile = after_ruling(pile, action, decision, 0, last, reported=False)
    return state, pile
