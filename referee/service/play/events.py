"""Reading the log of a table, from any entry on."""

from referee.service.log.event_log import EventLog
from referee.service.log.table_cache import parse_entry
from referee.service.log.table_projection import LogEntry, TableProjection


def entries_after(log: EventLog, table: TableProjection, after: int, limit: int) -> list[LogEntry]:
    """Up to ``limit`` entries after ``after``: from memory if they are recent, else as stored."""
    recent = [entry for entry in list(table.tail) if entry.seq > after]
    if after >= table.version:
        return []
    if recent and recent[0].seq == after + 1:
        return recent[:limit]
    return [parse_entry(entry) for entry in log.reader.entries(table.id, after, limit)]
