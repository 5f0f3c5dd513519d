"""A seat's choices: what it may do now, the rule behind each, and its moves."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields

from referee.api.auth import principal
from referee.api.language import language
from referee.api.operation import Resource
from referee.api.rendering import rule_json
from referee.api.schemas.common import SEAT, CitationSchema, LanguageQuery
from referee.api.schemas.moves import MoveField
from referee.rules.codec import move_to_json
from referee.rules.legal import choices
from referee.rules.rulebook import rulebook
from referee.rules.state import State
from referee.rules.views import awaiting
from referee.service.table_projection import TableProjection
from referee.service.tables import check_seat
from referee.texts import describe_choice, describe_waiting

blueprint = Resource("choices", "What may be done now, and why")


class ChoiceSchema(Schema):
    """A choice of the seat; moves are left out where they would name cards of its hand."""

    kind = fields.String(required=True, metadata={"description": "the move's name"})
    text = fields.String(required=True)
    rule = fields.Nested(CitationSchema, required=True)
    moves = fields.List(MoveField(), required=True)
    to = fields.List(
        fields.Integer(), required=True, metadata={"description": "possible receivers"}
    )


class ChoicesSchema(Schema):
    """A seat's choices, and what the referee waits for."""

    seat = fields.Integer(required=True)
    waiting = fields.String(required=True)
    choices = fields.List(fields.Nested(ChoiceSchema), required=True)


class ChoicesQuery(LanguageQuery):
    """The seat to ask about: one's own by default, or the awaited seat if one has none."""

    seat = fields.Integer(load_default=None, validate=SEAT)


@blueprint.operation(
    "GET /tables/<table_id>/choices",
    "listChoices",
    "What the seat may do now.",
    ChoicesSchema,
    query=ChoicesQuery,
)
def list_choices(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """List what a seat may do now, each choice with its rule."""
    state = table.state
    seat = query["seat"] or principal().seat or _awaited(state)
    check_seat(table, seat)
    game, lang = state.game, language()
    book = rulebook(game.ruleset, lang)
    return {
        "seat": seat,
        "waiting": describe_waiting(awaiting(state), lang, game.seats, game.ruleset),
        "choices": [
            {
                "kind": choice.kind,
                "text": describe_choice(choice, lang, game.seats, game.ruleset),
                "rule": rule_json(book[choice.rule], lang),
                "moves": [move_to_json(move) for move in choice.moves],
                "to": list(choice.to),
            }
            for choice in choices(state, seat)
        ],
    }


def _awaited(state: State) -> int:
    """Return the awaited seat; between rounds seat 1, which may do nothing."""
    return state.turn or next((seat for seat, _ in state.awaiting), 1)
