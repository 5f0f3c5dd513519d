"""Tables for the operator of the server, with the operator's key."""

from datetime import datetime
from typing import Annotated, Any

from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from referee.api.auth import event_log
from referee.api.middleware.tracing import log_event
from referee.api.operation import Resource, token_answer
from referee.api.schemas.common import LanguageQuery, page_of
from referee.api.schemas.tables import JoinedSchema
from referee.api.schemas.typed import Answer, Strict
from referee.rules.message import Message, quoted
from referee.service.access import OPERATORS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.host_changes import make_host
from referee.service.people.operator import (
    close_table,
    let_host_in,
    list_tables,
    open_again,
    purge_tables,
)
from referee.service.people.tokens import revoke_token
from referee.service.problems import Problem

blueprint = Resource("operator", "For the operator of the server")


class TablesQuery(LanguageQuery):
    """A page of tables: those after an id."""

    after: Annotated[str, validate.Length(max=32), {"pattern": "^[A-Za-z0-9._-]*$"}] = ""
    limit: Annotated[int, validate.Range(1, 200)] = 50


class ListedTableSchema(Answer):
    """A table as its operator sees it: no hand, no score, no code."""

    id: str
    ruleset: str
    seats: int
    created: datetime
    entries: int
    last: Annotated[datetime, "when it was last written to"]
    closed: datetime | None


ListedTablePage = page_of(ListedTableSchema, "ListedTablePage", fields.String)


class ClosingSchema(Strict):
    """The reason for closing a table."""

    reason: Annotated[str | None, validate.Length(1, 200)] = None


class NewHostSchema(Strict):
    """Another host for a table."""

    name: Annotated[str | None, validate.Length(1, 80)] = None


class PurgedSchema(Answer):
    """A purged table."""

    purged: Annotated[str, "its id"]


def _logged(table: TableProjection, entry: LogEntry) -> LogEntry:
    log_event(f"table {entry.kind}", table=table.id, entry=entry.seq)
    return entry


@blueprint.operation(
    "GET /operator/tables",
    "listTables",
    "The server's tables.",
    ListedTablePage,
    query=TablesQuery,
    rights=OPERATORS,
)
def list_all(query: dict[str, Any]) -> ResponseReturnValue:
    """List the server's tables, by id."""
    items = list_tables(event_log(), query["after"], query["limit"] + 1)
    page = items[: query["limit"]]
    return {"items": page, "next": page[-1]["id"] if len(page) < len(items) else None}


@blueprint.operation(
    "POST /operator/tables/<table_id>/closing",
    "closeTable",
    "Nothing more is written at the table.",
    body=ClosingSchema,
    rights=OPERATORS,
)
def close(given: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Close a table: it can be read and exported, but not changed."""
    return _logged(table, close_table(event_log(), table, request, given["reason"]))


@blueprint.operation(
    "DELETE /operator/tables/<table_id>/closing",
    "openTableAgain",
    "The table takes moves again.",
    rights=OPERATORS,
)
def reopen(table: TableProjection, request: WriteRequest) -> LogEntry:
    """Open a closed table again."""
    return _logged(table, open_again(event_log(), table, request))


@blueprint.operation(
    "POST /operator/tables/<table_id>/hosts",
    "letHostIn",
    "A host's token; it is shown this once.",
    JoinedSchema,
    body=NewHostSchema,
    rights=OPERATORS,
)
def let_in(
    given: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Issue another host's token, for a table whose host has lost theirs."""
    token, host, entry = let_host_in(event_log(), table, request, given["name"])
    log_event("host let in", table=table.id, entry=entry.seq, given=host.id)
    return token_answer(token, host, entry)


@blueprint.operation(
    "PUT /operator/tables/<table_id>/seats/<int:seat>/host",
    "appointHost",
    "The seat's phone is a host as well.",
    rights=OPERATORS,
)
def appoint(table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Make the phone of a seat a host, for a table whose host's phone is lost."""
    return _logged(table, make_host(event_log(), table, request, seat))


@blueprint.operation(
    "DELETE /operator/tables/<table_id>/tokens/<token_id>",
    "shutOut",
    "The token is void from now on.",
    rights=OPERATORS,
)
def shut_out(table: TableProjection, request: WriteRequest, token_id: str) -> LogEntry:
    """Revoke any token of any table, even a host's."""
    return _logged(table, revoke_token(event_log(), table, request, token_id))


@blueprint.operation(
    "DELETE /operator/tables/<table_id>",
    "purgeTable",
    "The table is gone, with its log and tokens.",
    PurgedSchema,
    write=False,
    load=False,
    rights=OPERATORS,
)
def purge(table_id: str) -> ResponseReturnValue:
    """Delete a table for good: its log, its tokens, everything."""
    if not purge_tables(event_log(), [table_id]):
        raise Problem("not-found", Message("There is no table {table}.", table=quoted(table_id)))
    log_event("table purged", table=table_id)
    return {"purged": table_id}
