"""A table's events as pages or as a live stream, and its audit trail."""

from datetime import datetime
from typing import Annotated, Any

from flask import current_app, request
from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from referee.api.auth import event_log, principal
from referee.api.language import language, requested_language, seat_language
from referee.api.operation import Resource
from referee.api.rendering import entry_json
from referee.api.schemas.common import PageQuery, page_of
from referee.api.schemas.moves import EntryPage
from referee.api.schemas.typed import Answer, Json, Maybe
from referee.api.stream import last_event_id, stream
from referee.service.access import HOST
from referee.service.log.table_projection import TableProjection
from referee.service.people.tickets import TICKET_SECONDS
from referee.service.play.views import entries_after
from referee.service.records.audit import KINDS, audit

events = Resource("events", "What happened, from any point on")
audit_trail = Resource("audit", "Who overruled what")


EVENT_STREAM = "text/event-stream"
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The last event that was seen: the stream goes on after it.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999},
}


class EventQuery(PageQuery):
    """The entry to start from; ``ticket`` replaces the token where headers cannot be sent."""

    ticket: Annotated[Maybe[str], validate.Length(1, 100)]
    pairings: Annotated[
        bool,
        "The stream says by events `pairings`, which have no id, that there is "
        "news for `listPairings`.",
    ] = False


class TicketSchema(Answer):
    """A ticket for one stream."""

    ticket: str
    seconds: int


@events.operation(
    "GET /tables/<table_id>/events",
    "listEvents",
    "A page of events, or, with `Accept: text/event-stream`, a stream of them.",
    EntryPage,
    query=EventQuery,
    headers=(LAST_EVENT_ID,),
    fails=("too-many-streams",),
    also={
        "responses": {
            "200": {
                "content": {
                    EVENT_STREAM: {
                        "schema": {"$ref": "#/components/schemas/StreamLine"},
                    }
                }
            }
        }
    },
)
def list_events(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """List the entries after an event."""
    fixed, header = requested_language(), language()
    accepts = request.accept_mimetypes
    if accepts.best_match(["application/json", EVENT_STREAM]) == EVENT_STREAM:
        settings = current_app.extensions["referee-settings"]
        reader = principal()
        return stream(
            event_log(),
            table,
            reader,
            lambda: fixed or seat_language(table, reader) or header,
            last_event_id(table, query["after"]),
            current_app.extensions["referee-streams"],
            settings.keep_alive,
            query["pairings"],
        )
    after = last_event_id(table, query["after"])
    entries = entries_after(event_log(), table, after, query["limit"])
    more = bool(entries) and entries[-1].seq < table.version
    return {
        "items": [entry_json(table, entry, principal(), language()) for entry in entries],
        "next": entries[-1].seq if more else None,
    }


@events.operation(
    "POST /tables/<table_id>/stream-tickets",
    "issueStreamTicket",
    "A ticket for one stream.",
    TicketSchema,
    status=201,
    write=False,
)
def issue_ticket(table: TableProjection) -> ResponseReturnValue:
    """Issue a ticket that opens one stream within a minute, for a browser's EventSource."""
    ticket = current_app.extensions["referee-tickets"].issue(principal())
    return {"ticket": ticket, "seconds": TICKET_SECONDS}, 201


class AuditQuery(PageQuery):
    """A page of the audit trail to read."""

    kind: Annotated[str, validate.OneOf(tuple(KINDS))] = "all"


class AuditBySchema(Answer):
    """Who did it: a token's id and name."""

    token: str
    role: str
    seat: Maybe[int]
    host: Maybe[bool]
    name: str | None


class AboutSchema(Answer):
    """The token concerned."""

    token: str
    name: str | None


class AuditItemSchema(Answer):
    """An entry of the audit trail."""

    id: Annotated[int, "its place in the log"]
    kind: str
    at: datetime
    by: AuditBySchema
    about: Maybe[AboutSchema]
    role: Maybe[str]
    seat: Maybe[int | None]
    reason: Maybe[str | None]
    how: Annotated[Maybe[str], "by whom somebody became a host"]
    why: Annotated[Maybe[str], "how a request to become a host ended"]
    change: Annotated[Maybe[Json], "of a correction: what was changed"]
    changed: Annotated[Maybe[list[Json]], "rulings that came out otherwise"]
    undone: Annotated[Maybe[int], "the redo that took this correction back"]
    scores_before: Maybe[list[int]]
    scores_after: Maybe[list[int]]


AuditPage = page_of(AuditItemSchema, "AuditPage", fields.Integer)


@audit_trail.operation(
    "GET /tables/<table_id>/audit",
    "getAudit",
    "What was decided.",
    AuditPage,
    query=AuditQuery,
    rights=HOST,
)
def show_audit(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """List corrections, and tokens given or revoked, with who did it; for the table's host."""
    entries = audit(event_log(), table, principal(), query["kind"])
    later = [item for item in entries if item["id"] > query["after"]]
    page = later[: query["limit"]]
    return {"items": page, "next": page[-1]["id"] if len(page) < len(later) else None}
