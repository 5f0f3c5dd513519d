"""Tokens of a table: handing them out and taking them back."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import house, own_table, principal
from referee.api.rendering import entry_json, language
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import JoinedSchema, NewTokenSchema, TokensSchema
from referee.service.access import require_host
from referee.service.tables import issue_token, revoke_token

blueprint = Blueprint("tokens", __name__, description="Who may speak at a table")


@blueprint.route("/tables/<table_id>/tokens")
@operation(blueprint, "listTokens", TokensSchema, "The tokens, without their secrets.")
def list_tokens(table_id: str) -> ResponseReturnValue:
    """The table's tokens; for its host."""
    table = own_table(table_id)
    require_host(principal())
    names = ("id", "role", "seat", "name", "created", "revoked")
    rows = house().reader.tokens_of(table.id)
    return {"items": [{name: row[name] for name in names} for row in rows]}


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
        house(), table, write_request(), new["role"], new["seat"], new["name"]
    )
    body = {
        "table_id": table.id,
        "role": holder.role,
        "seat": holder.seat,
        "token": token,
        "token_id": holder.id,
    }
    return with_etag(body, entry.seq, 201)


@blueprint.route("/tables/<table_id>/tokens/<token_id>", methods=["DELETE"])
@operation(blueprint, "revokeToken", EntrySchema, "The token is void from now on.", write=True)
def revoke(table_id: str, token_id: str) -> ResponseReturnValue:
    """Take a token back; a seat it held is free again."""
    table = own_table(table_id)
    entry = revoke_token(house(), table, write_request(), token_id)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq)
