"""Tournaments: what the server answers."""

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import page_of
from referee.api.schemas.tables import MODE
from referee.api.schemas.tournaments import ABOUT, described
from referee.service.tournaments.export import FORMAT
from referee.service.tournaments.rounds import MOST_ROUNDS
from referee.tournaments.model import FINISHES, FORMATS, POINTS, STATUSES, TIES

NUMBER = {"type": "number"}
TABLE_STATES = ("drawn", "playing", "waiting", "disputed", "confirmed", "void")
ROUND_STATES = ("drawn", "playing", "over")


class PersonSchema(Schema):
    """A player: number and name."""

    player = fields.Integer(required=True, metadata={"description": "the player's number"})
    name = fields.String(required=True)


class PlayerSchema(PersonSchema):
    """A player of the tournament."""

    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    byes = fields.Integer(required=True, metadata={"description": "how many rounds they sat out"})


class TournamentSeatSchema(PersonSchema):
    """Who sits where."""

    seat = fields.Integer(required=True)


class LiveSchema(Schema):
    """How far the game at a table is, by seat."""

    card_rounds = fields.Integer(required=True, metadata={"description": "rounds of cards so far"})
    in_progress = fields.Boolean(required=True)
    scores = fields.List(fields.Integer(), required=True)
    joined = fields.List(
        fields.Integer(), required=True, metadata={"description": "seats with a phone"}
    )


class SeatResultSchema(Schema):
    """The result of a seat."""

    seat = fields.Integer(required=True)
    player = fields.Integer(required=True)
    score = fields.Integer(required=True, metadata={"description": "in the table's game"})
    place = fields.Integer(
        required=True, metadata={"description": "at the table; equal scores share a place"}
    )
    points = fields.Raw(
        required=True,
        metadata={**NUMBER, "description": "for the standings; a fraction where places are shared"},
    )
    verdict = fields.String(
        required=True,
        validate=validate.OneOf(("open", "confirmed", "disputed")),
        metadata={"description": "what this seat says about the result"},
    )
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "why the seat disputes it"}
    )


class TableResultSchema(Schema):
    """The result of a table, all seats in order."""

    id = fields.Integer(
        required=True, metadata={"description": "changes with every new result of the table"}
    )
    source = fields.String(
        required=True,
        validate=validate.OneOf(("table", "organiser", "seat")),
        metadata={"description": "the table's own game, or who typed it in"},
    )
    at = fields.DateTime(required=True)
    counts = fields.Boolean(
        required=True,
        metadata={
            "description": "in the standings: all seats have confirmed it, or an organiser has"
        },
    )
    decided = fields.Boolean(
        required=True, metadata={"description": "an organiser has confirmed it for everybody"}
    )
    seats = fields.List(fields.Nested(SeatResultSchema), required=True)


class CutSchema(Schema):
    """Who goes on from a table of a knockout."""

    through = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={
            "description": "the players who go on in a knockout, the best first: by place, then "
            "score, then the standings before the round, then lot; null until the result counts, "
            "in its final, and in other formats"
        },
    )
    lots = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={"description": "the equals among whom a lot decided who goes on; mostly empty"},
    )


class RoundTableSchema(CutSchema):
    """A table of a tournament round."""

    table = fields.Integer(
        required=True, metadata={"description": "its number in the round; the leaders sit at 1"}
    )
    table_id = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the table to play at (see `getTable`); null before the start"},
    )
    code = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "the join code for the players' phones (`joinTable`, with their "
            "`seat`); null for everybody but organisers, and once the result counts"
        },
    )
    invitation = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the same for a link or a picture, which nobody can guess"},
    )
    state = fields.String(
        required=True,
        validate=validate.OneOf(TABLE_STATES),
        metadata={
            "description": "`drawn`: not started; `playing`: no result yet; `waiting`: for the "
            "players to confirm the result; `disputed`: by a seat, an organiser decides; "
            "`confirmed`: it counts; `void`: the round was closed without a result"
        },
    )
    seats = fields.List(fields.Nested(TournamentSeatSchema), required=True)
    live = fields.Nested(
        LiveSchema,
        required=True,
        allow_none=True,
        metadata={"description": "null before the start, and once the result counts"},
    )
    result = fields.Nested(TableResultSchema, required=True, allow_none=True)


