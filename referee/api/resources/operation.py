"""Describing an operation in one decorator: its name, what it answers, how it can fail."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from flask_smorest import Blueprint
from marshmallow import Schema, ValidationError

from referee.api.auth import auth
from referee.api.requests import read_json
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

View = Callable[..., Any]


def operation(
    blueprint: Blueprint,
    name: str,
    schema: Any,
    description: str,
    *,
    status: int = 200,
    token: bool = True,
    write: bool = False,
    match: bool = True,
    body: type[Schema] | dict[str, Any] | None = None,
    query: type[Schema] | None = None,
    headers: Sequence[dict[str, Any]] = (),
    fails: Sequence[str] = (),
) -> Callable[[View], View]:
    """Document a view, and ask for a token. ``schema`` is that of a JSON answer, if it is one.

    ``write`` adds what every write takes and may answer, ``match`` If-Match to that. ``body`` is
    the schema of the body, which the view then gets loaded as its first argument; given as a JSON
    Schema it only describes a body that the view reads itself. ``query`` is the schema of the
    query, which the view gets loaded likewise; ``headers`` describes those it reads itself.
    """
    parameters: list[dict[str, Any]] = [LANGUAGE_PARAMETER, LANG_PARAMETER, *headers]
    if query is not None:
        parameters.append({"in": "query", "schema": query})
    # Whatever is asked for, `lang` may name a language that nobody here speaks.
    kinds = ["too-many-requests", "invalid-request", *fails]
    if write:
        parameters.append(KEY_PARAMETER)
        kinds += [k for k in WRITES if match or k != "stale-version"]
        if match:
            parameters.append(MATCH_PARAMETER)
    if body is not None:
        kinds += BODY
    if token:
        kinds += TABLE
    if token or write:
        kinds.append("store-unavailable")
    answer: dict[str, Any] = {
        "description": description,
    }
    if schema is not None:
        answer["content"] = {"application/json": {"schema": schema}}
    doc: dict[str, Any] = {
        "operationId": name,
        "parameters": parameters,
        "security": [{"token": []}] if token else [],
        "responses": {str(status): answer, **problem_answers(kinds)},
    }
    if body is not None:
        doc["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}

    def decorate(view: View) -> View:
        if isinstance(body, type):
            view = _with_body(view, body())
        if query is not None:
            view = blueprint.arguments(query, location="query")(view)
        view = blueprint.doc(**doc)(view)
        # Outermost, so that nobody learns anything before the token is checked.
        return auth.login_required(view) if token else view

    return decorate


def _with_body(view: View, schema: Schema) -> View:
    @wraps(view)
    def read(*args: Any, **kwargs: Any) -> Any:
        try:
            body = schema.load(read_json())
        except ValidationError as error:
            raise validation(error.messages) from None
        return view(body, *args, **kwargs)

    return read
