"""A table's webhooks, for its hosts."""

from datetime import datetime
from typing import Annotated, Any

from flask import Response, current_app
from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from referee.api.auth import event_log, principal
from referee.api.language import language, unknown_language
from referee.api.operation import Resource
from referee.api.schemas.common import items_of
from referee.api.schemas.typed import Answer, Maybe, Strict
from referee.service.access import HOST
from referee.service.log.entries import dump
from referee.service.log.fold import FOLDS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.service.webhooks.addresses import EXAMPLE, LONGEST_URL, AddressPolicy
from referee.service.webhooks.attempts import ERRORS, REASONS
from referee.service.webhooks.messages import TEST
from referee.service.webhooks.subscriptions import (
    add_webhook,
    ask_for_test,
    change_webhook,
    delete_webhook,
    list_attempts,
    list_webhooks,
    rotate_secret,
    show_webhook,
)
from referee.texts import as_language

KINDS = tuple(FOLDS)
WHICH = {"description": "the kinds of events to send; null for all", "example": ["moved"]}
WHERE = {"example": EXAMPLE}
# Of `fields.Integer`, which takes digits in a text, too.
AFTER = validate.Range(0, 2**31 - 1)
GOES_ON = {"description": "the event after which it goes on"}
LANG = {"description": "the language of the sentences; by default that of this request"}
Url = Annotated[str, validate.Length(1, LONGEST_URL), WHERE]
Kinds = Annotated[
    list[Annotated[str, validate.OneOf(KINDS)]] | None, validate.Length(1, len(KINDS)), WHICH
]
Description = Annotated[str | None, validate.Length(max=200)]


class NewWebhookSchema(Strict):
    """A webhook to be added."""

    url: Url
    kinds: Kinds = None
    lang: Annotated[str | None, LANG] = None
    description: Description = None
    after: Annotated[
        fields.Integer | None, AFTER, "the event to begin after; by default the newest"
    ] = None


class WebhookChangeSchema(Strict):
    """Changes of a webhook; what is left out stays."""

    url: Maybe[Url]
    kinds: Maybe[Kinds]
    lang: Maybe[str]
    description: Maybe[Description]
    after: Annotated[Maybe[fields.Integer], AFTER, GOES_ON]
    active: Annotated[Maybe[bool], "false stops it; true lets it go on"]


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
    kinds: Kinds
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


blueprint = Resource("webhooks", "Addresses outside that hear of a table's events")
PATH = "/tables/<table_id>/webhooks"
ONE = f"{PATH}/<webhook_id>"


def _policy() -> AddressPolicy:
    policy: AddressPolicy = current_app.extensions["referee-settings"].webhooks
    return policy


def _with_secret(hook: dict[str, Any], secret: str, status: int) -> Response:
    return Response(dump({**hook, "secret": secret}), status, mimetype="application/json")


def _known_language(lang: str) -> str:
    known = as_language(lang)
    if known is None:
        raise unknown_language("lang", lang)
    return known


@blueprint.operation(f"GET {PATH}", "listWebhooks", "The webhooks.", WebhooksSchema, rights=HOST)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """List the table's webhooks, without their secrets; for its host."""
    return {"items": list_webhooks(event_log(), table)}


@blueprint.operation(
    f"POST {PATH}",
    "addWebhook",
    "The webhook and its secret; the secret is shown this once.",
    WebhookSecretSchema,
    body=NewWebhookSchema,
    if_match="none",
    rights=HOST,
)
def add(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> ResponseReturnValue:
    """Send the table's events to an address from now on; for its host.

    Each message is signed as Standard Webhooks says, and holds an event as a spectator reads it.
    """
    new["lang"] = language() if new["lang"] is None else _known_language(new["lang"])
    hook, secret = add_webhook(event_log(), table, request, _policy(), new)
    return _with_secret(hook, secret, 201)


@blueprint.operation(f"GET {ONE}", "getWebhook", "The webhook.", WebhookSchema, rights=HOST)
def show(table: TableProjection, webhook_id: str) -> ResponseReturnValue:
    """Return a webhook, without its secret; for the table's host."""
    return show_webhook(event_log(), table, webhook_id)


@blueprint.operation(
    f"PATCH {ONE}",
    "changeWebhook",
    "The webhook.",
    WebhookSchema,
    body=WebhookChangeSchema,
    write=False,
    fails=("closed",),
    rights=HOST,
)
def change(given: dict[str, Any], table: TableProjection, webhook_id: str) -> ResponseReturnValue:
    """Change a webhook, stop it or let it go on; for the table's host.

    With `after` it goes on after an event of your choice: earlier ones are sent once more, or
    those that it missed are left out.
    """
    if "lang" in given:
        given["lang"] = _known_language(given["lang"])
    return change_webhook(event_log(), table, principal(), _policy(), webhook_id, given)


@blueprint.operation(
    f"DELETE {ONE}", "deleteWebhook", "It is gone.", None, status=204, write=False, rights=HOST
)
def remove(table: TableProjection, webhook_id: str) -> ResponseReturnValue:
    """Delete a webhook, of a closed table too; for the table's host."""
    delete_webhook(event_log(), table, webhook_id)
    return Response(status=204)


@blueprint.operation(
    f"POST {ONE}/secret",
    "rotateWebhookSecret",
    "The webhook and its new secret, which is shown this once.",
    WebhookSecretSchema,
    if_match="none",
    rights=HOST,
)
def rotate(table: TableProjection, request: WriteRequest, webhook_id: str) -> ResponseReturnValue:
    """Give a webhook a new secret; for the table's host.

    For a day each message carries a second signature, with the former secret.
    """
    return _with_secret(*rotate_secret(event_log(), table, request, webhook_id), 201)


@blueprint.operation(
    f"POST {ONE}/test",
    "testWebhook",
    "The message that will be sent; `deliveries` tells what came of it.",
    WebhookTestSchema,
    status=202,
    write=False,
    rights=HOST,
)
def test(table: TableProjection, webhook_id: str) -> ResponseReturnValue:
    """Send a test message, also to a webhook that is off; for the table's host."""
    return {"message": ask_for_test(event_log(), table, _policy(), webhook_id)}, 202


@blueprint.operation(
    f"GET {ONE}/deliveries",
    "listDeliveries",
    "The latest attempts, newest first.",
    DeliveriesSchema,
    rights=HOST,
)
def deliveries(table: TableProjection, webhook_id: str) -> ResponseReturnValue:
    """List the latest attempts at delivering, 20 at most; for the table's host."""
    return {"items": list_attempts(event_log(), table, webhook_id)}
