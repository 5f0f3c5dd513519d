"""The record of the game: what comes out of the server is what was played, and replays alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.demo.client import DemoError, Json
from referee.demo.phone_table import PhoneTable
from referee.rules.record import RecordError, parse_record, replay
from referee.rules.views import public_state

# What a kept record expects after each move, so that a replay of the file checks it all.
EXPECTED = ("turn", "color", "top", "hands", "draw_pile", "powers", "scores", "winner")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move as it was ruled on live, and the public state after it; move 0 opens a round."""

    round: int
    number: int
    move: Mapping[str, Any] | None
    verdict: str
    rule: str
    state: Mapping[str, Any]


def check_record(table: PhoneTable, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> Json:
    """Export the record and replay it in every way there is; the record with its expectations.

    ``rounds`` are dealer and opening of each. Raises DemoError when anything differs.
    """
    record = table.host.get(f"/tables/{table.id}/record")
    _check_moves(record, rounds, played)
    _check_replay(record, played)
    expecting = with_expectations(record, played)
    answer = table.anybody.post("/records/replay", expecting).body
    if not answer["holds"]:
        bad = next(step for step in answer["steps"] if step["mismatches"])
        where = f"round {bad['round']}, move {bad['number']}"
        raise DemoError(f"Replayed by the server, {where} came out otherwise: {bad['mismatches']}.")
    if answer["state"] != played[-1].state:
        raise DemoError("Replayed by the server, the game ended otherwise.")
    _check_import(table, record)
    return expecting


def _check_moves(record: Json, rounds: Sequence[Json], played: Sequence[PlayedMove]) -> None:
    wanted = [{**opened, "moves": []} for opened in rounds]
    for step in played:
        if step.move is not None:
            wanted[step.round - 1]["moves"].append(step.move)
    if record["rounds"] != wanted:
        raise DemoError("The exported record is not the game that was played.")


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
            said = f"{step.ruling.verdict} by {step.ruling.rule}"
            raise DemoError(f"{where} is {said}; it was {live.verdict} by {live.rule}.")
        if public_state(step.state) != live.state:
            raise DemoError(f"{where} leads to another state than it did.")


def _check_import(table: PhoneTable, record: Json) -> None:
    made = table.anybody.post("/records", record).body
    copy = type(table.anybody)(table.server, made["token"])
    if copy.get(f"/tables/{made['table']['id']}/record") != record:
        raise DemoError("The record, imported and exported again, is not the same.")


def with_expectations(record: Json, played: Sequence[PlayedMove]) -> Json:
    """The record with what was ruled on every move, and what the table looked like after it."""
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
