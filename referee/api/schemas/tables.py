"""Tables, seats, tokens, rounds, custom cards, corrections."""

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import (
    CARD,
    SEAT,
    BoundedList,
    StateSchema,
    Strict,
    items_of,
)
from referee.api.schemas.devices import POSITION, CameraSchema, DiscrepancySchema, QuestionSchema
from referee.api.schemas.games import ResultSchema
from referee.api.schemas.house_rules import HouseProposalSchema
from referee.api.schemas.timer import NewTimerSchema, timer_field
from referee.rules.engine import LONGEST_NAME
from referee.rules.position.state import FEWEST_SEATS, MOST_SEATS
from referee.rules.presets import LONGEST_CODE as LONGEST_PRESET
from referee.service.access import ROLES
from referee.service.log.table_meta import MODES, REFEREE

ROLE = validate.OneOf(ROLES)
MOST_OPENING = 112
# In bytes: ten long names, and three custom cards of a page each.
LARGEST_GAME = 32 * 1024
CORRECTIONS = (
    "undo",
    "redo",
    "overrule",
    "replace",
    "insert",
    "hand-count",
    "opening",
    "result",
    "break-off",
)


MODE = validate.OneOf(MODES)
ABOUT_MODE = {
    "description": "`score` at a table that enters results and no moves; apps show it accordingly"
}

ABOUT_OPEN = {
    "description": "whoever has the join code takes a seat of their own, between rounds: see "
    "`joinTable`"
}


ABOUT_PRESET = {
    "example": "home",
    "description": "ready-made house rules, `official`, `home` or `party`, or a table's "
    "`house_code`; `options` add to them and replace them",
}


class NewTableSchema(Strict):
    """A new table."""

    ruleset = fields.String(
        required=True,
        validate=validate.Length(1, 80),
        metadata={"example": "power-grab", "description": "see /rulesets"},
    )
    seats = BoundedList(
        fields.String(validate=validate.Length(1, LONGEST_NAME)),
        required=True,
        validate=validate.Length(max=MOST_SEATS),
        metadata={
            "example": ["Ann", "Bo", "Cy"],
            "description": f"names, clockwise; {FEWEST_SEATS} at least, fewer at an `open` table",
        },
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"example": {"target": 500}, "description": "house rules"},
    )
    preset = fields.String(
        load_default=lambda: None,
        validate=validate.Length(1, LONGEST_PRESET),
        metadata=ABOUT_PRESET,
    )
    # A default that the description stated would make generated clients require the field.
    mode = fields.String(load_default=lambda: REFEREE, validate=MODE, metadata=ABOUT_MODE)
    open = fields.Boolean(load_default=lambda: False, metadata=ABOUT_OPEN)
    timer = fields.Nested(NewTimerSchema, load_default=lambda: None, allow_none=True)


class SeatSchema(Schema):
    """A seat."""

    class Meta:
        """Marshmallow's settings."""

        include = {  # noqa: RUF012 - a keyword cannot be an attribute
            "in": fields.Boolean(
                required=True, metadata={"description": "false for who has left the table"}
            )
        }

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    out = fields.Boolean(
        required=True,
        metadata={"description": "reached the target where that ends the game for a seat"},
    )
    taken = fields.Boolean(required=True)
    language = fields.String(
        required=True, allow_none=True, metadata={"description": "the language it has chosen"}
    )
    host = fields.Boolean(
        required=True, metadata={"description": "its phone is a host as well: see `makeHost`"}
    )


class TournamentPlaceSchema(Schema):
    """The tournament that a table belongs to, and its place there."""

    id = fields.String(required=True, metadata={"description": "the tournament's id"})
    round = fields.Integer(required=True, metadata={"description": "the tournament round"})
    table = fields.Integer(required=True, metadata={"description": "the table's number in it"})


class HostRequestSchema(Schema):
    """A seat's phone that asks to become a host, because the host's phone is lost."""

    seat = fields.Integer(required=True)
    at = fields.DateTime(required=True)
    agreed = fields.List(
        fields.Integer(), required=True, metadata={"description": "seats that agree, its own too"}
    )
    missing = fields.Integer(
        required=True, metadata={"description": "how many more seated phones have to agree"}
    )
    until = fields.DateTime(
        required=True, metadata={"description": "until when a host has time to refuse"}
    )


