"""Declare an operation at its route: who may use it, its inputs and its responses."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Literal

from flask import Blueprint, Response
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from referee.api.auth import (
    auth,
    authorise,
    authorise_group,
    authorise_tournament,
    is_host_by_now,
    principal,
)
from referee.api.language import language
from referee.api.limits.rates import NOT_COUNTED
from referee.api.limits.work import timed_tournament
from referee.api.rendering import entry_json
from referee.api.requests import read_json, write_request
from referee.api.schemas.moves import EntrySchema
from referee.api.spec import (
    ALWAYS,
    BODY,
    KEY_PARAMETER,
    LANG_PARAMETER,
    LANGUAGE_PARAMETER,
    LIMITED,
    MATCH_PARAMETER,
    TABLE,
    WRITES,
    problem_answers,
    security_of,
    who,
)
from referee.api.spec import headers as header_references
from referee.api.validation import validation
from referee.service.access import ANYBODY, GROUPS, OPERATORS, Principal, Rights
from referee.service.log.entries import dump
from referee.service.log.table_projection import LogEntry
from referee.service.problems import Problem

View = Callable[..., Any]
PARSER = FlaskParser()
NOTHING: Mapping[str, Any] = {}
# Kinds of problems that may depend on whether the sender is a host.
HOST_OR_NOT = ("forbidden", "conflict")
# What If-Match has to name: the table's present version; the same, unless the request repeats what
# the log holds already; nothing, since there is no table yet.
IfMatch = Literal["checked", "unless-confirmed", "none"]


@dataclass(frozen=True, slots=True)
class Operation:
    """A view for the description: ``doc`` returns what is said about it, beside ``also``."""

    method: str
    path: str
    view: View
    doc: Callable[[], dict[str, Any]]
    also: Mapping[str, Any]


class Resource(Blueprint):
    """A part of the API; its views are declared with ``operation``."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__)
        self.description = description
        self.operations: list[Operation] = []

    def operation(
        self,
        route: str,
        name: str,
        description: str,
        schema: Any = EntrySchema,
        *,
        body: type[Schema] | dict[str, Any] | None = None,
        reads_body: bool = False,
        largest: int | None = None,
        query: type[Schema] | None = None,
        headers: Sequence[dict[str, Any]] = (),
        status: int | None = None,
        write: bool | None = None,
        if_match: IfMatch = "checked",
        load: bool = True,
        fails: Sequence[str] = (),
        rights: Rights | None = ANYBODY,
        also: Mapping[str, Any] = NOTHING,
    ) -> Callable[[View], View]:
        """Declare a view's operation, and check what it declares before the view runs.

        Args:
            route: Method and path, such as ``"GET /tables"``. A view whose path names a table gets
                it as ``table`` instead of ``table_id``, and a tournament likewise.
            name: The operation's id.
            description: What the answer is.
            schema: Schema of the answer; None unless that is JSON.
            body: Schema of the body, which the view gets as its first argument, or a JSON Schema
                that describes one that it gets as parsed.
            reads_body: The view reads the body itself.
            largest: The largest body in bytes, where the usual limit does not fit.
            query: Schema of the query, which the view gets as an argument likewise.
            headers: OpenAPI descriptions of headers that the view reads itself.
            status: Status of the answer; by default 201 for a POST that writes, otherwise 200.
            write: The operation changes a table: it takes an Idempotency-Key and answers as writes
                do. With ``rights`` the view gets the ``request``, a WriteRequest, and may return
                the entry that answers it. By default everything but GET writes, if it has rights.
            if_match: How a write checks If-Match.
            load: False for a view that gets ``table_id`` without the table being read.
            fails: Kinds of problems beside the usual ones.
            rights: Who may use it; None for everybody, without a token.
            also: More of its OpenAPI description, such as further types of answers.
        """
        method, path = route.split()
        if write is None:
            write = method != "GET" and rights is not None
        if status is None:
            status = 201 if write and method == "POST" else 200

        def described(view: View) -> dict[str, Any]:
            """Return what is said about the operation."""
            counted = path not in NOT_COUNTED
            named = (*(LIMITED if counted else ()), *(("ETag",) if write else ()), *ALWAYS)
            answer = {"description": description, "headers": header_references(*named)}
            if schema is not None:
                answer["content"] = {"application/json": {"schema": schema}}
            kinds = [*_problem_kinds(rights, write, if_match, body is not None), *fails]
            kinds += ["too-many-requests"] if counted else []
            parameters: list[dict[str, Any]] = [LANGUAGE_PARAMETER, LANG_PARAMETER, *headers]
            doc: dict[str, Any] = {
                "operationId": name,
                "parameters": parameters,
                "security": security_of(rights, kinds),
                "responses": {str(status): answer, **problem_answers(kinds)},
            }
            if body is not None:
                content = {"application/json": {"schema": body}}
                doc["requestBody"] = {"required": True, "content": content}
            doc["description"] = _description(view, who(rights, kinds))
            if query is not None:
                parameters.append({"in": "query", "schema": query})
            if write:
                parameters += [KEY_PARAMETER, *([MATCH_PARAMETER] if if_match != "none" else [])]
            return doc

        def decorate(view: View) -> View:
            self.operations.append(Operation(method, path, view, partial(described, view), also))
            if write and rights is not None:
                view = _with_request(view, if_match, status)
            if body is not None and not reads_body:
                view = _with_body(view, body() if isinstance(body, type) else None, largest)
            if query is not None:
                view = PARSER.use_args(query, location="query")(view)
            if rights is not None:
                # Outermost, so that nobody learns anything before their rights are checked.
                if rights is GROUPS:
                    view = _with_group(view)
                elif "<tournament_id>" in path and rights is not OPERATORS:
                    view = _with_tournament(view, rights)
                else:
                    view = _with_rights(view, rights, load, fresh=not write)
                view = auth.login_required(optional=rights.public)(view)
            self.add_url_rule(path, view_func=view, methods=[method])
            return view

        return decorate


