"""Devices of a table: register, list and revoke them, renew their leases."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, principal
from referee.api.operation import entry_answer, operation, with_etag
from referee.api.schemas.devices import (
    DeviceSchema,
    DevicesSchema,
    NewDeviceSchema,
    PromiseSchema,
    RegisteredSchema,
)
from referee.api.schemas.moves import EntrySchema
from referee.service.access import DEVICES, HOST
from referee.service.devices import device_view, list_devices, register_device, revoke_device
from referee.service.liveness import renew_lease
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import TableProjection

blueprint = Blueprint("devices", __name__, description="Cameras and sensor boards")


@blueprint.route("/tables/<table_id>/devices")
@operation(blueprint, "listDevices", DevicesSchema, "The devices, and when each was last seen.")
def list_all(table: TableProjection) -> ResponseReturnValue:
    """The table's devices."""
    return {"items": list_devices(event_log(), table)}


@blueprint.route("/tables/<table_id>/devices", methods=["POST"])
@operation(
    blueprint,
    "registerDevice",
    RegisteredSchema,
    "The device's token; it is shown this once.",
    status=201,
    write=True,
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


@blueprint.route("/tables/<table_id>/promises", methods=["POST"])
@operation(
    blueprint,
    "promiseToBeHeard",
    DeviceSchema,
    "The device. What it promised before is void.",
    body=PromiseSchema,
    rights=DEVICES,
)
def promise_to_be_heard(said: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Promise that the device reports again in time; if it does not, the table is told."""
    device = renew_lease(event_log(), table, principal(), said["within"])
    return device_view(event_log(), device)


@blueprint.route("/tables/<table_id>/devices/<device_id>", methods=["DELETE"])
@operation(
    blueprint,
    "revokeDevice",
    EntrySchema,
    "The device's token is void from now on, and what it saw is forgotten.",
    write=True,
    rights=HOST,
)
def revoke(table: TableProjection, request: WriteRequest, device_id: str) -> ResponseReturnValue:
    """Revoke a device; for the table's host."""
    entry = revoke_device(event_log(), table, request, device_id)
    return entry_answer(table, entry, 200)
