"""A table's events, as pages or as a live stream."""

from typing import Any

from flask import current_app, request
from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields, validate

from referee.api.auth import event_log, principal
from referee.api.language import language, requested_language, seat_language
from referee.api.operation import Resource
from referee.api.rendering import entry_json
from referee.api.schemas.common import PageQuery
from referee.api.schemas.moves import EntryPage
from referee.api.stream import last_event_id, stream
from referee.service.events import entries_after
from referee.service.table_projection import TableProjection
from referee.service.tickets import TICKET_SECONDS

blueprint = Resource("events", "What happened, from any point on")
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


class TicketSchema(Schema):
    """A ticket for one stream."""

    ticket = fields.String(required=True)
    seconds = fields.Integer(required=True)


@blueprint.operation(
    "GET /tables/<table_id>/events",
    "listEvents",
    "A page of events, or, with `Accept: text/event-stream`, a stream of them.",
    EntryPage,
    query=EventQuery,
    headers=(LAST_EVENT_ID,),
    fails=("too-many-streams",),
)
@blueprint.doc(
    responses={
        "200": {
            "content": {
                EVENT_STREAM: {
                    "schema": {"type": "string"},
                    "example": 'id: 7\nevent: moved\ndata: {"id": 7, "kind": "moved"}\n\n',
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
        )
    after = last_event_id(table, query["after"])
    entries = entries_after(event_log(), table, after, query["limit"])
    more = bool(entries) and entries[-1].seq < table.version
    return {
        "items": [entry_json(table, entry, principal(), language()) for entry in entries],
        "next": entries[-1].seq if more else None,
    }


@blueprint.operation(
    "POST /tables/<table_id>/stream-tickets",
    "issueStreamTicket",
    "A ticket for one stream.",
    TicketSchema,
    status=201,
    write=False,
)
def issue_ticket(table: TableProjection) -> ResponseReturnValue:
    """A ticket that opens one stream within a minute, for a browser's EventSource."""
    ticket = current_app.extensions["referee-tickets"].issue(principal())
    return {"ticket": ticket, "seconds": TICKET_SECONDS}, 201
