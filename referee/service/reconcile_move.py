"""What people say at a table with a camera: the same fact is never counted twice."""

from typing import Any

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
from referee.rules.state import State
from referee.service.access import Principal
from referee.service.apply_hypothesis import apply_hypothesis
from referee.service.corrections import CorrectedGame
from referee.service.event_log import WriteRequest
from referee.service.history import ruling_to_json
from referee.service.opening import dealer_of
from referee.service.pile.hypothesis import MOVES
from referee.service.pile.inference import WIDTH, rank_hypotheses
from referee.service.pile.layers import Layer, Pile
from referee.service.pile.transitions import predict
from referee.service.pile_inference import close_question, device_of
from referee.service.table_cache import parse_entry
from referee.service.unit_of_work import UnitOfWork

Json = dict[str, Any]
# A camera that is this sure has not seen another card.
SURE = 0.9
# Somebody's word against a reading counts for a card that the camera held possible at all.
POSSIBLE = 0.0005


def reconcile_move(work: UnitOfWork, request: WriteRequest, action: Action) -> int:
    """Rule on what somebody says, as the camera's card or beside it: the index of that entry.

    What was ruled on when the camera saw it is confirmed, not ruled on again.
    """
    by = request.principal
    pile = work.pile
    if pile is not None and isinstance(action, Play | Flip):
        at = _told(pile, work.state, action, request)
        if at is not None:
            return _confirm(work, by, action, at)
        _catch_up(work, action)
        answer = len(work.entries)
        work.rule(by, action, at=_claimed(work, action))
        return answer
    if pile is not None:
        _catch_up(work, action)
    answer = len(work.entries)
    _rule_or_keep(work, by, action)
    return answer


def _told(pile: Pile, state: State, action: Play | Flip, request: WriteRequest) -> int | None:
    """Which layer is this very play, ruled on when the camera saw it and not said until now."""
    ruled = [i for i, one in enumerate(pile.layers) if one.standing in ("in", "wrong") and one.move]
    for i in reversed(ruled[-2:]):
        layer = pile.layers[i]
        if layer.said:
            continue
        if layer.seat != action.seat:
            if i == ruled[-1] and _was_mine(pile, state, layer, action):
                return i
            continue
        if request.if_match is not None and max(request.if_match, default=0) >= layer.move:
            # Whoever says it knew of that play: this is another one.
            continue
        another = i != ruled[-1] and judge(state, action).legal
        possible = layer.reading is not None and layer.reading.cards.get(action.card, 0) >= POSSIBLE
        last = i == ruled[-1] and layer.standing == "in"
        if not another and (layer.card == action.card or (possible and last)):
            return i
    return None


def _was_mine(pile: Pile, state: State, layer: Layer, action: Play | Flip) -> bool:
    """Whether somebody says that the card just seen was theirs, and not of whose turn it was.

    One that they could lay now is one more, which the camera has still to see.
    """
    presumed = layer.presumed and pile.sight == "watching" and layer.card == action.card
    return presumed and not judge(state, action).legal


def _confirm(work: UnitOfWork, by: Principal, action: Play | Flip, at: int) -> int:
    """Somebody says what the camera saw; that it was another card, or theirs, they know best."""
    pile = work.pile or Pile()
    layer = pile.layers[at]
    body: Json = {"by": by.to_json(), "move": move_to_json(action), "cause": layer.move}
    made = _replace_if_other(work, by, action, layer)
    pile = work.pile or pile
    for i, one in enumerate(pile.layers):
        if one.entry == layer.entry:
            work.pile = pile.change(i, said=True)
    step = (
        next((s for s in made.steps if s.past and s.past.seq == work.last), None) if made else None
    )
    if step is not None and step.decision is not None:
        body |= {"number": step.move, "ruling": ruling_to_json(step.decision.ruling)}
    else:
        (entry,) = work.log.reader.entries(work.table.id, layer.move - 1, 1)
        ruled = parse_entry(entry).body
        body |= {"number": ruled["number"], "ruling": ruled["ruling"]}
    answer = len(work.entries)
    work.confirm(body)
    _say_the_rest(work, by, action)
    return answer


