"""The devices of a table: registering them, how they do, taking their tokens back."""

from typing import Any

from referee.rules.message import Message
from referee.service.access import Principal, require_host
from referee.service.event_log import Change, House, Request
from referee.service.pile.transitions import pile_of
from referee.service.problems import Problem, invalid
from referee.service.table_projection import Device, LiveTable, LogEntry
from referee.service.tables import token_row
from referee.service.tokens import revoke_token

KINDS = ("board", "camera")
MOST_DEVICES = 20


def register_device(
    house: House, table: LiveTable, request: Request, name: str, kind: str
) -> tuple[str, Principal, LogEntry]:
    """A device that may tell what it sees: its token, itself, the entry. Raises Problem."""
    require_host(request.principal)
    if kind not in KINDS:
        raise invalid("kind", Message("must be one of {choices}", choices=", ".join(KINDS)))
    own = None if request.key is None else f"{request.principal.id}:{request.key}"
    device = Principal(house.tokens.id("device", own), table.id, "device", None, name)
    token = house.tokens.token("device", own)

    def decide() -> Change:
        in_use = [one for one in table.meta.devices.values() if not one.revoked]
        if len(in_use) >= MOST_DEVICES:
            raise Problem(
                "conflict",
                Message("A table has {most} devices at most: revoke one.", most=MOST_DEVICES),
            )
        body: dict[str, Any] = {
            "by": request.principal.to_json(),
            "device": {"id": device.id, "name": name, "kind": kind},
        }
        if kind == "camera" and table.meta.pile is None:
            body["pile"] = pile_of(table.state).to_json()
        return Change([("device-registered", body)], before=[token_row(device, token)])

    entry, _ = house.write(table, request, decide)
    return token, device, entry


def revoke_device(house: House, table: LiveTable, request: Request, device: str) -> LogEntry:
    """Take a device's token back; what it saw is forgotten. Raises Problem."""
    require_host(request.principal)
    find_device(house.fresh(table.id), device)
    return revoke_token(house, table, request, device)


def find_device(table: LiveTable, device: str) -> Device:
    """The device of this id. Raises Problem."""
    found = table.meta.devices.get(device)
    if found is None:
        raise Problem("not-found", "There is no such device at this table.")
    return found


def list_devices(house: House, table: LiveTable) -> list[dict[str, Any]]:
    """The table's devices in the order in which they came, and when each was last heard of."""
    return [device_view(house, device) for device in table.meta.devices.values()]


def device_view(house: House, device: Device) -> dict[str, Any]:
    """A device as everybody at the table may see it."""
    heard = (device.seen, house.last_seen(device.id))
    return {
        "id": device.id,
        "name": device.name,
        "kind": device.kind,
        "revoked": device.revoked,
        "last_seen": max((at for at in heard if at is not None), default=None),
        "silent": device.silent,
        "conflicts": [
            {"power": power, "places": list(places)} for power, places in device.conflicts.items()
        ],
        "faults": [dict(fault) for fault in device.faults],
    }
