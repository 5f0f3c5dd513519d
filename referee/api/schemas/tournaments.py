"""Tournaments: what organisers and players send."""

from typing import Annotated

from marshmallow import validate

from referee.api.schemas.common import LanguageQuery, PageQuery
from referee.api.schemas.tables import MODE
from referee.api.schemas.typed import Json, Maybe, Strict, default
from referee.api.schemas.vocabulary import MOST_SEATS
from referee.rules.engine import LONGEST_NAME
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


class SettingsSchema(Strict):
    """The settings of a tournament; what is left out stays.

    Once the first round is drawn, only `name`, `rounds`, `minutes`, `public`, `finish`,
    `card_rounds` and `options` can change.
    """

    name: Annotated[Maybe[str], NAME]
    ruleset: Annotated[Maybe[str], validate.Length(1, 80), {"example": "classic-108"}]
    options: Annotated[Maybe[Json], ABOUT["options"]]
    mode: Annotated[Maybe[str], MODE, ABOUT["mode"]]
    format: Annotated[Maybe[str], validate.OneOf(FORMATS), ABOUT["format"]]
    table_size: Annotated[
        Maybe[int], validate.Range(FEWEST_AT_TABLE, MOST_SEATS), ABOUT["table_size"]
    ]
    smallest_table: Annotated[
        Maybe[int], validate.Range(FEWEST_AT_TABLE, MOST_SEATS), ABOUT["smallest_table"]
    ]
    rounds: Annotated[Maybe[int | None], validate.Range(1, MOST_ROUNDS), ABOUT["rounds"]]
    minutes: Annotated[Maybe[int | None], MINUTES, ABOUT["minutes"]]
    finish: Annotated[Maybe[str], validate.OneOf(FINISHES), ABOUT["finish"]]
    card_rounds: Annotated[Maybe[int | None], validate.Range(1, 100), ABOUT["card_rounds"]]
    points: Annotated[Maybe[str], validate.OneOf(POINTS), ABOUT["points"]]
    placing: Annotated[
        Maybe[list[Annotated[int, validate.Range(0, 1000)]]],
        validate.Length(1, MOST_SEATS),
        ABOUT["placing"],
    ]
    ties: Annotated[Maybe[str], validate.OneOf(TIES), ABOUT["ties"]]
    bye: Annotated[Maybe[int | None], validate.Range(-1000, 1000), ABOUT["bye"]]
    advance: Annotated[Maybe[int], validate.Range(1, MOST_SEATS - 1), ABOUT["advance"]]
    public: Annotated[Maybe[bool], ABOUT["public"]]


class NewTournamentSchema(SettingsSchema):
    """A new tournament.

    Only `name` and `ruleset` are needed. Without more it is a Swiss tournament at tables of four
    that keep the score, with 4, 2, 1 and 0 points for the places.
    """

    name: Annotated[str, NAME, {"example": "Tuesday club"}]
    ruleset: Annotated[str, validate.Length(1, 80), {"example": "classic-108"}, "see /rulesets"]
    options: Annotated[Json, ABOUT["options"]] = default(dict)
    mode: Annotated[str, MODE, ABOUT["mode"]] = default(lambda: SCORE)
    players: Annotated[
        list[Annotated[str, NAME]],
        validate.Length(0, MOST_PLAYERS),
        {"example": ["Ann", "Bo", "Cy", "Dee"]},
        "names, each only once; they are numbered from 1 in this order",
    ] = default(list)
    organiser: Annotated[str | None, NAME, "the organiser's name"] = None


class NewPlayersSchema(Strict):
    """Players who join."""

    players: Annotated[
        list[Annotated[str, NAME]],
        validate.Length(1, MOST_PLAYERS),
        {"example": ["Eve"]},
        "names; they get the next numbers",
    ]


class ChangedPlayerSchema(Strict):
    """What changes about a player; what is left out stays."""

    name: Annotated[Maybe[str], NAME]
    status: Annotated[
        Maybe[str],
        validate.OneOf(STATUSES),
        "`in`: plays the next round; `paused`: is away for now and gets no "
        "points; `out`: has dropped out. All results stay. A round that is drawn stays as it is",
    ]


class NewTournamentRoundSchema(Strict):
    """How to draw a round; an empty object draws it by the settings."""

    tables: Annotated[
        list[
            Annotated[
                list[Annotated[int, validate.Range(1, MOST_PLAYERS)]],
                validate.Length(FEWEST_AT_TABLE, MOST_SEATS),
            ]
        ]
        | None,
        validate.Length(1, MOST_PLAYERS // FEWEST_AT_TABLE),
        "a seating of the organiser's own: the players of each table, by seat; "
        "who is left out has a bye",
        {"example": [[1, 4, 3], [2, 5, 6]]},
    ] = None
    force: Annotated[
        bool,
        "do not wait for results: games in progress end, unconfirmed results "
        "count as they stand, and tables without one count for nobody",
    ] = False


class StartSchema(Strict):
    """How to start a round."""

    minutes: Annotated[
        int | None, MINUTES, "how long this round lasts, if not as in the settings"
    ] = None


class ClockChangeSchema(Strict):
    """What happens to the clock."""

    change: Annotated[str, validate.OneOf(("pause", "resume", "extend"))]
    minutes: Annotated[
        int | None,
        MINUTES,
        "with `extend`, by how much; after the time is up, from now on. A round "
        "without a clock gets one",
    ] = None


class EnteredResultSchema(Strict):
    """A result that is typed in."""

    scores: Annotated[
        list[Annotated[int, SCORES]],
        validate.Length(FEWEST_AT_TABLE, MOST_SEATS),
        "the final scores, seat 1 first",
        {"example": [210, 85, 0, 132]},
    ]
    winners: Annotated[
        list[Annotated[int, validate.Range(1, MOST_SEATS)]] | None,
        validate.Length(1, MOST_SEATS),
        "the seats that won, where the best score does not say; they are first, "
        "and the others follow by their scores",
    ] = None
    decided: Annotated[
        bool,
        "from an organiser: confirmed for all seats at once; false leaves it "
        "to the players. Has no meaning from a seat, which agrees with what it types in",
    ] = True


class ConfirmationSchema(Strict):
    """Whether somebody agrees with a result."""

    agrees: Annotated[bool, "false: the result is disputed"]
    seat: Annotated[
        int | None,
        validate.Range(1, MOST_SEATS),
        "who agrees or not: for a seat's token always that seat; for an "
        "organiser null means all, and that the result is decided",
    ] = None
    result: Annotated[
        int | None,
        validate.Range(1, 2**31 - 1),
        "the `id` of the result that is meant; 409 if there is a newer one",
    ] = None
    reason: Annotated[str | None, validate.Length(1, 200)] = None


class NewOrganiserSchema(Strict):
    """Another organiser."""

    name: Annotated[str | None, NAME] = None


class StandingsQuery(LanguageQuery):
    """Which standings."""

    round: Annotated[
        int | None,
        validate.Range(1, MOST_ROUNDS),
        "after this tournament round; as they are now if left out",
    ] = None


class TournamentRoundQuery(LanguageQuery):
    """A page of the tournament's rounds, starting after round ``after``."""

    after: Annotated[int, validate.Range(0, MOST_ROUNDS)] = 0
    limit: Annotated[int, validate.Range(1, MOST_ROUNDS)] = MOST_ROUNDS // 4


class TournamentEventQuery(PageQuery):
    """A page of the tournament's log."""
