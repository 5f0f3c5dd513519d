"""The games of a table, their rounds, and their scores."""

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import (
    SEAT,
    BoundedDict,
    LanguageQuery,
    Strict,
    items_of,
    winner_field,
)
from referee.api.schemas.vocabulary import CARD
from referee.rules.codec import MOST_CARDS, MOST_POINTS
from referee.rules.presets import LONGEST_CODE
from referee.rules.records.seating import MOST_NUMBERS
from referee.service.log.caught_players import CHALLENGE, UNO

GAME = fields.Integer(
    load_default=None,
    validate=validate.Range(1, 2**31 - 1),
    metadata={"description": "which of the table's games; the present one if left out"},
)
HAND = {
    "oneOf": [
        {
            "type": "array",
            "items": {"type": "string", **CARD},
            "maxItems": MOST_CARDS,
            "description": "its cards",
        },
        {"type": "integer", "minimum": 0, "maximum": MOST_POINTS, "description": "its points"},
        {"type": "null", "description": "nobody knows it: it counts 0"},
    ]
}


class ResultSchema(Strict):
    """The result of a round: who went out, and what everybody else held, by seat."""

    out = fields.Integer(required=True, strict=True, validate=SEAT)
    hands = BoundedDict(
        keys=fields.String(validate=validate.Length(1, 3)),
        values=fields.Raw(allow_none=True, metadata=HAND),
        validate=validate.Length(max=MOST_NUMBERS),
        required=True,
        metadata={"example": {"1": ["red-9"], "3": 12, "4": None}},
    )


class GameQuery(LanguageQuery):
    """One of the table's games."""

    game = GAME


class CountedHandSchema(Schema):
    """What a seat still held when somebody had gone out."""

    seat = fields.Integer(required=True)
    cards = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "null if it was not shown"},
    )
    card_points = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={"description": "of each of these cards"},
    )
    points = fields.Integer(
        required=True, metadata={"description": "of the hand; 0 if nobody knows it"}
    )
    to = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "the seat that gets them; null if nobody does"},
    )


class RoundResultSchema(Schema):
    """A finished round; ``counted``: it was entered by its result."""

    round = fields.Integer(required=True)
    dealer = fields.Integer(required=True, allow_none=True)
    counted = fields.Boolean(required=True)
    winner = fields.Integer(required=True, allow_none=True)
    scores = fields.List(
        fields.Integer(allow_none=True),
        required=True,
        metadata={"description": "after it; null for who had not come yet"},
    )
    points = fields.List(
        fields.Integer(allow_none=True),
        required=True,
        metadata={"description": "of it; null for who did not play"},
    )
    played = fields.List(
        fields.Integer(), required=True, metadata={"description": "the seats that played it"}
    )
    hands = fields.List(
        fields.Nested(CountedHandSchema),
        required=True,
        metadata={"description": "what its points are made of; empty for rounds of older versions"},
    )


class CaughtSchema(Schema):
    """A catch for a missing UNO call, or a challenge."""

    round = fields.Integer(required=True)
    rule = fields.String(required=True, validate=validate.OneOf((UNO, CHALLENGE)))
    by = fields.Integer(required=True)
    of = fields.Integer(required=True)
    right = fields.Boolean(required=True, metadata={"description": "whether the accuser was right"})


class ScoresSchema(Schema):
    """The score sheet of a game."""

    game = fields.Integer(required=True, metadata={"description": "which of the table's games"})
    ruleset = fields.String(required=True)
    options = fields.Dict(required=True)
    seats = fields.List(fields.String(), required=True)
    order = fields.List(
        fields.Integer(), required=True, metadata={"description": "the seats that are still in"}
    )
    scoring = fields.String(required=True)
    target = fields.Integer(
        required=True, metadata={"description": "0 if only the number of rounds ends the game"}
    )
    scores = fields.List(fields.Integer(), required=True)
    rounds = fields.List(fields.Nested(RoundResultSchema), required=True)
    winner = winner_field()
    caught = fields.List(
        fields.Nested(CaughtSchema),
        required=True,
        metadata={"description": "who caught whom, in the order in which it happened"},
    )


class NewGameSchema(Strict):
    """The table's next game. Without ``ruleset`` and ``options`` it is played like the last one."""

    ruleset = fields.String(load_default=None, validate=validate.Length(1, 80))
    options = fields.Dict(keys=fields.String(), load_default=None)
    preset = fields.String(load_default=lambda: None, validate=validate.Length(1, LONGEST_CODE))


class GameSchema(Schema):
    """A game of the table."""

    game = fields.Integer(required=True)
    ruleset = fields.String(required=True)
    options = fields.Dict(required=True)
    seats = fields.List(fields.String(), required=True)
    scores = fields.List(fields.Integer(), required=True)
    winner = winner_field()
    rounds = fields.Integer(required=True, metadata={"description": "how many are over"})


GamesSchema = items_of(GameSchema, "GamesSchema")
