"""Tables, seats, tokens, rounds, custom cards, corrections."""

from datetime import datetime
from typing import Annotated, Any

from marshmallow import validate

from referee.api.schemas.common import CARD, SEAT, StateSchema, items_of
from referee.api.schemas.devices import POSITION, CameraSchema, DiscrepancySchema, QuestionSchema
from referee.api.schemas.games import ResultSchema
from referee.api.schemas.house_rules import HouseProposalSchema
from referee.api.schemas.timer import NewTimerSchema, Timer
from referee.api.schemas.typed import Answer, Json, Maybe, Strict, default
from referee.api.schemas.vocabulary import MOST_SEATS
from referee.rules.engine import LONGEST_NAME
from referee.rules.position.state import FEWEST_SEATS
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

    ruleset: Annotated[str, validate.Length(1, 80), {"example": "power-grab"}, "see /rulesets"]
    seats: Annotated[
        list[Annotated[str, validate.Length(1, LONGEST_NAME)]],
        validate.Length(max=MOST_SEATS),
        {"example": ["Ann", "Bo", "Cy"]},
        f"names, clockwise; {FEWEST_SEATS} at least, fewer at an `open` table",
    ]
    options: Annotated[Json, {"example": {"target": 500}}, "house rules"] = default(dict)
    preset: Annotated[str, validate.Length(1, LONGEST_PRESET), ABOUT_PRESET] = default(lambda: None)
    # A default that the description stated would make generated clients require the field.
    mode: Annotated[str, MODE, ABOUT_MODE] = default(lambda: REFEREE)
    open: Annotated[bool, ABOUT_OPEN] = default(lambda: False)
    timer: NewTimerSchema | None = default(lambda: None)


class SeatSchema(Answer):
    """A seat."""

    seat: int
    name: str
    out: Annotated[bool, "reached the target where that ends the game for a seat"]
    taken: bool
    heard: Annotated[
        bool,
        "something was heard of its phone within two minutes; false without a phone. No entry "
        "tells this; read the table again now and then",
    ]
    language: Annotated[str | None, "the language it has chosen"]
    host: Annotated[bool, "its phone is a host as well: see `makeHost`"]
    counted_hands: Annotated[list[int], "the seats whose hands count if it wins a round"]
    in_: Annotated[bool, "false for who has left the table"]


class TournamentPlaceSchema(Answer):
    """The tournament that a table belongs to, and its place there."""

    id: Annotated[str, "the tournament's id"]
    round: Annotated[int, "the tournament round"]
    table: Annotated[int, "the table's number in it"]


class HostRequestSchema(Answer):
    """A seat's phone that asks to become a host, because the host's phone is lost."""

    seat: int
    at: datetime
    agreed: Annotated[list[int], "seats that agree, its own too"]
    missing: Annotated[int, "how many more seated phones have to agree"]
    until: Annotated[datetime, "until when a host has time to refuse"]


class DrawSchema(Strict):
    """A card drawn for the deal."""

    seat: Annotated[int, SEAT]
    card: Annotated[str, CARD]


class DealDrawsSchema(Answer):
    """The draw for the deal so far."""

    drawn: list[DrawSchema]
    tied: list[int]
    dealer: int | None


class NewDrawsSchema(Strict):
    """Cards that seats drew for the deal."""

    draws: Annotated[list[DrawSchema], validate.Length(1, MOST_SEATS)]


class NoticeSchema(Answer):
    """The text of a custom card that is shown to seats."""

    seats: list[int]
    text: str
    until_uno: bool
    on_top: Annotated[bool, "no other card has been laid on it"]


class TableSchema(Answer):
    """A table and its public state."""

    id: str
    version: int
    code: Annotated[str, "join code, to be typed; empty for a device"]
    invitation: Annotated[
        str,
        "the join code as a link or a QR code holds it: longer, so that wrong "
        "codes, whoever tries them, never keep it from working; empty for a device",
    ]
    created: datetime
    closed: Annotated[datetime | None, "when the table was closed"]
    mode: Annotated[str, MODE, ABOUT_MODE]
    open: Annotated[bool, ABOUT_OPEN]
    asking: Annotated[list[str], "names of those who asked to join; a host lets them in"]
    kept: Annotated[bool, "a group keeps its games: see `chooseGroup`"]
    tournament: Annotated[TournamentPlaceSchema | None, "null at a table of its own"]
    game: Annotated[int, "which of the table's games is being played"]
    ruleset: str
    options: Json
    house_code: Annotated[str, "its house rules as a code, for another table"]
    house_proposal: Annotated[HouseProposalSchema | None, "see `proposeHouseRules`"]
    timer: Timer
    seats: list[SeatSchema]
    order: Annotated[list[int], "the seats that are in, clockwise"]
    hosts: Annotated[int, "how many hosts there are"]
    host_request: HostRequestSchema | None
    host_silent: Annotated[
        bool,
        "nothing has happened for two minutes, and the game waits for a seat of whose phone, if it "
        "has one, nothing has been heard as long, nor of any host's: another phone may "
        "`askToHost`. No entry tells this; read the table again now and then",
    ]
    round: int
    rounds_counted: Annotated[int, "rounds that are over; those broken off are none of them"]
    dealer: int | None
    next_dealer: int | None
    state: StateSchema
    notices: list[NoticeSchema]
    sensed: Annotated[dict[str, Annotated[Any, POSITION]], "where devices see each tower or power"]
    discrepancies: list[DiscrepancySchema]
    camera: CameraSchema | None
    questions: list[QuestionSchema]
    follow_up: Json | None
    offer: Json | None
    deal_draws: DealDrawsSchema
    custom_cards: list[Json]