def _replace_if_other(
    work: UnitOfWork, by: Principal, action: Play | Flip, layer: Layer
) -> CorrectedGame | None:
    moves = work.history().rounds[-1].moves
    place = next((i for i, past in enumerate(moves) if past.seq == layer.move), None)
    if place is None:
        return None
    past = moves[place].action
    if isinstance(past, type(action)) and (past.seat, layer.card) == (action.seat, action.card):
        return None
    change = {
        "kind": "replace",
        "round": work.state.round,
        "move": place + 1,
        "replacement": move_to_json(action),
    }
    return work.correct(by, change)


def _say_the_rest(work: UnitOfWork, by: Principal, action: Play | Flip) -> None:
    """What was said with a card that the camera had seen: its colour, its powers, UNO."""
    seat = action.seat
    if action.color and work.state.needs(seat, "color"):
        work.rule(by, NameColor(seat, action.color))
    if isinstance(action, Play):
        if action.powers is not None and work.state.needs(seat, "powers"):
            work.rule(by, ChoosePowers(seat, action.powers))
        if action.uno and seat in work.state.owed:
            work.rule(by, CallUno(seat))


def _catch_up(work: UnitOfWork, action: Action) -> None:
    """Somebody goes on: what the camera has asked about must have happened before.

    Of a card that waits, the likeliest explanation is taken if only that puts the action in order.
    """
    while work.pile is not None and work.pile.waiting:
        if judge(work.state, action).legal or _claimed(work, action) is not None:
            return
        pile, dealer = work.pile, dealer_of(work.table, work.state)
        for hypothesis in rank_hypotheses(work.state, pile, work.log.prior, dealer)[:WIDTH]:
            then, _ = predict(work.state, pile, pile.waiting[0], hypothesis)
            if hypothesis.kind in MOVES and judge(then, action).legal:
                close_question(work, "overtaken")
                apply_hypothesis(work, hypothesis, device_of(work))
                break
        else:
            return


def _claimed(work: UnitOfWork, action: Action) -> int | None:
    """The card that is the one that somebody says, if the camera allows for that.

    It waits, or what it was taken for has been undone.
    """
    pile = work.pile
    if pile is None or not isinstance(action, Play | Flip):
        return None
    undone = [i for i, one in enumerate(pile.layers) if one.standing == "wrong" and not one.move]
    for at in pile.waiting[:1] or undone:
        reading = pile.layers[at].reading
        if reading is None or reading.kinds.keys().isdisjoint(("placed", "found")):
            continue
        if reading.cards.get(action.card, 0.0) >= POSSIBLE:
            return at
        unsure = max(reading.cards.values(), default=0.0) < SURE
        if unsure and action.seat == work.state.turn:
            return at
    return None


def _rule_or_keep(work: UnitOfWork, by: Principal, action: Action) -> None:
    """Rule on what is no card; a call or a catch may be a moment ahead of the camera."""
    entry = work.next
    legal = work.rule(by, action, at=_discarded(work, action))
    pile = work.pile
    if pile is None or pile.sight != "watching":
        return
    early = isinstance(action, Catch) and not legal
    if early or (isinstance(action, CallUno) and action.seat not in work.state.uno):
        heard = {
            "entry": entry,
            "move": move_to_json(action),
            "by": by.to_json(),
            "at": work.time.isoformat(),
        }
        work.edit_pile(early=(*pile.early[-9:], heard))


def _discarded(work: UnitOfWork, action: Action) -> int | None:
    """The card that waits, where it is the one that somebody says they discard."""
    pile = work.pile
    if pile is None or not pile.waiting or not isinstance(action, Discard) or not action.cards:
        return None
    reading = pile.layers[pile.waiting[0]].reading
    likely = reading.cards.get(action.cards[0], 0.0) if reading else 0.0
    return pile.waiting[0] if likely >= POSSIBLE else None
