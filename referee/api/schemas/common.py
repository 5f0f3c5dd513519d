"""Schemas that several resources share."""

from typing import Any

from marshmallow import RAISE, Schema, fields, pre_load, validate

from referee.api.schemas.vocabulary import SEAT as SEAT_LIMITS
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


class Strict(Schema):
    """A request, in which unknown fields are errors."""

    class Meta:
        """Marshmallow's settings."""

        unknown = RAISE


class BoundedList(fields.List[Any]):
    """A list whose length is checked before its items are: there may be very many of them."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)


class BoundedDict(fields.Dict):
    """An object whose size is checked before its members are."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]


class FieldErrorSchema(Schema):
    """An invalid field, and the reason."""

    field = fields.String(required=True)
    reason = fields.String(required=True)


class ProblemSchema(Schema):
    """An error (RFC 9457). ``type`` is stable; ``detail`` is for people."""

    type = fields.String(required=True, metadata={"example": "/problems/stale-version"})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    instance = fields.String(required=True)
    request_id = fields.String(
        required=True, metadata={"description": "identifies the request in the server's log"}
    )
    errors = fields.List(fields.Nested(FieldErrorSchema))
    more_errors = fields.Integer(metadata={"description": "how many errors are not listed"})
    rule = fields.String(metadata={"description": "the rule behind it, if any"})
    version = fields.Integer(metadata={"description": "the table's version (stale-version)"})
    round = fields.Integer(metadata={"description": "where in a record (invalid-record)"})
    move = fields.Integer(metadata={"description": "where in a record (invalid-record)"})
    retry_after = fields.Integer(metadata={"description": "seconds (too-many-requests)"})
    seats = fields.List(
        fields.Integer(), metadata={"description": "seats that have not approved (not-approved)"}
    )


class NeedSchema(Schema):
    """An action that the referee awaits from a seat."""

    seat = fields.Integer(required=True)
    need = fields.String(required=True, validate=validate.OneOf(NEEDS))


class ProofSchema(Schema):
    """A proof from shown cards that an earlier move broke a rule."""

    seat = fields.Integer(required=True)
    move = fields.Integer(required=True, metadata={"description": "its number in the round"})
    rule = fields.String(required=True)


def winner_field() -> fields.Raw:
    """Return the field for the winner: a seat, several in a tie or a team, or null."""
    one = {"type": "integer", **SEAT_LIMITS}
    several = {"type": "array", "items": one, "maxItems": MOST_NUMBERS}
    shapes = [one, several, {"type": "null"}]
    return fields.Raw(required=True, allow_none=True, metadata={"oneOf": shapes})


class StateSchema(Schema):
    """The public state of a table. Lists by seat have seat 1 first; 0 in ``powers`` is the tray."""

    turn = fields.Integer(required=True, allow_none=True)
    awaiting = fields.List(fields.Nested(NeedSchema), required=True)
    direction = fields.String(
        required=True, validate=validate.OneOf(("clockwise", "counterclockwise"))
    )
    color = fields.String(required=True, allow_none=True, validate=validate.OneOf((*COLORS, None)))
    top = fields.String(required=True, allow_none=True)
    hands = fields.List(fields.Integer(), required=True)
    draw_pile = fields.Integer(required=True)
    discard_pile = fields.Integer(required=True)
    powers = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    uno = fields.List(fields.Integer(), required=True)
    open_hands = fields.List(fields.Integer(), required=True)
    stack = fields.Integer(
        required=True, metadata={"description": "stacked cards that the seat to respond is hit by"}
    )
    scores = fields.List(fields.Integer(), required=True)
    team_scores = fields.List(
        fields.Integer(), metadata={"description": "points by team, at a table with teams"}
    )
    round_winner = fields.Integer(required=True, allow_none=True)
    winner = winner_field()
    evidence = fields.List(fields.Nested(ProofSchema), required=True)


class CitationSchema(Schema):
    """A rule with its source and text."""

    id = fields.String(required=True, metadata={"example": "card.wild-draw-four"})
    title = fields.String(required=True)
    text = fields.String(required=True)
    source = fields.String(
        required=True,
        metadata={"description": "its rule sheet by name, or the rulings it rests on"},
    )
    sheet = fields.String(
        required=True, metadata={"description": "the name of the rule sheet, for people"}
    )
    document = fields.String(allow_none=True, required=True)
    section = fields.String(required=True)
    languages = fields.List(fields.String(), required=True)
    rulings = fields.List(fields.String(), required=True)
    silent = fields.Boolean(required=True)
    official = fields.String(
        allow_none=True, metadata={"description": "of a house rule: what the sheets say instead"}
    )
    option = fields.String(
        allow_none=True,
        metadata={"description": "of a house rule: the option by which a table agrees on it"},
    )
    option_value = fields.String(
        allow_none=True,
        metadata={
            "description": "the value of that option which means this rule; null: any but the usual"
        },
    )


class LanguageQuery(Strict):
    """A query. Every request may have ``lang``, which ``referee.api.language`` reads."""

    @pre_load
    def without_language(self, data: Any, **_: Any) -> dict[str, Any]:
        """Drop ``lang``."""
        return {name: value for name, value in data.items() if name != "lang"}


class PageQuery(LanguageQuery):
    """A page of a list, starting after ``after``."""

    after = fields.Integer(load_default=0, validate=validate.Range(0, 2**53 - 1))
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


def items_of(item: type[Schema] | fields.Field[Any], name: str) -> type[Schema]:
    """Return the schema ``name`` of a list of items."""
    one = fields.Nested(item) if isinstance(item, type) else item
    return Schema.from_dict({"items": fields.List(one, required=True)}, name=name)


def page_of(item: type[Schema], name: str, after: type[fields.Field[Any]]) -> type[Schema]:
    """Return the schema ``name`` of a page of items; ``after`` is the type of ``next``."""
    items = fields.List(fields.Nested(item), required=True)
    following = after(required=True, allow_none=True)
    return Schema.from_dict({"items": items, "next": following}, name=name)
