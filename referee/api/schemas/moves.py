"""Moves as JSON Schema, in the grammar of the game record, and rulings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from marshmallow import fields, validate

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
from referee.api.schemas.typed import Answer, Json, Maybe
from referee.api.schemas.vocabulary import CARD as CARD_LIMITS
from referee.rules import move_fields
from referee.rules.actions import GRAMMAR
from referee.rules.cards import COLORS
from referee.rules.move_fields import ANY_SEAT, MOST_CARDS, MOST_POINTS, Parser
from referee.rules.records.seating import MOST_NUMBERS
from referee.service.log.fold import FOLDS
from referee.service.log.table_meta import MODES

SEAT = {"type": "integer", "minimum": 1, "maximum": MOST_NUMBERS}
CARD = {"type": "string", "minLength": 1, **CARD_LIMITS}
COUNT = {"type": "integer", "minimum": 0, "maximum": MOST_CARDS}
# Parser of a field → what to send.
ACCEPTED: Mapping[Parser, dict[str, Any]] = {
    move_fields.seat_number: SEAT,
    # Nobody at the table is ruled on, as oneself is.
    move_fields.any_seat: {"type": "integer", "minimum": 0, "maximum": ANY_SEAT},
    move_fields.card: CARD,
    move_fields.card_names: {"type": "array", "items": CARD, "maxItems": MOST_CARDS},
    move_fields.card_count: COUNT,
    move_fields.any_count: COUNT,
    move_fields.point_count: {"type": "integer", "minimum": 0, "maximum": MOST_POINTS},
    move_fields.color: {"type": "string", "enum": list(COLORS)},
    move_fields.flag: {"type": "boolean"},
    move_fields.mark: {"const": True},
}
# Moves with operations of their own.
ELSEWHERE = ("leave", "timeout", "hand-count")
# move → fields besides the seat; required ones
SHAPES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    name: (
        {field: ACCEPTED[parser] for field, (parser, _) in grammar.items()},
        tuple(field for field, (_, required) in grammar.items() if required),
    )
    for name, (_, grammar) in GRAMMAR.items()
    if name not in ELSEWHERE
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


class RulingSchema(Answer):
    """The verdict on a move, the rule behind it, and what to put right."""

    verdict: Annotated[str, validate.OneOf(("legal", "illegal"))]
    rule: Annotated[str, {"example": "match"}]
    args: Annotated[Maybe[Json], "values in the sentence"]
    remedy: Annotated[Maybe[str], "id of what to put right"]
    text: str
    put_right: str | None
    source: Annotated[str, "the citation of the rule"]


class BySchema(Answer):
    """The writer of an entry."""

    role: str
    seat: Maybe[int]
    host: Annotated[Maybe[bool], "a seat whose phone is a host as well"]


ENDINGS = validate.OneOf(("done", "next", "acted", "counted", "tap"))
POWER = "the tower or power that is given or taken: once it is moved on, there is nothing to do"


class BannerPartSchema(Answer):
    """One thing that a banner tells."""

    title: Annotated[str | None, "a few words of its own; null where the banner's title heads it"]
    text: Annotated[str, "empty if the title says it all"]
    until: Annotated[str, ENDINGS, "what ends it, as for the banner"]
    need: Annotated[str | None, "what is awaited from the seat"]
    power: Annotated[str | None, POWER]


class BannerSchema(Answer):
    """What an entry means to a seat, in the second person, with what its hands have to do."""

    seat: int
    event: Annotated[str, "what happens to the seat"]
    tone: Annotated[
        str,
        validate.OneOf(("good", "bad", "do", "info")),
        "`do`: something is awaited from the seat",
    ]
    title: Annotated[str, "a few words, for large type"]
    text: Annotated[str, "why, and what to do"]
    parts: Annotated[
        list[BannerPartSchema], "the text by what ends each part of it, as a turn may go first"
    ]
    until: Annotated[
        str,
        ENDINGS,
        "what ends it, besides a tap: `done` when `need` is awaited no longer, "
        "`next` with the seat's next legal move, of a `deed` but for `accept`, `challenge` and "
        "`color`, `acted` with anybody's, but for a call of UNO and a catch; `counted` when the "
        "seat holds another number of cards, `tap` nothing else; a round or a game that begins, a "
        "newer banner of the seat, and a correction that undoes the entry or rules on it anew, or "
        "counts a hand that had cards to draw, end it too. None but a `deed` comes back after a "
        "newer one",
    ]
    need: Annotated[str | None, "what is awaited from the seat"]
    power: Annotated[str | None, POWER]
    deed: Annotated[
        bool,
        "whether it is done with one's hands, unseen by the referee: it counts, also after newer "
        "banners, until its seat has put it away",
    ]
    others: Annotated[str, "the same for everybody else, in one line; may be empty"]


class EntrySchema(Answer):
    """An entry of a table's log, as the reader may see it.

    Cards of a hand that was shown to others appear as ``{"count": n}``.
    """

    id: Annotated[int, "the table's version after it"]
    kind: Annotated[str, validate.OneOf(tuple(FOLDS))]
    at: datetime
    by: BySchema
    language: Maybe[str | None]
    round: Maybe[int]
    number: Annotated[Maybe[int], "the move's number in the round"]
    move: Maybe[Json]
    ruling: Maybe[RulingSchema]
    events: Annotated[Maybe[list[Json]], "the consequences"]
    announcements: Annotated[Maybe[list[str]], "the consequences as sentences"]
    banners: Annotated[
        Maybe[list[BannerSchema]], "what it means to seats, one banner for each that it touches"
    ]
    state: Maybe[StateSchema]
    dealer: Annotated[Maybe[int | None], "0 if nobody said who dealt"]
    opening: Maybe[list[str]]
    result: Annotated[Maybe[ResultSchema], "of a round that was entered by it"]
    mode: Annotated[Maybe[str], validate.OneOf(MODES)]
    game_number: Annotated[Maybe[int], "of a game that starts"]
    seat: Maybe[int | None]
    role: Maybe[str]
    drawn: Maybe[Json]
    tied: Maybe[list[int]]
    seats: Annotated[
        Maybe[Json], "a change of the seats: `order`, `join` (points by seat), `names` and `dealer`"
    ]
    was: Annotated[
        Maybe[Json], "before that: `order`, `dealer`, `names` by seat, and who comes `back`"
    ]
    card: Maybe[Json]
    card_id: Maybe[int]
    change: Maybe[Json]
    changed: Annotated[
        Maybe[list[Json]],
        "moves that are ruled otherwise after a correction: the `id` of the "
        "entry, and the ruling as it `was` and is `now`",
    ]
    scores_before: Maybe[list[int]]
    results: Maybe[list[Json]]
    device: Annotated[Maybe[DeviceRefSchema], "the observing device"]
    observation: Annotated[Maybe[ObservationSchema], "what it saw"]
    sight: Annotated[
        Maybe[str],
        validate.OneOf(("none", "watching", "blind")),
        "what a camera sees that went silent or is back",
    ]
    powers: Annotated[Maybe[list[str]], "powers whose places a silent board reported"]
    meaning: Annotated[Maybe[str], validate.OneOf(MEANINGS), "how it was interpreted"]
    discrepancies: Annotated[
        Maybe[list[DiscrepancySchema]], "what was out of place after this, at a table with devices"
    ]
    cause: Annotated[
        Maybe[int], "the observation behind a move, or the move that a confirmation confirms"
    ]
    presumed: Annotated[Maybe[bool], "a camera saw the move; its seat was inferred from the turn"]
    differs: Annotated[Maybe[Json], "what a correction changed in the state: `was` and `now`"]
    entered: Annotated[Maybe[Json], "the move that a correction entered; `ruling` is about it"]
    fell: Annotated[
        Maybe[list[Json]],
        "moves and openings that do not stand after a correction: `id`, of a move its `verdict`, "
        "of a gift `to` whom and the `count` of its cards, and that of a discard or draw",
    ]
    hands_passed: Annotated[
        Maybe[list[list[int]]],
        "how hands go round the table after a correction, as a 0 or a 7 counts "
        "no longer or again: each list is like the `seats` of `hands-passed`",
    ]
    hands_go: Annotated[
        Maybe[str],
        validate.OneOf(("back", "on", "otherwise")),
        "whether those hands go back to where they came from, or on to the next players",
    ]
    hands_entry: Annotated[
        Maybe[int],
        "the entry by which those hands went round, or go now, where it is a single one: what "
        "hands did since then goes back before them, or comes after them",
    ]
    hands_kept: Annotated[
        Maybe[list[int]],
        "the seats whose hands were shuffled by a card that counts no longer or again: such hands "
        "stay where they are, and their numbers of cards are not known",
    ]
    cards_drawn: Annotated[
        Maybe[dict[str, list[int]]],
        "how many cards each seat drew in the round, where a correction makes that another number: "
        "`was` and `now`",
    ]
    follow_up: Annotated[
        Maybe[Json],
        "the `seat` that may lay another card after a correction before the next player begins, "
        "and the `rule`",
    ]
    counts: Annotated[
        Maybe[dict[str, int]],
        "of a correction's `changed`, `fell` or `stands`, where only the first "
        "are listed: how many there are",
    ]
    fell_entries: Annotated[
        Maybe[list[list[int]]], "of a long `fell`: all its ids, as ranges from first to last"
    ]
    stands_entries: Annotated[Maybe[list[list[int]]], "of a long `stands`: all its ids, likewise"]
    stands: Annotated[Maybe[list[Json]], "those that stand again after it, likewise"]
    aside: Annotated[Maybe[list[int]], "rounds kept aside, as the game was over before them"]
    voids: Annotated[Maybe[int], "the correction that a redo took back"]
    undone: Annotated[Maybe[int], "the correction after which this does not stand any more"]
    question: Maybe[QuestionSchema]
    question_id: Annotated[Maybe[int], "the question answered or lapsed"]
    option: Annotated[Maybe[int], "the answer given"]
    options: Annotated[Maybe[Json], "house rules from this round on, or proposed ones"]
    changes: Annotated[Maybe[Json], "those of the proposed ones that are new"]
    proposal: Annotated[Maybe[int], "the entry that proposed house rules"]
    agreed: Annotated[Maybe[bool], "all have approved: in force from the next round on"]
    timer: Annotated[Maybe[NewTimerSchema | None], "the time that turns have from now on"]
    needs: Annotated[Maybe[list[str]], "what was awaited of a seat whose time is up"]
    why: Annotated[
        Maybe[str],
        validate.OneOf(
            ("settled", "presumed", "unanswered", "overtaken", "refused", "withdrawn", "lapsed")
        ),
        "why it lapsed: later moves settled it, the likeliest answer was presumed, none was likely "
        "enough for that and nothing was entered, or a player's move overtook it; or how a request "
        "to become a host, or a proposal of house rules or of a card, ended",
    ]
    how: Annotated[
        Maybe[str], validate.OneOf(("host", "table", "operator")), "by whom somebody became a host"
    ]
    until: Annotated[
        Maybe[datetime], "until when a host has time to refuse a request to become one"
    ]


class EntryPage(Answer):
    """Entries of the log, oldest first."""

    items: list[EntrySchema]
    next: Annotated[int | None, "`after` of the next page"]


class LegalMovesSchema(Answer):
    """The legal moves, and what is awaited that depends on a hand."""

    moves: list[MoveField]
    awaiting: list[NeedSchema]
