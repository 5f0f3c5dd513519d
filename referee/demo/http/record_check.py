"""Check the exported record: it holds what was played, and every replay agrees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.demo.http.client import DemoError, Json
from referee.demo.http.phone_table import PhoneTable
from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from referee.rules.records.record_rounds import RecordError

# Fields of the public state that a saved record expects after each move.
EXPECTED = ("turn", "color", "top", "hands", "draw_pile", "powers", "scores", "winner")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move, its ruling, and the public state after it; move 0 opens a round."""

    round: int
    number: int
    move: Mapping[str, Any] | None
    verdict: str
    rule: str
    state: Mapping[str, Any]


def check_record(table: PhoneTable, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> Json:
    """Export, replay and import the record of a table.

    ``rounds`` holds the dealer and the opening of each round. Returns the record, with the outcome
    expected of each move. Raises DemoError if anything differs from what was played.
    """
    record = table.host.get(f"/tables/{table.id}/record")
    _check_moves(record, rounds, played)
    _check_replay(record, played)
    expecting = with_expectations(record, played)
    answer = table.anybody.post("/records/replay", expecting).body
    if not answer["holds"]:
        bad = next(step for step in answer["steps"] if step["mismatches"])
        where = f"round {bad['round']}, move {bad['number']}"
        raise DemoError(f"Replayed by the server, {where} differs: {bad['mismatches']}.")
    if answer["state"] != played[-1].state:
        raise DemoError("Replayed by the server, the game ended otherwise.")
    _check_import(table, record)
    return expecting


def _check_moves(record: Json, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> None:
    wanted = [{**opened, "moves": []} for opened in rounds]
    for step in played:
        if step.move is not None:
            wanted[step.round - 1]["moves"].append(step.move)
    if [_plain(item) for item in record["rounds"]] != wanted:
        raise DemoError("The exported record is not the game that was played.")


def _plain(played: Json) -> Json:
    """Return a round without the verdicts that its illegal moves expect."""
    moves = [{name: move[name] for name in move if name != "expect"} for move in played["moves"]]
    return {**played, "moves": moves}


def _check_replay(record: Json, played: Sequence[PlayedMove]) -> None:
    try:
        steps = list(replay(parse_record(record)))
    except RecordError as error:
        raise DemoError(f"The exported record cannot be read: {error}.") from None
    if len(steps) != len(played):
        raise DemoError(f"The record replays {len(steps)} steps; {len(played)} were played.")
    for step, live in zip(steps, played, strict=True):
        where = f"Replayed, round {live.round}, move {live.number}"
        if step.ruling and (step.ruling.verdict, step.ruling.rule) != (live.verdict, live.rule):
            ruling = f"{step.ruling.verdict} by {step.ruling.rule}"
            raise DemoError(f"{where} is {ruling}; it was {live.verdict} by {live.rule}.")
        if public_state(step.state) != live.state:
            raise DemoError(f"{where} leads to another state.")


def _check_import(table: PhoneTable, record: Json) -> None:
    made = table.anybody.post("/records", record).body
    copy = type(table.anybody)(table.server, made["token"])
    if copy.get(f"/tables/{made['table']['id']}/record") != record:
        raise DemoError("The record, imported and exported again, is not the same.")


def with_expectations(record: Json, played: Sequence[PlayedMove]) -> Json:
    """Add every ruling, and the table after it, to a record as expectations."""
    rounds = [{**item, "moves": list(item["moves"])} for item in record["rounds"]]
    for step in played:
        expect = {name: step.state[name] for name in EXPECTED}
        if step.move is None:
            rounds[step.round - 1]["expect"] = expect
        else:
            expect |= {"verdict": step.verdict, "rule": step.rule}
            moves = rounds[step.round - 1]["moves"]
            moves[step.number - 1] = {**moves[step.number - 1], "expect": expect}
    return {**record, "rounds": rounds}
