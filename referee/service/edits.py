"""Corrections as changes of a game's history."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import CallUno, ChoosePowers, Flip, NameColor, Overruled, Play
from referee.rules.codec import parse_move
from referee.rules.engine import decide, judge
from referee.rules.message import Message
from referee.rules.rulings import RuleError
from referee.service.past_rounds import History, PastMove, PastRound, begin
from referee.service.problems import invalid

# Moves that belong to the card just laid.
WITH_THE_CARD = (Play, Flip, NameColor, ChoosePowers, CallUno)


def edit(history: History, change: Mapping[str, Any], seq: int) -> None:
    """Correct the history. Raises Problem when there is no such move.

    A presumed move is attributed to the seat whose turn it is then.
    """
    _edit(history, change, seq)
    if any(past.presumed for played in history.rounds for past in played.moves):
        attribute(history)


def _edit(history: History, change: Mapping[str, Any], seq: int) -> None:
    kind = change["kind"]
    if kind == "undo" and change.get("move") is None and change.get("round") is None:
        _undo_last(history)
        return
    played = _round(history, change.get("round"))
    seats = history.seat_count
    if kind == "break-off":
        played.broken_off = True
        return
    if kind == "hand-count":
        move = {"seat": change["seat"], "move": "hand-count", "count": change["count"]}
        played.moves.append(PastMove(seq, parse_move(move, seats)))
        return
    if kind == "insert":
        _insert(history, played, change, seq)
        return
    index = _index(played, change)
    if kind == "undo":
        count = change.get("count", 1)
        if not 1 <= count <= len(played.moves) - index:
            number = index + count
            raise invalid("count", Message("there is no move {number} in the round", number=number))
        del played.moves[index : index + count]
    elif kind == "overrule":
        past = played.moves[index]
        move_ = past.action.move if isinstance(past.action, Overruled) else past.action
        played.moves[index] = PastMove(past.seq, Overruled(move_, change["verdict"]))
    else:
        played.moves[index] = PastMove(seq, parse_move(change["replacement"], seats))


def _insert(history: History, played: PastRound, change: Mapping[str, Any], seq: int) -> None:
    end = len(played.moves) + 1
    number = change.get("move") or end
    if number > end:
        raise invalid("move", Message("there is no move {number} in the round", number=number))
    action = parse_move(change["inserted"], history.seat_count)
    played.moves.insert(number - 1, PastMove(seq, action))


def _undo_last(history: History) -> None:
    if history.ended:
        history.ended = False
        return
    if not history.rounds:
        raise invalid("move", "there is nothing to undo")
    last = history.rounds[-1]
    if last.broken_off:
        last.broken_off = False
    elif last.moves:
        last.moves.pop()
    else:
        history.rounds.pop()
        history.seats = last.seats.then(history.seats)


def _round(history: History, number: int | None) -> PastRound:
    number = len(history.rounds) if number is None else number
    if not 1 <= number <= len(history.rounds):
        raise invalid("round", Message("there is no round {number}", number=number))
    return history.rounds[number - 1]


def _index(played: PastRound, change: Mapping[str, Any]) -> int:
    number = change.get("move")
    number = len(played.moves) if number is None else number
    if not 1 <= number <= len(played.moves):
        raise invalid("move", Message("there is no move {number} in the round", number=number))
    return int(number) - 1


def attribute(history: History) -> None:
    """Attribute each card whose player was only presumed to the seat whose turn it was.

    The colour, powers or UNO call that belong to the card go with it.
    """
    state = history.start
    try:
        for played in history.rounds:
            state = begin(state, played)
            was = now = 0
            for past in played.moves:
                action = past.action
                if isinstance(action, Play | Flip):
                    was = now = action.seat
                    late = judge(state, action).rule == "turn.order"
                    if past.presumed and late and state.turn is not None:
                        now = state.turn
                if action.seat == was != now and isinstance(action, WITH_THE_CARD):
                    action = past.action = replace(action, seat=now)
                state = decide(state, action).state
    except RuleError:
        # The round can no longer begin: replaying it raises the error.
        return
