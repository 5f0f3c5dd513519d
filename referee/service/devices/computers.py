"""Computers that come along to the later tables of a host, once the host has let them in.

The computer and the host's browser each keep a secret, and the server stores hashes of both. The
host's key brings the computer to a table; the computer asks with its own where it is to be, and is
given its devices there. So a lost answer costs nothing, and neither learns what the other keeps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Executable, delete, insert, update

from referee.service.access import Principal, hash_token
from referee.service.devices.derived_devices import (
    device_keys,
    present,
    register_all,
    registered,
    was_revoked,
)
from referee.service.log.entries import dump, now
from referee.service.log.event_log import EventLog
from referee.service.log.pairing_requests import NewDevice, Wish
from referee.service.log.preconditions import check_open
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import name_apart
from referee.service.problems import Problem
from referee.store.schema import computers
from referee.store.writer import Job

# Computers of a host, and hosts of a computer, beyond which the one brought longest ago goes.
MOST = 10
# Days after which a computer that was brought nowhere is forgotten.
FORGOTTEN_AFTER = 400
# Seconds for which a device that was heard of counts as being at its table.
HEARD = 120.0
# What to bring: those that nobody needs elsewhere, or none.
FREE, NONE = "free", "none"
PLACES = ("here", "coming", "busy", "elsewhere")
Row = Mapping[str, Any]


def keep_computer(
    log: EventLog, table: TableProjection, by: Principal, key: str, wish: Wish
) -> LogEntry:
    """Let a computer in, and let it come along with whoever has the key. Raises Problem.

    Killed in between, it still asks, and the host lets it in again.
    """
    host = hash_token(key)
    row_id = log.tokens.id("computer", f"{wish.computer}:{host}")
    known = {computer["id"]: computer for computer in log.reader.computers_by(host)}
    before = known.pop(row_id, None)
    row = {
        "id": row_id,
        "computer": wish.computer,
        "host": host,
        "name": _name(wish, before, known.values()),
        "devices": dump([asdict(device) for device in wish.devices]),
        "table_id": table.id,
        "token_id": by.id,
        "number": 0 if before is None else _number_at(log, table, before),
        "brought": now(),
    }
    gone = [row_id, *_too_many(list(known.values()), row_id)]
    gone += _too_many(log.reader.computers_of(wish.computer), row_id)
    old = (datetime.now(UTC) - timedelta(days=FORGOTTEN_AFTER)).isoformat()
    forget: list[tuple[Executable, Row]] = [
        (delete(computers).where(computers.c.id.in_(gone)), {}),
        (delete(computers).where(computers.c.brought < old), {}),
    ]
    log.writer.write(Job(before=[*forget, (insert(computers), row)]))
    return register_all(log, table, by, _whose(row, table), wish.devices)


def bring_computers(
    log: EventLog, table: TableProjection, by: Principal, key: str, which: str
) -> list[dict[str, Any]]:
    """Bring a host's computers to a table; return all of them, and where each is.

    ``which``: ``FREE`` ones, ``NONE``, or the one with this id, which this host may also take from
    a table where it brought it itself. Raises Problem.
    """
    table = log.fresh(table.id)
    rows = log.reader.computers_by(hash_token(key))
    for row in rows:
        if which not in (FREE, row["id"]):
            continue
        check_open(table, by)
        place = _place(log, table, row)
        mine = _last(log, row)["host"] == row["host"]
        if place in ("here", "coming") or (place == "busy" and not (which == row["id"] and mine)):
            continue
        values = {
            "table_id": table.id,
            "token_id": by.id,
            "brought": now(),
            "number": _number_at(log, table, row),
        }
        change = update(computers).where(computers.c.id == row["id"]).values(**values)
        log.writer.write(Job(before=[(change, {})]))
    return list_computers(log, table, key)


def list_computers(log: EventLog, table: TableProjection, key: str) -> list[dict[str, Any]]:
    """Return the computers that come along with whoever has the key, and where each is."""
    return [
        {
            "id": row["id"],
            "name": row["name"],
            "devices": orjson.loads(row["devices"]),
            "place": _place(log, table, row),
        }
        for row in log.reader.computers_by(hash_token(key))
    ]


def forget_computer(log: EventLog, key: str, computer: str) -> None:
    """Let a computer come along no more. Raises Problem."""
    host = hash_token(key)
    if all(row["id"] != computer for row in log.reader.computers_by(host)):
        raise Problem("not-found", "No such computer comes along with this host.")
    gone = delete(computers).where(computers.c.id == computer, computers.c.host == host)
    log.writer.write(Job(before=[(gone, {})]))


def find_computer(log: EventLog, secret: str) -> dict[str, Any]:
    """Return where a computer is to be, with its devices there, which are registered now.

    ``known``: whether any host lets it come along. Raises Problem.
    """
    rows = log.reader.computers_of(hash_token(secret))
    computer = _let_in(log, rows[0]) if rows else None
    nowhere: dict[str, Any] = {"table_id": None, "ruleset": None, "devices": []}
    return {"known": bool(rows), **(computer or nowhere)}


def owner_at(log: EventLog, table: TableProjection, computer: str) -> str | None:
    """Return whose devices a computer has at a table, by its hash; None if none by that hash."""
    rows = log.reader.computers_of(computer)
    return _whose(rows[0], table) if rows and rows[0]["table_id"] == table.id else None


def _let_in(log: EventLog, row: Row) -> dict[str, Any] | None:
    """Register a computer's devices where it was brought last; None if that cannot be any more."""
    try:
        table = log.fresh(row["table_id"])
    except Problem:  # purged
        return None
    whose, devices = _whose(row, table), _devices(row)
    if _is_out(log, table, whose, devices) or table.meta.closed is not None:
        return None
    if not present(log, table, whose, devices):
        holder = log.holders.by_id(row["token_id"])
        host = None if holder is None else log.holders.acting(holder, table.id)
        # Who has brought it may be a host no more.
        if host is None or not host.is_host or host.table_id != table.id:
            return None
        register_all(log, table, host, whose, devices)
    given = [
        {"name": device.name, "kind": device.kind, **registered(log, table, key)}
        for device, key in present(log, table, whose, devices)
    ]
    return {"table_id": table.id, "ruleset": table.state.game.ruleset.id, "devices": given}


