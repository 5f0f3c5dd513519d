"""The server's log: one line per event, as logfmt or JSON, on stderr.

Tracebacks have no values of variables, which could be tokens or hands. Of a request only the id,
method and path are logged; a query could hold a ticket. What looks like a secret is left out.
"""

import sys
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import quote

import structlog
from flask import g, has_request_context, request

from referee.api.middleware.redaction import redact_path, redacting

Event = MutableMapping[str, Any]


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