class DrawSchema(Strict):
    """A card drawn for the deal."""

    seat = fields.Integer(required=True, strict=True, validate=SEAT)
    card = fields.String(required=True, validate=CARD)


class DealDrawsSchema(Schema):
    """The draw for the deal so far."""

    drawn = fields.List(fields.Nested(DrawSchema), required=True)
    tied = fields.List(fields.Integer(), required=True)
    dealer = fields.Integer(required=True, allow_none=True)


class NewDrawsSchema(Strict):
    """Cards that seats drew for the deal."""

    draws = BoundedList(
        fields.Nested(DrawSchema), required=True, validate=validate.Length(1, MOST_SEATS)
    )


class NoticeSchema(Schema):
    """The text of a custom card that is shown to seats."""

    seats = fields.List(fields.Integer(), required=True)
    text = fields.String(required=True)
    until_uno = fields.Boolean(required=True)


class TableSchema(Schema):
    """A table and its public state."""

    id = fields.String(required=True)
    version = fields.Integer(required=True)
    code = fields.String(
        required=True, metadata={"description": "join code, to be typed; empty for a device"}
    )
    invitation = fields.String(
        required=True,
        metadata={
            "description": "the join code as a link or a QR code holds it: longer, so that wrong "
            "codes, whoever tries them, never keep it from working; empty for a device"
        },
    )
    created = fields.DateTime(required=True)
    closed = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "when the table was closed"}
    )
    mode = fields.String(required=True, validate=MODE, metadata=ABOUT_MODE)
    open = fields.Boolean(required=True, metadata=ABOUT_OPEN)
    asking = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "names of those who asked to join; a host lets them in"},
    )
    kept = fields.Boolean(
        required=True, metadata={"description": "a group keeps its games: see `chooseGroup`"}
    )
    tournament = fields.Nested(
        TournamentPlaceSchema,
        required=True,
        allow_none=True,
        metadata={"description": "null at a table of its own"},
    )
    game = fields.Integer(
        required=True, metadata={"description": "which of the table's games is being played"}
    )
    ruleset = fields.String(required=True)
    options = fields.Dict(required=True)
    house_code = fields.String(
        required=True, metadata={"description": "its house rules as a code, for another table"}
    )
    house_proposal = fields.Nested(
        HouseProposalSchema,
        required=True,
        allow_none=True,
        metadata={"description": "see `proposeHouseRules`"},
    )
    timer = timer_field(required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    order = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "the seats that are in, clockwise"},
    )
    hosts = fields.Integer(required=True, metadata={"description": "how many hosts there are"})
    host_request = fields.Nested(HostRequestSchema, required=True, allow_none=True)
    round = fields.Integer(required=True)
    rounds_counted = fields.Integer(
        required=True,
        metadata={"description": "rounds that are over; those broken off are none of them"},
    )
    dealer = fields.Integer(required=True, allow_none=True)
    next_dealer = fields.Integer(required=True, allow_none=True)
    state = fields.Nested(StateSchema, required=True)
    notices = fields.List(fields.Nested(NoticeSchema), required=True)
    sensed = fields.Dict(
        keys=fields.String(),
        values=fields.Raw(metadata=POSITION),
        required=True,
        metadata={"description": "where devices see each tower or power"},
    )
    discrepancies = fields.List(fields.Nested(DiscrepancySchema), required=True)
    camera = fields.Nested(CameraSchema, required=True, allow_none=True)
    questions = fields.List(fields.Nested(QuestionSchema), required=True)
    follow_up = fields.Dict(required=True, allow_none=True)
    offer = fields.Dict(required=True, allow_none=True)
    deal_draws = fields.Nested(DealDrawsSchema, required=True)
    custom_cards = fields.List(fields.Dict(), required=True)


class MadeTableSchema(Schema):
    """A new table, and the host's token, which is shown only once."""

    table = fields.Nested(TableSchema, required=True)
    token = fields.String(required=True)


