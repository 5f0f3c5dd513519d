"""The devices of a table: register, list and revoke them."""

from dataclasses import replace
from typing import Any

from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import TableDevice
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import name_apart
from referee.service.people.tables import token_row
from referee.service.people.tokens import revoke_token
from referee.service.pile.transitions import initial_pile
from referee.service.problems import Problem, invalid

KINDS = ("board", "camera")
MOST_DEVICES = 20


def register_device(
    log: EventLog, table: TableProjection, request: WriteRequest, name: str, kind: str
) -> tuple[str, Principal, LogEntry]:
    """Register a device; return its token, its principal and the entry. Raises Problem.

    Where the table has a device of this name, it gets a number behind it, and keeps that.
    """
    if kind not in KINDS:
        raise invalid("kind", Message("must be one of {choices}", choices=", ".join(KINDS)))
    device = Principal(log.tokens.id("device", request.request_key), table.id, "device", None, name)
    token = log.tokens.token("device", request.request_key)

    def decide() -> Change:
        in_use = [other for other in table.meta.devices.values() if not other.revoked]
        if len(in_use) >= MOST_DEVICES:
            raise Problem(
                "conflict",
                Message("A table has {most} devices at most: revoke one.", most=MOST_DEVICES),
            )
        apart = replace(device, name=name_apart(name, [other.name for other in in_use]))
        body: dict[str, Any] = {
            "by": request.principal.to_json(),
            "device": {"id": apart.id, "name": apart.name, "kind": kind},
        }
        if kind == "camera" and table.meta.pile is None:
            body["pile"] = initial_pile(table.state).to_json()
        return Change([("device-registered", body)], before=[token_row(apart, token)])

    entry, _ = log.write(table, request, decide)
    return token, device, entry


def revoke_device(
    log: EventLog, table: TableProjection, request: WriteRequest, device: str
) -> LogEntry:
    """Revoke a device's token and forget what it saw. Raises Problem."""
    find_device(log.fresh(table.id), device)
    return revoke_token(log, table, request, device)


def find_device(table: TableProjection, device: str) -> TableDevice:
    """Return the device of this id. Raises Problem."""
    registered = table.meta.devices.get(device)
    if registered is None:
        raise Problem("not-found", "There is no such device at this table.")
    return registered


def list_devices(log: EventLog, table: TableProjection) -> list[dict[str, Any]]:
    """Return the table's devices in the order of registration, with when each was last seen."""
    return [device_view(log, device) for device in table.meta.devices.values()]


def device_view(log: EventLog, device: TableDevice) -> dict[str, Any]:
    """Return a device as shown to everybody at the table."""
    seen = (device.seen, log.last_seen(device.id))
    return {
        "id": device.id,
        "name": device.name,
        "kind": device.kind,
        "revoked": device.revoked,
        "last_seen": max((at for at in seen if at is not None), default=None),
        "silent": device.silent,
        "conflicts": [
            {"power": power, "places": list(places)} for power, places in device.conflicts.items()
        ],
        "faults": [dict(fault) for fault in device.faults],
    }
