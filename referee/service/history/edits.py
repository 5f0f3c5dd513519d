"""Corrections as changes of a game's history."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import (
    Action,
    CallUno,
    ChoosePowers,
    Flip,
    NameColor,
    Overruled,
    Play,
    Swap,
)
from referee.rules.codec import parse_move
from referee.rules.engine import decide, judge
from referee.rules.house.jump_in import RULE as JUMP_IN
from referee.rules.message import Message
from referee.rules.move_fields import FieldError
from referee.rules.records.record_rounds import parse_result
from referee.rules.records.seating import NO_CHANGE, SeatChange
from referee.rules.rulings import RuleError
from referee.service.log.long_games import paced
from referee.service.log.past_rounds import History, PastMove, PastRound, Place, begin, take_seats
from referee.service.problems import Problem, invalid

# Moves that belong to the card just laid.
WithTheCard = Play | Flip | NameColor | ChoosePowers | CallUno | Swap
# What is out of turn, or would be but for a house rule: a presumed card is neither.
NOT_ON_TURN = ("turn.order", JUMP_IN)


def edit(history: History, change: Mapping[str, Any], seq: int) -> None:
    """Correct the history; ``seq`` is the correction's entry. Raises Problem or FieldError.

    Presumed moves have to be attributed then.
    """
    EDITS[change["kind"]](history, change, seq)


def with_place(history: History, change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the change with round and move instead of the entry that it names. Raises Problem."""
    if "entry" not in change:
        return change
    for name in ("round", "move"):
        if name in change:
            raise invalid("entry", Message("give either {one} or {other}", one="entry", other=name))
    entry, rest = change["entry"], {n: value for n, value in change.items() if n != "entry"}
    for number, played in enumerate(history.rounds, 1):
        if played.seq == entry:
            return {**rest, "round": number}
        for move, past in enumerate(played.moves, 1):
            if past.seq == entry:
                return {**rest, "round": number, "move": move}
    raise Problem("no-effect", "This entry does not stand any more.")


def _undo(history: History, change: Mapping[str, Any], seq: int) -> None:
    if change.get("move") is None and change.get("round") is None:
        if history.ended:
            _go_on_after_end(history)
            return
        if takes_back_seats(history.seats_aside):
            aside, history.seats_aside = history.seats_aside, NO_CHANGE
            history.seats_aside = SeatChange(names=_names_known(history, aside))
            return
        if _undo_seats(history):
            return
        if not history.rounds:
            raise invalid("move", "there is nothing to undo")
        if history.rounds[-1].late:
            history.rounds[-1].late.pop()
            return
    if change.get("since") and "count" in change:
        raise invalid("count", "give either count or since")
    played = _round(history, change)
    number = change.get("round") or len(history.rounds)
    whole = change.get("move") is None and (played.broken_off or not played.moves)
    if change.get("since"):
        _undo_rounds_after(history, number)
    if whole:
        _undo_round(history, number)
        return
    index = _index(played, change)
    if change.get("since"):
        _go_on(played)
        del played.moves[index:]
        return
    count = change.get("count", 1)
    most = len(played.moves) - index
    if not 1 <= count <= most:
        reason = Message("must be a whole number from {least} to {most}", least=1, most=most)
        raise invalid("count", reason)
    del played.moves[index : index + count]


def _undo_rounds_after(history: History, number: int) -> None:
    """Take back the rounds after a round, and who came and went; names stay."""
    later = NO_CHANGE
    for played in history.rounds[number:]:
        later = later.then(played.seats)
    history.seats = later.then(history.seats)
    del history.rounds[number:]
    _go_on_after_end(history)
    _undo_seats(history)


def _go_on_after_end(history: History) -> None:
    history.seats = history.seats.then(history.seats_after)
    history.seats_after, history.ended = NO_CHANGE, False


def _undo_seats(history: History) -> bool:
    """Take back who came, went and changed places since the last round; names stay."""
    seats = history.seats
    if not takes_back_seats(seats):
        return False
    history.seats = NO_CHANGE
    history.seats = SeatChange(names=_names_known(history, seats))
    return True


def takes_back_seats(seats: SeatChange) -> bool:
    """Return whether a change is more than new names, so that undo takes it back."""
    return seats.order is not None or bool(seats.join) or seats.dealer is not None


def _names_known(history: History, seats: SeatChange) -> dict[int, str]:
    return {seat: name for seat, name in seats.names.items() if seat <= history.seat_count}


def _undo_round(history: History, number: int) -> None:
    """Take back that a round was broken off, or else its beginning; seats stay changed."""
    played = history.rounds[number - 1]
    if played.broken_off:
        _go_on(played)
        return
    following = history.rounds[number] if number < len(history.rounds) else history
    following.seats = played.seats.then(following.seats)
    if following.options is None:
        # What all had approved stays so.
        following.options = played.options
    del history.rounds[number - 1]


def _go_on(played: PastRound) -> None:
    """Take back that a round was broken off; moves that were tried since are ruled on in it."""
    played.broken_off = False
    played.moves += played.late
    played.late = []


def _break_off(history: History, change: Mapping[str, Any], seq: int) -> None:
    _round(history, change).broken_off = True


