"""Tables for the operator of a server: list, close, reopen, purge, let a host in."""

from collections.abc import Iterable
from typing import Any

import orjson

from referee.service.access import OPERATOR, Principal
from referee.service.groups.keep import keep_before_purge
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import token_row
from referee.service.problems import Problem
from referee.store.purge import purge
from referee.store.table_stats import TableStats, table_stats


def list_tables(log: EventLog, after: str = "", limit: int | None = None) -> list[dict[str, Any]]:
    """Return tables by id, with the facts known without loading them."""
    return [describe(log, stats) for stats in table_stats(log.engine, after, limit)]


def describe(log: EventLog, stats: TableStats) -> dict[str, Any]:
    """Describe a table: its deck and seats, the length of its log, and its last write."""
    game = orjson.loads(log.reader.entries(stats.id, limit=1)[0].body)["game"]
    return {
        "id": stats.id,
        "ruleset": game["ruleset"],
        "seats": len(game["seats"]),
        "created": stats.created,
        "entries": stats.entries,
        "last": stats.last,
        "closed": _closed(log, stats.id),
    }


def close_table(
    log: EventLog, table: TableProjection, request: WriteRequest, reason: str | None
) -> LogEntry:
    """Close a table: it can be read, and takes no more entries. Raises Problem."""

    def decide() -> Change:
        if table.meta.closed is not None:
            raise Problem("conflict", "The table is closed already.")
        return Change([("closed", {"by": request.principal.to_json(), "reason": reason})])

    return log.write(table, request, decide)[0]


def open_again(log: EventLog, table: TableProjection, request: WriteRequest) -> LogEntry:
    """Reopen a closed table. Raises Problem."""

    def decide() -> Change:
        if table.meta.closed is None:
            raise Problem("conflict", "The table is not closed.")
        return Change([("opened-again", {"by": request.principal.to_json()})])

    return log.write(table, request, decide)[0]


def let_host_in(
    log: EventLog, table: TableProjection, request: WriteRequest, name: str | None
) -> tuple[str, Principal, LogEntry]:
    """Issue a token for another host, as the host has lost theirs. Raises Problem."""
    own = None if request.key is None else f"{OPERATOR.id}:{table.id}:{request.key}"
    host = Principal(log.tokens.id("issue", own), table.id, "host", None, name)
    token = log.tokens.token("issue", own)

    def decide() -> Change:
        body = {"by": request.principal.to_json(), "role": "host", "seat": None, "token": host.id}
        return Change([("token-issued", body)], before=[token_row(host, token)])

    entry, _ = log.write(table, request, decide)
    return token, host, entry


def purge_tables(log: EventLog, table_ids: Iterable[str]) -> int:
    """Delete tables with their logs and tokens; return how many there were."""
    gone = 0
    for table_id in table_ids:
        keep_before_purge(log, table_id)
        tokens = log.reader.tokens_of(table_id)
        table = log.cached(table_id)
        if table is None:
            gone += purge(log.engine, table_id)
        else:
            with table.lock:
                gone += purge(log.engine, table_id)
        log.drop(table_id, tokens)
    return gone


def _closed(log: EventLog, table_id: str) -> str | None:
    entries = log.reader.entries_of_kind(table_id, ("closed", "opened-again"))
    return entries[-1].at if entries and entries[-1].kind == "closed" else None
