"""A table's events as pages or as a live stream, and its audit trail."""

from typing import Any

from flask import current_app, request
from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields, validate

from referee.api.auth import event_log, principal
from referee.api.language import language, requested_language, seat_language
from referee.api.operation import Resource
from referee.api.rendering import entry_json
from referee.api.schemas.common import PageQuery, page_of
from referee.api.schemas.moves import EntryPage
from referee.api.stream import last_event_id, stream
from referee.service.access import HOST
from referee.service.log.table_projection import TableProjection
from referee.service.people.tickets import TICKET_SECONDS
from referee.service.play.events import entries_after
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

    ticket = fields.String(validate=validate.Length(1, 100))
    pairings = fields.Boolean(
        load_default=False,
        metadata={
            "description": "The stream says by events `pairings`, which have no id, that there is "
            "news for `listPairings`."
        },
    )


class TicketSchema(Schema):
    """A ticket for one stream."""

    ticket = fields.String(required=True)
    seconds = fields.Integer(required=True)


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

    kind = fields.String(load_default="all", validate=validate.OneOf(tuple(KINDS)))


class AuditBySchema(Schema):
    """Who did it: a token's id and name."""

    token = fields.String(required=True)
    role = fields.String(required=True)
    seat = fields.Integer()
    host = fields.Boolean()
    name = fields.String(required=True, allow_none=True)


class AboutSchema(Schema):
    """The token concerned."""

    token = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class AuditItemSchema(Schema):
    """An entry of the audit trail."""

    id = fields.Integer(required=True, metadata={"description": "its place in the log"})
    kind = fields.String(required=True)
    at = fields.DateTime(required=True)
    by = fields.Nested(AuditBySchema, required=True)
    about = fields.Nested(AboutSchema)
    role = fields.String()
    seat = fields.Integer(allow_none=True)
    reason = fields.String(allow_none=True)
    how = fields.String(metadata={"description": "by whom somebody became a host"})
    why = fields.String(metadata={"description": "how a request to become a host ended"})
    change = fields.Dict(metadata={"description": "of a correction: what was changed"})
    changed = fields.List(
        fields.Dict(), metadata={"description": "rulings that came out otherwise"}
    )
    undone = fields.Integer(metadata={"description": "the redo that took this correction back"})
    scores_before = fields.List(fields.Integer())
    scores_after = fields.List(fields.Integer())


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
    found = audit(event_log(), table, principal(), query["kind"])
    later = [item for item in found if item["id"] > query["after"]]
    page = later[: query["limit"]]
    return {"items": page, "next": page[-1]["id"] if len(page) < len(later) else None}
