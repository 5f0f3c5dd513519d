"""Retention: purge tables that have been quiet for longer than the settings allow."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import orjson
import structlog

from referee.service.log.event_log import EventLog
from referee.service.people.operator import purge_tables
from referee.store.table_stats import newest_body, table_stats

logger = structlog.get_logger(__name__)
PLAYED = (
    *("round-opened", "round-counted", "moved", "corrected"),
    *("game-started", "game-ended"),
)
AN_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """Days after its last entry until a finished table, or any, is purged; 0: never."""

    finished: int = 0
    idle: int = 0

    def __bool__(self) -> bool:
        """True if anything is ever purged."""
        return bool(self.finished or self.idle)


@dataclass(frozen=True, slots=True)
class DueTable:
    """A table to be purged: the time of its last entry, and why."""

    table_id: str
    last: str
    why: str


def due(log: EventLog, keep: RetentionPolicy, at: datetime) -> list[DueTable]:
    """Return the tables to be purged at a time."""
    days = [number for number in (keep.finished, keep.idle) if number]
    if not days:
        return []
    tables = []
    for table in table_stats(log.engine, quiet_since=before(at, min(days))):
        if keep.idle and table.last < before(at, keep.idle):
            tables.append(DueTable(table.id, table.last, "idle"))
        elif keep.finished and table.last < before(at, keep.finished) and _won(log, table.id):
            tables.append(DueTable(table.id, table.last, "finished"))
    return tables


def before(at: datetime, days: int) -> str:
    """Return the time ``days`` before ``at`` as the log has it; "" where that is out of range."""
    try:
        return (at.astimezone(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    except OverflowError:
        return ""


def _won(log: EventLog, table_id: str) -> bool:
    body = newest_body(log.engine, table_id, PLAYED)
    return body is not None and orjson.loads(body)["state"]["winner"] is not None


def sweep(log: EventLog, keep: RetentionPolicy, at: datetime) -> list[DueTable]:
    """Purge the tables that are due, and return them."""
    tables = due(log, keep, at)
    for table in tables:
        purge_tables(log, [table.table_id])
        logger.info("table purged", table=table.table_id, last=table.last, why=table.why)
    return tables
