"""Authentication by bearer tokens, and by tickets for streams that cannot send headers."""

import hmac
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Response, current_app, request
from flask_httpauth import HTTPTokenAuth

from referee.api.language import seat_language, set_seat_language
from referee.api.limits.rates import limiter, sender_address
from referee.api.problems import problem_response
from referee.service.access import (
    ANYBODY,
    GROUPS,
    OPERATOR,
    OPERATORS,
    Principal,
    Rights,
    check_rights,
    hash_token,
    is_code,
)
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import TableProjection
from referee.service.people.rotation import rotated_holder
from referee.service.problems import Problem
from referee.service.tournaments.log import TournamentLog, TournamentProjection


class TableAuth(HTTPTokenAuth):
    """Bearer tokens; a request without one may still bring a ticket."""

    def authenticate(self, auth: Any, _: Any) -> Principal | None:
        """Return the holder of the request's token or ticket."""
        return verify(getattr(auth, "token", None) or "")


auth = TableAuth(scheme="Bearer")


def event_log() -> EventLog:
    """Return the event log of the app."""
    log: EventLog = current_app.extensions["referee"]
    return log


def verify(token: str) -> Principal | None:
    """Return the holder of a bearer token, or of the ticket in its place."""
    if token:
        known = event_log().holders.by_token(token)
        if known is None:
            return OPERATOR if _is_operator_key(token) else _repeats_rotation(token)
        limiter().count("token", known.id)
        event_log().mark_seen(known)
        _remember_language(known)
        return known
    if _takes_ticket():
        holder = current_app.extensions["referee-tickets"].redeem(request.args["ticket"])
        if isinstance(holder, Principal):
            limiter().count("token", holder.id)
            _remember_language(holder)
            return holder
    return None


def _takes_ticket() -> bool:
    return bool(request.args.get("ticket")) and request.endpoint == "events.list_events"


def _repeats_rotation(token: str) -> Principal | None:
    """Return whose token it was, if this repeats the request that has just replaced it."""
    if request.endpoint != "tokens.rotate" or request.view_args is None:
        return None
    sender = f"rotation:{sender_address()}"
    if limiter().is_reached("misses", sender):
        return None
    key, path = request.headers.get("Idempotency-Key"), request.view_args
    holder = rotated_holder(event_log(), path["table_id"], path["token_id"], token, key)
    if holder is None:
        limiter().note("misses", sender)
    return holder


def _is_operator_key(token: str) -> bool:
    extensions = current_app.extensions
    keys = (extensions["referee-settings"].guard.operator_key, extensions["referee-local-key"])
    hashed = hash_token(token)
    return any(hmac.compare_digest(hashed, hash_token(key)) for key in keys if key)


def speaks_for_operator() -> bool:
    """Return whether the request brings the operator's key."""
    sent = auth.get_auth()
    return _is_operator_key(getattr(sent, "token", None) or "")


def may_make_tables() -> None:
    """Check that the sender may create a table, and has not created too many. Raises Problem."""
    if speaks_for_operator():
        return
    if not current_app.extensions["referee-settings"].guard.tables_by_operator:
        limiter().count("tables", sender_address())
    elif auth.get_auth() is None:
        raise Problem("not-authenticated", "Only the operator of this server makes tables.")
    else:
        raise Problem("forbidden", "Only the operator of this server makes tables.")


def _remember_language(known: Principal) -> None:
    if known.seat is not None:
        set_seat_language(seat_language(event_log().table(known.table_id), known))


@auth.error_handler
def refuse(status: int) -> Response:
    """Refuse a request without a valid token."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.casefold() != "bearer" and _takes_ticket():
        detail = "The ticket was used or has expired: take a new one."
    elif scheme.casefold() != "bearer":
        detail = "Send the table's token as 'Authorization: Bearer …'."
    elif is_code(given):
        detail = "This is a join code: POST /join gives a token for it."
    else:
        detail = "The token is unknown or was revoked."
    return problem_response(Problem("not-authenticated", detail))


def principal() -> Principal:
    """Return the holder of the request's token. Raises Problem."""
    holder = auth.current_user()
    if not isinstance(holder, Principal):
        raise Problem("not-authenticated", "Send the table's token as 'Authorization: Bearer …'.")
    return event_log().holders.acting(holder, (request.view_args or {}).get("table_id"))


def reader() -> Principal | None:
    """Return the holder of the request's token; None without one. Raises Problem."""
    if auth.get_auth() is None and "ticket" not in request.args:
        return None
    return principal()


def tournament_log() -> TournamentLog:
    """Return the log of the app's tournaments."""
    log: TournamentLog = current_app.extensions["referee-tournaments"]
    return log


def authorise_tournament(rights: Rights, tournament_id: str) -> TournamentProjection:
    """Check that the sender may use an operation, and return the tournament. Raises Problem."""
    sender = reader() if rights.public else principal()
    if sender is None or not _belongs(sender, tournament_id):
        if not rights.public:
            check_rights(principal(), replace(rights, roles=()))
        tournament = tournament_log().tournament(tournament_id)
        if not tournament.state.settings.public:
            kind = "not-authenticated" if sender is None else "forbidden"
            raise Problem(kind, rights.refusal)
        return tournament
    check_rights(sender, rights)
    return tournament_log().tournament(tournament_id)


def _belongs(sender: Principal, tournament_id: str) -> bool:
    """Return whether the sender is of the tournament, or of one of its tables."""
    if not sender.table_id:
        return sender.tournament_id == tournament_id
    place = event_log().fresh(sender.table_id).meta.tournament
    if not event_log().holders.is_valid(sender):
        raise Problem("not-authenticated", "The token is unknown or was revoked.")
    return place is not None and place["id"] == tournament_id


def authorise_group(group_id: str) -> Principal:
    """Check that the sender holds a group's token, and return them. Raises Problem."""
    sender = principal()
    check_rights(sender, GROUPS)
    if sender.group_id != group_id:
        raise Problem("forbidden", GROUPS.refusal)
    return sender


def authorise(
    rights: Rights, path: Mapping[str, Any], load: bool = True, fresh: bool = True
) -> TableProjection | None:
    """Check that the sender may use an operation, and return the table that its path names.

    Whether a host may act for a certain seat is left to the use cases. Without ``load`` the table
    is not read. ``fresh``: with what other server processes have written; a write looks for that
    itself. Raises Problem.
    """
    sender, table_id = principal(), path.get("table_id")
    if rights is OPERATORS:
        check_rights(sender, rights)
    elif sender.table_id != table_id:
        raise Problem("forbidden", ANYBODY.refusal)
    if table_id is None or not load:
        return None
    table = (event_log().fresh if fresh else event_log().table)(table_id)
    if not event_log().holders.is_valid(sender):
        raise Problem("not-authenticated", "The token is unknown or was revoked.")
    # Whether a seat's phone is a host as well, the table knows.
    check_rights(principal(), rights, path.get("token_id"))
    return table


def is_host_by_now() -> bool:
    """Return whether the sender is a host once others' writes are read."""
    sender = principal()
    if sender.role != "seat":
        return sender.is_host
    event_log().fresh(sender.table_id)
    return principal().is_host
