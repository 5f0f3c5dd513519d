"""The fold: what each entry of a tournament's log changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.tournaments.model import (
    Clock,
    Ending,
    Player,
    Result,
    Round,
    SeatedTable,
    Settings,
    Tournament,
)

Body = Mapping[str, Any]


def create(body: Body) -> Tournament:
    """Return the tournament that its first entry makes."""
    players = {n: Player(n, name) for n, name in enumerate(body["players"], 1)}
    organisers = {body["by"]["token"]: body.get("organiser")}
    return Tournament(read_settings(body["settings"]), players, (), organisers)


def read_settings(value: Body) -> Settings:
    """Read settings as the log holds them."""
    return Settings(**{**value, "placing": tuple(value["placing"])})


def evolve(state: Tournament, seq: int, kind: str, at: str, body: Body) -> Tournament:
    """Return the tournament after an entry of its log."""
    return FOLDS[kind](state, seq, at, body)


def table_of(state: Tournament, body: Body) -> SeatedTable:
    """Return the table of a round that an entry names."""
    table: SeatedTable = state.rounds[body["round"] - 1].tables[body["table"] - 1]
    return table


def _settings_changed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    return replace(state, settings=replace(state.settings, **body["settings"]))


def _players_joined(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    first = len(state.players) + 1
    more = {n: Player(n, name) for n, name in enumerate(body["players"], first)}
    return replace(state, players={**state.players, **more})


def _player_changed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    player = replace(state.players[body["player"]], **body["change"])
    return replace(state, players={**state.players, player.number: player})


def _round_drawn(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    tables = tuple(SeatedTable(n, tuple(seats)) for n, seats in enumerate(body["tables"], 1))
    drawn = Round(body["round"], tables, tuple(body["byes"]), at)
    return replace(state, rounds=(*state.rounds, drawn))


def _round_undone(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    return replace(state, rounds=state.rounds[:-1])


def _round_started(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    present = state.rounds[-1]
    pairs = zip(present.tables, body["tables"], strict=True)
    tables = tuple(replace(table, table_id=table_id) for table, table_id in pairs)
    minutes = body["minutes"]
    clock = None if minutes is None else Clock(60 * minutes, 0.0, at)
    return _with_round(state, replace(present, tables=tables, started=at, clock=clock))


def _clock_changed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    concerned = state.rounds[body["round"] - 1]
    clock = concerned.clock or Clock(0, 0.0, None)
    if body["change"] == "extend":
        # On a clock that has run out, the new time begins now.
        over = max(0.0, spent(clock, at) - clock.seconds) if clock.since else 0.0
        clock = replace(clock, seconds=clock.seconds + body["seconds"], spent=clock.spent - over)
        if concerned.clock is None:
            clock = replace(clock, since=at)
    else:
        since = at if body["change"] == "resume" else None
        clock = replace(clock, spent=spent(clock, at), since=since)
    return _with_round(state, replace(concerned, clock=clock))


def _result_reported(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    table = table_of(state, body)
    confirmed = frozenset(body.get("confirmed", ()))
    scores, winners = tuple(body["scores"]), tuple(body["winners"])
    result = Result(seq, scores, winners, body["source"], at, confirmed)
    table = replace(table, result=result, void=False)
    if body["source"] == "table":
        table = replace(table, seen=Ending(scores, winners), version=body["version"])
    return _with_table(state, body, table)


def _result_withdrawn(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    table = replace(table_of(state, body), result=None, seen=None, version=body["version"])
    return _with_table(state, body, table)


def _result_confirmed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    table = table_of(state, body)
    if table.result is None:
        return state
    seats = body["seats"]
    disputed = {s: why for s, why in table.result.disputed.items() if s not in seats}
    confirmed = table.result.confirmed | frozenset(seats)
    decided = table.result.decided or body["decided"]
    result = replace(table.result, confirmed=confirmed, disputed=disputed, decided=decided)
    return _with_table(state, body, replace(table, result=result))


def _result_disputed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    table = table_of(state, body)
    if table.result is None:
        return state
    confirmed = table.result.confirmed - {body["seat"]}
    disputed = {**table.result.disputed, body["seat"]: body["reason"]}
    result = replace(table.result, confirmed=confirmed, disputed=disputed, decided=False)
    return _with_table(state, body, replace(table, result=result))


def _round_closed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    concerned = state.rounds[body["round"] - 1]
    tables = tuple(
        replace(table, void=True)
        if table.result is None
        else replace(table, result=replace(table.result, decided=True))
        for table in concerned.tables
    )
    return _with_round(state, replace(concerned, tables=tables))


def _organiser_added(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    return replace(state, organisers={**state.organisers, body["token"]: body["name"]})


def _organiser_removed(state: Tournament, seq: int, at: str, body: Body) -> Tournament:
    left = {token: name for token, name in state.organisers.items() if token != body["token"]}
    return replace(state, organisers=left)


def spent(clock: Clock, at: str) -> float:
    """Return the seconds that a clock has run at a time."""
    if clock.since is None:
        return clock.spent
    passed = datetime.fromisoformat(at) - datetime.fromisoformat(clock.since)
    return clock.spent + max(0.0, passed.total_seconds())


def _with_round(state: Tournament, changed: Round) -> Tournament:
    rounds = list(state.rounds)
    rounds[changed.number - 1] = changed
    return replace(state, rounds=tuple(rounds))


def _with_table(state: Tournament, body: Body, changed: SeatedTable) -> Tournament:
    concerned = state.rounds[body["round"] - 1]
    tables = list(concerned.tables)
    tables[changed.number - 1] = changed
    return _with_round(state, replace(concerned, tables=tuple(tables)))


FOLDS: Mapping[str, Callable[[Tournament, int, str, Body], Tournament]] = {
    "settings-changed": _settings_changed,
    "players-joined": _players_joined,
    "player-changed": _player_changed,
    "round-drawn": _round_drawn,
    "round-undone": _round_undone,
    "round-started": _round_started,
    "clock-changed": _clock_changed,
    "result-reported": _result_reported,
    "result-withdrawn": _result_withdrawn,
    "result-confirmed": _result_confirmed,
    "result-disputed": _result_disputed,
    "round-closed": _round_closed,
    "organiser-added": _organiser_added,
    "organiser-removed": _organiser_removed,
}
