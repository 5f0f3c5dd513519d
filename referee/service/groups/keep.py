"""Groups: make one, choose it at a table, let it forget somebody, delete it; and keep its games.

What a group keeps is computed from the logs of its tables when somebody reads it, and before such a
table is purged. A move costs nothing more, and a crash loses nothing.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import orjson
from sqlalchemy import Executable, delete, insert, update
from sqlalchemy.exc import IntegrityError

from referee.rules.message import Message
from referee.service.access import Principal, check_open_key, hash_token
from referee.service.groups.game_facts import finished_games
from referee.service.log.entries import dump, now
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest, check_same_request
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_given_name
from referee.service.problems import Problem, invalid
from referee.store.groups import KeptGame, KeptTable, keep_games
from referee.store.schema import group_forgotten, group_games, group_tables, player_groups
from referee.store.writer import Job, Row

MOST_TABLES = 1000
MOST_GAMES = 2000
MOST_PEOPLE = 100
# Rows that refer to a group must go before it.
GROUP_IDS = (
    group_forgotten.c.group_id,
    group_games.c.group_id,
    group_tables.c.group_id,
    player_groups.c.id,
)
Statements = list[tuple[Executable, Row]]


def create_group(log: EventLog, name: str, key: str | None) -> tuple[Mapping[str, Any], str]:
    """Make a group; return its row and its token, again when repeated. Raises Problem."""
    check_open_key(key)
    check_given_name(name, "name", ())
    group_id, token = log.tokens.id("group", key), log.tokens.token("group", key)
    row = {"id": group_id, "hash": hash_token(token), "name": name, "created": now()}
    with suppress(IntegrityError):
        log.writer.write(Job(before=[(insert(player_groups), row)]))
    group = find_group(log, group_id)
    check_same_request(group["name"], name)
    return dict(group), token


def find_group(log: EventLog, group_id: str) -> Mapping[str, Any]:
    """Return a group's row. Raises Problem."""
    group = log.reader.group(group_id)
    if group is None:
        raise Problem("not-found", "There is no such group.")
    return dict(group)


def choose_group(
    log: EventLog, table: TableProjection, request: WriteRequest, token: str | None
) -> LogEntry:
    """Let the group of this token keep the table's games from the present one on, or none.

    None takes back what a group has kept of this table. Raises Problem.
    """
    group = log.reader.group_by_hash(hash_token(token)) if token is not None else None
    if token is not None and group is None:
        raise invalid("token", "there is no group with this token")
    chosen = group["id"] if group is not None else None
    if chosen is not None and len(log.reader.group_tables(chosen)) >= MOST_TABLES:
        raise Problem("conflict", Message("A group keeps {most} tables at most.", most=MOST_TABLES))

    def decide() -> Change:
        meta = table.meta
        if meta.tournament is not None and chosen is not None:
            raise Problem("conflict", "A tournament's table belongs to no group.")
        before: Statements = []
        if meta.group is not None and meta.group != chosen:
            before += _without_table(meta.group, table.id)
        if chosen is not None and meta.group != chosen:
            row = {"group_id": chosen, "table_id": table.id, "game": meta.game, "seq": 0}
            before += [*_without_table(chosen, table.id), (insert(group_tables), row)]
        body = {"by": request.principal.to_json(), "group": chosen}
        return Change([("group-chosen", body)], before=before)

    return log.write(table, request, decide)[0]


def _without_table(group_id: str, table_id: str) -> Statements:
    return [
        (delete(rows).where(rows.c.group_id == group_id, rows.c.table_id == table_id), {})
        for rows in (group_games, group_tables)
    ]


def bring_up_to_date(log: EventLog, group_id: str) -> None:
    """Keep what a group's tables have played since it was read last. Raises Problem."""
    tables = [kept for kept in log.reader.group_tables(group_id) if kept.newest > kept.seq]
    if not tables:
        return
    forgotten = log.reader.group_forgotten(group_id)
    for kept in tables:
        _keep_table(log, group_id, kept, forgotten)
    _keep_limits(log, group_id)


def _keep_table(
    log: EventLog, group_id: str, kept: KeptTable, forgotten: Mapping[str, str]
) -> None:
    table = log.fresh(kept.table_id)
    read = replace(kept, game=table.meta.game, seq=table.version)
    games = [
        KeptGame(
            table.id,
            game,
            facts["ended"],
            dump(_without_forgotten(log, group_id, facts, forgotten)),
        )
        for game, facts in finished_games(log, table, kept.game)
    ]
    keep_games(log.engine, group_id, kept, read, games)


