"""People across evenings: groups that keep what was played at their tables."""

from datetime import datetime
from typing import Annotated, Any

from flask import Response
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log, may_make_tables, principal
from referee.api.language import language
from referee.api.limits.work import count_ruling
from referee.api.operation import Resource
from referee.api.requests import idempotency_key
from referee.api.schemas.common import items_of
from referee.api.schemas.games import ABOUT_DECK
from referee.api.schemas.typed import Answer, Json, Strict
from referee.api.schemas.vocabulary import FILE
from referee.api.scoresheet.table import write_lines
from referee.rules.records.seating import LONGEST_NAME
from referee.service.access import GROUPS, HOST
from referee.service.groups import files
from referee.service.groups.keep import (
    bring_up_to_date,
    choose_group,
    create_group,
    delete_group,
    find_group,
    forget_person,
)
from referee.service.groups.people import games_json, people_json
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.texts import deck_name_of

blueprint = Resource("groups", "People across evenings, where a host wants it")
NAME = validate.Length(1, LONGEST_NAME)
CSV = "text/csv"
CSV_CONTENT = {"content": {CSV: {"schema": {"type": "string", **FILE}}}}
# In the answer; the files have all.
MOST_SHOWN = 100


class NewGroupSchema(Strict):
    """A group to be made."""

    name: Annotated[str, NAME, {"example": "Thursdays"}]


class GroupTokenSchema(Strict):
    """The token of the group that keeps a table's games; null for none."""

    token: Annotated[str | None, validate.Length(1, 200), {"example": None}]


class NemesisSchema(Answer):
    """Who made somebody draw most often."""

    name: str
    count: Annotated[int, "how often"]


class CountsSchema(Answer):
    """What somebody did."""

    rounds: int
    rounds_won: int
    caught: Annotated[int, "without UNO"]
    catches: Annotated[int, "of others without UNO"]
    right: Annotated[int, "challenges won"]
    wrong: Annotated[int, "challenges lost"]
    bluffed: Annotated[int, "illegal wild-draw-fours that were challenged"]
    fours: Annotated[int, "wild-draw-fours played"]


class GroupPersonSchema(CountsSchema):
    """Somebody of the group, across its games: known by their name."""

    name: str
    games: int
    won: int
    streak: Annotated[int, "games won in a row by now"]
    best_streak: int
    last: datetime
    nemesis: NemesisSchema | None


class GroupSeatSchema(Answer):
    """A seat of a game; null for a name that was forgotten."""

    seat: int
    name: str | None
    points: int

    won: bool


class GroupGameSchema(Answer):
    """A finished game."""

    table_id: str
    game: int
    ruleset: str
    deck: Annotated[str, ABOUT_DECK]
    rounds: int
    begun: datetime
    ended: datetime
    seats: list[GroupSeatSchema]
    link: Annotated[str, "opens the app BG Stats with this game"]


class GroupSchema(Answer):
    """A group: what its people have played at tables whose hosts let it keep their games."""

    id: str
    name: str
    created: datetime
    games_kept: int
    people: list[GroupPersonSchema]
    games: Annotated[list[GroupGameSchema], f"the newest first, at most {MOST_SHOWN}"]


class MadeGroupSchema(Answer):
    """A new group, and its token, which is shown only once."""

    group: GroupSchema
    token: str


class PlaySchema(Answer):
    """A game as BG Stats takes it."""

    play: Json
    link: Annotated[str, "opens the app with it"]


PlaysSchema = items_of(PlaySchema, "PlaysSchema")


@blueprint.operation(
    "POST /groups",
    "createGroup",
    "The group, and its token.",
    MadeGroupSchema,
    body=NewGroupSchema,
    write=True,
    if_match="none",
    fails=("not-authenticated", "forbidden"),
    rights=None,
)
def create(new: dict[str, Any]) -> ResponseReturnValue:
    """Make a group of people who play together again and again.

    It keeps the games of tables whose hosts choose it (`chooseGroup`), and nothing of others.
    Whoever has its token reads and deletes what it keeps.
    """
    may_make_tables()
    group, token = create_group(event_log(), new["name"], idempotency_key())
    return {"group": _shown(group["id"]), "token": token}, 201


