"""Moves as JSON Schema, in the grammar of the game record, and rulings."""

from typing import Any

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import NeedSchema, StateSchema
from referee.api.schemas.devices import (
    MEANINGS,
    DeviceRefSchema,
    DiscrepancySchema,
    ObservationSchema,
    QuestionSchema,
)
from referee.api.schemas.games import ResultSchema
from referee.api.schemas.vocabulary import CARD as CARD_LIMITS
from referee.rules.cards import COLORS
from referee.rules.codec import MOST_POINTS
from referee.rules.seating import MOST_NUMBERS
from referee.service.table_meta import MODES
from referee.service.table_projection import FOLDS

MOST_CARDS = 112
SEAT = {"type": "integer", "minimum": 1, "maximum": MOST_NUMBERS}
CARD = {"type": "string", "minLength": 1, **CARD_LIMITS}
CARDS = {"type": "array", "items": CARD, "maxItems": MOST_CARDS}
COUNT = {"type": "integer", "minimum": 0, "maximum": MOST_CARDS}
POINTS = {"type": "integer", "minimum": 0, "maximum": MOST_POINTS}
COLOR = {"type": "string", "enum": list(COLORS)}

# move → fields besides the seat; required ones
SHAPES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "play": (
        {"card": CARD, "color": COLOR, "powers": CARDS, "uno": {"type": "boolean"}},
        ("card",),
    ),
    "draw": ({}, ()),
    "pass": ({}, ()),
    "color": ({"color": COLOR}, ("color",)),
    "powers": ({"powers": CARDS}, ("powers",)),
    "accept": ({}, ()),
    "challenge": ({}, ()),
    "reveal": ({"hand": CARDS, "points": POINTS, "unknown": {"const": True}}, ()),
    "uno": ({}, ()),
    "catch": ({"accused": SEAT}, ("accused",)),
    "discard": ({"cards": CARDS, "count": COUNT}, ()),
    "give": ({"to": SEAT, "cards": CARDS}, ("to", "cards")),
    "flip": ({"card": CARD, "color": COLOR}, ("card",)),
    "report": ({"drawn": COUNT}, ("drawn",)),
    "judge": ({"passed": {"type": "boolean"}}, ("passed",)),
}


def _shape(name: str, *without: str) -> dict[str, Any]:
    properties, required = SHAPES[name]
    if name == "play" or name == "flip":
        # Optional fields may be null.
        properties = {
            key: shape if key in required else {"anyOf": [shape, {"type": "null"}]}
            for key, shape in properties.items()
        }
    given = {key: shape for key, shape in properties.items() if key not in without}
    return {
        "type": "object",
        "properties": {"seat": SEAT, "move": {"type": "string", "const": name}, **given},
        "required": ["move", *(given if without else required)],
        "additionalProperties": False,
    }


# Moves with fields that exclude each other.
SEVERAL = ("reveal", "discard")

# Name of the component → JSON Schema. Discarded cards are named or only counted; a hand that cannot
# be shown at the end of a round is entered by its points or, by the host, as unknown.
MOVES: dict[str, dict[str, Any]] = {
    **{f"{name.capitalize()}Move": _shape(name) for name in SHAPES if name not in SEVERAL},
    "RevealMove": _shape("reveal", "points", "unknown"),
    "RevealPointsMove": _shape("reveal", "hand", "unknown"),
    "RevealUnknownMove": _shape("reveal", "hand", "points"),
    "DiscardMove": _shape("discard", "count"),
    "DiscardCountMove": _shape("discard", "cards"),
}
MOVE_REF = {"$ref": "#/components/schemas/Move"}
MOVE: dict[str, Any] = {
    "description": "A move of the game record. A seat's own token may leave `seat` out.",
    "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in MOVES],
    "example": {"seat": 2, "move": "play", "card": "red-7"},
}


class MoveField(fields.Raw):
    """A move in a response."""


class RulingSchema(Schema):
    """The verdict on a move, the rule behind it, and what to put right."""

    verdict = fields.String(required=True, validate=validate.OneOf(("legal", "illegal")))
    rule = fields.String(required=True, metadata={"example": "match"})
    args = fields.Dict(metadata={"description": "values in the sentence"})
    remedy = fields.String(metadata={"description": "id of what to put right"})
    text = fields.String(required=True)
    put_right = fields.String(required=True, allow_none=True)
    source = fields.String(required=True, metadata={"description": "the citation of the rule"})


class BySchema(Schema):
    """The writer of an entry."""

    role = fields.String(required=True)
    seat = fields.Integer()
    host = fields.Boolean(metadata={"description": "a seat whose phone is a host as well"})


