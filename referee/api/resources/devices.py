"""Devices of a table: register, list and revoke them, renew their leases."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log, principal
from referee.api.operation import Resource, with_etag
from referee.api.schemas.devices import (
    DeviceSchema,
    DevicesSchema,
    NewDeviceSchema,
    PromiseSchema,
    RegisteredSchema,
)
from referee.service.access import DEVICES, HOST
from referee.service.devices import device_view, list_devices, register_device, revoke_device
from referee.service.liveness import renew_lease
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("devices", "Cameras and sensor boards")


@blueprint.operation(
    "GET /tables/<table_id>/devices",
    "listDevices",
    "The devices, and when each was last seen.",
    DevicesSchema,
)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """The table's devices."""
    return {"items": list_devices(event_log(), table)}


@blueprint.operation(
    "POST /tables/<table_id>/devices",
    "registerDevice",
    "The device's token; it is shown this once.",
    RegisteredSchema,
    body=NewDeviceSchema,
    fails=("conflict",),
    rights=HOST,
)
def register(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Register a device; for the table's host."""
    token, device, entry = register_device(event_log(), table, request, new["name"], new["kind"])
    body = {"table_id": table.id, "device": device.id, "token": token}
    return with_etag(body, entry.seq, 201)


@blueprint.operation(
    "POST /tables/<table_id>/promises",
    "promiseToBeHeard",
    "The device. What it promised before is void.",
    DeviceSchema,
    body=PromiseSchema,
    write=False,
    rights=DEVICES,
)
def promise_to_be_heard(said: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Promise that the device will report again in time; if it does not, the table is notified."""
    device = renew_lease(event_log(), table, principal(), said["within"])
    return device_view(event_log(), device)


@blueprint.operation(
    "DELETE /tables/<table_id>/devices/<device_id>",
    "revokeDevice",
    "The device's token is void from now on, and what it saw is forgotten.",
    rights=HOST,
)
def revoke(table: TableProjection, request: WriteRequest, device_id: str) -> LogEntry:
    """Revoke a device; for the table's host."""
    return revoke_device(event_log(), table, request, device_id)
