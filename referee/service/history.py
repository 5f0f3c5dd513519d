"""The moves of a game that stand after all corrections; records consist of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from referee.rules.actions import Action, CallUno, ChoosePowers, Flip, NameColor, Overruled, Play
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import Decision, decide, judge, open_round
from referee.rules.message import Message
from referee.rules.record import Record, replay
from referee.rules.rulings import Args, RuleError, Ruling
from referee.rules.serial import event_to_json, game_from_json, game_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.problems import invalid
from referee.service.table_projection import TableProjection
from referee.store.reader import LogReader

KINDS = ("created", "round-opened", "moved", "corrected")
# Moves that belong to the card just laid.
WITH_THE_CARD = (Play, Flip, NameColor, ChoosePowers, CallUno)


@dataclass(slots=True)
class PastMove:
    """A move that stands, and the log entry it came with.

    ``presumed``: a camera saw the card, and whose it was followed from whose turn it was.
    """

    seq: int
    action: Action
    presumed: bool = False


@dataclass(slots=True)
class PastRound:
    """A round that was opened, and its moves; ``abandons``: the round before was broken off."""

    dealer: int
    opening: tuple[str, ...]
    abandons: bool = False
    moves: list[PastMove] = field(default_factory=list)


@dataclass(slots=True)
class History:
    """A game before its first round, and the rounds that stand."""

    start: State
    rounds: list[PastRound] = field(default_factory=list)


def read_history(reader: LogReader, table: TableProjection) -> History:
    """Read the moves that stand from a table's log."""
    history = History(table.state)
    seats = len(table.state.game.seats)
    for entry in reader.entries_of_kind(table.id, KINDS):
        body = orjson.loads(entry.body)
        if entry.kind == "created":
            history.start = game_from_json(body["game"])
        elif entry.kind == "round-opened":
            if body.get("game"):
                history.start = game_from_json(body["game"])
            abandons = body.get("abandons", False)
            history.rounds.append(PastRound(body["dealer"], tuple(body["opening"]), abandons))
        elif entry.kind == "moved":
            move = parse_move(body["move"], seats)
            history.rounds[-1].moves.append(PastMove(entry.seq, move, "presumed" in body))
        else:
            edit(history, body["change"], entry.seq)
    return history


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
    seats = len(history.start.game.seats)
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
    action = parse_move(change["inserted"], len(history.start.game.seats))
    played.moves.insert(number - 1, PastMove(seq, action))


def _undo_last(history: History) -> None:
    if not history.rounds:
        raise invalid("move", "there is nothing to undo")
    if history.rounds[-1].moves:
        history.rounds[-1].moves.pop()
    else:
        history.rounds.pop()


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


@dataclass(frozen=True, slots=True)
class Replayed:
    """One step of a history played again: an opening (no decision) or a move."""

    round: int
    move: int
    past: PastMove | None
    decision: Decision | None
    state: State


def play_again(history: History) -> Iterator[Replayed]:
    """Replay the history. Raises RuleError when a round can no longer be opened."""
    state = history.start
    for number, played in enumerate(history.rounds, 1):
        state, _ = open_round(state, played.dealer, played.opening, played.abandons)
        yield Replayed(number, 0, None, None, state)
        for i, past in enumerate(played.moves, 1):
            decision = decide(state, past.action)
            state = decision.state
            yield Replayed(number, i, past, decision, state)


def attribute(history: History) -> None:
    """Attribute each card whose player was only presumed to the seat whose turn it was.

    The colour, powers or UNO call that belong to the card go with it.
    """
    state = history.start
    try:
        for played in history.rounds:
            state, _ = open_round(state, played.dealer, played.opening, played.abandons)
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


def rounds_as_entries(
    record: Record, by: Principal
) -> Iterator[tuple[str, Mapping[str, Any], State]]:
    """Yield the rounds of a record as entries of a table's log."""
    game = game_to_json(record.start.game)
    before = record.start
    for step in replay(record):
        if step.action is None:
            played = record.rounds[step.round - 1]
            head = game if step.round == 1 else None
            body = opened_body(by, played.dealer, played.opening, step.events, step.state, head)
            body["abandons"] = before.in_progress or bool(before.awaiting)
            yield "round-opened", body, step.state
        elif step.ruling is not None:
            yield (
                "moved",
                moved_body(by, step.action, step.ruling, step.events, step.state),
                step.state,
            )
        before = step.state


def opened_body(
    by: Principal,
    dealer: int,
    opening: tuple[str, ...],
    events: tuple[Any, ...],
    state: State,
    game: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the log's body for an opened round; ``game`` once the house rules are settled."""
    body = {
        "by": by.to_json(),
        "round": state.round,
        "dealer": dealer,
        "opening": list(opening),
        "events": [event_to_json(event) for event in events],
        "state": public_state(state),
    }
    return body if game is None else {**body, "game": game}


def moved_body(
    by: Principal, action: Action, ruling: Ruling, events: tuple[Any, ...], state: State
) -> dict[str, Any]:
    """Return the log's body for a move and the ruling on it."""
    return {
        "by": by.to_json(),
        "round": state.round,
        "number": state.moves,
        "move": move_to_json(action),
        "ruling": ruling_to_json(ruling),
        "events": [event_to_json(event) for event in events],
        "state": public_state(state),
    }


def ruling_to_json(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as the log stores it: ids and arguments."""
    stated: dict[str, Any] = {"verdict": ruling.verdict, "rule": ruling.rule}
    args: Args = ruling.args
    if args:
        stated["args"] = dict(args)
    if ruling.remedy:
        stated["remedy"] = ruling.remedy
    return stated