class JoinSchema(Strict):
    """A join code and the seat to take, or one's own name; without either, to watch."""

    code = fields.String(
        required=True,
        validate=validate.Length(1, 24),
        metadata={"description": "or the invitation; case, spaces and hyphens do not matter"},
    )
    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)
    name = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, LONGEST_NAME),
        metadata={
            "description": "to take the free seat of this name or, at an `open` table between "
            "rounds, a new one; otherwise to ask for one, and watch until a host agrees. Not "
            "together with `seat`",
        },
    )


class JoinedSchema(Schema):
    """A token for a seat or for watching, which is shown only once."""

    table_id = fields.String(required=True)
    role = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    token = fields.String(required=True)
    token_id = fields.String(required=True)


class NewTokenSchema(Strict):
    """A token to issue."""

    role = fields.String(required=True, validate=ROLE)
    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)
    name = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 80))


class TokenSchema(Schema):
    """A token, without its secret."""

    id = fields.String(required=True)
    role = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    created = fields.DateTime(required=True)
    revoked = fields.DateTime(required=True, allow_none=True)
    host = fields.Boolean(
        required=True, metadata={"description": "it is a host's, be it a seat's as well"}
    )


TokensSchema = items_of(TokenSchema, "TokensSchema")


class JoinCodeSchema(Schema):
    """A table's join code."""

    code = fields.String(required=True)
    invitation = fields.String(required=True)


class NewRoundSchema(Strict):
    """A round to start, or one that was played without the referee.

    ``opening`` are the cards turned up, in order, the last on top; ``result`` is all there is of a
    round entered by it. Exactly one of them is given.
    """

    opening = BoundedList(
        fields.String(validate=CARD),
        validate=validate.Length(1, MOST_OPENING),
        metadata={"example": ["red-7"]},
    )
    result = fields.Nested(ResultSchema)
    dealer = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)


class NewCustomCardSchema(Strict):
    """A custom card that a seat proposes."""

    card = fields.Dict(
        required=True,
        metadata={"example": {"text": "Take another turn.", "effects": [{"effect": "extra_turn"}]}},
    )
    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)


class ApprovalSchema(Strict):
    """A seat's approval; with a seat's own token, ``seat`` may be left out."""

    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)


class CorrectionSchema(Strict):
    """A correction; ``round`` and ``move`` default to the last.

    Numbers of moves change when one before them is inserted or taken back; ids of entries do not.
    """

    kind = fields.String(required=True, validate=validate.OneOf(CORRECTIONS))
    entry = fields.Integer(
        strict=True,
        validate=validate.Range(1, 2**31 - 1),
        metadata={
            "description": "the entry of the log that made the move or began the round, instead of "
            "`round` and `move`"
        },
    )
    round = fields.Integer(strict=True, validate=validate.Range(1, 2**31 - 1))
    move = fields.Integer(strict=True, validate=validate.Range(1, 2**31 - 1))
    verdict = fields.String(validate=validate.OneOf(("legal", "illegal")))
    replacement = fields.Dict(metadata={"description": "the move that was really made"})
    inserted = fields.Dict(
        metadata={"description": "a move that was missed; it becomes move number `move`"}
    )
    seat = fields.Integer(strict=True, validate=SEAT)
    count = fields.Integer(
        strict=True,
        validate=validate.Range(0, 2**31 - 1),
        metadata={"description": "the hand's size; for undo, the number of moves from `move` on"},
    )
    since = fields.Boolean(
        metadata={"description": "undo the move and everything since, later rounds too"}
    )
    opening = BoundedList(
        fields.String(validate=CARD),
        validate=validate.Length(1, MOST_OPENING),
        metadata={"description": "the cards that were really turned up"},
    )
    result = fields.Nested(
        ResultSchema, metadata={"description": "of a round that was entered by it"}
    )
    dealer = fields.Integer(strict=True, validate=SEAT)


class ModeSchema(Strict):
    """What the table does from now on."""

    mode = fields.String(required=True, validate=MODE, metadata=ABOUT_MODE)