@blueprint.operation(
    "GET /groups/<group_id>",
    "getGroup",
    "The group, its people and its newest games.",
    GroupSchema,
    fails=("not-found",),
    rights=GROUPS,
)
def get(group_id: str) -> ResponseReturnValue:
    """Return what a group has kept: finished games, as they stand after all corrections."""
    count_ruling()
    return _shown(group_id)


@blueprint.operation(
    "DELETE /groups/<group_id>",
    "deleteGroup",
    "It is gone, with everything that it kept.",
    None,
    status=204,
    write=False,
    fails=("not-found",),
    rights=GROUPS,
)
def delete(group_id: str) -> ResponseReturnValue:
    """Delete the group and all that it has kept. Its tables stay."""
    find_group(event_log(), group_id)
    delete_group(event_log(), principal())
    return Response(status=204)


@blueprint.operation(
    "POST /groups/<group_id>/forgotten",
    "forgetPerson",
    "The group without them.",
    GroupSchema,
    body=NewGroupSchema,
    status=200,
    write=False,
    fails=("not-found",),
    rights=GROUPS,
)
def forget(person: dict[str, Any], group_id: str) -> ResponseReturnValue:
    """Forget a name in all games up to now; the games stay, without it.

    Nothing that began before names them again, whatever is corrected later.
    """
    count_ruling()
    find_group(event_log(), group_id)
    forget_person(event_log(), group_id, person["name"])
    return _shown(group_id)


@blueprint.operation(
    "GET /groups/<group_id>/games.csv",
    "getGroupTable",
    "A line for each seat of each game.",
    None,
    fails=("not-found",),
    rights=GROUPS,
    also={"responses": {"200": CSV_CONTENT}},
)
def table(group_id: str) -> ResponseReturnValue:
    """Return all games of a group for a spreadsheet."""
    lines = write_lines(files.HEAD, files.lines(_games(group_id)))
    answer = Response(lines, mimetype=CSV)
    answer.headers["Content-Disposition"] = 'attachment; filename="games.csv"'
    return answer


@blueprint.operation(
    "GET /groups/<group_id>/plays",
    "listPlays",
    "The games, each with a link that opens BG Stats.",
    PlaysSchema,
    fails=("not-found",),
    rights=GROUPS,
)
def plays(group_id: str) -> ResponseReturnValue:
    """Return all games of a group as plays of the app BG Stats, the newest first."""
    lang = language()
    items = [
        {"play": files.play(game, lang), "link": files.link(game, lang)}
        for game in _games(group_id)
    ]
    return {"items": items}


@blueprint.operation(
    "PUT /tables/<table_id>/group",
    "chooseGroup",
    "The group keeps the table's games.",
    body=GroupTokenSchema,
    fails=("conflict",),
    rights=HOST,
)
def choose(wish: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Let a group keep this table's games from the present one on; off unless a host wants it.

    null takes back what a group has kept of this table.
    """
    return choose_group(event_log(), table, request, wish["token"])


def _games(group_id: str) -> list[dict[str, Any]]:
    count_ruling()
    find_group(event_log(), group_id)
    bring_up_to_date(event_log(), group_id)
    return games_json(event_log().reader.group_games(group_id))


def _shown(group_id: str) -> dict[str, Any]:
    row, lang = find_group(event_log(), group_id), language()
    bring_up_to_date(event_log(), group_id)
    games = games_json(event_log().reader.group_games(group_id))
    return {
        "id": row["id"],
        "name": row["name"],
        "created": row["created"],
        "games_kept": len(games),
        "people": people_json(games),
        "games": [_game(game, lang) for game in games[:MOST_SHOWN]],
    }


def _game(game: dict[str, Any], lang: str) -> dict[str, Any]:
    seats = [
        {name: seat[name] for name in ("seat", "name", "points", "won")} for seat in game["seats"]
    ]
    kept = {name: game[name] for name in ("game", "ruleset", "rounds", "begun", "ended")}
    return {
        "table_id": game["table"],
        **kept,
        "deck": deck_name_of(game["ruleset"], lang),
        "seats": seats,
        "link": files.link(game, lang),
    }
