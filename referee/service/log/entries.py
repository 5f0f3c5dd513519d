"""Entries of a log, of a table or of a tournament, and how they are stored."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from referee.service.log.table_projection import LogEntry
from referee.store.reader import Entry


def number_entries(
    version: int, entries: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[LogEntry]:
    """Return the entries of this moment that follow on a version."""
    at = now()
    return [LogEntry(version + i, kind, at, body) for i, (kind, body) in enumerate(entries, 1)]


def entry_row(log_id: str, entry: LogEntry, of: str = "table_id") -> dict[str, Any]:
    """Return the row of an entry; its request's key comes with the entry that is answered.

    ``of`` names the column with the id of the log's table or tournament.
    """
    return {
        of: log_id,
        "seq": entry.seq,
        "kind": entry.kind,
        "at": entry.at,
        "body": dump(entry.body),
        "request_key": None,
        "fingerprint": None,
    }


def dump(value: object) -> str:
    """Return JSON as it is stored and served."""
    return orjson.dumps(value).decode()


def now() -> str:
    """Return the time in the log's format: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def parse_entry(entry: Entry) -> LogEntry:
    """Parse a stored entry's body."""
    return LogEntry(entry.seq, entry.kind, entry.at, orjson.loads(entry.body))
