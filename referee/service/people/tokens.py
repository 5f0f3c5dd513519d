"""The tokens of a table: issue, rotate and revoke them."""

from typing import Any

from sqlalchemy import RowMapping, update

from referee.rules.message import Message
from referee.service.access import ROLES, SELF, Principal, hash_token, mark_of, new_code
from referee.service.log.entries import now
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.host_changes import check_may_end
from referee.service.people.rotation import proof_of
from referee.service.people.tables import check_seat, token_row
from referee.service.problems import Problem, invalid
from referee.store.purge import delete_worker_files
from referee.store.schema import tables, tokens

SHOWN = ("id", "role", "seat", "name", "created", "revoked")


def list_tokens(log: EventLog, table: TableProjection) -> list[dict[str, Any]]:
    """Return the table's tokens without their secrets."""
    return [_shown(table, row) for row in log.reader.tokens_of(table.id)]


def show_token(
    log: EventLog, table: TableProjection, principal: Principal, token_id: str
) -> dict[str, Any]:
    """Return a token without its secret. Raises Problem."""
    token_id = _named(token_id, principal)
    return _shown(table, _find(log, table, token_id))


def issue_token(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    role: str,
    seat: int | None,
    name: str | None,
) -> tuple[str, Principal, LogEntry]:
    """Issue a token; return it, its holder and the entry. Raises Problem."""
    if role not in ROLES:
        raise invalid("role", Message("must be one of {choices}", choices=", ".join(ROLES)))
    if (role == "seat") != (seat is not None):
        raise invalid("seat", "goes with the role seat, and with no other")
    holder = Principal(log.tokens.id("issue", request.request_key), table.id, role, seat, name)
    token = log.tokens.token("issue", request.request_key)

    def decide() -> Change:
        if seat is not None:
            check_seat(table, seat)
        body = {"by": request.principal.to_json(), "role": role, "seat": seat, "token": holder.id}
        kind = "token-issued" if seat is None else "joined"
        return Change([(kind, body)], before=[token_row(holder, token)])

    entry, _ = log.write(table, request, decide)
    return token, holder, entry


def rotate_token(
    log: EventLog, table: TableProjection, request: WriteRequest, token_id: str
) -> tuple[str, Principal, LogEntry]:
    """Give a token a new secret; the old one becomes void. Raises Problem."""
    token_id = _named(token_id, request.principal)
    token = log.tokens.token("rotate", request.request_key)
    row = _find(log, table, token_id)

    def decide() -> Change:
        # Under the table's lock: of two that come at once, the second voids the first one's.
        nonlocal row
        row = _find(log, table, token_id)
        if row["revoked"] is not None:
            raise Problem("conflict", "This token was revoked; issue another one.")
        if token_id != request.principal.id:
            check_may_end(table, request.principal, token_id)
        body = {"by": request.principal.to_json(), "token": token_id, "void": mark_of(row["hash"])}
        if token_id == request.principal.id and request.key is not None:
            body["proof"] = proof_of(log, row["hash"])
        renew = update(tokens).where(tokens.c.id == token_id).values(hash=hash_token(token))
        return Change([("token-rotated", body)], before=[(renew, {})])

    entry, repeated = log.write(table, request, decide)
    if not repeated:
        log.holders.forget(entry.body["void"], row["hash"])
        table.announce()
    return token, Principal(token_id, table.id, row["role"], row["seat"], row["name"]), entry


def revoke_token(
    log: EventLog, table: TableProjection, request: WriteRequest, token_id: str
) -> LogEntry:
    """Revoke a token; a seat it held is free again. Raises Problem."""
    token_id = _named(token_id, request.principal)
    row = _find(log, table, token_id)

    def decide() -> Change:
        check_may_end(table, request.principal, token_id)
        body = {"by": request.principal.to_json(), "token": token_id}
        revoke = update(tokens).where(tokens.c.id == token_id).values(revoked=now())
        return Change([("token-revoked", body)], before=[(revoke, {})])

    entry, _ = log.write(table, request, decide)
    log.holders.forget(token_id, row["hash"])
    delete_worker_files(log.engine, table.id, token_id)
    table.announce()
    return entry


def renew_code(
    log: EventLog, table: TableProjection, request: WriteRequest
) -> tuple[str, LogEntry]:
    """Replace the join code. Raises Problem."""
    code = new_code()

    def decide() -> Change:
        body = {"by": request.principal.to_json(), "code": code}
        renew = update(tables).where(tables.c.id == table.id).values(code=code)
        return Change([("code-renewed", body)], before=[(renew, {})])

    entry, _ = log.write(table, request, decide)
    return entry.body["code"], entry


def _named(token_id: str, principal: Principal) -> str:
    return principal.id if token_id == SELF else token_id


def _find(log: EventLog, table: TableProjection, token_id: str) -> RowMapping:
    for row in log.reader.tokens_of(table.id):
        if row["id"] == token_id:
            return row
    raise Problem("not-found", "There is no such token at this table.")


def _shown(table: TableProjection, row: RowMapping) -> dict[str, Any]:
    host = row["id"] in table.meta.hosts.held
    return {**{name: row[name] for name in SHOWN}, "host": host}
