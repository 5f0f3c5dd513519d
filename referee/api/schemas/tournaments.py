"""Tournaments: what organisers and players send."""

from typing import Any

from marshmallow import fields, validate

from referee.api.schemas.common import BoundedList, LanguageQuery, PageQuery, Strict
from referee.api.schemas.tables import MODE
from referee.rules.engine import LONGEST_NAME
from referee.rules.position.state import MOST_SEATS
from referee.service.log.table_meta import SCORE
from referee.service.tournaments.rounds import MOST_ROUNDS
from referee.service.tournaments.setup import MOST_PLAYERS
from referee.tournaments.model import FINISHES, FORMATS, POINTS, STATUSES, TIES

NAME = validate.Length(1, LONGEST_NAME)
MOST_MINUTES = 600
FEWEST_AT_TABLE = 2
MINUTES = validate.Range(1, MOST_MINUTES)
SCORES = validate.Range(-1_000_000, 1_000_000)
ABOUT = {
    "format": "how rounds are drawn: `swiss` seats players of equal points together, `free` "
    "mixes everybody, and both avoid that two players meet again; in a `knockout` the best of "
    "each table go on to the next round",
    "table_size": "the most players at a table; tables differ by one at most",
    "smallest_table": "the fewest players at a table; as few as possible sit out for it (a bye)",
    "rounds": "how many tournament rounds are planned; null: until the organiser stops",
    "minutes": "how long a round lasts by the server's clock; null: no clock",
    "finish": "when a table's game ends: at the `target` of its options; as soon as its time is "
    "up (`time`), once the round of cards in progress is over; or after `card_rounds` rounds of "
    "cards. The tournament then ends the game, and its scores are the result.",
    "card_rounds": "with `finish: card-rounds`, after how many rounds of cards a game ends",
    "points": "what counts in the standings: points for the `placing` at the table, or the score "
    "of the `game` itself (negative in a game that the lowest score wins)",
    "placing": "the points for the first, second, third … place at any table; later places get 0",
    "ties": "players who share a place `share` its points and those of the next places (the mean), "
    "or each get the `best` of them",
    "bye": "the points for sitting a round out, which count once the round is over; null: the "
    "mean of what the players of that round got",
    "advance": "in a knockout, how many of each table go on; one fewer than sit there at most",
    "public": "whether everybody who knows the tournament's id may read it; otherwise only "
    "organisers and those who hold a token of one of its tables",
    "mode": "`score` at tables that enter results of rounds and no moves, `referee` where every "
    "move is ruled on",
    "options": "the house rules at all tables, such as `target`; see /rulesets",
}


def described(field: type[fields.Field[Any]], name: str, **more: Any) -> Any:
    """Return a field with its description."""
    return field(metadata={"description": ABOUT[name]}, **more)


class SettingsSchema(Strict):
    """The settings of a tournament; what is left out stays.

    Once the first round is drawn, only `name`, `rounds`, `minutes`, `public`, `finish`,
    `card_rounds` and `options` can change.
    """

    name = fields.String(validate=NAME)
    ruleset = fields.String(validate=validate.Length(1, 80), metadata={"example": "classic-108"})
    options = described(fields.Dict, "options", keys=fields.String())
    mode = described(fields.String, "mode", validate=MODE)
    format = described(fields.String, "format", validate=validate.OneOf(FORMATS))
    table_size = described(
        fields.Integer,
        "table_size",
        strict=True,
        validate=validate.Range(FEWEST_AT_TABLE, MOST_SEATS),
    )
    smallest_table = described(
        fields.Integer,
        "smallest_table",
        strict=True,
        validate=validate.Range(FEWEST_AT_TABLE, MOST_SEATS),
    )
    rounds = described(
        fields.Integer,
        "rounds",
        strict=True,
        allow_none=True,
        validate=validate.Range(1, MOST_ROUNDS),
    )
    minutes = described(fields.Integer, "minutes", strict=True, allow_none=True, validate=MINUTES)
    finish = described(fields.String, "finish", validate=validate.OneOf(FINISHES))
    card_rounds = described(
        fields.Integer, "card_rounds", strict=True, allow_none=True, validate=validate.Range(1, 100)
    )
    points = described(fields.String, "points", validate=validate.OneOf(POINTS))
    placing = described(
        BoundedList,
        "placing",
        cls_or_instance=fields.Integer(strict=True, validate=validate.Range(0, 1000)),
        validate=validate.Length(1, MOST_SEATS),
    )
    ties = described(fields.String, "ties", validate=validate.OneOf(TIES))
    bye = described(
        fields.Integer, "bye", strict=True, allow_none=True, validate=validate.Range(-1000, 1000)
    )
    advance = described(
        fields.Integer, "advance", strict=True, validate=validate.Range(1, MOST_SEATS - 1)
    )
    public = described(fields.Boolean, "public")


