"""The messages that webhooks send: body and headers, signed as Standard Webhooks says."""

import base64
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from standardwebhooks import Webhook

from referee.service.log.entries import dump

SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with
# How long the secret before a rotation signs, too.
FORMER_HOURS = 24
TEST = "test"
USER_AGENT = "table-referee (webhooks)"


def write_secret(raw: bytes) -> str:
    """Return a secret of 24 to 64 bytes as it is handed out."""
    return SECRET_PREFIX + base64.b64encode(raw).decode()


def message_id(hook_id: str, event: int) -> str:
    """Return the id of an event's message: the same at each attempt, and without a full stop."""
    return f"msg_{hook_id}_{event}"


def test_id(hook_id: str) -> str:
    """Return the id of a test message."""
    return f"msg_{hook_id}_{TEST}_{secrets.token_hex(4)}"


def event_body(table_id: str, entry: Mapping[str, Any]) -> bytes:
    """Return the message about an entry, as a spectator may see it."""
    return _body(entry["kind"], entry["at"], table_id, entry)


def test_body(table_id: str, at: datetime) -> bytes:
    """Return a test message."""
    return _body(TEST, at.isoformat(timespec="milliseconds"), table_id, {})


def _body(kind: str, at: str, table_id: str, data: Mapping[str, Any]) -> bytes:
    body = {"type": kind, "timestamp": at, "table_id": table_id, "data": data}
    return dump(body).encode()


def signed_headers(
    hook: Mapping[str, Any], message: str, body: bytes, at: datetime
) -> dict[str, str]:
    """Return the headers of a message, signed with the secret, and the former one for a while."""
    keys = [hook["secret"]]
    if hook["former_secret"] and at < datetime.fromisoformat(hook["former_until"]):
        keys.append(hook["former_secret"])
    signatures = [Webhook(key).sign(message, at.astimezone(UTC), body.decode()) for key in keys]
    return {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": message,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def former_until(at: datetime) -> datetime:
    """Return until when the former secret signs, if it is replaced now."""
    return at + timedelta(hours=FORMER_HOURS)
