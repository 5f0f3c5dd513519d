"""Devices, what they see, and what stands elsewhere than it should."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from referee.api.schemas.common import Strict
from referee.rules.message import Message
from referee.rules.state import MOST_SEATS
from referee.service.devices import KINDS

MEANINGS = ("settled", "choosing", "agrees", "discrepancy", "lifted", "unknown")
DISCREPANCIES = ("to-move", "ahead", "lifted", "misplaced")
WORDS = ("lifted", "unknown")
PLACE = validate.Range(0, MOST_SEATS)
MOST_POWERS = validate.Length(max=8)
POSITION: dict[str, Any] = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": MOST_SEATS},
        {"type": "string", "enum": list(WORDS)},
    ],
    "description": 'a seat, 0 for the tray, "lifted" or "unknown"',
}


def check_position(value: object) -> None:
    """A seat, the tray, in somebody's hand, or not known. Raises ValidationError."""
    place = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SEATS
    if not place and value not in WORDS:
        raise ValidationError(
            Message('must be 0 to {most}, "lifted" or "unknown"', most=MOST_SEATS)
        )


class NewDeviceSchema(Strict):
    """A device to be registered."""

    name = fields.String(
        required=True, validate=validate.Length(1, 80), metadata={"example": "Board"}
    )
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))


class RegisteredSchema(Schema):
    """A device and its token. The token is shown this once."""

    table_id = fields.String(required=True)
    device = fields.String(required=True, metadata={"description": "its id"})
    token = fields.String(required=True)


class DeviceRefSchema(Schema):
    """Which device."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(required=True)


class ConflictSchema(Schema):
    """A power that several places report at once."""

    power = fields.String(required=True)
    places = fields.List(fields.Integer(), required=True)


class FaultSchema(Strict):
    """Sensors of a place that do not work."""

    place = fields.Integer(required=True, strict=True, validate=PLACE)
    powers = fields.List(
        fields.String(validate=validate.Length(1, 20)), required=True, validate=MOST_POWERS
    )


class DeviceSchema(DeviceRefSchema):
    """A device, and how it does. ``last_seen`` is when it was last heard of."""

    revoked = fields.Boolean(required=True)
    last_seen = fields.DateTime(required=True, allow_none=True)
    conflicts = fields.List(fields.Nested(ConflictSchema), required=True)
    faults = fields.List(fields.Nested(FaultSchema), required=True)


class DevicesSchema(Schema):
    """The devices of a table, in the order in which they were registered."""

    items = fields.List(fields.Nested(DeviceSchema), required=True)


class ObservationSchema(Strict):
    """What a device saw. A board tells of one power or of all, by where each is.

    ``at`` is the device's time; ``conflicts`` maps a power to the places that report it at once;
    ``faults`` lists all sensors that do not work, whenever that has changed.
    """

    kind = fields.String(required=True, validate=validate.OneOf(("powers",)))
    at = fields.AwareDateTime(format="iso", required=True)
    powers = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 20)),
        values=fields.Raw(validate=check_position, metadata=POSITION),
        required=True,
        validate=MOST_POWERS,
        metadata={"example": {"U": 2, "N": "lifted"}},
    )
    conflicts = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 20)),
        values=fields.List(
            fields.Integer(strict=True, validate=PLACE), validate=validate.Length(2, 11)
        ),
        validate=MOST_POWERS,
    )
    faults = fields.List(fields.Nested(FaultSchema), validate=validate.Length(max=11))


class DiscrepancySchema(Schema):
    """A power that stands elsewhere than it should; the fix is to move it to ``should``.

    ``to-move``: the game has moved on, the power not yet. ``ahead``: whoever's turn it is took it,
    and the play behind it may be to come. ``lifted``: somebody has it in hand. ``misplaced``: else.
    """

    power = fields.String(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(DISCREPANCIES))
    is_ = fields.Raw(required=True, data_key="is", metadata=POSITION)
    should = fields.Integer(required=True, validate=PLACE)
    text = fields.String(required=True)
