"""Carrying out what the pile's camera has seen: the moves, the opening or the taking back in it."""

from datetime import datetime

from referee.rules.actions import CallUno, Catch, ChoosePowers, NameColor
from referee.rules.codec import parse_move
from referee.service.access import Principal
from referee.service.history import PastMove
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.layers import Layer
from referee.service.pile.seat_directions import learnt
from referee.service.pile.transitions import settle_layer
from referee.service.problems import Problem
from referee.service.unit_of_work import UnitOfWork

# What is undone together with the card it was said for.
DEPENDENT = (NameColor, ChoosePowers, CallUno)
MEANINGS = {
    "play": "settled",
    "flip": "settled",
    "discard": "settled",
    "illegal": "illegal",
    "opening": "settled",
    "turned": "waiting",
    "said": "agrees",
    "shows": "agrees",
    "nothing": "agrees",
    "idle": "idle",
    "waits": "waiting",
    "put-right": "put-right",
    "take-back": "taken-back",
    "away": "agrees",
    "differs": "discrepancy",
}


def apply_hypothesis(work: UnitOfWork, hypothesis: Hypothesis, by: Principal) -> bool:
    """Take a guess about the first waiting layer for what happened; False when it cannot be.

    ``by`` is the device that saw it, or whoever answered.
    """
    pile = work.pile
    if pile is None:
        return False
    at = pile.waiting[0]
    layer = pile.layers[at]
    if hypothesis.kind in MOVES:
        _move(work, hypothesis, by, layer)
    elif hypothesis.kind == "opening":
        return _open(work, hypothesis, by, layer)
    elif hypothesis.kind == "take-back":
        return _take_back(work, hypothesis, by, layer, at)
    else:
        work.pile = settle_layer(pile, at, hypothesis)
    return True


def _move(work: UnitOfWork, hypothesis: Hypothesis, by: Principal, layer: Layer) -> None:
    origin = layer.reading.origin if layer.reading else {}
    presumed = by.role == "device" and not origin and len(hypothesis.moves) == 1
    for action in hypothesis.moves:
        pile = work.pile
        last = action is hypothesis.moves[-1]
        at = pile.waiting[0] if pile is not None and last else None
        work.rule(by, action, cause=layer.entry, at=at, presumed=presumed and last)
    if work.pile is not None:
        work.pile = learnt(work.pile, hypothesis.moves[-1].seat, layer.reading)
    if hypothesis.kind == "play":
        _said_early(work, hypothesis.moves[-1].seat, layer)


def _said_early(work: UnitOfWork, seat: int, layer: Layer) -> None:
    """What people said a moment before the camera had seen the card counts now.

    An UNO call, or a catch that was refused, belongs to the card that makes it right.
    """
    pile = work.pile
    if pile is None:
        return
    heard = pile.early
    work.edit_pile(early=())
    for one in heard:
        age = (work.time - datetime.fromisoformat(one["at"])).total_seconds()
        if age > work.log.prior.early:
            continue
        action = parse_move(one["move"], len(work.state.hands))
        about = action.accused if isinstance(action, Catch) else action.seat
        if about == seat and seat in work.state.owed:
            said = one["by"]
            by = Principal(said["token"], work.table.id, said["role"], said.get("seat"))
            work.rule(by, action, cause=one["entry"])


def _open(work: UnitOfWork, hypothesis: Hypothesis, by: Principal, layer: Layer) -> bool:
    if not hypothesis.dealer:
        return False
    try:
        if work.state.in_progress:
            # Another card was turned up in place of the one before.
            work.correct(by, {"kind": "undo"}, cause=layer.entry)
        pile = work.pile
        at = pile.waiting[0] if pile is not None else None
        work.open_round(by, hypothesis.opening, hypothesis.dealer, cause=layer.entry, at=at)
    except Problem:
        # Such as custom cards that are not approved yet: the card waits.
        return False
    return True


def _take_back(
    work: UnitOfWork, hypothesis: Hypothesis, by: Principal, layer: Layer, at: int
) -> bool:
    """Undo the lowest card that was taken away, and what came after it."""
    pile = work.pile
    if pile is None or hypothesis.layer is None or work.has_ruled:
        return False
    gone = {one.move for one in pile.layers[hypothesis.layer + 1 : at] if one.standing == "in"}
    moves = work.history().rounds[-1].moves
    place = next((i for i, past in enumerate(moves) if past.seq in gone), None)
    work.pile = settle_layer(pile, at, hypothesis)
    if place is not None:
        change = {
            "kind": "undo",
            "round": work.state.round,
            "move": place + 1,
            "count": len(moves) - place,
        }
        work.correct(by, change, cause=layer.entry)
    return True


def _dependents(moves: list[PastMove]) -> int:
    seat = moves[0].action.seat
    count = 0
    for past in moves[1:]:
        if past.action.seat != seat or not isinstance(past.action, DEPENDENT):
            break
        count += 1
    return count


def undoes_more(work: UnitOfWork, hypothesis: Hypothesis) -> bool:
    """Whether taking back would change more than one play and what was said for it."""
    pile = work.pile
    if pile is None or hypothesis.layer is None or not work.state.round:
        return True
    gone = [
        one
        for one in pile.layers[hypothesis.layer + 1 : pile.waiting[0]]
        if one.standing == "in" and one.move
    ]
    moves = work.history().rounds[-1].moves
    place = next((i for i, past in enumerate(moves) if gone and past.seq == gone[0].move), None)
    if len(gone) != 1 or place is None:
        return True
    return place + 1 + _dependents(moves[place:]) < len(moves)