class EntrySchema(Schema):
    """An entry of a table's log, as the reader may see it.

    Cards of a hand that was shown to others appear as ``{"count": n}``.
    """

    id = fields.Integer(required=True, metadata={"description": "the table's version after it"})
    kind = fields.String(required=True, validate=validate.OneOf(tuple(FOLDS)))
    at = fields.DateTime(required=True)
    by = fields.Nested(BySchema, required=True)
    language = fields.String(allow_none=True)
    round = fields.Integer()
    number = fields.Integer(metadata={"description": "the move's number in the round"})
    move = fields.Dict()
    ruling = fields.Nested(RulingSchema)
    events = fields.List(fields.Dict(), metadata={"description": "the consequences"})
    announcements = fields.List(
        fields.String(), metadata={"description": "the consequences as sentences"}
    )
    state = fields.Nested(StateSchema)
    dealer = fields.Integer(allow_none=True, metadata={"description": "0 if nobody said who dealt"})
    opening = fields.List(fields.String())
    result = fields.Nested(
        ResultSchema, metadata={"description": "of a round that was entered by it"}
    )
    mode = fields.String(validate=validate.OneOf(MODES))
    game_number = fields.Integer(metadata={"description": "of a game that starts"})
    seat = fields.Integer(allow_none=True)
    role = fields.String()
    drawn = fields.Dict()
    tied = fields.List(fields.Integer())
    seats = fields.Dict(
        metadata={
            "description": "a change of the seats: `order`, `join` (points by seat), `names` and "
            "`dealer`"
        }
    )
    was = fields.Dict(
        metadata={
            "description": "before that: `order`, `dealer`, `names` by seat, and who comes `back`"
        }
    )
    card = fields.Dict()
    card_id = fields.Integer()
    change = fields.Dict()
    changed = fields.List(fields.Dict())
    scores_before = fields.List(fields.Integer())
    results = fields.List(fields.Dict())
    device = fields.Nested(DeviceRefSchema, metadata={"description": "the observing device"})
    observation = fields.Nested(ObservationSchema, metadata={"description": "what it saw"})
    sight = fields.String(
        validate=validate.OneOf(("none", "watching", "blind")),
        metadata={"description": "what a camera sees that went silent or is back"},
    )
    powers = fields.List(
        fields.String(), metadata={"description": "powers whose places a silent board reported"}
    )
    meaning = fields.String(
        validate=validate.OneOf(MEANINGS), metadata={"description": "how it was interpreted"}
    )
    discrepancies = fields.List(
        fields.Nested(DiscrepancySchema),
        metadata={"description": "what was out of place after this, at a table with devices"},
    )
    cause = fields.Integer(
        metadata={
            "description": "the observation behind a move, or the move that a confirmation confirms"
        }
    )
    presumed = fields.Boolean(
        metadata={"description": "a camera saw the move; its seat was inferred from the turn"}
    )
    differs = fields.Dict(
        metadata={"description": "what a correction changed in the state: `was` and `now`"}
    )
    entered = fields.Dict(
        metadata={"description": "the move that a correction entered; `ruling` is about it"}
    )
    fell = fields.List(
        fields.Dict(),
        metadata={"description": "moves and openings that do not stand after a correction: `id`"},
    )
    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={
            "description": "of a correction's `changed`, `fell` or `stands`, where only the first "
            "are listed: how many there are"
        },
    )
    fell_entries = fields.List(
        fields.List(fields.Integer()),
        metadata={"description": "of a long `fell`: all its ids, as ranges from first to last"},
    )
    stands_entries = fields.List(
        fields.List(fields.Integer()),
        metadata={"description": "of a long `stands`: all its ids, likewise"},
    )
    stands = fields.List(
        fields.Dict(), metadata={"description": "those that stand again after it: `id`"}
    )
    aside = fields.List(
        fields.Integer(),
        metadata={"description": "rounds kept aside, as the game was over before them"},
    )
    voids = fields.Integer(metadata={"description": "the correction that a redo took back"})
    undone = fields.Integer(
        metadata={"description": "the correction after which this does not stand any more"}
    )
    question = fields.Nested(QuestionSchema)
    question_id = fields.Integer(metadata={"description": "the question answered or lapsed"})
    option = fields.Integer(metadata={"description": "the answer given"})
    why = fields.String(
        validate=validate.OneOf(
            ("settled", "presumed", "overtaken", "refused", "withdrawn", "lapsed")
        ),
        metadata={
            "description": "why it lapsed: later moves settled it, the likeliest answer was "
            "presumed, or a player's move overtook it; or how a request to become a host ended"
        },
    )
    how = fields.String(
        validate=validate.OneOf(("host", "table", "operator")),
        metadata={"description": "by whom somebody became a host"},
    )
    until = fields.DateTime(
        metadata={"description": "until when a host has time to refuse a request to become one"}
    )


class EntryPage(Schema):
    """Entries of the log, oldest first."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata={"description": "`after` of the next page"}
    )


class LegalMovesSchema(Schema):
    """The legal moves, and what is awaited that depends on a hand."""

    moves = fields.List(MoveField(), required=True)
    awaiting = fields.List(fields.Nested(NeedSchema), required=True)
