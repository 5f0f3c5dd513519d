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
from referee.api.schemas.timer import NewTimerSchema
from referee.api.schemas.vocabulary import CARD as CARD_LIMITS
from referee.rules.cards import COLORS
from referee.rules.codec import ANY_SEAT, MOST_POINTS
from referee.rules.records.seating import MOST_NUMBERS
from referee.service.log.table_meta import MODES
from referee.service.log.table_projection import FOLDS

MOST_CARDS = 112
SEAT = {"type": "integer", "minimum": 1, "maximum": MOST_NUMBERS}
CARD = {"type": "string", "minLength": 1, **CARD_LIMITS}
CARDS = {"type": "array", "items": CARD, "maxItems": MOST_CARDS}
COUNT = {"type": "integer", "minimum": 0, "maximum": MOST_CARDS}
POINTS = {"type": "integer", "minimum": 0, "maximum": MOST_POINTS}
# Nobody at the table is ruled on, as oneself is.
OTHER = {"type": "integer", "minimum": 0, "maximum": ANY_SEAT}
COLOR = {"type": "string", "enum": list(COLORS)}

# move → fields besides the seat; required ones
SHAPES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "play": (
        {
            "card": CARD,
            "color": COLOR,
            "powers": CARDS,
            "uno": {"type": "boolean"},
            "swap_with": OTHER,
        },
        ("card",),
    ),
    "draw": ({"count": COUNT}, ()),
    "pass": ({}, ()),
    "color": ({"color": COLOR}, ("color",)),
    "powers": ({"powers": CARDS}, ("powers",)),
    "accept": ({}, ()),
    "challenge": ({}, ()),
    "reveal": ({"hand": CARDS, "points": POINTS, "unknown": {"const": True}}, ()),
    "swap": ({"with": OTHER}, ("with",)),
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
    if name in ("play", "flip", "draw"):
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


class BannerPartSchema(Schema):
    """One thing that a banner tells."""

    title = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "a few words of its own; null where the banner's title heads it"},
    )
    text = fields.String(required=True, metadata={"description": "empty if the title says it all"})
    until = fields.String(
        required=True,
        validate=validate.OneOf(("done", "next", "acted", "tap")),
        metadata={"description": "what ends it, as for the banner"},
    )
    need = fields.String(
        required=True, allow_none=True, metadata={"description": "what is awaited from the seat"}
    )


class BannerSchema(Schema):
    """What an entry means to a seat, in the second person, with what its hands have to do."""

    seat = fields.Integer(required=True)
    event = fields.String(required=True, metadata={"description": "what happens to the seat"})
    tone = fields.String(
        required=True,
        validate=validate.OneOf(("good", "bad", "do", "info")),
        metadata={"description": "`do`: something is awaited from the seat"},
    )
    title = fields.String(required=True, metadata={"description": "a few words, for large type"})
    text = fields.String(required=True, metadata={"description": "why, and what to do"})
    parts = fields.List(
        fields.Nested(BannerPartSchema),
        required=True,
        metadata={"description": "the text by what ends each part of it, as a turn may go first"},
    )
    until = fields.String(
        required=True,
        validate=validate.OneOf(("done", "next", "acted", "tap")),
        metadata={
            "description": "what ends it, besides a tap: `done` when `need` is awaited no longer, "
            "`next` with the seat's next legal move, `acted` with anybody's, `tap` nothing else; a "
            "round or a game that begins, a newer banner of the seat, and a correction that undoes "
            "the entry end it too. None comes back after a newer one"
        },
    )
    need = fields.String(
        required=True, allow_none=True, metadata={"description": "what is awaited from the seat"}
    )
    others = fields.String(
        required=True,
        metadata={"description": "the same for everybody else, in one line; may be empty"},
    )


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
    banners = fields.List(
        fields.Nested(BannerSchema),
        metadata={"description": "what it means to seats, one banner for each that it touches"},
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
    changed = fields.List(
        fields.Dict(),
        metadata={
            "description": "moves that are ruled otherwise after a correction: the `id` of the "
            "entry, and the ruling as it `was` and is `now`"
        },
    )
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
    hands_passed = fields.List(
        fields.List(fields.Integer()),
        metadata={
            "description": "how hands go round the table after a correction, as a 0 or a 7 counts "
            "no longer or again: each list is like the `seats` of `hands-passed`"
        },
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
    options = fields.Dict(
        metadata={"description": "house rules from this round on, or proposed ones"}
    )
    changes = fields.Dict(metadata={"description": "those of the proposed ones that are new"})
    proposal = fields.Integer(metadata={"description": "the entry that proposed house rules"})
    agreed = fields.Boolean(
        metadata={"description": "all have approved: in force from the next round on"}
    )
    timer = fields.Nested(
        NewTimerSchema,
        allow_none=True,
        metadata={"description": "the time that turns have from now on"},
    )
    needs = fields.List(
        fields.String(), metadata={"description": "what was awaited of a seat whose time is up"}
    )
    why = fields.String(
        validate=validate.OneOf(
            ("settled", "presumed", "overtaken", "refused", "withdrawn", "lapsed")
        ),
        metadata={
            "description": "why it lapsed: later moves settled it, the likeliest answer was "
            "presumed, or a player's move overtook it; or how a request to become a host, or a "
            "proposal of house rules, ended"
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
