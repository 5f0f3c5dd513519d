"""Webhooks: what hosts ask for and read, and the messages that are sent."""

from typing import Any

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import BoundedList, Strict, items_of
from referee.service.log.table_projection import FOLDS
from referee.service.webhooks.attempts import ERRORS, REASONS
from referee.service.webhooks.messages import TEST
from referee.service.webhooks.urls import EXAMPLE, LONGEST_URL

KINDS = tuple(FOLDS)
WHICH = {"description": "the kinds of events to send; null for all", "example": ["moved"]}
WHERE = {"example": EXAMPLE}
AFTER = validate.Range(0, 2**31 - 1)
GOES_ON = {"description": "the event after which it goes on"}
LANG = {"description": "the language of the sentences; by default that of this request"}


def _kinds(**given: Any) -> BoundedList:
    one = fields.String(validate=validate.OneOf(KINDS))
    few = validate.Length(1, len(KINDS))
    return BoundedList(one, validate=few, allow_none=True, metadata=WHICH, **given)


class NewWebhookSchema(Strict):
    """A webhook to be added."""

    url = fields.String(required=True, validate=validate.Length(1, LONGEST_URL), metadata=WHERE)
    kinds = _kinds(load_default=None)
    lang = fields.String(load_default=None, allow_none=True, metadata=LANG)
    description = fields.String(
        load_default=None, allow_none=True, validate=validate.Length(max=200)
    )
    after = fields.Integer(
        load_default=None,
        allow_none=True,
        validate=AFTER,
        metadata={"description": "the event to begin after; by default the newest"},
    )


class WebhookChangeSchema(Strict):
    """Changes of a webhook; what is left out stays."""

    url = fields.String(validate=validate.Length(1, LONGEST_URL), metadata=WHERE)
    kinds = _kinds()
    lang = fields.String()
    description = fields.String(allow_none=True, validate=validate.Length(max=200))
    after = fields.Integer(validate=AFTER, metadata=GOES_ON)
    active = fields.Boolean(metadata={"description": "false stops it; true lets it go on"})


class DisabledSchema(Schema):
    """Since when and why a webhook is off."""

    at = fields.DateTime(required=True)
    reason = fields.String(
        required=True,
        validate=validate.OneOf(REASONS),
        metadata={
            "description": "a host stopped it, the receiver answered 410, or it failed for days"
        },
    )


class FailingSchema(Schema):
    """How often the next event could not be delivered."""

    since = fields.DateTime(required=True)
    attempts = fields.Integer(required=True)
    next = fields.DateTime(required=True, allow_none=True)


class WebhookSchema(Schema):
    """A webhook, without its secret."""

    id = fields.String(required=True)
    url = fields.String(required=True)
    kinds = _kinds(required=True)
    lang = fields.String(required=True)
    description = fields.String(required=True, allow_none=True)
    created = fields.DateTime(required=True)
    after = fields.Integer(required=True, metadata=GOES_ON)
    active = fields.Boolean(required=True)
    disabled = fields.Nested(DisabledSchema, required=True, allow_none=True)
    failing = fields.Nested(FailingSchema, required=True, allow_none=True)


WebhooksSchema = items_of(WebhookSchema, "WebhooksSchema")


class WebhookSecretSchema(WebhookSchema):
    """A webhook and the secret that its messages are signed with. It is shown this once."""

    secret = fields.String(required=True, metadata={"example": "whsec_C2FVsBQIhrscChlQIMV+b5sS"})


class WebhookTestSchema(Schema):
    """A test message that will be sent."""

    message = fields.String(required=True, metadata={"description": "its `webhook-id`"})


class DeliverySchema(Schema):
    """An attempt at delivering a message."""

    message = fields.String(required=True, metadata={"description": "its `webhook-id`"})
    event = fields.Integer(
        required=True, allow_none=True, metadata={"description": "null for a test"}
    )
    kind = fields.String(required=True, validate=validate.OneOf((*KINDS, TEST)))
    number = fields.Integer(required=True, metadata={"description": "of the attempt, from 1"})
    at = fields.DateTime(required=True)
    ms = fields.Integer(required=True, metadata={"description": "how long it took"})
    code = fields.Integer(
        required=True, allow_none=True, metadata={"description": "the status of the answer"}
    )
    error = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf((*ERRORS, None)),
        metadata={"description": "what was wrong; null if it was delivered"},
    )


DeliveriesSchema = items_of(DeliverySchema, "DeliveriesSchema")
