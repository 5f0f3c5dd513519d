"""Read requests: strict JSON, and the headers of a write."""

import re
from typing import Any

import orjson
from flask import current_app, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import RequestEntityTooLarge

from referee.api.auth import principal
from referee.rules.message import Message
from referee.service.event_log import dump
from referee.service.preconditions import WriteRequest, fingerprint
from referee.service.problems import Problem, invalid

KEY = "^[!-~]{1,200}$"
IF_MATCH = r'^(\*|(W/)?"[0-9]{1,15}"( ?, ?(W/)?"[0-9]{1,15}"){0,20})$'
# Levels of lists and objects in a body; a record has eight.
DEEPEST = 64
VERSION = re.compile(r'"([0-9]+)"')


class StrictJSON(DefaultJSONProvider):
    """Strict JSON: no NaN, no lone surrogates, and no NUL, which many databases cannot store."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Parse JSON. Raises ValueError for anything else, and for what is nested too deeply."""
        data = s if isinstance(s, bytes) else s.encode()
        value = orjson.loads(data)
        if rb"\u0000" in data:
            raise ValueError("it holds a NUL character")
        if data.count(b"[") + data.count(b"{") > DEEPEST and _is_deep(value):
            raise ValueError(f"it is nested more than {DEEPEST} levels deep")
        return value

    def dumps(self, obj: Any, **_: Any) -> str:
        """JSON as it is served."""
        return dump(obj)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [each for one in inner for each in one if isinstance(each, dict | list)]
        if not level:
            return False
    return True


def read_json(largest: int | None = None) -> Any:
    """Return the body, of ``largest`` bytes at most or else of the usual limit. Raises Problem."""
    if largest is not None:
        request.max_content_length = largest
    if not request.is_json:
        raise Problem("unsupported-media-type", "Send the body as application/json.")
    try:
        return current_app.json.loads(request.get_data())
    except RequestEntityTooLarge:
        raise Problem(
            "too-large",
            Message(
                "The body is too large: {most} bytes at most.", most=request.max_content_length
            ),
        ) from None
    except ValueError as error:
        reason = str(error).split(": line")[0]
        raise Problem(
            "malformed-json", Message("The body is not JSON: {reason}.", reason=reason)
        ) from None


def idempotency_key() -> str | None:
    """Return the Idempotency-Key, if one was sent. Raises Problem."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not re.fullmatch(KEY, key):
        raise invalid("Idempotency-Key", "must be 1 to 200 printable characters without spaces")
    return key


def body_fingerprint() -> str:
    """Return the hash of this request that its Idempotency-Key is bound to."""
    return fingerprint(request.method, request.path, request.get_data())


def write_request(*, may_confirm: bool) -> WriteRequest:
    """Return the sender and the headers of a write. Raises Problem."""
    key = idempotency_key()
    header = request.headers.get("If-Match")
    versions = None
    if header is not None:
        if not re.fullmatch(IF_MATCH, header):
            raise invalid("If-Match", 'must be a version of the table, such as "12"')
        if header != "*":
            versions = frozenset(int(version) for version in VERSION.findall(header))
    bound_to = body_fingerprint() if key else ""
    return WriteRequest(principal(), key, bound_to, versions, may_confirm)