class ClockSchema(Schema):
    """The clock of a round, as the server has it."""

    state = fields.String(required=True, validate=validate.OneOf(("running", "paused", "up")))
    seconds = fields.Integer(required=True, metadata={"description": "the whole time, with more"})
    left = fields.Integer(required=True, metadata={"description": "seconds left; 0 once it is up"})
    ends = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "when the time will be, or was, up; null while it is paused"},
    )


class TournamentRoundSchema(Schema):
    """A tournament round."""

    round = fields.Integer(required=True, metadata={"description": "counted from 1"})
    state = fields.String(
        required=True,
        validate=validate.OneOf(ROUND_STATES),
        metadata={"description": "`over` once every table's result counts"},
    )
    drawn_at = fields.DateTime(required=True)
    started_at = fields.DateTime(required=True, allow_none=True)
    clock = fields.Nested(
        ClockSchema, required=True, allow_none=True, metadata={"description": "null without one"}
    )
    tables = fields.List(fields.Nested(RoundTableSchema), required=True)
    byes = fields.List(
        fields.Nested(PersonSchema), required=True, metadata={"description": "who sits it out"}
    )


TournamentRoundPage = page_of(TournamentRoundSchema, "TournamentRoundPage", fields.Integer)


class OrganiserSchema(Schema):
    """An organiser, known by the token's id."""

    token_id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class SettingsAnswerSchema(Schema):
    """How a tournament is played."""

    name = fields.String(required=True)
    ruleset = fields.String(required=True)
    options = described(fields.Dict, "options", required=True)
    mode = described(fields.String, "mode", required=True, validate=MODE)
    low = fields.Boolean(
        required=True, metadata={"description": "at the tables the lowest score wins"}
    )
    format = described(fields.String, "format", required=True, validate=validate.OneOf(FORMATS))
    table_size = described(fields.Integer, "table_size", required=True)
    smallest_table = described(fields.Integer, "smallest_table", required=True)
    rounds = described(fields.Integer, "rounds", required=True, allow_none=True)
    minutes = described(fields.Integer, "minutes", required=True, allow_none=True)
    finish = described(fields.String, "finish", required=True, validate=validate.OneOf(FINISHES))
    card_rounds = described(fields.Integer, "card_rounds", required=True, allow_none=True)
    points = described(fields.String, "points", required=True, validate=validate.OneOf(POINTS))
    placing = fields.List(
        fields.Integer(), required=True, metadata={"description": ABOUT["placing"]}
    )
    ties = described(fields.String, "ties", required=True, validate=validate.OneOf(TIES))
    bye = described(fields.Integer, "bye", required=True, allow_none=True)
    advance = described(fields.Integer, "advance", required=True)
    public = described(fields.Boolean, "public", required=True)


class TournamentHeadSchema(SettingsAnswerSchema):
    """A tournament without its rounds."""

    id = fields.String(required=True)
    version = fields.Integer(
        required=True, metadata={"description": "grows with every write; also the ETag"}
    )
    created = fields.DateTime(required=True)
    state = fields.String(
        required=True,
        validate=validate.OneOf(("open", "playing", "over")),
        metadata={
            "description": "`open` before the first draw, `over` once all planned rounds, or a "
            "knockout's final, are over"
        },
    )
    players = fields.List(fields.Nested(PlayerSchema), required=True)
    drawn = fields.Integer(
        required=True, metadata={"description": "how many rounds have been drawn"}
    )


class TournamentSchema(TournamentHeadSchema):
    """A tournament, its players and its newest round."""

    now = fields.DateTime(required=True, metadata={"description": "the server's time"})
    present = fields.Nested(
        TournamentRoundSchema,
        required=True,
        allow_none=True,
        metadata={"description": "the newest round; null before the first draw"},
    )
    organisers = fields.List(
        fields.Nested(OrganiserSchema), metadata={"description": "for organisers only"}
    )


