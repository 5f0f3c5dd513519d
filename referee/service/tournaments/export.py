"""Everything about a tournament in one document, and as lines for a spreadsheet."""

from typing import Any

from referee.service.tournaments.log import TournamentLog, TournamentProjection
from referee.service.tournaments.views import (
    number,
    round_view,
    standings_view,
    tournament_view,
)
from referee.tournaments.scoring import bye_points

FORMAT = "referee-tournament/1"
RESULTS = (
    *("round", "table", "seat", "player", "name", "score", "place", "points"),
    *("state", "record"),
)
STANDINGS = (
    *("rank", "player", "name", "status", "points", "wins", "game_points", "opponents"),
    *("played", "byes"),
)
Line = tuple[Any, ...]


def export(log: TournamentLog, tournament: TournamentProjection) -> dict[str, Any]:
    """Return settings, players, rounds, results and standings."""
    view = tournament_view(log, tournament, None)
    state = tournament.state
    del view["present"], view["now"]
    rounds = []
    for played in state.rounds:
        shown = round_view(log, state, played, None)
        del shown["clock"]
        for table in shown["tables"]:
            del table["code"], table["invitation"], table["live"]
            table["record"] = _record(table["table_id"])
        shown["bye_points"] = number(bye_points(played, state.settings)) if played.byes else None
        rounds.append(shown)
    return {
        "document": FORMAT,
        **view,
        "rounds_played": rounds,
        "standings": standings_view(tournament, None)["items"],
    }


def _record(table_id: str | None) -> str | None:
    return None if table_id is None else f"/api/v1/tables/{table_id}/record"


def result_lines(log: TournamentLog, tournament: TournamentProjection) -> list[Line]:
    """Return a line for each player in each round; table 0 is a bye."""
    lines: list[Line] = []
    for played in export(log, tournament)["rounds_played"]:
        for table in played["tables"]:
            results = {item["seat"]: item for item in (table["result"] or {}).get("seats", ())}
            for seat in table["seats"]:
                result = results.get(seat["seat"], {})
                more = [result.get(name) for name in ("score", "place", "points")]
                person = (seat["seat"], seat["player"], seat["name"])
                place = (played["round"], table["table"])
                lines.append((*place, *person, *more, table["state"], table["record"]))
        for bye in played["byes"]:
            points = played["bye_points"] if played["state"] == "over" else None
            person = (None, bye["player"], bye["name"])
            lines.append((played["round"], 0, *person, None, None, points, "bye", None))
    return lines


def standing_lines(tournament: TournamentProjection) -> list[Line]:
    """Return the standings, a line a player."""
    items = standings_view(tournament, None)["items"]
    return [tuple(item[name] for name in STANDINGS) for item in items]
