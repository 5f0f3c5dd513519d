"""Request ids, in responses, problems and the log."""

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
    """Take the request's id, or make one."""
    given = request.headers.get(HEADER)
    g.request_id = given if given and GIVEN.fullmatch(given) else f"{random.getrandbits(64):016x}"
    g.began = time.perf_counter()


def request_id() -> str:
    """Return the id of the current request."""
    current_id: str = g.get("request_id", "")
    return current_id


def finish(app: Flask, response: Response) -> None:
    """Add the id to the response, and log the request if it failed or was slow."""
    response.headers[HEADER] = request_id()
    seconds = time.perf_counter() - g.began
    slow = seconds > SLOW_SECONDS and response.mimetype != STREAM
    if response.status_code >= 500 or slow or app.extensions["referee-settings"].guard.log_requests:
        write = log.warning if response.status_code >= 500 or slow else log.info
        write("request", status=response.status_code, ms=round(seconds * 1000, 1), **_speaker())


def _speaker() -> dict[str, str]:
    speaker = g.get("flask_httpauth_user")
    if not isinstance(speaker, Principal):
        return {}
    return {"role": speaker.role, "token_id": speaker.id}


def log_event(event: str, **what: object) -> None:
    """Log something that the server's operator may look for."""
    log.info(event, **_speaker(), **what)