def _place(log: EventLog, table: TableProjection, row: Row) -> str:
    """Return where a computer is, seen from a table: one of ``PLACES``."""
    last = _last(log, row)
    if last["table_id"] == table.id:
        whose, devices = _whose(last, table), _devices(last)
        if last["id"] != row["id"] or _is_out(log, table, whose, devices):
            return "elsewhere"
        return "here" if present(log, table, whose, devices) else "coming"
    return "busy" if _is_needed(log, last) else "elsewhere"


def _is_needed(log: EventLog, last: Row) -> bool:
    """Return whether a round is played where the computer is, and it takes part."""
    try:
        table = log.fresh(last["table_id"])
    except Problem:  # purged
        return False
    state = table.state
    if table.meta.closed is not None or (state.turn is None and not state.awaiting):
        return False
    ids = [
        log.tokens.id("device", key)
        for key in device_keys(log, table, _whose(last, table), _devices(last))
    ]
    known = [table.meta.devices[device_id] for device_id in ids if device_id in table.meta.devices]
    heard = [at for device in known for at in (device.seen, log.last_seen(device.id)) if at]
    since = datetime.now(UTC) - timedelta(seconds=HEARD)
    return any(datetime.fromisoformat(at) >= since for at in heard)


def _last(log: EventLog, row: Row) -> Row:
    """Return what brought the same computer somewhere last."""
    rows = log.reader.computers_of(row["computer"])
    return rows[0] if rows else row


def _number_at(log: EventLog, table: TableProjection, row: Row) -> int:
    """Return the number with which a computer is let in at a table, where it may have been."""
    number: int = row["number"]
    return number + _is_out(log, table, _whose(row, table), _devices(row))


def _is_out(
    log: EventLog, table: TableProjection, whose: str, devices: Sequence[NewDevice]
) -> bool:
    """Return whether a host has taken a computer out, with the last of its devices there."""
    return was_revoked(log, table, whose, devices) and not present(log, table, whose, devices)


def _name(wish: Wish, before: Row | None, others: Iterable[Row]) -> str:
    """Return what a host knows a computer by: with the number that it has had, if any."""
    if before is not None and before["name"].removeprefix(f"{wish.name} ").isdecimal():
        return str(before["name"])
    return name_apart(wish.name, [other["name"] for other in others])


def _whose(row: Row, table: TableProjection) -> str:
    return f"computer/{row['id']}:{table.id}:{row['number']}"


def _devices(row: Row) -> tuple[NewDevice, ...]:
    return tuple(NewDevice(**device) for device in orjson.loads(row["devices"]))


def _too_many(rows: Sequence[Row], but: str) -> list[str]:
    """Return the ids of those brought longest ago, if another one is to have room."""
    others = sorted((row for row in rows if row["id"] != but), key=lambda row: row["brought"])
    return [row["id"] for row in others[: max(0, len(others) + 1 - MOST)]]
