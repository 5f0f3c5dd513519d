"""The games of a table, one after the other."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.games import GamesSchema, NewGameSchema
from referee.api.schemas.tables import LARGEST_GAME
from referee.service.access import HOST
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.games import end_present_game, list_games, start_next_game

blueprint = Resource("games", "The games of a table, one after the other")


@blueprint.operation(
    "GET /tables/<table_id>/games", "listGames", "The games, the present one last.", GamesSchema
)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """List the table's games; score sheet, rounds and record take each one as `game`."""
    return {"items": list_games(event_log(), table)}


@blueprint.operation(
    "POST /tables/<table_id>/games",
    "startGame",
    "The next game has begun, with all scores 0.",
    body=NewGameSchema,
    largest=LARGEST_GAME,
    fails=("conflict",),
    rights=HOST,
)
def start(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Play another game at the same table: seats, tokens, devices and languages stay."""
    return start_next_game(
        event_log(), table, request, new["ruleset"], new["options"], new["preset"]
    )


@blueprint.operation(
    "POST /tables/<table_id>/games/end",
    "endGame",
    "The game is over. Who leads has won it.",
    fails=("conflict",),
    rights=HOST,
)
def end(table: TableProjection, request: WriteRequest) -> LogEntry:
    """End the game with the scores as they stand; a round in progress is broken off."""
    return end_present_game(event_log(), table, request)