def _description(view: View, audience: str) -> str:
    """Return what the view's docstring says after its first line, and who may use it."""
    _, _, more = inspect.cleandoc(view.__doc__ or "").partition("\n\n")
    return f"{more}\n\n{audience}" if more else audience


def _with_group(view: View) -> View:
    @wraps(view)
    def checked(*args: Any, group_id: str, **kwargs: Any) -> Any:
        authorise_group(group_id)
        return view(*args, group_id=group_id, **kwargs)

    return checked


def _with_tournament(view: View, rights: Rights) -> View:
    @wraps(view)
    def checked(*args: Any, tournament_id: str, **kwargs: Any) -> Any:
        with timed_tournament(auth.current_user()):
            tournament = authorise_tournament(rights, tournament_id)
            return view(*args, tournament=tournament, **kwargs)

    return checked


def _problem_kinds(
    rights: Rights | None, write: bool, if_match: IfMatch, has_body: bool
) -> list[str]:
    # Any query may name a language that the referee does not speak.
    kinds = ["invalid-request", "internal-error"]
    if write:
        kinds += [kind for kind in WRITES if if_match != "none" or kind != "stale-version"]
    if has_body:
        kinds += BODY
    if rights is not None:
        kinds += TABLE
    if rights is not None or write:
        kinds.append("store-unavailable")
    return kinds


def _with_rights(view: View, rights: Rights, load: bool, fresh: bool) -> View:
    def admit(*args: Any, **kwargs: Any) -> Any:
        table = authorise(rights, kwargs, load, fresh)
        if table is not None:
            del kwargs["table_id"]
            kwargs["table"] = table
        return view(*args, **kwargs)

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        was_host = principal().is_host
        try:
            return admit(*args, **kwargs)
        except Problem as refused:
            # Another server process may just have made the sender a host, or ended that.
            if refused.kind not in HOST_OR_NOT or is_host_by_now() is was_host:
                raise
        return admit(*args, **kwargs)

    return checked


def _with_body(view: View, schema: Schema | None, largest: int | None) -> View:
    @wraps(view)
    def read(*args: Any, **kwargs: Any) -> Any:
        body = read_json(largest)
        if schema is not None:
            try:
                loaded = schema.load(body)
            except ValidationError as error:
                raise validation(error.messages, schema, body) from None
            return view(loaded, *args, **kwargs)
        return view(body, *args, **kwargs)

    return read


def _with_request(view: View, if_match: IfMatch, status: int) -> View:
    @wraps(view)
    def written(*args: Any, **kwargs: Any) -> Any:
        request = write_request(may_confirm=if_match == "unless-confirmed")
        answer = view(*args, request=request, **kwargs)
        if isinstance(answer, LogEntry):
            body = entry_json(kwargs["table"], answer, principal(), language())
            return with_etag(body, answer.seq, status)
        return answer

    return written


def with_etag(body: dict[str, Any], version: int, status: int = 200) -> Response:
    """Return a JSON answer that carries the table's version."""
    answer = Response(dump(body), status, mimetype="application/json")
    answer.set_etag(str(version))
    return answer


def token_answer(token: str, holder: Principal, entry: LogEntry) -> Response:
    """Return a token as it is handed out, this once."""
    body = {
        "table_id": holder.table_id,
        "role": holder.role,
        "seat": holder.seat,
        "token": token,
        "token_id": holder.id,
    }
    return with_etag(body, entry.seq, 201)
