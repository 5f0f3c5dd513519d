"""Read requests: strict JSON, and the headers of a write."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from flask import current_app, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import RequestEntityTooLarge

from referee.api.auth import event_log, principal
from referee.api.limits.rates import limiter, sender_address
from referee.rules.message import Message, quoted, sent
from referee.service.log.entries import dump
from referee.service.log.preconditions import WriteRequest, fingerprint
from referee.service.problems import Problem, invalid

KEY = "^[!-~]{1,200}$"
IF_MATCH = r'^(\*|(W/)?"[0-9]{1,15}"( ?, ?(W/)?"[0-9]{1,15}"){0,20})$'
# Levels of lists and objects in a body; a record has eight.
DEEPEST = 64
# Lists and objects in a body, where each takes many times its place in the text: a record of as
# many moves as a table may have holds fewer.
MOST_PARTS = 200_000
# Bytes that take as long to parse as a move to play, or less.
BYTES_A_MOVE = 400
VERSION = re.compile(r'"([0-9]+)"')


class StrictJSON(DefaultJSONProvider):
    """Strict JSON: no NaN, no lone surrogates, and no NUL, which many databases cannot store."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Parse JSON. Raises ValueError for anything else, and for what is nested too deeply."""
        data = s if isinstance(s, bytes) else s.encode()
        parts = data.count(b"[") + data.count(b"{")
        if parts > MOST_PARTS:
            raise ValueError(Message("it has more than {most} lists and objects", most=MOST_PARTS))
        value = orjson.loads(data)
        if rb"\u0000" in data:
            raise ValueError(Message("it holds a NUL character"))
        if parts > DEEPEST and _is_deep(value):
            raise ValueError(Message("it is nested more than {most} levels deep", most=DEEPEST))
        return value

    def dumps(self, obj: Any, **_: Any) -> str:
        """JSON as it is served."""
        return dump(obj)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        inner = (part.values() if isinstance(part, dict) else part for part in level)
        level = [each for values in inner for each in values if isinstance(each, dict | list)]
        if not level:
            return False
    return True


def read_json(largest: int | None = None) -> Any:
    """Return the body, of ``largest`` bytes at most or else of the usual limit. Raises Problem."""
    return parse_json(json_body(largest))


def json_body(largest: int | None = None) -> bytes:
    """Return a body of JSON as it was sent. Raises Problem for another type."""
    if not request.is_json:
        raise Problem("unsupported-media-type", _json_wanted())
    return read_body(largest)


def parse_json(data: bytes) -> Any:
    """Return what a body says. Raises Problem."""
    try:
        return current_app.json.loads(data)
    except orjson.JSONDecodeError as error:
        detail = Message(
            "The body is not JSON: {reason} (line {line}, column {column}).",
            reason=_why(data, error),
            line=error.lineno,
            column=error.colno,
        )
        raise Problem("malformed-json", detail) from None
    except ValueError as error:
        detail = Message("The body is not JSON: {reason}.", reason=error.args[0])
        raise Problem("malformed-json", detail) from None


def read_body(largest: int | None = None) -> bytes:
    """Return the bytes of the body, as many as ``read_json`` takes. Raises Problem."""
    if largest is not None:
        request.max_content_length = largest
    try:
        return request.get_data()
    except RequestEntityTooLarge:
        raise Problem(
            "too-large",
            Message(
                "The body is too large: {most} bytes at most.", most=request.max_content_length
            ),
        ) from None


def _json_wanted() -> str:
    if not request.content_type:
        return Message("Send the body as application/json: there is no header Content-Type.")
    return Message(
        "Send the body as application/json, not as {given}.", given=quoted(request.mimetype)
    )


def _why(data: bytes, error: orjson.JSONDecodeError) -> str:
    """Return the reason in our words if it is one of the usual mistakes, else the parser's."""
    if not data.strip():
        return Message("it is empty")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Message("it is not UTF-8")
    rest = text[error.pos :]
    if rest.startswith("'"):
        return Message("texts and names stand in double quotes")
    if rest.startswith(("True", "False", "None")):
        return Message("it has to be true, false or null, in small letters")
    return error.msg


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
            reason = sent('must be a version of the table, such as "12"', header)
            raise invalid("If-Match", reason)
        if header != "*":
            versions = frozenset(int(version) for version in VERSION.findall(header))
    bound_to = body_fingerprint() if key else ""
    return WriteRequest(principal(), key, bound_to, versions, may_confirm)


@contextmanager
def large_body() -> Iterator[Any]:
    """Parse a body that may hold a record, in turn if it is a large one.

    It counts for the sender's address even if it is refused. Raises Problem.
    """
    data = json_body(current_app.extensions["referee-settings"].max_body)
    moves = len(data) // BYTES_A_MOVE
    limiter().spend("work", sender_address(), moves)
    with event_log().long_games.turn(moves):
        yield parse_json(data)
