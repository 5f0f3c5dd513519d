"""What the pile is like once a change of it has been explained."""

from collections.abc import Sequence
from dataclasses import replace

from referee.rules import events as ev
from referee.rules.actions import Action, Flip, Overruled, Play
from referee.rules.engine import Decision, decide, open_round
from referee.rules.state import State
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.layers import Layer, Pile

# Illegal for lack of something that may still come: the card need not be taken back for that.
TOO_EARLY = ("round.awaiting", "round.over", "deck.unknown")


def settle_layer(pile: Pile, at: int, hypothesis: Hypothesis) -> Pile:
    """The pile after a guess about layer ``at`` that is no move was taken for what happened."""
    kind = hypothesis.kind
    if kind == "said" and hypothesis.layer is not None:
        for i in range(hypothesis.layer + 1):
            pile = pile.change(i, seen=True)
        return replace(pile.without([at]), gone=False)
    if kind == "shows":
        top = pile.top
        kept = [i for i, one in enumerate(pile.layers) if one.standing == "waiting" and i > at]
        layers = [replace(one, seen=True) for one in pile.layers[: 0 if top is None else top + 1]]
        above = [pile.layers[i] for i in kept]
        inside = [one for one in layers if one.standing == "in"]
        return replace(pile, layers=(*inside, *above), gone=False)
    if kind in ("put-right", "take-back") and hypothesis.layer is not None:
        gone = range(hypothesis.layer + 1, at + 1)
        return replace(pile.without(gone), gone=False)
    if kind == "away":
        pile = replace(pile, away=pile.away - 1)
    if kind in ("turned", "differs", "away"):
        return replace(pile.change(at, card=hypothesis.card, standing="aside"), gone=False)
    if kind in ("nothing", "idle"):
        return replace(pile.without([at]), last=pile.layers[at].reading)
    return pile


def after_ruling(
    pile: Pile,
    action: Action,
    decision: Decision,
    entry: int,
    at: int | None,
    *,
    said: bool,
    presumed: bool = False,
) -> Pile:
    """The pile after a move, ruled on as the log's ``entry``; ``at`` is the layer it explains."""
    move = action.move if isinstance(action, Overruled) else action
    card = move.card if isinstance(move, Play | Flip) else None
    if not decision.ruling.legal:
        if card is None or decision.ruling.rule in TOO_EARLY:
            return pile
        wrong = Layer(card, "wrong", False, 0, entry, move.seat, said, presumed)
        return _laid(pile, wrong, at)
    for event in decision.events:
        if isinstance(event, ev.Played | ev.Flipped):
            # What was refused and never seen was never there.
            phantom = [
                i
                for i, one in enumerate(pile.layers)
                if one.standing == "wrong" and not one.seen and i != at
            ]
            at = None if at is None else at - sum(i < at for i in phantom)
            layer = Layer(event.card, "in", False, 0, entry, event.seat, said, presumed)
            pile = replace(_laid(pile.without(phantom), layer, at), away=0)
        elif isinstance(event, ev.Discarded):
            if at is not None:
                card = event.cards[0] if event.cards else pile.layers[at].card
                pile = pile.change(at, standing="aside", card=card, move=entry)
            pile = replace(pile, away=pile.away + event.count - (at is not None))
        elif isinstance(event, ev.Reshuffled):
            gone = reshuffled(pile)
            at = None if at is None else at - sum(i < at for i in gone)
            pile = pile.without(gone)
    return pile


def _laid(pile: Pile, layer: Layer, at: int | None) -> Pile:
    if at is None:
        return pile.put(layer)
    there = pile.layers[at]
    layer = replace(layer, seen=there.seen, entry=there.entry, reading=there.reading)
    layers = (*pile.layers[:at], layer, *pile.layers[at + 1 :])
    return replace(pile, layers=layers, gone=False)


def initial_pile(state: State) -> Pile:
    """The pile of a game that no camera has looked at yet."""
    if state.top is None:
        return Pile()
    return Pile((Layer(state.top, "in", seen=False, said=True),))


def after_opening(opening: Sequence[str], entry: int, pile: Pile, at: int | None) -> Pile:
    """A new pile: the opening card lies there, seen as layer ``at`` or said."""
    card = opening[-1]
    there = None if at is None else pile.layers[at]
    last = pile.last
    seen = there is not None or (last is not None and last.cards.get(card, 0.0) >= 0.5)
    layer = Layer(card, "in", seen, there.entry if there else 0, entry, said=there is None)
    later = [] if at is None else [x for x in pile.layers[at + 1 :] if x.standing == "waiting"]
    return replace(pile, layers=(layer, *later), gone=False, last=None, early=(), hands=(), away=0)


def reshuffled(pile: Pile) -> list[int]:
    """The layers that have gone into the draw pile: all but the top card."""
    top = pile.top
    return [
        i
        for i, one in enumerate(pile.layers)
        if top is not None and i < top and one.standing in ("in", "aside")
    ]


def predict(state: State, pile: Pile, at: int, hypothesis: Hypothesis) -> tuple[State, Pile]:
    """What would be the case after a guess; nothing is written by it."""
    if hypothesis.kind == "opening":
        if not hypothesis.dealer or state.in_progress:
            return state, pile.without([at])
        state, _ = open_round(state, hypothesis.dealer, hypothesis.opening)
        return state, after_opening(hypothesis.opening, 0, pile, at)
    if hypothesis.kind not in MOVES:
        return state, settle_layer(pile, at, hypothesis)
    for action in hypothesis.moves:
        decision = decide(state, action)
        state = decision.state
        # What comes before may have moved the layers.
        last = pile.waiting[0] if action is hypothesis.moves[-1] else None
        pile = after_ruling(pile, action, decision, 0, last, said=False)
    return state, pile
