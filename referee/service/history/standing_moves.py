"""Read a game's history from the log of a table, and state what goes into the log."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.play.rounds import RoundResult
from referee.rules.position.events import Event, Scored
from referee.rules.position.fold import evolve_all
from referee.rules.position.state import State, with_game
from referee.rules.position.views import public_state
from referee.rules.records.record import Record, Step, replay
from referee.rules.records.record_rounds import parse_result, parse_seat_change, result_to_json
from referee.rules.records.seating import MOST_NUMBERS, NO_CHANGE, SeatChange
from referee.rules.records.serial import (
    event_from_json,
    event_to_json,
    game_from_json,
    state_to_json,
)
from referee.rules.rulings import Args, Ruling
from referee.service.access import Principal
from referee.service.history.edits import edit, reattribute
from referee.service.log.caught_players import caught_by
from referee.service.log.game_folds import round_result
from referee.service.log.long_games import paced
from referee.service.log.past_rounds import History, PastMove, PastRound
from referee.service.log.table_projection import TableProjection
from referee.store.reader import LogReader

KINDS = (
    *("created", "game-started", "game-ended", "seats-changed"),
    *("round-opened", "round-counted", "moved", "corrected"),
)
# step of a record's replay → the kind of its log entry
ENTRY_KINDS = {
    "seats": "seats-changed",
    "opening": "round-opened",
    "result": "round-counted",
    "ended": "game-ended",
}


def read_history(
    reader: LogReader, table: TableProjection, void: int = 0, game: int | None = None
) -> History:
    """Read the moves that stand from a table's log, without the correction ``void``.

    ``game`` is one of the table's games, by default the present one.
    """
    history = History(table.state)
    # Of the games before the present one nothing is needed but for them.
    present = game in (None, table.meta.game) and table.meta.game_since
    number = table.meta.game - 1 if present else 0
    after = table.meta.game_since - 1 if present else 0
    entries = reader.entries_of_kind(table.id, KINDS, after)
    corrections = {row.seq: orjson.loads(row.body) for row in entries if row.kind == "corrected"}
    voided = {void, *(body["voids"] for body in corrections.values() if "voids" in body)}
    # The rounds by their entries, and by the numbers that they had when an entry was written: later
    # corrections may have changed these.
    by_entry: dict[int, PastRound] = {}
    by_number: dict[int, PastRound] = {}
    for entry in paced(entries):
        body = corrections.get(entry.seq) or orjson.loads(entry.body)
        if entry.kind in ("created", "game-started"):
            number += 1
            if number - 1 == game:
                break
            history = History(start_of_game(body))
        elif entry.kind in ("round-opened", "round-counted"):
            if body.get("game"):
                history.start = _with_rules(history.start, body["game"])
            played = _past_round(history, entry.seq, body)
            by_entry[entry.seq] = by_number[body["round"]] = played
            history.rounds.append(played)
            history.seats = history.seats_aside = NO_CHANGE
        elif entry.kind == "seats-changed":
            _change_seats(history, body)
        elif entry.kind == "game-ended":
            history.ended = True
        elif entry.kind == "moved":
            # Seats that joined may have been taken back since.
            move = parse_move(body["move"], MOST_NUMBERS)
            past = PastMove(entry.seq, move, "presumed" in body)
            played = by_number[body["round"]]
            (played.late if played.broken_off else played.moves).append(past)
        else:
            if entry.seq not in voided and "voids" not in body:
                edit(history, body["change"], entry.seq)
                if "attributed" in body:
                    reattribute(history, dict(body["attributed"]))
                history.corrections.append(entry.seq)
            # An imported correction lists no rounds.
            began = [by_entry[seq] for seq in body.get("rounds", ())] or history.rounds
            by_number = dict(enumerate(began, 1))
    return history


def start_of_game(body: Mapping[str, Any]) -> State:
    """Return a game before its first round, from the log entry with which it began."""
    events = [event_from_json(event) for event in body.get("events", ())]
    return evolve_all(game_from_json(body["game"]), events)


def _with_rules(start: State, game: Mapping[str, Any]) -> State:
    """Return the start of a game under the rules that were settled later."""
    return with_game(start, game_from_json({**game, "seats": start.game.seats}).game)


def _past_round(history: History, seq: int, body: Mapping[str, Any]) -> PastRound:
    names = {**history.seats_aside.names, **history.seats.names}
    dealer, seats = body["dealer"], replace(history.seats, names=names)
    if "result" in body:
        result = parse_result(body["result"], history.seat_count)
        played = PastRound(dealer, (), seq=seq, seats=seats, result=result)
    else:
        abandons = body.get("abandons", False)
        played = PastRound(dealer, tuple(body["opening"]), abandons, seq=seq, seats=seats)
    played.options = body.get("options")
    return played


def _change_seats(history: History, body: Mapping[str, Any]) -> None:
    change = replace(parse_seat_change(body["seats"]), dealer=body["seats"].get("dealer"))
    # The newest name counts, whatever corrections have left to be changed after it.
    history.seats = _without_names(history.seats, change)
    history.seats_after = _without_names(history.seats_after, change)
    history.seats_aside = _without_names(history.seats_aside, change)
    if body["in_round"]:
        history.rounds[-1].seats = history.rounds[-1].seats.then(change)
    elif body["round"] < len(history.rounds) or (
        history.seats_aside != NO_CHANGE and body["state"]["winner"] is not None
    ):
        history.seats_aside = history.seats_aside.then(change)
    elif history.ended:
        history.seats_after = history.seats_after.then(change)
    else:
        history.seats = history.seats.then(change)


def _without_names(seats: SeatChange, newer: SeatChange) -> SeatChange:
    names = {seat: name for seat, name in seats.names.items() if seat not in newer.names}
    return replace(seats, names=names)


def rounds_as_entries(
    record: Record, by: Principal
) -> Iterator[tuple[str, Mapping[str, Any], State]]:
    """Yield the rounds of a record as entries of a table's log."""
    before = record.start
    results: list[Mapping[str, Any]] = []
    caught: list[Mapping[str, Any]] = []
    for step in replay(record):
        state = step.state
        if step.action is not None and step.ruling is not None:
            body = moved_body(by, step.action, step.ruling, step.events, state)
            yield "moved", body, state
            catch = caught_by(state.round, body["move"], step.ruling.legal, body["events"])
            caught += [catch] if catch is not None else []
        elif step.kind == "broken-off":
            results = [result for result in results if result["round"] != state.round]
            caught = [catch for catch in caught if catch["round"] != state.round]
            yield "corrected", broken_off_body(by, before, state, results, caught), state
        else:
            body = _begun_body(by, record, step)
            if step.kind == "opening":
                body["abandons"] = before.in_progress or bool(before.awaiting)
            yield ENTRY_KINDS[step.kind], body, state
        if any(isinstance(event, Scored) for event in step.events):
            results.append(round_result(state, before.scores))
        before = state


