"""Reconcile reported moves with the camera's, so no card counts twice.

Functions that match a report with the pile write nothing. ``reconcile_move`` brings them together.
"""

from dataclasses import replace

from referee.rules.actions import (
    Action,
    CallUno,
    Catch,
    ChoosePowers,
    Discard,
    Flip,
    NameColor,
    Play,
)
from referee.rules.codec import move_to_json
from referee.rules.engine import judge
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.history.corrections import CorrectedGame
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.inference import WIDTH, rank_hypotheses
from referee.service.pile.layers import Layer, Pile
from referee.service.pile.thresholds import POSSIBLE, SURE
from referee.service.pile.transitions import predict
from referee.service.reconcile.answer_rights import may_say
from referee.service.reconcile.apply_hypothesis import PileChange, Situation, consequences
from referee.service.reconcile.unit_of_work import UnitOfWork

MOST_EARLY = 10


def reconcile_move(
    work: UnitOfWork, by: Principal, action: Action, known_version: int | None
) -> int:
    """Rule on a reported move, as the camera's card or another; return that entry.

    A play that was ruled on when the camera saw it is confirmed, not ruled on again.
    ``known_version`` is the version of the table that the sender has seen, if they say so.
    """
    pile = work.pile
    if pile is None:
        return _rule(work, by, action)
    if isinstance(action, Play | Flip):
        at = seen_play(pile, work.state, action, known_version)
        if at is not None:
            return _confirm(work, by, action, pile.layers[at])
    _catch_up(work, by, action)
    if isinstance(action, Play | Flip):
        return _rule(work, by, action, claimed_layer(work.pile or pile, work.state, action))
    entry = work.next
    legal = work.rule(by, action, at=discarded_layer(work.pile or pile, action))
    situation = work.situation
    if comes_early(situation, action, legal):
        word = {"entry": entry, "move": move_to_json(action), "by": by.to_json()}
        early = (*situation.pile.early, {**word, "at": situation.time.isoformat()})
        work.apply(PileChange(replace(situation.pile, early=early[-MOST_EARLY:])))
    return entry


def _rule(work: UnitOfWork, by: Principal, action: Action, at: int | None = None) -> int:
    entry = work.next
    work.rule(by, action, at=at)
    return entry


def seen_play(
    pile: Pile, state: State, action: Play | Flip, known_version: int | None
) -> int | None:
    """Return the layer of this very play, ruled on when the camera saw it and not reported yet."""
    ruled = [i for i, old in enumerate(pile.layers) if old.standing in ("in", "wrong") and old.move]
    for i in reversed(ruled[-2:]):
        layer, newest = pile.layers[i], i == ruled[-1]
        if layer.said:
            continue
        if layer.seat != action.seat:
            if newest and _was_theirs(pile, state, layer, action):
                return i
        # A sender who knew of that play reports another one.
        elif (known_version or 0) < layer.move and _same_play(state, layer, action, newest):
            return i
    return None


def _same_play(state: State, layer: Layer, action: Play | Flip, newest: bool) -> bool:
    if not newest and judge(state, action).legal:
        return False
    possible = newest and layer.standing == "in" and _chance(layer, action.card) >= POSSIBLE
    return layer.card == action.card or possible


def _was_theirs(pile: Pile, state: State, layer: Layer, action: Play | Flip) -> bool:
    """Return whether a seat other than the presumed one reports the card just seen.

    If that seat could lay such a card now, it is another card that the camera has still to see. The
    card that ended the round nobody takes from whoever won by it.
    """
    presumed = layer.presumed and pile.sight == "watching" and layer.card == action.card
    return presumed and state.in_progress and not judge(state, action).legal


def _chance(layer: Layer, card: str) -> float:
    return layer.reading.cards.get(card, 0.0) if layer.reading else 0.0


def claimed_layer(pile: Pile, state: State, action: Action) -> int | None:
    """Return the layer that may be the reported card, if the camera allows that.

    The layer is unexplained, or its play has been undone.
    """
    if not isinstance(action, Play | Flip):
        return None
    undone = [
        i for i, layer in enumerate(pile.layers) if layer.standing == "wrong" and not layer.move
    ]
    on_turn = action.seat == state.turn
    candidates = pile.waiting[:1] or undone
    return next((i for i in candidates if _may_be(pile.layers[i], action.card, on_turn)), None)


