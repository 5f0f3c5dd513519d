"""Tokens of a table: handing them out, new secrets for them, taking them back; the join code."""

from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, principal
from referee.api.operation import entry_answer, operation, with_etag
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import (
    JoinCodeSchema,
    JoinedSchema,
    NewTokenSchema,
    TokenSchema,
    TokensSchema,
)
from referee.service.access import HOST, HOST_OR_HOLDER, Principal
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.tokens import (
    issue_token,
    list_tokens,
    renew_code,
    revoke_token,
    rotate_token,
    show_token,
)

blueprint = Blueprint("tokens", __name__, description="Who may speak at a table")


def token_answer(
    table: TableProjection, token: str, holder: Principal, entry: LogEntry, status: int = 201
) -> Response:
    """A token as it is handed out, this once."""
    body = {
        "table_id": table.id,
        "role": holder.role,
        "seat": holder.seat,
        "token": token,
        "token_id": holder.id,
    }
    return with_etag(body, entry.seq, status)


@blueprint.route("/tables/<table_id>/tokens")
@operation(blueprint, "listTokens", TokensSchema, "The tokens, without their secrets.", rights=HOST)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """The table's tokens; for its host."""
    return {"items": list_tokens(event_log(), table)}


@blueprint.route("/tables/<table_id>/tokens", methods=["POST"])
@operation(
    blueprint,
    "issueToken",
    JoinedSchema,
    "The token; it is shown this once.",
    status=201,
    write=True,
    body=NewTokenSchema,
    rights=HOST,
)
def issue(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Hand out a token, for a seat, a spectator or another host."""
    token, holder, entry = issue_token(
        event_log(), table, request, new["role"], new["seat"], new["name"]
    )
    return token_answer(table, token, holder, entry)


@blueprint.route("/tables/<table_id>/tokens/<token_id>")
@operation(
    blueprint, "getToken", TokenSchema, "The token, without its secret.", rights=HOST_OR_HOLDER
)
def show(table: TableProjection, token_id: str) -> ResponseReturnValue:
    """One token, for the host and its holder; `self` is the token sent."""
    return show_token(event_log(), table, principal(), token_id)


@blueprint.route("/tables/<table_id>/tokens/<token_id>", methods=["DELETE"])
@operation(
    blueprint,
    "revokeToken",
    EntrySchema,
    "The token is void from now on.",
    write=True,
    rights=HOST_OR_HOLDER,
)
def revoke(table: TableProjection, request: WriteRequest, token_id: str) -> ResponseReturnValue:
    """Take a token back, or give up one's own (`self`); a seat it held is free again."""
    entry = revoke_token(event_log(), table, request, token_id)
    return entry_answer(table, entry, 200)


@blueprint.route("/tables/<table_id>/tokens/<token_id>/rotation", methods=["POST"])
@operation(
    blueprint,
    "rotateToken",
    JoinedSchema,
    "The token's new secret; it is shown this once, and the old one is void.",
    status=201,
    write=True,
    rights=HOST_OR_HOLDER,
)
def rotate(table: TableProjection, request: WriteRequest, token_id: str) -> ResponseReturnValue:
    """Give a token another secret; for the host, and for its holder (`self`).

    It stays the same token: a seat keeps its seat, a device what it saw. Streams opened with the
    old secret end.
    """
    token, holder, entry = rotate_token(event_log(), table, request, token_id)
    return token_answer(table, token, holder, entry)


@blueprint.route("/tables/<table_id>/join-code", methods=["POST"])
@operation(
    blueprint,
    "renewJoinCode",
    JoinCodeSchema,
    "The new code; the one before opens nothing any more.",
    status=201,
    write=True,
    rights=HOST,
)
def renew(table: TableProjection, request: WriteRequest) -> ResponseReturnValue:
    """Give the table another join code; for its host."""
    code, entry = renew_code(event_log(), table, request)
    return with_etag({"code": code}, entry.seq, 201)