def _overrule(history: History, change: Mapping[str, Any], seq: int) -> None:
    played = _round(history, change)
    index = _index(played, change)
    past = played.moves[index]
    move = past.action.move if isinstance(past.action, Overruled) else past.action
    played.moves[index] = PastMove(past.seq, Overruled(move, change["verdict"]))


def _replace(history: History, change: Mapping[str, Any], seq: int) -> None:
    played = _round(history, change)
    index = _index(played, change)
    played.moves[index] = PastMove(seq, _parsed(history, change, "replacement"))


def _insert(history: History, change: Mapping[str, Any], seq: int) -> None:
    played = _round(history, change)
    end = len(played.moves) + 1
    number = change.get("move") or end
    if number > end:
        raise _no_move("move", number)
    played.moves.insert(number - 1, PastMove(seq, _parsed(history, change, "inserted")))


def _set_hand(history: History, change: Mapping[str, Any], seq: int) -> None:
    move = {"seat": change["seat"], "move": "hand-count", "count": change["count"]}
    _round(history, change).moves.append(PastMove(seq, parse_move(move, history.seat_count)))


def _reopen(history: History, change: Mapping[str, Any], seq: int) -> None:
    if "opening" not in change and "dealer" not in change:
        raise invalid("opening", "give the cards turned up, the dealer, or both")
    played = _round(history, change)
    if played.result is not None:
        raise invalid("round", "this round was entered by its result: nothing was turned up")
    played.opening = tuple(change.get("opening") or played.opening)
    played.dealer = change.get("dealer") or played.dealer


def _recount(history: History, change: Mapping[str, Any], seq: int) -> None:
    if "result" not in change and "dealer" not in change:
        raise invalid("result", "give the result, the dealer, or both")
    played = _round(history, change)
    if played.result is None:
        raise invalid("round", "this round was played move by move: correct its moves")
    if "result" in change:
        played.result = parse_result(change["result"], history.seat_count)
    played.dealer = change.get("dealer") or played.dealer


EDITS: Mapping[str, Callable[[History, Mapping[str, Any], int], None]] = {
    "undo": _undo,
    "overrule": _overrule,
    "replace": _replace,
    "insert": _insert,
    "hand-count": _set_hand,
    "opening": _reopen,
    "result": _recount,
    "break-off": _break_off,
}


def _round(history: History, change: Mapping[str, Any]) -> PastRound:
    number = change.get("round")
    number = len(history.rounds) if number is None else number
    if not history.rounds:
        raise invalid("round", "no round has begun")
    if not 1 <= number <= len(history.rounds):
        raise invalid("round", Message("there is no round {number}", number=number))
    return history.rounds[number - 1]


def _index(played: PastRound, change: Mapping[str, Any]) -> int:
    number = change.get("move")
    number = len(played.moves) if number is None else number
    if not 1 <= number <= len(played.moves):
        raise _no_move("move", number)
    return int(number) - 1


def _no_move(field: str, number: int) -> Problem:
    return invalid(field, Message("there is no move {number} in the round", number=number))


def _parsed(history: History, change: Mapping[str, Any], name: str) -> Action:
    """Return the move in a field of a correction. Raises FieldError."""
    try:
        return parse_move(change[name], history.seat_count)
    except FieldError as error:
        raise FieldError(f"{name}.{error.field}", error.reason) from None


def attribute(history: History, start: Place | None = None) -> dict[int, int]:
    """Attribute each card whose player was only presumed to the seat whose turn it was.

    The colour, powers or UNO call that belong to the card go with it. ``start``: nothing has
    changed before it. Returns the new seats by log entry.
    """
    first, state = (start.round, start.state) if start else (1, history.start)
    seats: dict[int, int] = {}
    try:
        for number, played in enumerate(history.rounds[first - 1 :], first):
            done = was = seat = 0
            if start is not None and number == first:
                done = start.move
            else:
                state = begin(take_seats(state, played), played)
            for past in paced(played.moves[done:]):
                action = past.action
                if isinstance(action, Play | Flip):
                    was = seat = action.seat
                    late = judge(state, action).rule in NOT_ON_TURN
                    if past.presumed and late and state.turn is not None:
                        seat = state.turn
                if action.seat == was != seat and isinstance(action, WithTheCard):
                    action = past.action = _of_seat(action, seat)
                    seats[past.seq] = seat
                state = decide(state, action).state
    except RuleError:
        # The round can no longer begin: replaying it raises the error.
        pass
    return seats


def _of_seat(action: WithTheCard, seat: int) -> Action:
    """Return a move as another seat's; who was swapped with swaps with whom it was taken for."""
    if isinstance(action, Swap) and action.other == seat:
        return Swap(seat, action.seat)
    return replace(action, seat=seat)


def reattribute(history: History, seats: Mapping[int, int]) -> None:
    """Attribute moves to seats as an earlier correction did."""
    if seats:
        for played in history.rounds:
            for past in played.moves:
                action = past.action
                if past.seq in seats and isinstance(action, WithTheCard):
                    past.action = _of_seat(action, seats[past.seq])