class MadeTableSchema(Answer):
    """A new table, and the host's token, which is shown only once."""

    table: TableSchema
    token: str


class JoinSchema(Strict):
    """A join code and the seat to take, or one's own name; without either, to watch."""

    code: Annotated[
        str, validate.Length(1, 24), "or the invitation; case, spaces and hyphens do not matter"
    ]
    seat: Annotated[int | None, SEAT] = None
    name: Annotated[
        str | None,
        validate.Length(1, LONGEST_NAME),
        "to take the free seat of this name or, at an `open` table between "
        "rounds, a new one; otherwise to ask for one, and watch until a host agrees. Not "
        "together with `seat`",
    ] = None


class JoinedSchema(Answer):
    """A token for a seat or for watching, which is shown only once."""

    table_id: str
    role: str
    seat: int | None
    token: str
    token_id: str


class NewTokenSchema(Strict):
    """A token to issue."""

    role: Annotated[str, ROLE]
    seat: Annotated[int | None, SEAT] = None
    name: Annotated[str | None, validate.Length(1, 80)] = None


class TokenSchema(Answer):
    """A token, without its secret."""

    id: str
    role: str
    seat: int | None
    name: str | None
    created: datetime
    revoked: datetime | None
    host: Annotated[bool, "it is a host's, be it a seat's as well"]


TokensSchema = items_of(TokenSchema, "TokensSchema")


class JoinCodeSchema(Answer):
    """A table's join code."""

    code: str
    invitation: str


class NewRoundSchema(Strict):
    """A round to start, or one that was played without the referee.

    ``opening`` are the cards turned up, in order, the last on top; ``result`` is all there is of a
    round entered by it. Exactly one of them is given.
    """

    opening: Annotated[
        Maybe[list[Annotated[str, CARD]]], validate.Length(1, MOST_OPENING), {"example": ["red-7"]}
    ]
    result: Maybe[ResultSchema]
    dealer: Annotated[int | None, SEAT] = None


class NewCustomCardSchema(Strict):
    """A custom card that a seat proposes."""

    card: Annotated[
        Json, {"example": {"text": "Take another turn.", "effects": [{"effect": "extra_turn"}]}}
    ]
    seat: Annotated[int | None, SEAT] = None


class ApprovalSchema(Strict):
    """A seat's answer; with a seat's own token, ``seat`` may be left out."""

    approve: Annotated[bool, "false: the seat does not want the card, which is withdrawn"] = True
    seat: Annotated[int | None, SEAT] = None


class CorrectionSchema(Strict):
    """A correction; ``round`` and ``move`` default to the last.

    Numbers of moves change when one before them is inserted or taken back; ids of entries do not.
    """

    kind: Annotated[str, validate.OneOf(CORRECTIONS)]
    entry: Annotated[
        Maybe[int],
        validate.Range(1, 2**31 - 1),
        "the entry of the log that made the move or began the round, instead of `round` and `move`",
    ]
    round: Annotated[Maybe[int], validate.Range(1, 2**31 - 1)]
    move: Annotated[Maybe[int], validate.Range(1, 2**31 - 1)]
    verdict: Annotated[Maybe[str], validate.OneOf(("legal", "illegal"))]
    replacement: Annotated[Maybe[Json], "the move that was really made"]
    inserted: Annotated[Maybe[Json], "a move that was missed; it becomes move number `move`"]
    seat: Annotated[Maybe[int], SEAT]
    count: Annotated[
        Maybe[int],
        validate.Range(0, 2**31 - 1),
        "the hand's size; for undo, the number of moves from `move` on",
    ]
    since: Annotated[Maybe[bool], "undo the move and everything since, later rounds too"]
    opening: Annotated[
        Maybe[list[Annotated[str, CARD]]],
        validate.Length(1, MOST_OPENING),
        "the cards that were really turned up",
    ]
    result: Annotated[Maybe[ResultSchema], "of a round that was entered by it"]
    dealer: Annotated[Maybe[int], SEAT]


class ModeSchema(Strict):
    """What the table does from now on."""

    mode: Annotated[str, MODE, ABOUT_MODE]
