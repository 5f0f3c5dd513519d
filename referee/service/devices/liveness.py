"""Report devices that have gone silent.

A device that dies sends nothing, so whatever runs it renews a lease again and again. An expired
lease becomes an entry of the log and nothing else: the game goes on by phone. A device without a
lease is never reported.
"""

from contextlib import suppress
from typing import Any

from referee.service.access import Principal
from referee.service.devices.devices import find_device
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import TableDevice
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem

SHORTEST, LONGEST = 5, 600
LOOK_EVERY = 2.0


def renew_lease(log: EventLog, table: TableProjection, by: Principal, within: int) -> TableDevice:
    """Renew a device's lease for ``within`` seconds; return the device. Raises Problem."""
    device = find_device(log.fresh(table.id), by.id)
    log.leases.make(by, within)
    if device.silent is not None:
        _tell(log, by.id, table.id, silent=False)
    return find_device(table, by.id)


def report_silent_devices(log: EventLog) -> None:
    """Report devices whose lease has expired to their tables."""
    for device, lease in log.leases.all().items():
        if lease.broken:
            with suppress(Problem):  # closed or purged, the device taken out, or told already
                _tell(log, device, lease.table_id, silent=True)
            log.leases.release(device)


def _tell(log: EventLog, device_id: str, table_id: str, *, silent: bool) -> None:
    table = log.fresh(table_id)
    by = Principal(device_id, table.id, "device")

    def decide() -> Change:
        device = find_device(table, device_id)
        if device.revoked or (device.silent is not None) is silent:
            # Another process was first.
            raise Problem("stale-version", "The table has changed meanwhile. Read it again.")
        kind = "device-silent" if silent else "device-heard"
        return Change([(kind, {"by": by.to_json(), **_concerned(table, device, silent)})])

    log.write(table, WriteRequest(by), decide)


def _concerned(table: TableProjection, device: TableDevice, silent: bool) -> dict[str, Any]:
    """Return the device, and the parts of the table it no longer sees, or sees again."""
    named = {"id": device.id, "name": device.name, "kind": device.kind}
    if device.kind == "board":
        seen = table.meta.sightings.items()
        gone = [power for power, sensed in seen if silent and sensed.device == device.id]
        return {"device": named, "powers": gone}
    pile = table.meta.pile
    watched = pile.sight if pile is not None and pile.device == device.id else "none"
    return {"device": named, "sight": "blind" if silent and watched != "none" else watched}
