"""A table's tokens: issue, rotate and revoke them; the join code."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log, principal
from referee.api.operation import Resource, token_answer, with_etag
from referee.api.schemas.tables import (
    JoinCodeSchema,
    JoinedSchema,
    NewTokenSchema,
    TokenSchema,
    TokensSchema,
)
from referee.service.access import HOST, HOST_OR_HOLDER
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tokens import (
    issue_token,
    list_tokens,
    renew_code,
    revoke_token,
    rotate_token,
    show_token,
)

blueprint = Resource("tokens", "Who may speak at a table")


@blueprint.operation(
    "GET /tables/<table_id>/tokens",
    "listTokens",
    "The tokens, without their secrets.",
    TokensSchema,
    rights=HOST,
)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """List the table's tokens; for its host."""
    return {"items": list_tokens(event_log(), table)}


@blueprint.operation(
    "POST /tables/<table_id>/tokens",
    "issueToken",
    "The token; it is shown this once.",
    JoinedSchema,
    body=NewTokenSchema,
    rights=HOST,
)
def issue(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Issue a token for a seat, a spectator or another host."""
    return token_answer(
        *issue_token(event_log(), table, request, new["role"], new["seat"], new["name"])
    )


@blueprint.operation(
    "GET /tables/<table_id>/tokens/<token_id>",
    "getToken",
    "The token, without its secret.",
    TokenSchema,
    rights=HOST_OR_HOLDER,
)
def show(table: TableProjection, token_id: str) -> ResponseReturnValue:
    """Return one token, to the host and its holder; `self` is the token sent."""
    return show_token(event_log(), table, principal(), token_id)


@blueprint.operation(
    "DELETE /tables/<table_id>/tokens/<token_id>",
    "revokeToken",
    "The token is void from now on.",
    rights=HOST_OR_HOLDER,
)
def revoke(table: TableProjection, request: WriteRequest, token_id: str) -> LogEntry:
    """Revoke a token, or one's own (`self`); a seat it held is free again."""
    return revoke_token(event_log(), table, request, token_id)


@blueprint.operation(
    "POST /tables/<table_id>/tokens/<token_id>/rotation",
    "rotateToken",
    "The token's new secret; it is shown this once, and the old one is void.",
    JoinedSchema,
    rights=HOST_OR_HOLDER,
)
def rotate(table: TableProjection, request: WriteRequest, token_id: str) -> ResponseReturnValue:
    """Give a token a new secret; for the host, and for its holder (`self`).

    It stays the same token: a seat keeps its seat, a device what it saw. Streams opened with the
    old secret end. If the answer is lost, repeat the request within five minutes, with the old
    secret and the same Idempotency-Key, of at least 16 characters: it gets the same answer.
    """
    return token_answer(*rotate_token(event_log(), table, request, token_id))


@blueprint.operation(
    "POST /tables/<table_id>/join-code",
    "renewJoinCode",
    "The new code; the one before opens nothing any more.",
    JoinCodeSchema,
    rights=HOST,
)
def renew(table: TableProjection, request: WriteRequest) -> ResponseReturnValue:
    """Give the table a new join code; for its host."""
    code, entry = renew_code(event_log(), table, request)
    body = {"code": code, "invitation": event_log().tokens.invitation(code)}
    return with_etag(body, entry.seq, 201)
