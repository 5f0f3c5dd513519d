"""Turn a hypothesis about the pile into a change that the unit of work applies.

Nothing here writes anything: the functions take the situation as it is and return values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from referee.rules.actions import Action, CallUno, Catch, ChoosePowers, NameColor, Swap
from referee.rules.codec import parse_move
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.log.past_rounds import PastMove
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.layers import Layer, Pile
from referee.service.pile.seat_directions import learn_direction
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import settle_layer

Json = dict[str, Any]
# Moves that are undone together with their card.
DEPENDENT = (NameColor, ChoosePowers, CallUno, Swap)


@dataclass(frozen=True, slots=True)
class Situation:
    """The game and the pile at one moment of a write.

    ``state`` includes, before the first round, the custom cards proposed so far. ``dealer`` deals
    the next round, if that is settled. ``read_moves`` returns the moves of the round that stand in
    the log; ``ruled``: this write has rulings that the log does not hold yet.
    """

    table_id: str
    state: State
    pile: Pile
    prior: Prior
    dealer: int | None
    time: datetime
    read_moves: Callable[[], Sequence[PastMove]]
    ruled: bool = False

    @property
    def camera(self) -> Principal:
        """The camera that reported last, as the author of what follows."""
        return Principal(self.pile.device or "", self.table_id, "device")


@dataclass(frozen=True, slots=True)
class PileMove:
    """A move to rule on, caused by the log entry ``cause``.

    ``explains_card``: it explains the first waiting card. ``presumed``: the seat follows from
    whose turn it is. ``if_owed``: ruled on only while that seat has not called UNO.
    """

    by: Principal
    action: Action
    cause: int
    explains_card: bool = False
    presumed: bool = False
    if_owed: int | None = None


@dataclass(frozen=True, slots=True)
class PileChange:
    """The changes due to an observation, an answer or a report, in the order of the fields.

    ``correction`` and ``opening`` (the cards turned up, the dealer) are made by ``by`` because of
    the log entry ``cause``.
    """

    pile: Pile | None = None
    by: Principal | None = None
    cause: int | None = None
    correction: Mapping[str, Any] | None = None
    opening: tuple[tuple[str, ...], int] | None = None
    moves: tuple[PileMove, ...] = ()


def consequences(situation: Situation, hypothesis: Hypothesis, by: Principal) -> PileChange | None:
    """Return the change to make if the hypothesis about the first waiting card is right.

    ``by`` is the camera, or the person who answered. None: it cannot be acted on now.
    """
    at = situation.pile.waiting[0]
    layer = situation.pile.layers[at]
    if hypothesis.kind in MOVES:
        return _moves(situation, hypothesis, by, layer)
    if hypothesis.kind == "opening":
        if not hypothesis.dealer:
            return None
        # A round in progress: another card was turned up in place of its opening.
        undo = {"kind": "undo"} if situation.state.in_progress else None
        opening = (hypothesis.opening, hypothesis.dealer)
        return PileChange(by=by, cause=layer.entry, correction=undo, opening=opening)
    pile = settle_layer(situation.pile, at, hypothesis)
    if hypothesis.kind != "take-back":
        return PileChange(pile)
    if hypothesis.layer is None or situation.ruled:
        return None
    return PileChange(pile, by, layer.entry, _undo_from(situation, hypothesis.layer))


def _moves(situation: Situation, hypothesis: Hypothesis, by: Principal, layer: Layer) -> PileChange:
    origin = layer.reading.origin if layer.reading else {}
    *before, last = hypothesis.moves
    told = bool(before or origin) or (
        hypothesis.kind == "play" and not _on_turn(situation.state, last)
    )
    presumed = by.role == "device" and not told
    moves = [PileMove(by, action, layer.entry) for action in before]
    moves.append(PileMove(by, last, layer.entry, explains_card=True, presumed=presumed))
    pile = learn_direction(situation.pile, last.seat, layer.reading)
    if hypothesis.kind == "play":
        moves += _early_words(situation, last.seat)
        pile = replace(pile, early=())
    return PileChange(pile, moves=tuple(moves))


def _on_turn(state: State, move: Action) -> bool:
    """Return whether a card follows from whose turn it is; who jumps in was seen to do so."""
    more = state.follow_up
    return move.seat in (state.turn, more.seat if more else None)


def _early_words(situation: Situation, seat: int) -> list[PileMove]:
    """Return UNO calls and catches about a seat that came just before the camera saw its card.

    Each belongs to the card that makes it right.
    """
    words = []
    for word in situation.pile.early:
        age = (situation.time - datetime.fromisoformat(word["at"])).total_seconds()
        action = parse_move(word["move"], len(situation.state.hands))
        about = action.accused if isinstance(action, Catch) else action.seat
        if about == seat and age <= situation.prior.early:
            author = word["by"]
            by = Principal(author["token"], situation.table_id, author["role"], author.get("seat"))
            words.append(PileMove(by, action, word["entry"], if_owed=seat))
    return words


def _undo_from(situation: Situation, below: int) -> Json | None:
    """Return the correction that undoes the lowest card taken from above a layer, and all since."""
    undone = len(undone_moves(situation, below))
    if not undone:
        return None
    place = {"move": len(situation.read_moves()) - undone + 1, "count": undone}
    return {"kind": "undo", "round": situation.state.round, **place}


def undone_moves(situation: Situation, below: int) -> Sequence[PastMove]:
    """Return the moves undone when the cards above a layer are taken back: the lowest's, and on."""
    moves = situation.read_moves()
    gone = {layer.move for layer in _taken(situation.pile, below)}
    place = next((i for i, past in enumerate(moves) if past.seq in gone), len(moves))
    return moves[place:]


def undoes_more(situation: Situation, hypothesis: Hypothesis) -> bool:
    """Return whether taking back would undo more than one play and its reports."""
    if hypothesis.layer is None or not situation.state.round:
        return True
    gone = [layer.move for layer in _taken(situation.pile, hypothesis.layer) if layer.move]
    moves = situation.read_moves()
    place = next((i for i, past in enumerate(moves) if gone and past.seq == gone[0]), None)
    if len(gone) != 1 or place is None:
        return True
    return place + 1 + _dependents(moves[place:]) < len(moves)


def _taken(pile: Pile, below: int) -> list[Layer]:
    """Return the cards of the game between a layer and the first waiting one."""
    return [layer for layer in pile.layers[below + 1 : pile.waiting[0]] if layer.standing == "in"]


def _dependents(moves: Sequence[PastMove]) -> int:
    seat = moves[0].action.seat
    count = 0
    for past in moves[1:]:
        if past.action.seat != seat or not isinstance(past.action, DEPENDENT):
            break
        count += 1
    return count
