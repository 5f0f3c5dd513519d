"""The turn timer of a table."""

from typing import Any

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import Strict
from referee.service.log.turn_clock import LONGEST, SAY, SHORTEST, THEN, TIMED

ABOUT_THEN = {
    "description": "when time is up: `say` so, or `draw` a card for the seat, whose turn is over; "
    "where drawing decides nothing, it is only said"
}


class NewTimerSchema(Strict):
    """The time that turns have from now on."""

    seconds = fields.Integer(strict=True, required=True, validate=validate.Range(SHORTEST, LONGEST))
    then = fields.String(
        load_default=lambda: SAY, validate=validate.OneOf(THEN), metadata=ABOUT_THEN
    )


class TimerChoiceSchema(Strict):
    """A timer, or null for turns that take as long as they take."""

    timer = fields.Nested(NewTimerSchema, required=True, allow_none=True)


class TimeUpSchema(Strict):
    """The time that is up: the entry with which it began."""

    began = fields.Integer(strict=True, required=True, validate=validate.Range(1, 2**31 - 1))


class RunningTimeSchema(Schema):
    """The time of the seat that is awaited."""

    began = fields.Integer(
        required=True, metadata={"description": "the entry with which it began: see `reportTimeUp`"}
    )
    seat = fields.Integer(required=True)
    needs = fields.List(
        fields.String(validate=validate.OneOf(sorted(TIMED))),
        required=True,
        metadata={"description": "what is awaited of it"},
    )
    since = fields.DateTime(required=True, metadata={"description": "by the server's clock"})
    up = fields.Boolean(required=True, metadata={"description": "it has been said"})


class TimerSchema(Schema):
    """The time that turns have, and the time that is running."""

    seconds = fields.Integer(required=True)
    then = fields.String(required=True, validate=validate.OneOf(THEN), metadata=ABOUT_THEN)
    running = fields.Nested(
        RunningTimeSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "null between rounds, while hands are shown, and while the "
            "referee asks about the pile"
        },
    )
    now = fields.DateTime(required=True, metadata={"description": "the server's clock"})


def timer_field(**more: Any) -> fields.Nested:
    """Return the field of a table's timer."""
    about = {"description": "null where turns take as long as they take: see `chooseTimer`"}
    return fields.Nested(TimerSchema, allow_none=True, metadata=about, **more)
