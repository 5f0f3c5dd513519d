"""Tables: making one, reading it, joining it."""

from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, may_make_tables
from referee.api.language import language
from referee.api.middleware.limiting import limiter, sender_address
from referee.api.operation import operation, with_etag
from referee.api.rendering import table_json
from referee.api.requests import body_fingerprint, idempotency_key
from referee.api.schemas.tables import (
    JoinedSchema,
    JoinSchema,
    MadeTableSchema,
    NewTableSchema,
    TableSchema,
)
from referee.service.problems import Problem
from referee.service.table_projection import TableProjection
from referee.service.tables import create_table, find_table, join_table

blueprint = Blueprint("tables", __name__, description="Tables, and joining them")


def table_answer(table: TableProjection, status: int = 200) -> Response:
    """A table as an answer."""
    view = table_json(table, language())
    return with_etag(view, view["version"], status)


@blueprint.route("/tables", methods=["POST"])
@operation(
    blueprint,
    "createTable",
    MadeTableSchema,
    "The table, and its host's token.",
    status=201,
    rights=None,
    write=True,
    if_match="none",
    fails=("not-authenticated", "forbidden"),
    body=NewTableSchema,
)
def create(new: dict[str, Any]) -> ResponseReturnValue:
    """Create a table, as its host."""
    may_make_tables()
    table, token, _ = create_table(
        event_log(),
        new["ruleset"],
        new["options"],
        new["seats"],
        idempotency_key(),
        body_fingerprint(),
    )
    return with_etag({"table": table_json(table, language()), "token": token}, table.version, 201)


@blueprint.route("/tables/<table_id>")
@operation(blueprint, "getTable", TableSchema, "The table and its public state.")
def get(table: TableProjection) -> ResponseReturnValue:
    """A table as it stands."""
    return table_answer(table)


@blueprint.route("/join", methods=["POST"])
@operation(
    blueprint,
    "joinTable",
    JoinedSchema,
    "A token for the seat, or for watching.",
    status=201,
    rights=None,
    write=True,
    if_match="none",
    fails=("not-found", "seat-taken"),
    body=JoinSchema,
)
def join(wish: dict[str, Any]) -> ResponseReturnValue:
    """Take a free seat with the join code, or watch."""
    table, token, joiner, entry = join_table(
        event_log(), _table_of(wish["code"]), wish["seat"], idempotency_key(), body_fingerprint()
    )
    body = {
        "table_id": table.id,
        "role": joiner.role,
        "seat": joiner.seat,
        "token": token,
        "token_id": joiner.id,
    }
    return with_etag(body, entry.seq, 201)


def _table_of(code: str) -> TableProjection:
    """The table with this join code. Guessing is slow. Raises Problem."""
    for limit, sender in (("misses", sender_address()), ("all_misses", "")):
        limiter().check(limit, sender)
    try:
        return find_table(event_log(), code)
    except Problem:
        for limit, sender in (("misses", sender_address()), ("all_misses", "")):
            limiter().count(limit, sender)
        raise
