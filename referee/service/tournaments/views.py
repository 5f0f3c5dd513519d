"""What readers see of a tournament. Join codes and organisers are for organisers only."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from referee.service.access import Principal
from referee.service.log.entries import now
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.tournaments.log import TournamentLog, TournamentProjection
from referee.service.tournaments.rounds import find_table, has_begun, is_over
from referee.tournaments.draw import sat_out
from referee.tournaments.fold import spent
from referee.tournaments.model import Clock, Result, Round, SeatedTable, Tournament
from referee.tournaments.scoring import places, points_of
from referee.tournaments.standings import Cut, cut, is_final

Json = dict[str, Any]
# Settings that readers see; the seed would tell the next draw.
HIDDEN_SETTINGS = frozenset({"seed"})
# States of tables whose games nobody follows any more.
OVER = frozenset({"confirmed", "void"})
HIDDEN_FIELDS = frozenset({"by", "settings", "token"})


def number(value: Fraction) -> int | float:
    """Return points as JSON: whole where they are."""
    return int(value) if value.denominator == 1 else float(value)


def tournament_view(
    log: TournamentLog, tournament: TournamentProjection, reader: Principal | None
) -> Json:
    """Return a tournament with its players and its newest round."""
    version, state = tournament.current
    present = state.present
    often = sat_out(state)
    view = {
        "id": tournament.id,
        "version": version,
        "created": tournament.created,
        "now": now(),
        **settings_view(state),
        "state": _state(state),
        "players": [
            {
                "player": player.number,
                "name": player.name,
                "status": player.status,
                "byes": often[player.number],
            }
            for player in state.players.values()
        ],
        "drawn": len(state.rounds),
        "present": present and round_view(log, state, present, reader),
    }
    if is_organiser(reader):
        organisers = state.organisers.items()
        view["organisers"] = [{"token_id": token, "name": name} for token, name in organisers]
    return view


def settings_view(state: Tournament) -> Json:
    """Return the settings that readers see."""
    settings = asdict(state.settings)
    shown = {name: value for name, value in settings.items() if name not in HIDDEN_SETTINGS}
    shown["placing"] = list(settings["placing"])
    return shown


def _state(state: Tournament) -> str:
    if state.present is None:
        return "open"
    return "over" if is_over(state) else "playing"


def is_organiser(reader: Principal | None) -> bool:
    """Return whether the reader is an organiser."""
    return reader is not None and reader.role == "organiser"


def round_view(
    log: TournamentLog, state: Tournament, drawn: Round, reader: Principal | None
) -> Json:
    """Return a round with its tables, results and clock."""
    return {
        "round": drawn.number,
        "state": drawn.state,
        "drawn_at": drawn.at,
        "started_at": drawn.started,
        "clock": clock_view(drawn.clock, now()),
        "tables": [table_view(log, state, drawn, table, reader) for table in drawn.tables],
        "byes": [_person(state, player) for player in drawn.byes],
    }


def table_view(
    log: TournamentLog,
    state: Tournament,
    drawn: Round,
    seated: SeatedTable,
    reader: Principal | None,
) -> Json:
    """Return a table of a round: who sits where, how far it is, its result."""
    table = find_table(log, seated) if seated.state not in OVER else None
    code = table.code if table is not None and is_organiser(reader) else None
    is_idle = seated.state == "playing" and table is not None and not has_begun(table)
    through = _cut(state, drawn, seated)
    return {
        "table": seated.number,
        "table_id": seated.table_id,
        "code": code,
        "invitation": code and log.events.tokens.invitation(code),
        "state": "drawn" if is_idle else seated.state,
        "seats": [
            {"seat": seat, **_person(state, player)}
            for seat, player in enumerate(seated.players, 1)
        ],
        "live": table and _live(table, len(seated.players)),
        "result": seated.result and result_view(state, seated, seated.result),
        "through": through and through.through,
        "lots": through and through.lots,
    }


def _cut(state: Tournament, drawn: Round, seated: SeatedTable) -> Cut | None:
    """Return who goes on from a table of a knockout, once its result counts."""
    counts = seated.result is not None and seated.result.counts
    if state.settings.format != "knockout" or not counts or is_final(drawn):
        return None
    return cut(state, drawn, seated)


def _live(table: TableProjection, seats: int) -> Json:
    return {
        "card_rounds": len(table.meta.results),
        "in_progress": table.state.in_progress,
        "scores": list(table.state.scores[:seats]),
        "joined": sorted(seat for seat in table.meta.claims if seat <= seats),
    }


def _person(state: Tournament, player: int) -> Json:
    return {"player": player, "name": state.players[player].name}


def result_view(state: Tournament, seated: SeatedTable, result: Result) -> Json:
    """Return a result, seat by seat."""
    placed = places(result, state.settings.low)
    earned = points_of(result, state.settings)
    return {
        "id": result.id,
        "source": result.source,
        "at": result.at,
        "counts": result.counts,
        "decided": result.decided,
        "seats": [
            {
                "seat": seat,
                "player": player,
                "score": result.scores[seat - 1],
                "place": placed[seat - 1],
                "points": number(earned[seat - 1]),
                "verdict": _verdict(result, seat),
                "reason": result.disputed.get(seat),
            }
            for seat, player in enumerate(seated.players, 1)
        ],
    }


def _verdict(result: Result, seat: int) -> str:
    if seat in result.disputed:
        return "disputed"
    return "confirmed" if seat in result.confirmed else "open"


def standings_view(tournament: TournamentProjection, upto: int | None) -> Json:
    """Return the standings after a round, or as they are now."""
    version, state, rows = tournament.standings(upto)
    counted = state.rounds[:upto]
    return {
        "version": version,
        "rounds": len([played for played in counted if played.started is not None]),
        "complete": all(played.state == "over" for played in counted),
        "items": [
            {
                "rank": row.rank,
                **_person(state, row.player),
                "status": state.players[row.player].status,
                "points": number(row.points),
                "wins": row.wins,
                "game_points": row.game_points,
                "opponents": number(row.opponents),
                "played": row.played,
                "byes": row.byes,
                "reached": row.reached,
            }
            for row in rows
        ],
    }


def clock_view(clock: Clock | None, at: str) -> dict[str, Any] | None:
    """Return the clock of a round at a time; None without one."""
    if clock is None:
        return None
    left = clock.seconds - spent(clock, at)
    running = clock.since is not None
    state = "up" if left <= 0 else "running" if running else "paused"
    ends = datetime.fromisoformat(at) + timedelta(seconds=left)
    return {
        "state": state,
        "seconds": clock.seconds,
        "left": max(0, round(left)),
        "ends": ends.isoformat(timespec="milliseconds") if running else None,
    }


def entry_view(entry: LogEntry) -> Json:
    """Return an entry of the tournament's log, without tokens."""
    body: Mapping[str, Any] = entry.body
    by = {name: value for name, value in body["by"].items() if name in ("role", "seat")}
    shown = {name: value for name, value in body.items() if name not in HIDDEN_FIELDS}
    return {"id": entry.seq, "kind": entry.kind, "at": entry.at, "by": by, "detail": shown}
