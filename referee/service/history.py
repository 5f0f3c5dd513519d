"""The moves of a game that stand after all corrections; records consist of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import Decision, decide
from referee.rules.record import Record, replay
from referee.rules.rulings import Args, Ruling
from referee.rules.serial import event_to_json, game_from_json, game_to_json
from referee.rules.state import State
from referee.rules.views import public_state
from referee.service.access import Principal
from referee.service.edits import edit
from referee.service.past_rounds import History, PastMove, PastRound, begin
from referee.service.table_projection import TableProjection
from referee.store.reader import LogReader

KINDS = ("created", "round-opened", "moved", "corrected")


def read_history(reader: LogReader, table: TableProjection, void: int = 0) -> History:
    """Read the moves that stand from a table's log, without the correction ``void``."""
    history = History(table.state)
    seats = len(table.state.game.seats)
    entries = [
        (entry, orjson.loads(entry.body)) for entry in reader.entries_of_kind(table.id, KINDS)
    ]
    voided = {void, *(body["voids"] for _, body in entries if "voids" in body)}
    for entry, body in entries:
        if entry.kind == "created":
            history.start = game_from_json(body["game"])
        elif entry.kind == "round-opened":
            if body.get("game"):
                history.start = game_from_json(body["game"])
            abandons = body.get("abandons", False)
            history.rounds.append(
                PastRound(body["dealer"], tuple(body["opening"]), abandons, seq=entry.seq)
            )
        elif entry.kind == "moved":
            move = parse_move(body["move"], seats)
            history.rounds[-1].moves.append(PastMove(entry.seq, move, "presumed" in body))
        elif entry.seq not in voided and "voids" not in body:
            edit(history, body["change"], entry.seq)
            history.corrections.append(entry.seq)
    return history


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
        state = begin(state, played)
        yield Replayed(number, 0, None, None, state)
        for i, past in enumerate(played.moves, 1):
            decision = decide(state, past.action)
            state = decision.state
            yield Replayed(number, i, past, decision, state)


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
