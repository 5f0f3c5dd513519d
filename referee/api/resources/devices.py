"""Devices of a table: registering them, how they do, taking them out again."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.devices import (
    DeviceSchema,
    DevicesSchema,
    NewDeviceSchema,
    PromiseSchema,
    RegisteredSchema,
)
from referee.api.schemas.moves import EntrySchema
from referee.service.devices import device_view, list_devices, register_device, revoke_device
from referee.service.liveness import renew_lease

blueprint = Blueprint("devices", __name__, description="Cameras and sensor boards")


@blueprint.route("/tables/<table_id>/devices")
@operation(blueprint, "listDevices", DevicesSchema, "The devices, and when each was last heard of.")
def list_all(table_id: str) -> ResponseReturnValue:
    """The table's devices."""
    return {"items": list_devices(event_log(), own_table(table_id))}


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
)
def register(new: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """Let a device say what it sees; for the table's host."""
    table = own_table(table_id)
    token, device, entry = register_device(
        event_log(), table, write_request(), new["name"], new["kind"]
    )
    body = {"table_id": table.id, "device": device.id, "token": token}
    return with_etag(body, entry.seq, 201)


@blueprint.route("/tables/<table_id>/promises", methods=["POST"])
@operation(
    blueprint,
    "promiseToBeHeard",
    DeviceSchema,
    "The device. What it promised before is void.",
    body=PromiseSchema,
)
def promise_to_be_heard(said: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """A device promises to be heard of again within so many seconds; if not, the table is told."""
    device = renew_lease(event_log(), own_table(table_id), principal(), said["within"])
    return device_view(event_log(), device)


@blueprint.route("/tables/<table_id>/devices/<device_id>", methods=["DELETE"])
@operation(
    blueprint,
    "revokeDevice",
    EntrySchema,
    "The device's token is void from now on, and what it saw is forgotten.",
    write=True,
)
def revoke(table_id: str, device_id: str) -> ResponseReturnValue:
    """Take a device out; for the table's host."""
    table = own_table(table_id)
    entry = revoke_device(event_log(), table, write_request(), device_id)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq)
