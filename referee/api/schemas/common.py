"""Schemas that several resources share."""

from typing import Annotated, Any

from marshmallow import Schema, fields, pre_load, validate

from referee.api.schemas.typed import QUERIED, Answer, Maybe, Strict, Winner
from referee.rules.cards import COLORS
from referee.rules.records.seating import MOST_NUMBERS

# People who come get new numbers.
SEAT = validate.Range(1, MOST_NUMBERS)
CARD = validate.Length(1, 40)
NEEDS = (
    "play",
    "drawn",
    "color",
    "powers",
    "respond",
    "reveal",
    "discard",
    "report",
    "judge",
    "swap",
)


class FieldErrorSchema(Answer):
    """An invalid field, and the reason."""

    field: str
    reason: str


class ProblemSchema(Answer):
    """An error (RFC 9457). ``type`` is stable; ``detail`` is for people."""

    type: Annotated[str, {"example": "/problems/stale-version"}]
    title: str
    status: int
    detail: str
    instance: str
    request_id: Annotated[str, "identifies the request in the server's log"]
    errors: Maybe[list[FieldErrorSchema]]
    more_errors: Annotated[Maybe[int], "how many errors are not listed"]
    rule: Annotated[Maybe[str], "the rule behind it, if any"]
    version: Annotated[Maybe[int], "the table's version (stale-version)"]
    round: Annotated[Maybe[int], "where in a record (invalid-record)"]
    move: Annotated[Maybe[int], "where in a record (invalid-record)"]
    retry_after: Annotated[Maybe[int], "seconds (too-many-requests)"]
    seats: Annotated[Maybe[list[int]], "seats that have not approved (not-approved)"]


class NeedSchema(Answer):
    """An action that the referee awaits from a seat."""

    seat: int
    need: Annotated[str, validate.OneOf(NEEDS)]


class ProofSchema(Answer):
    """A proof from shown cards that an earlier move broke a rule."""

    seat: int
    move: Annotated[int, "its number in the round"]
    rule: str


class StateSchema(Answer):
    """The public state of a table. Lists by seat have seat 1 first; 0 in ``powers`` is the tray."""

    turn: int | None
    awaiting: list[NeedSchema]
    direction: Annotated[str, validate.OneOf(("clockwise", "counterclockwise"))]
    color: Annotated[str | None, validate.OneOf((*COLORS, None))]
    top: str | None
    hands: list[int]
    draw_pile: int
    discard_pile: int
    powers: dict[str, int]
    uno: list[int]
    open_hands: list[int]
    stack: Annotated[int, "stacked cards that the seat to respond is hit by"]
    scores: list[int]
    team_scores: Annotated[Maybe[list[int]], "points by team, at a table with teams"]
    round_winner: int | None
    winner: Winner
    evidence: list[ProofSchema]


class CitationSchema(Answer):
    """A rule with its source and text."""

    id: Annotated[str, {"example": "card.wild-draw-four"}]
    title: str
    text: str
    source: Annotated[str, "its rule sheet by name, or the rulings it rests on"]
    sheet: Annotated[str, "the name of the rule sheet, for people"]
    document: str | None
    section: str
    languages: list[str]
    rulings: list[str]
    silent: bool
    official: Annotated[Maybe[str | None], "of a house rule: what the sheets say instead"]
    option: Annotated[
        Maybe[str | None], "of a house rule: the option by which a table agrees on it"
    ]
    option_value: Annotated[
        Maybe[str | None],
        "the value of that option which means this rule; null: any but the usual",
    ]


class LanguageQuery(Strict):
    """A query. Every request may have ``lang``, which ``referee.api.language`` reads."""

    made_of = QUERIED

    @pre_load
    def without_language(self, data: Any, **_: Any) -> dict[str, Any]:
        """Drop ``lang``."""
        return {name: value for name, value in data.items() if name != "lang"}


class PageQuery(LanguageQuery):
    """A page of a list, starting after ``after``."""

    after: Annotated[int, validate.Range(0, 2**53 - 1)] = 0
    limit: Annotated[int, validate.Range(1, 200)] = 50


def items_of(item: type[Schema] | fields.Field[Any], name: str) -> type[Schema]:
    """Return the schema ``name`` of a list of items."""
    field = fields.Nested(item) if isinstance(item, type) else item
    return Schema.from_dict({"items": fields.List(field, required=True)}, name=name)


def page_of(item: type[Schema], name: str, after: type[fields.Field[Any]]) -> type[Schema]:
    """Return the schema ``name`` of a page of items; ``after`` is the type of ``next``."""
    items = fields.List(fields.Nested(item), required=True)
    following = after(required=True, allow_none=True)
    return Schema.from_dict({"items": items, "next": following}, name=name)