class NewTournamentSchema(SettingsSchema):
    """A new tournament.

    Only `name` and `ruleset` are needed. Without more it is a Swiss tournament at tables of four
    that keep the score, with 4, 2, 1 and 0 points for the places.
    """

    name = fields.String(required=True, validate=NAME, metadata={"example": "Tuesday club"})
    ruleset = fields.String(
        required=True,
        validate=validate.Length(1, 80),
        metadata={"example": "classic-108", "description": "see /rulesets"},
    )
    options = described(fields.Dict, "options", keys=fields.String(), load_default=dict)
    mode = described(fields.String, "mode", validate=MODE, load_default=lambda: SCORE)
    players = BoundedList(
        fields.String(validate=NAME),
        load_default=list,
        validate=validate.Length(0, MOST_PLAYERS),
        metadata={
            "example": ["Ann", "Bo", "Cy", "Dee"],
            "description": "names, each only once; they are numbered from 1 in this order",
        },
    )
    organiser = fields.String(
        load_default=None,
        allow_none=True,
        validate=NAME,
        metadata={"description": "the organiser's name"},
    )


class NewPlayersSchema(Strict):
    """Players who join."""

    players = BoundedList(
        fields.String(validate=NAME),
        required=True,
        validate=validate.Length(1, MOST_PLAYERS),
        metadata={"example": ["Eve"], "description": "names; they get the next numbers"},
    )


class ChangedPlayerSchema(Strict):
    """What changes about a player; what is left out stays."""

    name = fields.String(validate=NAME)
    status = fields.String(
        validate=validate.OneOf(STATUSES),
        metadata={
            "description": "`in`: plays the next round; `paused`: is away for now and gets no "
            "points; `out`: has dropped out. All results stay. A round that is drawn stays as it is"
        },
    )


class NewTournamentRoundSchema(Strict):
    """How to draw a round; an empty object draws it by the settings."""

    tables = BoundedList(
        BoundedList(
            fields.Integer(strict=True, validate=validate.Range(1, MOST_PLAYERS)),
            validate=validate.Length(FEWEST_AT_TABLE, MOST_SEATS),
        ),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, MOST_PLAYERS // FEWEST_AT_TABLE),
        metadata={
            "description": "a seating of the organiser's own: the players of each table, by seat; "
            "who is left out has a bye",
            "example": [[1, 4, 3], [2, 5, 6]],
        },
    )
    force = fields.Boolean(
        load_default=False,
        metadata={
            "description": "do not wait for results: games in progress end, unconfirmed results "
            "count as they stand, and tables without one count for nobody"
        },
    )


class StartSchema(Strict):
    """How to start a round."""

    minutes = fields.Integer(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=MINUTES,
        metadata={"description": "how long this round lasts, if not as in the settings"},
    )


class ClockChangeSchema(Strict):
    """What happens to the clock."""

    change = fields.String(required=True, validate=validate.OneOf(("pause", "resume", "extend")))
    minutes = fields.Integer(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=MINUTES,
        metadata={
            "description": "with `extend`, by how much; after the time is up, from now on. A round "
            "without a clock gets one"
        },
    )


class EnteredResultSchema(Strict):
    """A result that is typed in."""

    scores = BoundedList(
        fields.Integer(strict=True, validate=SCORES),
        required=True,
        validate=validate.Length(FEWEST_AT_TABLE, MOST_SEATS),
        metadata={"description": "the final scores, seat 1 first", "example": [210, 85, 0, 132]},
    )
    winners = BoundedList(
        fields.Integer(strict=True, validate=validate.Range(1, MOST_SEATS)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, MOST_SEATS),
        metadata={
            "description": "the seats that won, where the best score does not say; they are first, "
            "and the others follow by their scores"
        },
    )
    decided = fields.Boolean(
        load_default=True,
        metadata={
            "description": "from an organiser: confirmed for all seats at once; false leaves it "
            "to the players. Has no meaning from a seat, which agrees with what it types in"
        },
    )


class ConfirmationSchema(Strict):
    """Whether somebody agrees with a result."""

    agrees = fields.Boolean(
        required=True, metadata={"description": "false: the result is disputed"}
    )
    seat = fields.Integer(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=validate.Range(1, MOST_SEATS),
        metadata={
            "description": "who agrees or not: for a seat's token always that seat; for an "
            "organiser null means all, and that the result is decided"
        },
    )
    result = fields.Integer(
        load_default=None,
        allow_none=True,
        strict=True,
        validate=validate.Range(1, 2**31 - 1),
        metadata={
            "description": "the `id` of the result that is meant; 409 if there is a newer one"
        },
    )
    reason = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, 200))


class NewOrganiserSchema(Strict):
    """Another organiser."""

    name = fields.String(load_default=None, allow_none=True, validate=NAME)


class StandingsQuery(LanguageQuery):
    """Which standings."""

    round = fields.Integer(
        load_default=None,
        validate=validate.Range(1, MOST_ROUNDS),
        metadata={"description": "after this tournament round; as they are now if left out"},
    )


class TournamentRoundQuery(LanguageQuery):
    """A page of the tournament's rounds, starting after round ``after``."""

    after = fields.Integer(load_default=0, validate=validate.Range(0, MOST_ROUNDS))
    limit = fields.Integer(load_default=MOST_ROUNDS // 4, validate=validate.Range(1, MOST_ROUNDS))


class TournamentEventQuery(PageQuery):
    """A page of the tournament's log."""
