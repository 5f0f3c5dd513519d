"""Every request has an id, which its answer, its problem and its lines in the log carry."""

import random
import re
import time

import structlog
from flask import Flask, Response, g, request

from referee.service.access import Principal

log = structlog.get_logger(__name__)
HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._:/+=-]{1,80}")
SLOW_SECONDS = 1.0
STREAM = "text/event-stream"


def begin() -> None:
    """Take the id that came with the request, or give it one."""
    given = request.headers.get(HEADER)
    g.request_id = given if given and GIVEN.fullmatch(given) else f"{random.getrandbits(64):016x}"
    g.began = time.perf_counter()


def request_id() -> str:
    """The id of the present request."""
    found: str = g.get("request_id", "")
    return found


def finish(app: Flask, response: Response) -> None:
    """Echo the id, and write a line about a request that failed or took long, or about each."""
    response.headers[HEADER] = request_id()
    seconds = time.perf_counter() - g.began
    slow = seconds > SLOW_SECONDS and response.mimetype != STREAM
    if response.status_code >= 500 or slow or app.extensions["referee-settings"].guard.log_requests:
        write = log.warning if response.status_code >= 500 or slow else log.info
        write("request", status=response.status_code, ms=round(seconds * 1000, 1), **_speaker())


def _speaker() -> dict[str, str]:
    """Who asked, by ids that open nothing."""
    speaker = g.get("flask_httpauth_user")
    if not isinstance(speaker, Principal):
        return {}
    return {"role": speaker.role, "token_id": speaker.id}


def log_event(event: str, **what: object) -> None:
    """A line about something that the operator of a server wants to find again."""
    log.info(event, **_speaker(), **what)