def _without_forgotten(
    log: EventLog, group_id: str, facts: Mapping[str, Any], forgotten: Mapping[str, str]
) -> dict[str, Any]:
    seats = [
        {**player, "name": None}
        if forgotten.get(_signed(log, group_id, player["name"]), "") >= facts["begun"]
        else player
        for player in facts["seats"]
    ]
    return {**facts, "seats": seats}


def _signed(log: EventLog, group_id: str, name: str) -> str:
    return log.tokens.signature(f"forgotten\0{group_id}\0{same(name)}")


def same(name: str) -> str:
    """Return what makes a name the same person's in a group."""
    return " ".join(name.casefold().split())


def _keep_limits(log: EventLog, group_id: str) -> None:
    """Drop the oldest games beyond the limit, and do not name more people than it allows."""
    games = log.reader.group_games(group_id)
    statements: Statements = [
        (_one_game(delete(group_games), group_id, old), {}) for old in games[MOST_GAMES:]
    ]
    named: set[str] = set()
    for game in reversed(games[:MOST_GAMES]):
        facts = orjson.loads(game.body)
        known = [same(player["name"]) for player in facts["seats"] if player["name"] is not None]
        beyond = {name for name in known if name not in named}
        beyond = set(sorted(beyond)[max(0, MOST_PEOPLE - len(named)) :])
        named |= set(known) - beyond
        if beyond:
            statements.append(_renamed(group_id, game, facts, beyond))
    if statements:
        log.writer.write(Job(before=statements))


def _one_game(statement: Any, group_id: str, game: KeptGame) -> Any:
    games = group_games.c
    return statement.where(
        games.group_id == group_id, games.table_id == game.table_id, games.game == game.game
    )


def _renamed(
    group_id: str, game: KeptGame, facts: Mapping[str, Any], gone: Iterable[str]
) -> tuple[Executable, Row]:
    """Return the statement that takes names out of a game."""
    left = set(gone)
    seats = [
        {**player, "name": None}
        if player["name"] is not None and same(player["name"]) in left
        else player
        for player in facts["seats"]
    ]
    body = dump({**facts, "seats": seats})
    return _one_game(update(group_games), group_id, game).values(body=body), {}


def forget_person(log: EventLog, group_id: str, name: str) -> None:
    """Take a name out of everything that a group has kept up to now. Raises Problem."""
    bring_up_to_date(log, group_id)
    gone = same(name)
    signed = _signed(log, group_id, name)
    of_name = group_forgotten.c.group_id == group_id, group_forgotten.c.name == signed
    row = {"group_id": group_id, "name": signed, "at": now()}
    statements: Statements = [
        (delete(group_forgotten).where(*of_name), {}),
        (insert(group_forgotten), row),
    ]
    for game in log.reader.group_games(group_id):
        facts = orjson.loads(game.body)
        if any(
            player["name"] is not None and same(player["name"]) == gone for player in facts["seats"]
        ):
            statements.append(_renamed(group_id, game, facts, [gone]))
    log.writer.write(Job(before=statements))


def delete_group(log: EventLog, by: Principal) -> None:
    """Delete a group with everything that it has kept; its tables stay."""
    group_id = by.group_id
    tables = [table.table_id for table in log.reader.group_tables(group_id) if table.newest]
    gone: Statements = [
        (delete(column.table).where(column == group_id), {}) for column in GROUP_IDS
    ]
    log.writer.write(Job(before=gone))
    for table_id in tables:
        # A closed table, or one purged meanwhile, goes on saying that a group keeps it.
        with suppress(Problem):
            _leave_table(log, log.fresh(table_id), by)


def _leave_table(log: EventLog, table: TableProjection, by: Principal) -> None:
    def decide() -> Change:
        if table.meta.group != by.group_id:
            raise Problem("conflict", "Another group keeps this table.")
        return Change([("group-chosen", {"by": by.to_json(), "group": None})])

    log.write(table, WriteRequest(by), decide)


def keep_before_purge(log: EventLog, table_id: str) -> None:
    """Keep the games of a table that is about to be purged."""
    for group_id in log.reader.groups_of(table_id):
        # A server that is busy, or a log that it cannot read, must not keep a table alive.
        with suppress(Problem):
            bring_up_to_date(log, group_id)
