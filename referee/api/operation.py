"""Declare an operation at its route: who may use it, what it takes, what it answers."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Literal

from flask import Response
from flask_smorest import Blueprint
from marshmallow import Schema, ValidationError

from referee.api.auth import auth, authorise, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import read_json, write_request
from referee.api.spec import (
    BODY,
    KEY_PARAMETER,
    LANG_PARAMETER,
    LANGUAGE_PARAMETER,
    MATCH_PARAMETER,
    TABLE,
    WRITES,
    problem_answers,
)
from referee.api.validation import validation
from referee.service.access import ANYBODY, Rights
from referee.service.event_log import dump
from referee.service.table_projection import LogEntry, TableProjection

View = Callable[..., Any]
# The version that If-Match names has to be the present one; so it has unless the request confirms
# what the log holds; there is no table yet.
IfMatch = Literal["checked", "unless-confirmed", "none"]


def operation(
    blueprint: Blueprint,
    name: str,
    schema: Any,
    description: str,
    *,
    status: int = 200,
    rights: Rights | None = ANYBODY,
    write: bool = False,
    if_match: IfMatch = "checked",
    body: type[Schema] | dict[str, Any] | None = None,
    reads_body: bool = False,
    load: bool = True,
    query: type[Schema] | None = None,
    headers: Sequence[dict[str, Any]] = (),
    fails: Sequence[str] = (),
) -> Callable[[View], View]:
    """Declare a view's operation, and check what it declares before the view runs.

    Args:
        blueprint: Where the view belongs.
        name: The operation's id.
        schema: Schema of the answer, if that is JSON.
        description: What the answer is.
        status: Status of the answer.
        rights: Who may use it; None for everybody, without a token. A view whose path names a
            table gets it as ``table`` instead of ``table_id``.
        write: The operation changes a table: it takes an Idempotency-Key and answers as writes do.
            With ``rights`` the view gets the ``request``, a WriteRequest.
        if_match: How a write checks If-Match.
        body: Schema of the body, which the view gets as its first argument, or a JSON Schema that
            describes one that it gets as parsed.
        reads_body: The view reads the body itself.
        load: False for a view that gets ``table_id`` without the table being read.
        query: Schema of the query, which the view gets as an argument likewise.
        headers: OpenAPI descriptions of headers that the view reads itself.
        fails: Kinds of problems beside the usual ones.
    """
    doc = _description(name, schema, description, status, rights, write, if_match, body, fails)
    doc["parameters"] += headers
    if query is not None:
        doc["parameters"].append({"in": "query", "schema": query})
    if write:
        doc["parameters"].append(KEY_PARAMETER)
        if if_match != "none":
            doc["parameters"].append(MATCH_PARAMETER)

    def decorate(view: View) -> View:
        if write and rights is not None:
            view = _with_request(view, if_match)
        if body is not None and not reads_body:
            view = _with_body(view, body() if isinstance(body, type) else None)
        if query is not None:
            view = blueprint.arguments(query, location="query")(view)
        view = blueprint.doc(**doc)(view)
        # Outermost, so that nobody learns anything before their rights are checked.
        return view if rights is None else auth.login_required(_with_rights(view, rights, load))

    return decorate


def _description(
    name: str,
    schema: Any,
    description: str,
    status: int,
    rights: Rights | None,
    write: bool,
    if_match: IfMatch,
    body: type[Schema] | dict[str, Any] | None,
    fails: Sequence[str],
) -> dict[str, Any]:
    # Any query may name a language that the referee does not speak.
    kinds = ["too-many-requests", "invalid-request", *fails]
    if write:
        kinds += [kind for kind in WRITES if if_match != "none" or kind != "stale-version"]
    if body is not None:
        kinds += BODY
    if rights is not None:
        kinds += TABLE
    if rights is not None or write:
        kinds.append("store-unavailable")
    answer: dict[str, Any] = {"description": description}
    if schema is not None:
        answer["content"] = {"application/json": {"schema": schema}}
    doc: dict[str, Any] = {
        "operationId": name,
        "parameters": [LANGUAGE_PARAMETER, LANG_PARAMETER],
        "security": [] if rights is None else [{"token": []}],
        "responses": {str(status): answer, **problem_answers(kinds)},
    }
    if body is not None:
        doc["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return doc


def _with_rights(view: View, rights: Rights, load: bool) -> View:
    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        table = authorise(rights, kwargs, load)
        if table is not None:
            del kwargs["table_id"]
            kwargs["table"] = table
        return view(*args, **kwargs)

    return checked


def _with_body(view: View, schema: Schema | None) -> View:
    @wraps(view)
    def read(*args: Any, **kwargs: Any) -> Any:
        body = read_json()
        if schema is not None:
            try:
                body = schema.load(body)
            except ValidationError as error:
                raise validation(error.messages) from None
        return view(body, *args, **kwargs)

    return read


def _with_request(view: View, if_match: IfMatch) -> View:
    @wraps(view)
    def written(*args: Any, **kwargs: Any) -> Any:
        request = write_request(may_confirm=if_match == "unless-confirmed")
        return view(*args, request=request, **kwargs)

    return written


def with_etag(body: dict[str, Any], version: int, status: int = 200) -> Response:
    """Return a JSON answer that carries the table's version."""
    answer = Response(dump(body), status, mimetype="application/json")
    answer.set_etag(str(version))
    return answer


def entry_answer(table: TableProjection, entry: LogEntry, status: int = 201) -> Response:
    """Return an entry of the log, in words for its sender."""
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, status)
