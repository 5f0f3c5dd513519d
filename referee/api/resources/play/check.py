"""A stateless check: rule on one move in a given position."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.language import language
from referee.api.limits.work import count_record, count_ruling
from referee.api.operation import Resource
from referee.api.rendering import ruling_json
from referee.api.requests import large_body
from referee.api.resources.play.records import RECORD
from referee.api.schemas.common import StateSchema
from referee.api.schemas.moves import MOVE, RulingSchema
from referee.api.schemas.typed import Answer, Json
from referee.api.schemas.vocabulary import NOTATION
from referee.rules.codec import parse_move
from referee.rules.engine import decide
from referee.rules.move_fields import FieldError
from referee.rules.notation import move_from_text, position_from_text, position_to_text
from referee.rules.position.state import State
from referee.rules.position.views import public_state
from referee.rules.records.serial import event_to_json
from referee.rules.suggestions import hinted
from referee.service.history.standing_moves import ruling_to_json
from referee.service.play.views import TOLD
from referee.service.problems import from_field, invalid
from referee.service.records.records import read_record, replayed

blueprint = Resource("check", "One move in one position, nothing kept")

FIELDS = ("position", "record", "move")
CHECK = {
    "type": "object",
    "description": "A position, as one line of notation or as the record that leads to it, "
    "and the move made in it, as one line (`2 red-3`) or as an object.",
    "properties": {
        "position": {"type": "string", **NOTATION},
        "record": {key: value for key, value in RECORD.items() if key != "example"},
        "move": {
            "description": MOVE["description"],
            "oneOf": [*MOVE["oneOf"], {"type": "string", **NOTATION}],
        },
    },
    "required": ["move"],
    "oneOf": [{"required": ["position"]}, {"required": ["record"]}],
    "additionalProperties": False,
    "example": {"record": RECORD["example"], "move": {"seat": 1, "move": "play", "card": "blue-5"}},
}


class CheckedSchema(Answer):
    """The ruling, and the position after the move."""

    ruling: RulingSchema
    events: list[Json]
    state: StateSchema
    position: str


@blueprint.operation(
    "POST /check",
    "checkMove",
    "The ruling.",
    CheckedSchema,
    body=CHECK,
    reads_body=True,
    fails=("invalid-record", "busy"),
    rights=None,
)
def check() -> ResponseReturnValue:
    """Rule on one move in a posted position."""
    count_ruling()
    with large_body() as body:
        return _checked(body)


def _checked(body: Any) -> ResponseReturnValue:
    if not isinstance(body, dict):
        raise invalid("body", "must be an object")
    for name in body:
        if name not in FIELDS:
            raise invalid(str(name), hinted("unknown field", name, FIELDS))
    state = _position(body)
    game = state.game
    try:
        move, seats = body.get("move"), len(game.seats)
        action = move_from_text(move, seats) if isinstance(move, str) else parse_move(move, seats)
    except FieldError as error:
        raise from_field(error) from None
    decision = decide(state, action)
    ruling = ruling_to_json(decision.ruling)
    events = (event_to_json(event) for event in decision.events)
    return {
        "ruling": ruling_json(game.ruleset, game.seats, ruling, language()),
        "events": [event for event in events if event["event"] in TOLD],
        "state": public_state(decision.state),
        "position": position_to_text(decision.state),
    }


def _position(body: dict[str, Any]) -> State:
    if ("position" in body) == ("record" in body):
        raise invalid("position", "give either position or record")
    if "position" in body:
        if not isinstance(body["position"], str):
            raise invalid("position", "must be a line of notation")
        try:
            return position_from_text(body["position"])
        except FieldError as error:
            raise from_field(error) from None
    state = None
    moves = count_record(body["record"], event_log().most_entries)
    with event_log().long_games.turn(moves):
        for step in replayed(read_record(body["record"])):
            state = step.state
    if state is None:
        raise invalid("record", "has no round")
    return state
