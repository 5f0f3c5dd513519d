"""Errors as problem+json (RFC 9457). Types and statuses never change."""

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import structlog
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from referee.api.language import language
from referee.api.middleware.tracing import request_id
from referee.api.validation import cut, validation
from referee.rules.message import Message
from referee.service.log.entries import dump
from referee.service.problems import Problem
from referee.store.errors import StoreUnavailable
from referee.texts import translate

log = structlog.get_logger(__name__)
MEDIA_TYPE = "application/problem+json"
PREFIX = "/problems/"
RETRY_AFTER = 2
# Characters of what a problem repeats, and bytes of its errors together.
LONGEST_DETAIL = 600
LONGEST_REASON = 500
LONGEST_PATH = 200
ROOM_FOR_ERRORS = 3_000

# kind → status, title
KINDS: Mapping[str, tuple[int, str]] = {
    "malformed-json": (400, "The body is not JSON"),
    "bad-request": (400, "The request cannot be understood"),
    "not-authenticated": (401, "A valid token is required"),
    "forbidden": (403, "Not allowed with this token"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "not-acceptable": (406, "Not available in this format"),
    "conflict": (409, "Not possible in this state"),
    "closed": (409, "The table is closed"),
    "table-full": (409, "The table is full"),
    "seat-taken": (409, "The seat is taken"),
    "no-effect": (409, "The correction changes nothing"),
    "not-approved": (409, "A custom card is not approved by all"),
    "too-slow": (408, "The request came too slowly"),
    "stale-version": (412, "The table has changed"),
    "too-large": (413, "The body is too large"),
    "uri-too-long": (414, "The address is too long"),
    "unsupported-media-type": (415, "Unsupported media type"),
    "invalid-request": (422, "The request is invalid"),
    "invalid-record": (422, "The record cannot be read"),
    "unreadable-photo": (422, "The photo cannot be read"),
    "key-reused": (422, "The Idempotency-Key belongs to another request"),
    "too-many-requests": (429, "Too many requests"),
    "headers-too-large": (431, "The headers are too large"),
    "internal-error": (500, "The server failed"),
    "newer-log": (501, "This table is newer than the server"),
    "no-watcher": (503, "Nothing reads pictures just now"),
    "no-reader": (501, "This server cannot read photos"),
    "too-many-connections": (503, "Too many connections are open"),
    "busy": (503, "The server is busy"),
    "too-many-streams": (503, "No event stream is free"),
    "not-ready": (503, "The server is not ready"),
    "store-unavailable": (503, "The store is unavailable"),
}
KIND_BY_STATUS: Mapping[int, str] = {
    400: "bad-request",
    401: "not-authenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "too-slow",
    413: "too-large",
    414: "uri-too-long",
    415: "unsupported-media-type",
    422: "invalid-request",
    429: "too-many-requests",
    431: "headers-too-large",
}
# Details for errors that Flask and werkzeug raise.
DETAILS: Mapping[int, str] = {
    400: "The server cannot understand this request.",
    404: "This address does not exist.",
    405: "This address does not support this method.",
    406: "This address does not support that format.",
    408: "The request came too slowly; send it again.",
    413: "The body is larger than this server takes.",
    414: "The address is longer than this server takes.",
    415: "Send the body as application/json.",
    431: "The headers are larger than this server takes.",
}


def problem_body(problem: Problem, lang: str) -> dict[str, Any]:
    """Return a problem as JSON, in a language.

    It stays small whatever was sent: what the client has chosen is cut, and errors beyond
    ``ROOM_FOR_ERRORS`` are only counted.
    """
    status, title = KINDS[problem.kind]
    body: dict[str, Any] = {
        "type": PREFIX + problem.kind,
        "title": translate(title, lang),
        "status": status,
        "detail": cut(translate(problem.detail, lang), LONGEST_DETAIL),
    }
    if problem.errors:
        body["errors"] = _errors(problem, lang)
        left_out = problem.count - len(body["errors"])
        if left_out:
            body["more_errors"] = left_out
    return {**body, **problem.extra}


def _errors(problem: Problem, lang: str) -> list[dict[str, str]]:
    errors: list[dict[str, str]] = []
    room = ROOM_FOR_ERRORS
    for field, reason in problem.errors:
        error = {"field": cut(field), "reason": cut(translate(reason, lang), LONGEST_REASON)}
        room -= len(dump(error))
        if errors and room < 0:
            break
        errors.append(error)
    return errors


def problem_told(problem: Problem) -> dict[str, Any]:
    """Return the problem's JSON in the reader's language, with the request that it is about."""
    path = cut(request.path, LONGEST_PATH)
    return {**problem_body(problem, language()), "instance": path, "request_id": request_id()}


def problem_response(problem: Problem) -> Response:
    """Return the response for a problem."""
    status, _ = KINDS[problem.kind]
    body = problem_told(problem)
    answer = Response(dump(body), status, mimetype=MEDIA_TYPE)
    if status == 503:
        answer.headers["Retry-After"] = str(RETRY_AFTER)
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="referee"'
    if "retry_after" in problem.extra:
        answer.headers["Retry-After"] = str(problem.extra["retry_after"])
    current_app.extensions["referee-metrics"].refused(problem.kind)
    return answer


def register(app: Flask) -> None:
    """Respond to every error of the app with a problem."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(StoreUnavailable, _from_store)
    app.register_error_handler(HTTPException, _from_http)
    app.register_error_handler(Exception, _from_failure)


def _from_http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return Response(status=status, headers=error.get_headers())
    messages = getattr(error, "data", None)
    if messages and "messages" in messages:
        errors = {k: v for by_field in messages["messages"].values() for k, v in by_field.items()}
        return problem_response(validation(errors, messages.get("schema")))
    kind = KIND_BY_STATUS.get(status, "bad-request" if status < 500 else "internal-error")
    detail = DETAILS.get(status, KINDS[kind][1])
    if isinstance(error, NotFound):
        meant = nearest(request.path)
        if meant is not None:
            detail = Message("{said} Did you mean {meant}?", said=Message(detail), meant=meant)
    if not isinstance(error, MethodNotAllowed):
        return problem_response(Problem(kind, detail))
    methods = ", ".join(sorted(set(error.valid_methods or ()) - {"OPTIONS", "HEAD"}))
    detail = Message("{said} It supports {methods}.", said=Message(detail), methods=methods)
    answer = problem_response(Problem(kind, detail))
    answer.headers["Allow"] = error.get_response().headers["Allow"]
    return answer


def store_unavailable() -> Problem:
    """Return the problem for a store that cannot be reached."""
    return Problem(
        "store-unavailable",
        "What is stored cannot be reached just now; a write may or may not have been made. Send it "
        "again, with the same Idempotency-Key.",
    )


def _from_store(error: StoreUnavailable) -> Response:
    if error.__cause__ is not None:
        reason = str(error.__cause__).splitlines()[0]
        log.error("store unavailable", path=request.path, method=request.method, reason=reason)
    return problem_response(store_unavailable())


def _from_failure(error: Exception) -> Response:
    log.error("request failed", exc_info=error)
    return problem_response(
        Problem(
            "internal-error",
            "Something went wrong on the server; a write may or may not have been made. Send it "
            "again, with the same Idempotency-Key.",
        )
    )


LONGEST_PATH = 120
MOST_PARTS = 8
ALIKE = 0.6
CACHE_SIZE = 256
# What stands before the operations, or is left out by mistake.
BEFORE = re.compile(r"^/+(api/+)?(v[0-9]+/+)?")
PLACEHOLDER = re.compile(r"<.*>")


def nearest(path: str) -> str | None:
    """Return the operation's path that is most like a path, with the same ids; None if none is."""
    if len(path) > LONGEST_PATH or path.count("/") > MOST_PARTS:
        return None
    rules = (rule.rule for rule in current_app.url_map.iter_rules() if rule.methods)
    return _nearest(path, tuple(rule for rule in rules if rule.startswith("/api/")))


@lru_cache(CACHE_SIZE)
def _nearest(path: str, rules: tuple[str, ...]) -> str | None:
    given = _parts(path)
    best = max(((_likeness(given, _parts(rule)), rule) for rule in rules), default=(0.0, ""))
    if best[0] < ALIKE:
        return None
    filled = [
        ours if PLACEHOLDER.fullmatch(theirs) else theirs
        for ours, theirs in zip(given, _parts(best[1]), strict=True)
    ]
    return "/".join([BEFORE.match(best[1])[0].rstrip("/"), *filled])  # type: ignore[index]


def _parts(path: str) -> list[str]:
    return [part for part in BEFORE.sub("", path).split("/") if part]


def _likeness(given: list[str], known: list[str]) -> float:
    """Return how alike two paths are, by the part in which they differ most."""
    if len(given) != len(known):
        return 0.0
    pairs: Iterable[tuple[str, str]] = zip(given, known, strict=True)
    named = [(ours, theirs) for ours, theirs in pairs if not PLACEHOLDER.fullmatch(theirs)]
    return min((_ratio(ours.casefold(), theirs) for ours, theirs in named), default=0.0)


def _ratio(first: str, second: str) -> float:
    matcher = SequenceMatcher(None, first, second)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0