def opening_layer(pile: Pile | None, card: str) -> int | None:
    """Return the newest unexplained layer, if it may be the card that is said to open the round."""
    if pile is None or not pile.waiting:
        return None
    at = pile.waiting[-1]
    return at if _may_be(pile.layers[at], card, on_turn=True) else None


def _may_be(layer: Layer, card: str, on_turn: bool) -> bool:
    reading = layer.reading
    if reading is None or reading.kinds.keys().isdisjoint(("placed", "found")):
        return False
    unsure = max(reading.cards.values(), default=0.0) < SURE
    return _chance(layer, card) >= POSSIBLE or (unsure and on_turn)


def discarded_layer(pile: Pile, action: Action) -> int | None:
    """Return the waiting card, if it may be the one reported as discarded."""
    if not pile.waiting or not isinstance(action, Discard) or not action.cards:
        return None
    at = pile.waiting[0]
    return at if _chance(pile.layers[at], action.cards[0]) >= POSSIBLE else None


def comes_early(situation: Situation, action: Action, legal: bool) -> bool:
    """Return whether a call or a catch may be ahead of a card that the camera has still to see."""
    if situation.pile.sight != "watching":
        return False
    if isinstance(action, Catch):
        return not legal
    return isinstance(action, CallUno) and action.seat not in situation.state.uno


def explanation_before(situation: Situation, by: Principal, action: Action) -> Hypothesis | None:
    """Return the waiting card's likeliest move that makes an action reported by ``by`` legal.

    What it would do to others beyond laying that card has to be likely enough to be asked about.
    """
    at = situation.pile.waiting[0]
    for hypothesis in rank_hypotheses(
        situation.state, situation.pile, situation.prior, situation.dealer
    )[:WIDTH]:
        then, _ = predict(situation.state, situation.pile, at, hypothesis)
        if hypothesis.weight < situation.prior.mention and not may_say(by, situation, hypothesis):
            continue
        if hypothesis.kind in MOVES and judge(then, action).legal:
            return hypothesis
    return None


def _catch_up(work: UnitOfWork, by: Principal, action: Action) -> None:
    """Explain waiting cards, as far as an action is legal only after them."""
    while work.waiting:
        situation = work.situation
        if (
            judge(situation.state, action).legal
            or claimed_layer(situation.pile, situation.state, action) is not None
        ):
            return
        hypothesis = explanation_before(situation, by, action)
        if hypothesis is None:
            return
        work.close_question("overtaken")
        situation = work.situation
        change = consequences(situation, hypothesis, situation.camera)
        if change is not None:
            work.apply(change)


def _confirm(work: UnitOfWork, by: Principal, action: Play | Flip, layer: Layer) -> int:
    """Confirm a play that the camera saw, or correct its card or its player."""
    corrected = _correct_if_other(work, by, action, layer)
    pile = work.situation.pile
    layers = (replace(seen, said=seen.said or seen.entry == layer.entry) for seen in pile.layers)
    work.apply(PileChange(replace(pile, layers=tuple(layers))))
    entry = work.confirm(by, move_to_json(action), layer.move, corrected)
    _rule_on_the_rest(work, by, action)
    return entry


def _correct_if_other(
    work: UnitOfWork, by: Principal, action: Play | Flip, layer: Layer
) -> CorrectedGame | None:
    moves = work.standing_moves()
    place = next((i for i, past in enumerate(moves) if past.seq == layer.move), None)
    if place is None:
        return None
    past = moves[place].action
    if isinstance(past, type(action)) and (past.seat, layer.card) == (action.seat, action.card):
        return None
    replaced = {"move": place + 1, "replacement": move_to_json(action)}
    return work.correct(by, {"kind": "replace", "round": work.state.round, **replaced})


def _rule_on_the_rest(work: UnitOfWork, by: Principal, action: Play | Flip) -> None:
    """Rule on the rest of a report about a card already seen: colour, powers, UNO."""
    seat = action.seat
    if action.color and work.state.needs(seat, "color"):
        work.rule(by, NameColor(seat, action.color))
    if isinstance(action, Play):
        if action.powers is not None and work.state.needs(seat, "powers"):
            work.rule(by, ChoosePowers(seat, action.powers))
        if action.uno and seat in work.state.owed:
            work.rule(by, CallUno(seat))
