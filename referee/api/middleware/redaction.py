"""The server's log, and how secrets are kept out of it, wherever they were put in a request.

The log has one line per event, as logfmt or JSON, on stderr. Tracebacks have no values of
variables, which could be tokens or hands. Of a request only the id, method and path are logged; a
query could hold a ticket.

Clients send tokens in places that are logged: in a path, in a header without its colon, as a
request's id. So whatever looks like one of our secrets is left out of every line, also out of
tracebacks and of what libraries write.
"""

import logging
import re
import sys
from collections.abc import Callable, MutableMapping
from typing import Any, TextIO, cast
from urllib.parse import quote

import structlog
from flask import g, has_request_context, request

from referee.service.access import CODE_ALPHABET

Event = MutableMapping[str, Any]
HIDDEN = "[secret]"
# Our tokens have 43 of these characters; the hashes of tokens, and the database's secret, 64.
LONG = re.compile(r"[A-Za-z0-9_-]{40,}")
HASH = re.compile(r"[0-9a-fA-F]{64}")
# Trace ids and names in programs are long, too.
HARMLESS = re.compile(r"[0-9a-f-]+|[a-z_]+|[a-z-]+")
TICKET = re.compile(r"[a-z2-7]{16}\.[0-9a-f]{16}\.[0-9a-f]+\.[\w-]{8}\.[\w-]{22}", re.IGNORECASE)
WEBHOOK = re.compile(r"whsec_[A-Za-z0-9+/=_-]+", re.IGNORECASE)
# An operator's key may have any characters.
BEARER = re.compile(r"(\bbearer(?:[ :=+]|%20)+)(?![ …'\"])[^\s'\",]+", re.IGNORECASE)
# A database's or a proxy's address.
URL = re.compile(r"(://[^:@/\s]*):[^@\s]*@")
# PostgreSQL names the values that break a constraint.
DETAIL = re.compile(r"(Key \([^)]*\)=)\([^\n]*?\)(?= )")
CODE = re.compile(
    rf"(?<![A-Za-z0-9])(?:[{CODE_ALPHABET}]{{4}}-?[{CODE_ALPHABET}]{{4}})(?![A-Za-z0-9])"
)

_known: set[str] = set()


def hide(secret: str) -> None:
    """Leave a secret out that has no shape of its own: the operator's key."""
    if secret:
        _known.update((secret, quote(secret), repr(secret)[1:-1]))


def redact(text: str) -> str:
    """Return text without anything that looks like a token, ticket, key or hash."""
    for secret in _known:
        text = text.replace(secret, HIDDEN)
    text = TICKET.sub(HIDDEN, text)
    text = WEBHOOK.sub(HIDDEN, text)
    text = BEARER.sub(rf"\1{HIDDEN}", text)
    text = URL.sub(rf"\1:{HIDDEN}@", text)
    text = DETAIL.sub(rf"\1({HIDDEN})", text)
    return LONG.sub(_hide, text)


def redact_path(path: str) -> str:
    """Return a path without anything that looks like a secret, or like a join code."""
    return CODE.sub(HIDDEN, redact(path))


def _hide(match: re.Match[str]) -> str:
    text = match[0]
    harmless = HARMLESS.fullmatch(text) and not HASH.fullmatch(text)
    return text if harmless else HIDDEN


def redacting(render: Callable[[Any, str, Event], Any]) -> Callable[[Any, str, Event], str]:
    """Return a structlog renderer whose lines hold no secrets."""

    def rendered(logger: Any, name: str, event: Event) -> str:
        return redact(str(render(logger, name, event)))

    return rendered


class RedactedStream:
    """A text stream that writes what it is given without secrets."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text without its secrets."""
        self.stream.write(redact(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write lines without their secrets."""
        self.stream.writelines(redact(line) for line in lines)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def redact_output() -> None:
    """Leave secrets out of all that this process, and those it forks, writes about itself."""
    for name in ("stdout", "stderr"):
        setattr(sys, name, _redacted(getattr(sys, name)))
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    for logger in (logging.root, *loggers):
        for handler in logger.handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is not None:
                handler.setStream(_redacted(handler.stream))


def _redacted(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, RedactedStream) else cast(TextIO, RedactedStream(stream))


class Stderr:
    """Writes lines to the current ``sys.stderr``."""

    def msg(self, line: str) -> None:
        """Write a line."""
        sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def set_up_logs(form: str) -> None:
    """Log in the given form: "logfmt" or "json"."""
    renderer: Any = structlog.processors.LogfmtRenderer(sort_keys=True, bool_as_flag=False)
    if form == "json":
        renderer = structlog.processors.JSONRenderer(sort_keys=True)
    structlog.configure(
        processors=[
            _request,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            redacting(renderer),
        ],
        logger_factory=lambda *_: Stderr(),
        cache_logger_on_first_use=False,
    )


def _request(_: Any, __: str, event: Event) -> Event:
    if has_request_context():
        event.setdefault("request_id", g.get("request_id"))
        event.setdefault("method", request.method)
        event["path"] = redact_path(quote(event.get("path", request.path)))
    return event
