"""The messages that webhooks send, as OpenAPI describes them."""

from typing import Any

from referee.api.schemas.vocabulary import ID, LARGEST_COUNT, letters
from referee.service.log.fold import FOLDS
from referee.service.webhooks.messages import TEST

ENTRY = {"$ref": "#/components/schemas/Entry"}


def _header(name: str, description: str, shape: dict[str, Any]) -> dict[str, Any]:
    given = {"in": "header", "name": name, "required": True}
    return {**given, "description": description, "schema": shape}


MESSAGE = "EventMessage"
# Component → JSON Schema.
MESSAGES: dict[str, Any] = {
    MESSAGE: {
        "description": "What a webhook is sent.",
        "type": "object",
        "required": ["type", "timestamp", "table_id", "data"],
        "properties": {
            "type": {
                "type": "string",
                "enum": [*FOLDS, TEST],
                "description": "the kind of the event, or `test`",
            },
            "timestamp": {
                "type": "string",
                "format": "date-time",
                "maxLength": 64,
                "description": "when it happened, not when it was sent",
            },
            "table_id": {"type": "string", **ID},
            "data": {
                "oneOf": [ENTRY, {"type": "object", "maxProperties": 0}],
                "description": "the event as a spectator reads it; nothing in a test",
            },
        },
    }
}
EVENT_MESSAGE: dict[str, Any] = {
    "operationId": "receiveEvent",
    "summary": "An event of a table that a webhook was added to",
    "description": "Sent until it is answered with 2xx, for three days, in the order of the log. "
    "It is signed as Standard Webhooks says; verify the signature before you believe it. The same "
    "message may come twice: `webhook-id` tells.",
    "tags": ["webhooks"],
    "security": [],
    "parameters": [
        _header("webhook-id", "The same whenever this message is sent.", {"type": "string", **ID}),
        _header(
            "webhook-timestamp",
            "When it was sent, in seconds.",
            {"type": "integer", "format": "int32", "minimum": 0, "maximum": LARGEST_COUNT},
        ),
        _header(
            "webhook-signature",
            "One or more of `v1,` and the HMAC-SHA256 of id, timestamp and body in base64.",
            {
                "type": "string",
                **letters(200, "^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$"),
                "example": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
            },
        ),
    ],
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{MESSAGE}"}}},
    },
    "responses": {
        "2XX": {"description": "Received. The body is not read."},
        "410": {"description": "No more of these: the webhook is off from now on."},
        "default": {"description": "Not received: it is sent again. Redirects are not followed."},
    },
}