def _begun_body(by: Principal, record: Record, step: Step) -> dict[str, Any]:
    if step.kind == "ended":
        return event_body(by, step.events, step.state)
    played = record.rounds[step.round - 1]
    if step.kind == "seats":
        return seats_body(by, played.seats, step.events, step.state)
    if played.result is not None:
        body = counted_body(by, played.dealer, played.result, step.events, step.state)
    else:
        body = opened_body(by, played.dealer, played.opening, step.events, step.state, None)
    return body if played.options is None else {**body, "options": dict(played.options)}


def event_body(by: Principal, events: Sequence[Event], state: State) -> dict[str, Any]:
    """Return the log's body for events that no move led to."""
    return {
        "by": by.to_json(),
        "round": state.round,
        "events": [event_to_json(event) for event in events],
        "state": public_state(state),
    }


def seats_body(
    by: Principal, change: SeatChange, events: Sequence[Event], state: State
) -> dict[str, Any]:
    """Return the log's body for a change of the seats.

    Unless only names change, it states the whole new order, and who deals next if that is settled.
    """
    in_round = state.turn is not None or bool(state.awaiting)
    stated = change.to_json()
    if change.order is not None or change.join or change.dealer:
        stated = replace(change, order=state.order).to_json()
        stated |= {"dealer": state.next_deal} if state.next_deal else {}
    return {**event_body(by, events, state), "seats": stated, "in_round": in_round}


def counted_body(
    by: Principal, dealer: int, result: RoundResult, events: Sequence[Event], state: State
) -> dict[str, Any]:
    """Return the log's body for a round entered by its result."""
    result_json = result_to_json(result)
    return {**event_body(by, events, state), "dealer": dealer, "result": result_json}


def broken_off_body(
    by: Principal,
    before: State,
    state: State,
    results: Sequence[Mapping[str, Any]],
    caught: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the log's body for the correction that broke off the round of an imported record.

    ``results`` and ``caught`` are those of the rounds before.
    """
    return {
        "by": by.to_json(),
        "round": state.round,
        "change": {"kind": "break-off"},
        "changed": [],
        "differs": {},
        "scores_before": list(before.scores),
        "state": public_state(state),
        "position": state_to_json(state),
        "results": list(results),
        "caught": list(caught),
    }


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
