"""Load a table as a restart would: from its log or from a snapshot."""

from typing import Any

from referee.service.event_log import EventLog


def read_again(event_log: EventLog, table: str) -> Any:
    """Clear the cache and load the table from its log."""
    event_log.cache.clear()
    return event_log.table(table)


def from_snapshot(event_log: EventLog, table: str) -> Any:
    """Restore the table from its snapshot."""
    held = event_log.table(table)
    shot = held.snapshot()
    fresh = type(held)(held.id, held.code, held.created, held.state)
    fresh.restore(held.version, shot)
    return fresh
