"""Tournaments: what the server answers."""

from datetime import datetime
from typing import Annotated, Any

from marshmallow import fields, validate

from referee.api.schemas.common import page_of
from referee.api.schemas.tables import MODE
from referee.api.schemas.tournaments import ABOUT
from referee.api.schemas.typed import Answer, Json, Maybe
from referee.service.tournaments.export import FORMAT
from referee.service.tournaments.rounds import MOST_ROUNDS
from referee.tournaments.model import FINISHES, FORMATS, POINTS, STATUSES, TIES

NUMBER = {"type": "number"}
TABLE_STATES = ("drawn", "playing", "waiting", "disputed", "confirmed", "void")
ROUND_STATES = ("drawn", "playing", "over")


class PersonSchema(Answer):
    """A player: number and name."""

    player: Annotated[int, "the player's number"]
    name: str


class PlayerSchema(PersonSchema):
    """A player of the tournament."""

    status: Annotated[str, validate.OneOf(STATUSES)]
    byes: Annotated[int, "how many rounds they sat out"]


class TournamentSeatSchema(PersonSchema):
    """Who sits where."""

    seat: int


class LiveSchema(Answer):
    """How far the game at a table is, by seat."""

    card_rounds: Annotated[int, "rounds of cards so far"]
    in_progress: bool
    scores: list[int]
    joined: Annotated[list[int], "seats with a phone"]


class SeatResultSchema(Answer):
    """The result of a seat."""

    seat: int
    player: int
    score: Annotated[int, "in the table's game"]
    place: Annotated[int, "at the table; equal scores share a place"]
    points: Annotated[Any, NUMBER, "for the standings; a fraction where places are shared"]
    verdict: Annotated[
        str,
        validate.OneOf(("open", "confirmed", "disputed")),
        "what this seat says about the result",
    ]
    reason: Annotated[str | None, "why the seat disputes it"]


class TableResultSchema(Answer):
    """The result of a table, all seats in order."""

    id: Annotated[int, "changes with every new result of the table"]
    source: Annotated[
        str,
        validate.OneOf(("table", "organiser", "seat")),
        "the table's own game, or who typed it in",
    ]
    at: datetime
    counts: Annotated[bool, "in the standings: all seats have confirmed it, or an organiser has"]
    decided: Annotated[bool, "an organiser has confirmed it for everybody"]
    seats: list[SeatResultSchema]


class CutSchema(Answer):
    """Who goes on from a table of a knockout."""

    through: Annotated[
        list[int] | None,
        "the players who go on in a knockout, the best first: by place, then "
        "score, then the standings before the round, then lot; null until the result counts, "
        "in its final, and in other formats",
    ]
    lots: Annotated[
        list[int] | None, "the equals among whom a lot decided who goes on; mostly empty"
    ]


class RoundTableSchema(CutSchema):
    """A table of a tournament round."""

    table: Annotated[int, "its number in the round; the leaders sit at 1"]
    table_id: Annotated[str | None, "the table to play at (see `getTable`); null before the start"]
    code: Annotated[
        str | None,
        "the join code for the players' phones (`joinTable`, with their "
        "`seat`); null for everybody but organisers, and once the result counts",
    ]
    invitation: Annotated[str | None, "the same for a link or a picture, which nobody can guess"]
    state: Annotated[
        str,
        validate.OneOf(TABLE_STATES),
        "`drawn`: nobody has played here yet; `playing`: no result yet; `waiting`: for the "
        "players to confirm the result; `disputed`: by a seat, an organiser decides; "
        "`confirmed`: it counts; `void`: the round was closed without a result",
    ]
    seats: list[TournamentSeatSchema]
    live: Annotated[LiveSchema | None, "null before the start, and once the result counts"]
    result: TableResultSchema | None


class ClockSchema(Answer):
    """The clock of a round, as the server has it."""

    state: Annotated[str, validate.OneOf(("running", "paused", "up"))]
    seconds: Annotated[int, "the whole time, with more"]
    left: Annotated[int, "seconds left; 0 once it is up"]
    ends: Annotated[datetime | None, "when the time will be, or was, up; null while it is paused"]


class TournamentRoundSchema(Answer):
    """A tournament round."""

    round: Annotated[int, "counted from 1"]
    state: Annotated[str, validate.OneOf(ROUND_STATES), "`over` once every table's result counts"]
    drawn_at: datetime
    started_at: datetime | None
    clock: Annotated[ClockSchema | None, "null without one"]
    tables: list[RoundTableSchema]
    byes: Annotated[list[PersonSchema], "who sits it out"]


TournamentRoundPage = page_of(TournamentRoundSchema, "TournamentRoundPage", fields.Integer)


class OrganiserSchema(Answer):
    """An organiser, known by the token's id."""

    token_id: str
    name: str | None


