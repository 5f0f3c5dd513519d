"""Game records: export, import and replay."""

from typing import Annotated, Any

from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log, may_make_tables, principal
from referee.api.language import language
from referee.api.limits.work import count_game, count_record, count_ruling
from referee.api.operation import Resource, with_etag
from referee.api.rendering import ruling_json, table_json
from referee.api.requests import body_fingerprint, idempotency_key, large_body
from referee.api.schemas.common import LanguageQuery, StateSchema
from referee.api.schemas.games import GameQuery
from referee.api.schemas.moves import RulingSchema
from referee.api.schemas.tables import MadeTableSchema
from referee.api.schemas.typed import Answer, Json, Maybe
from referee.api.schemas.vocabulary import MOST_LISTED, MOST_SEATS, NAME, WORD
from referee.rules.codec import move_to_json
from referee.rules.position.views import public_state
from referee.rules.records.record import Record, Step
from referee.service.history.standing_moves import ruling_to_json
from referee.service.log.table_projection import TableProjection
from referee.service.records.imports import import_record as make_imported
from referee.service.records.records import export_record, read_record, replayed

blueprint = Resource("records", "Games as records")

# Steps of a replay in one answer; few games have as many.
MOST_STEPS = 2000
RECORD = {
    "type": "object",
    "description": "A game record, `referee-record/1`.",
    "required": ["format", "ruleset", "seats", "rounds"],
    "properties": {
        "format": {"const": "referee-record/1"},
        "ruleset": {"type": "string", **WORD},
        "options": {"type": "object"},
        "seats": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, **NAME},
            "maxItems": MOST_SEATS,
        },
        "rounds": {"type": "array", "items": {"type": "object"}, "maxItems": MOST_LISTED},
        "ended": {"type": "boolean"},
    },
    "additionalProperties": False,
    "example": {
        "format": "referee-record/1",
        "ruleset": "classic-108",
        "options": {},
        "seats": ["Ann", "Bo"],
        "rounds": [
            {
                "dealer": 1,
                "opening": ["red-7"],
                "moves": [{"seat": 2, "move": "play", "card": "red-3"}],
            }
        ],
    },
}


class RecordSchema(Answer):
    """A game record."""

    format: str
    ruleset: str
    options: Json
    seats: list[str]
    rounds: list[Json]
    ended: Annotated[Maybe[bool], "true if the game was ended early"]


class ReplayQuery(LanguageQuery):
    """A page of a replay's steps."""

    after: Annotated[int, validate.Range(0, 2**53 - 1)] = 0
    limit: Annotated[int, validate.Range(1, MOST_STEPS)] = MOST_STEPS


class MismatchSchema(Answer):
    """An expectation that did not hold."""

    field: str
    expected: Any | None
    found: Any | None


class StepSchema(Answer):
    """A move of a record, and the ruling on it; move 0 is the opening of a round."""

    round: int
    number: int
    move: Json | None
    ruling: RulingSchema | None
    mismatches: list[MismatchSchema]


class ReplaySchema(Answer):
    """A replayed record."""

    holds: Annotated[bool, "every expectation held"]
    steps: list[StepSchema]
    next: Annotated[int | None, "`after` of the next page"]
    state: StateSchema


@blueprint.operation(
    "GET /tables/<table_id>/record",
    "exportRecord",
    "The game as a record.",
    RecordSchema,
    query=GameQuery,
    fails=("not-found", "busy"),
)
def export(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Export the game so far, or an earlier one.

    The round in progress is left out if a hand in it was shown to others only.
    """
    count_game(table)
    return export_record(event_log(), table, principal(), query["game"])


@blueprint.operation(
    "POST /records",
    "importRecord",
    "A table with the game of the record, and its host's token.",
    MadeTableSchema,
    body=RECORD,
    reads_body=True,
    write=True,
    if_match="none",
    fails=("invalid-record", "not-authenticated", "forbidden", "busy"),
    rights=None,
)
def import_record() -> ResponseReturnValue:
    """Make a table from a record and go on playing."""
    may_make_tables()
    with large_body() as value:
        count_record(value, event_log().most_entries)
        table, token = make_imported(event_log(), value, idempotency_key(), body_fingerprint())
    created = table_json(table, language(), event_log().tokens)
    return with_etag({"table": created, "token": token}, table.version, 201)


@blueprint.operation(
    "POST /records/replay",
    "replayRecord",
    "The rulings, and which expectations did not hold.",
    ReplaySchema,
    body=RECORD,
    reads_body=True,
    query=ReplayQuery,
    fails=("invalid-record", "busy"),
    rights=None,
)
def replay_record(query: dict[str, Any]) -> ResponseReturnValue:
    """Rule on every move of a record without storing anything.

    Of a long game the answer has a page of steps; `next` is the `after` of the next page.
    """
    count_ruling()
    with large_body() as value:
        moves = count_record(value, event_log().most_entries)
        with event_log().long_games.turn(moves):
            return _replayed(read_record(value), query["after"], query["after"] + query["limit"])


def _replayed(record: Record, first: int, end: int) -> dict[str, Any]:
    lang = language()
    state, holds, count = record.start, True, 0
    steps = []
    for count, step in enumerate(replayed(record), 1):
        state = step.state
        holds = holds and not step.mismatches
        if first < count <= end:
            steps.append(_step_json(record, step, lang))
    more = end if count > end else None
    return {"holds": holds, "steps": steps, "next": more, "state": public_state(state)}


def _step_json(record: Record, step: Step, lang: str) -> dict[str, Any]:
    game, ruling = record.start.game, None
    if step.ruling is not None:
        ruling = ruling_json(game.ruleset, game.seats, ruling_to_json(step.ruling), lang)
    return {
        "round": step.round,
        "number": step.move,
        "move": None if step.action is None else move_to_json(step.action),
        "ruling": ruling,
        "mismatches": [
            {"field": m.field, "expected": m.expected, "found": m.found} for m in step.mismatches
        ],
    }
