"""Webhooks: what hosts ask for and read, and the messages that are sent."""

from datetime import datetime
from typing import Annotated, Any

from marshmallow import fields, validate

from referee.api.schemas.answers import Answer
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


class DisabledSchema(Answer):
    """Since when and why a webhook is off."""

    at: datetime
    reason: Annotated[
        str,
        validate.OneOf(REASONS),
        "a host stopped it, the receiver answered 410, or it failed for days",
    ]


class FailingSchema(Answer):
    """How often the next event could not be delivered."""

    since: datetime
    attempts: int
    next: datetime | None


class WebhookSchema(Answer):
    """A webhook, without its secret."""

    id: str
    url: str
    kinds: Annotated[
        list[Annotated[str, validate.OneOf(KINDS)]] | None, validate.Length(1, len(KINDS)), WHICH
    ]
    lang: str
    description: str | None
    created: datetime
    after: Annotated[int, GOES_ON]
    active: bool
    disabled: DisabledSchema | None
    failing: FailingSchema | None


WebhooksSchema = items_of(WebhookSchema, "WebhooksSchema")


class WebhookSecretSchema(WebhookSchema):
    """A webhook and the secret that its messages are signed with. It is shown this once."""

    secret: Annotated[str, {"example": "whsec_C2FVsBQIhrscChlQIMV+b5sS"}]


class WebhookTestSchema(Answer):
    """A test message that will be sent."""

    message: Annotated[str, "its `webhook-id`"]


class DeliverySchema(Answer):
    """An attempt at delivering a message."""

    message: Annotated[str, "its `webhook-id`"]
    event: Annotated[int | None, "null for a test"]
    kind: Annotated[str, validate.OneOf((*KINDS, TEST))]
    number: Annotated[int, "of the attempt, from 1"]
    at: datetime
    ms: Annotated[int, "how long it took"]
    code: Annotated[int | None, "the status of the answer"]
    error: Annotated[
        str | None, validate.OneOf((*ERRORS, None)), "what was wrong; null if it was delivered"
    ]


DeliveriesSchema = items_of(DeliverySchema, "DeliveriesSchema")
