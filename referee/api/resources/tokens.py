"""Tokens of a table: handing them out, new secrets for them, taking them back; the join code."""

from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import (
    JoinCodeSchema,
    JoinedSchema,
    NewTokenSchema,
    TokenSchema,
    TokensSchema,
)
from referee.service.access import Principal
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
@operation(blueprint, "listTokens", TokensSchema, "The tokens, without their secrets.")
def list_all(table_id: str) -> ResponseReturnValue:
    """The table's tokens; for its host."""
    return {"items": list_tokens(event_log(), own_table(table_id), principal())}


@blueprint.route("/tables/<table_id>/tokens", methods=["POST"])
@operation(
    blueprint,
    "issueToken",
    JoinedSchema,
    "The token; it is shown this once.",
    status=201,
    write=True,
    body=NewTokenSchema,
)
def issue(new: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """Hand out a token, for a seat, a spectator or another host."""
    table = own_table(table_id)
    token, holder, entry = issue_token(
        event_log(), table, write_request(), new["role"], new["seat"], new["name"]
    )
    return token_answer(table, token, holder, entry)


@blueprint.route("/tables/<table_id>/tokens/<token_id>")
@operation(blueprint, "getToken", TokenSchema, "The token, without its secret.")
def show(table_id: str, token_id: str) -> ResponseReturnValue:
    """One token, for the host and whoever holds it; `self` is the token that asks."""
    return show_token(event_log(), own_table(table_id), principal(), token_id)


@blueprint.route("/tables/<table_id>/tokens/<token_id>", methods=["DELETE"])
@operation(blueprint, "revokeToken", EntrySchema, "The token is void from now on.", write=True)
def revoke(table_id: str, token_id: str) -> ResponseReturnValue:
    """Take a token back, or give up one's own (`self`); a seat it held is free again."""
    table = own_table(table_id)
    entry = revoke_token(event_log(), table, write_request(), token_id)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq)


@blueprint.route("/tables/<table_id>/tokens/<token_id>/rotation", methods=["POST"])
@operation(
    blueprint,
    "rotateToken",
    JoinedSchema,
    "The token's new secret; it is shown this once, and the old one is void.",
    status=201,
    write=True,
)
def rotate(table_id: str, token_id: str) -> ResponseReturnValue:
    """Give a token another secret; for the host, and for whoever holds it (`self`).

    It stays the same token: a seat keeps its seat, a device what it saw. Streams opened with the
    old secret end.
    """
    table = own_table(table_id)
    token, holder, entry = rotate_token(event_log(), table, write_request(), token_id)
    return token_answer(table, token, holder, entry)


@blueprint.route("/tables/<table_id>/join-code", methods=["POST"])
@operation(
    blueprint,
    "renewJoinCode",
    JoinCodeSchema,
    "The new code; the one before opens nothing any more.",
    status=201,
    write=True,
)
def renew(table_id: str) -> ResponseReturnValue:
    """Give the table another join code; for its host."""
    code, entry = renew_code(event_log(), own_table(table_id), write_request())
    return with_etag({"code": code}, entry.seq, 201)