class MadeTournamentSchema(Schema):
    """A new tournament, and its organiser's token, which is shown this once."""

    tournament = fields.Nested(TournamentSchema, required=True)
    token = fields.String(
        required=True,
        metadata={
            "description": "the organiser's bearer token: for everything below /tournaments/{id}, "
            "and as a host's token at every table of the tournament"
        },
    )
    token_id = fields.String(required=True)


class MadeOrganiserSchema(Schema):
    """Another organiser's token, which is shown this once."""

    tournament_id = fields.String(required=True)
    token = fields.String(required=True)
    token_id = fields.String(required=True)


class PurgedTournamentSchema(Schema):
    """A purged tournament."""

    purged = fields.String(required=True, metadata={"description": "its id"})


class StandingSchema(PersonSchema):
    """A player's standing."""

    rank = fields.Integer(
        required=True, metadata={"description": "equal in everything that decides: equal rank"}
    )
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    points = fields.Raw(
        required=True, metadata={**NUMBER, "description": "tournament points, byes included"}
    )
    wins = fields.Integer(
        required=True, metadata={"description": "first places at tables, shared ones included"}
    )
    game_points = fields.Integer(
        required=True, metadata={"description": "the sum of the scores at the tables"}
    )
    opponents = fields.Raw(
        required=True,
        metadata={
            **NUMBER,
            "description": "the mean of the points of all opponents, each as often as they met",
        },
    )
    played = fields.Integer(
        required=True,
        validate=validate.Range(0, MOST_ROUNDS),
        metadata={"description": "rounds with a result"},
    )
    byes = fields.Integer(required=True, metadata={"description": "rounds sat out and over"})
    reached = fields.Integer(
        required=True, metadata={"description": "the last round that they were in; 0: none"}
    )


class StandingsSchema(Schema):
    """The standings, the best first."""

    version = fields.Integer(required=True)
    rounds = fields.Integer(required=True, metadata={"description": "how many rounds they cover"})
    complete = fields.Boolean(
        required=True, metadata={"description": "whether all results of these rounds count"}
    )
    items = fields.List(fields.Nested(StandingSchema), required=True)


class TournamentEntryBySchema(Schema):
    """Who did it: an organiser, a seat, or the referee itself."""

    role = fields.String(required=True)
    seat = fields.Integer()


class TournamentEntrySchema(Schema):
    """An entry of the tournament's log."""

    id = fields.Integer(required=True, metadata={"description": "its place in the log"})
    kind = fields.String(required=True, metadata={"example": "round-drawn"})
    at = fields.DateTime(required=True)
    by = fields.Nested(TournamentEntryBySchema, required=True)
    detail = fields.Dict(
        required=True, metadata={"description": "what it says, such as `round`, `table`, `scores`"}
    )


TournamentEntryPage = page_of(TournamentEntrySchema, "TournamentEntryPage", fields.Integer)


class ExportTableSchema(CutSchema):
    """A table of an exported round."""

    table = fields.Integer(required=True)
    table_id = fields.String(required=True, allow_none=True)
    record = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the path of the table's record, for holders of its tokens"},
    )
    state = fields.String(required=True, validate=validate.OneOf(TABLE_STATES))
    seats = fields.List(fields.Nested(TournamentSeatSchema), required=True)
    result = fields.Nested(TableResultSchema, required=True, allow_none=True)


class ExportRoundSchema(Schema):
    """An exported round."""

    round = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(ROUND_STATES))
    drawn_at = fields.DateTime(required=True)
    started_at = fields.DateTime(required=True, allow_none=True)
    tables = fields.List(fields.Nested(ExportTableSchema), required=True)
    byes = fields.List(fields.Nested(PersonSchema), required=True)
    bye_points = fields.Raw(
        required=True,
        metadata={
            "type": ["number", "null"],
            "description": "what a bye of this round is worth once it is over; null without byes",
        },
    )


class ExportSchema(TournamentHeadSchema):
    """Everything about a tournament."""

    format = described(fields.String, "format", required=True, validate=validate.OneOf(FORMATS))
    document = fields.String(required=True, validate=validate.Equal(FORMAT))
    rounds_played = fields.List(fields.Nested(ExportRoundSchema), required=True)
    standings = fields.List(fields.Nested(StandingSchema), required=True)
