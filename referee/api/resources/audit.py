"""The audit trail."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields, validate

from referee.api.auth import event_log, principal
from referee.api.operation import Resource
from referee.api.schemas.common import PageQuery
from referee.service.access import HOST
from referee.service.audit import KINDS, audit
from referee.service.table_projection import TableProjection

blueprint = Resource("audit", "Who overruled what")


class AuditQuery(PageQuery):
    """A page of the audit trail to read."""

    kind = fields.String(load_default="all", validate=validate.OneOf(tuple(KINDS)))


class AuditBySchema(Schema):
    """Who did it: a token's id and name."""

    token = fields.String(required=True)
    role = fields.String(required=True)
    seat = fields.Integer()
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
    change = fields.Dict(metadata={"description": "of a correction: what was changed"})
    changed = fields.List(
        fields.Dict(), metadata={"description": "rulings that came out otherwise"}
    )
    scores_before = fields.List(fields.Integer())
    scores_after = fields.List(fields.Integer())


class AuditPage(Schema):
    """A page of the audit trail, oldest first."""

    items = fields.List(fields.Nested(AuditItemSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


@blueprint.operation(
    "GET /tables/<table_id>/audit",
    "getAudit",
    "What was decided.",
    AuditPage,
    query=AuditQuery,
    rights=HOST,
)
def show(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Corrections, and who was let in or shut out, with who did it; for the table's host."""
    found = audit(event_log(), table, principal(), query["kind"])
    later = [item for item in found if item["id"] > query["after"]]
    page = later[: query["limit"]]
    return {"items": page, "next": page[-1]["id"] if len(page) < len(later) else None}
