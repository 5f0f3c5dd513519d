"""Importing records: a table is made of a game that was played elsewhere.

A long game is written in parts, so that no other table waits for it. The first part marks the table
as unfinished. Until the last one, which brings the host's token and takes the mark away, nobody can
find the table; a table that a server left behind with the mark is deleted.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Executable, delete, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.records.record import Record
from referee.rules.records.record_rounds import RecordError
from referee.rules.records.serial import game_to_json
from referee.service.access import Principal, new_code
from referee.service.history.standing_moves import rounds_as_entries
from referee.service.log.entries import entry_row, now
from referee.service.log.event_log import EventLog
from referee.service.log.fold import fold
from referee.service.log.long_games import busy, paced
from referee.service.log.table_meta import REFEREE
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import CODE_TRIES, NewTable, new_table, token_row
from referee.service.problems import from_record
from referee.service.records.records import check_length, read_record
from referee.store.purge import purge
from referee.store.schema import imports, tables
from referee.store.table_stats import unfinished_tables
from referee.store.writer import Job, Row

logger = structlog.get_logger(__name__)
# Log entries written at once.
PART = 200
# No import takes as long; what is older was left behind.
LEFT_BEHIND = timedelta(minutes=10)
Rows = list[dict[str, Any]]


def import_record(
    log: EventLog, value: Any, key: str | None, fingerprint: str
) -> tuple[TableProjection, str]:
    """Make a table of a posted record; return it and its host's token. Raises Problem."""
    new = new_table(log, key, fingerprint)
    with log.long_games.turn(check_length(value, log.most_entries)):
        record = read_record(value)
        if new.made_before(log):
            return log.table(new.table_id), new.token
        _clear(log, new.table_id)
        table = TableProjection(new.table_id, new_code(), now(), record.start)
        try:
            rows = list(paced(_rows(table, new.host, record)))
        except RecordError as error:
            raise from_record(error) from None
        if key is not None:
            rows[-1] |= {"request_key": new.request.request_key, "fingerprint": fingerprint}
        _write(log, table, new, rows)
        log.publish(table)
    return table, new.token


def _rows(table: TableProjection, host: Principal, record: Record) -> Iterator[dict[str, Any]]:
    """Play the record, fold it into the table, and yield the rows of its log."""
    at = now()
    created = {"by": host.to_json(), "game": game_to_json(record.start.game), "mode": REFEREE}
    yield _row(table, LogEntry(1, "created", at, created), None)
    for kind, body, state in rounds_as_entries(record, host):
        yield _row(table, LogEntry(table.version + 1, kind, at, body), state)


def _row(table: TableProjection, entry: LogEntry, state: Any) -> dict[str, Any]:
    fold(table, entry, state)
    return entry_row(table.id, entry)


def _write(log: EventLog, table: TableProjection, new: NewTable, rows: Rows) -> None:
    """Write the rows; the first part makes the table, the last one its host's token.

    A table of more parts has a mark in between.
    """
    parts = [rows[start : start + PART] for start in range(0, len(rows), PART)]
    jobs = [Job(part) for part in parts]
    marked: list[tuple[Executable, Row]] = []
    unmarked: list[tuple[Executable, Row]] = []
    if len(jobs) > 1:
        marked = [(insert(imports), {"table_id": table.id})]
        unmarked = [(delete(imports).where(imports.c.table_id == table.id), {})]
    jobs[-1].before = [token_row(new.host, new.token), *unmarked]
    jobs[-1].snapshot = log.snapshot_of(table)
    for tries_left in reversed(range(CODE_TRIES)):
        created: Mapping[str, Any] = {
            "id": table.id,
            "code": table.code,
            "created": table.created,
        }
        before = [(insert(tables), created), *marked, *jobs[0].before]
        first = Job(jobs[0].entries, jobs[0].snapshot, before)
        try:
            log.writer.write(first)
            break
        except IntegrityError:
            if log.reader.table(table.id) is not None:
                raise busy() from None
            # Another table has this code.
            if not tries_left:
                raise
            table.code = new_code()
    for job in jobs[1:]:
        log.writer.write(job)


def _clear(log: EventLog, table_id: str) -> None:
    """Delete what is left of an import that was sent before. Raises Problem if it may go on."""
    row = log.reader.table(table_id)
    if row is None:
        return
    # Processes that share a database do not know of each other's imports, and one of them may have
    # finished this one just now.
    before = _left_behind_before() if log.shared else None
    if table_id not in unfinished_tables(log.engine, before):
        raise busy()
    purge(log.engine, table_id)


def clear_unfinished(log: EventLog) -> None:
    """Delete what servers that were stopped have left of imports."""
    before = _left_behind_before() if log.shared else None
    for table_id in unfinished_tables(log.engine, before):
        purge(log.engine, table_id)
        logger.info("unfinished import deleted", table=table_id)


def _left_behind_before() -> str:
    return (datetime.now(UTC) - LEFT_BEHIND).isoformat(timespec="milliseconds")