class SettingsAnswerSchema(Answer):
    """How a tournament is played."""

    name: str
    ruleset: str
    options: Annotated[Json, ABOUT["options"]]
    mode: Annotated[str, MODE, ABOUT["mode"]]
    low: Annotated[bool, "at the tables the lowest score wins"]
    format: Annotated[str, validate.OneOf(FORMATS), ABOUT["format"]]
    table_size: Annotated[int, ABOUT["table_size"]]
    smallest_table: Annotated[int, ABOUT["smallest_table"]]
    rounds: Annotated[int | None, ABOUT["rounds"]]
    minutes: Annotated[int | None, ABOUT["minutes"]]
    finish: Annotated[str, validate.OneOf(FINISHES), ABOUT["finish"]]
    card_rounds: Annotated[int | None, ABOUT["card_rounds"]]
    points: Annotated[str, validate.OneOf(POINTS), ABOUT["points"]]
    placing: Annotated[list[int], ABOUT["placing"]]
    ties: Annotated[str, validate.OneOf(TIES), ABOUT["ties"]]
    bye: Annotated[int | None, ABOUT["bye"]]
    advance: Annotated[int, ABOUT["advance"]]
    public: Annotated[bool, ABOUT["public"]]


class TournamentHeadSchema(SettingsAnswerSchema):
    """A tournament without its rounds."""

    id: str
    version: Annotated[int, "grows with every write; also the ETag"]
    created: datetime
    state: Annotated[
        str,
        validate.OneOf(("open", "playing", "over")),
        "`open` before the first draw, `over` once all planned rounds, or a "
        "knockout's final, are over",
    ]
    players: list[PlayerSchema]
    drawn: Annotated[int, "how many rounds have been drawn"]


class TournamentSchema(TournamentHeadSchema):
    """A tournament, its players and its newest round."""

    now: Annotated[datetime, "the server's time"]
    present: Annotated[TournamentRoundSchema | None, "the newest round; null before the first draw"]
    organisers: Annotated[Maybe[list[OrganiserSchema]], "for organisers only"]


class MadeTournamentSchema(Answer):
    """A new tournament, and its organiser's token, which is shown this once."""

    tournament: TournamentSchema
    token: Annotated[
        str,
        "the organiser's bearer token: for everything below /tournaments/{id}, "
        "and as a host's token at every table of the tournament",
    ]
    token_id: str


class MadeOrganiserSchema(Answer):
    """Another organiser's token, which is shown this once."""

    tournament_id: str
    token: str
    token_id: str


class PurgedTournamentSchema(Answer):
    """A purged tournament."""

    purged: Annotated[str, "its id"]


class StandingSchema(PersonSchema):
    """A player's standing."""

    rank: Annotated[int, "equal in everything that decides: equal rank"]
    status: Annotated[str, validate.OneOf(STATUSES)]
    points: Annotated[Any, NUMBER, "tournament points, byes included"]
    wins: Annotated[int, "first places at tables, shared ones included"]
    game_points: Annotated[int, "the sum of the scores at the tables"]
    opponents: Annotated[
        Any, NUMBER, "the mean of the points of all opponents, each as often as they met"
    ]
    played: Annotated[int, validate.Range(0, MOST_ROUNDS), "rounds with a result"]
    byes: Annotated[int, "rounds sat out and over"]
    reached: Annotated[int, "the last round that they were in; 0: none"]


class StandingsSchema(Answer):
    """The standings, the best first."""

    version: int
    rounds: Annotated[int, "how many rounds they cover"]
    complete: Annotated[bool, "whether all results of these rounds count"]
    items: list[StandingSchema]


class TournamentEntryBySchema(Answer):
    """Who did it: an organiser, a seat, or the referee itself."""

    role: str
    seat: Maybe[int]


class TournamentEntrySchema(Answer):
    """An entry of the tournament's log."""

    id: Annotated[int, "its place in the log"]
    kind: Annotated[str, {"example": "round-drawn"}]
    at: datetime
    by: TournamentEntryBySchema
    detail: Annotated[Json, "what it says, such as `round`, `table`, `scores`"]


TournamentEntryPage = page_of(TournamentEntrySchema, "TournamentEntryPage", fields.Integer)


class ExportTableSchema(CutSchema):
    """A table of an exported round."""

    table: int
    table_id: str | None
    record: Annotated[str | None, "the path of the table's record, for holders of its tokens"]
    state: Annotated[str, validate.OneOf(TABLE_STATES)]
    seats: list[TournamentSeatSchema]
    result: TableResultSchema | None


class ExportRoundSchema(Answer):
    """An exported round."""

    round: int
    state: Annotated[str, validate.OneOf(ROUND_STATES)]
    drawn_at: datetime
    started_at: datetime | None
    tables: list[ExportTableSchema]
    byes: list[PersonSchema]
    bye_points: Annotated[
        Any,
        {"type": ["number", "null"]},
        "what a bye of this round is worth once it is over; null without byes",
    ]


class ExportSchema(TournamentHeadSchema):
    """Everything about a tournament."""

    format: Annotated[str, validate.OneOf(FORMATS), ABOUT["format"]]
    document: Annotated[str, validate.Equal(FORMAT)]
    rounds_played: list[ExportRoundSchema]
    standings: list[StandingSchema]
