"""Become a host, and stop being one: by a host, by the table's agreement, by the operator.

When the host's phone is lost, another seat's phone asks to become a host. It does once all seated
phones but one agree, and the hosts that are there have had the time to refuse.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from referee.rules.message import Message
from referee.service.access import SEATED, Principal
from referee.service.log.event_log import Change, EventLog
from referee.service.log.hosts import HostRequest
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.problems import Problem

logger = structlog.get_logger(__name__)
# Seconds until a request lapses that too few have agreed to.
LONGEST_REQUEST = 600
Body = dict[str, Any]


def make_host(log: EventLog, table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Make the phone of a seat a host; it keeps its seat. Raises Problem."""

    def decide() -> Change:
        check_seat(table, seat)
        token = table.meta.claims.get(seat)
        name = table.state.game.seats[seat - 1]
        if token is None:
            raise Problem("conflict", Message("No phone has taken the seat of {name}.", name=name))
        by = request.principal
        known = table.meta.hosts.held.get(token)
        if known is not None and (known.since or not by.is_operator):
            raise Problem("conflict", Message("{name} is a host already.", name=name))
        how = "operator" if by.is_operator else "host"
        return Change([("host-made", made_body(by, seat, token, how))])

    return log.write(table, request, decide)[0]


def end_host(log: EventLog, table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Let the phone of a seat be no host any more; it keeps its seat. Raises Problem."""

    def decide() -> Change:
        check_seat(table, seat)
        by = request.principal
        tokens = [token for token, host in table.meta.hosts.held.items() if host.seat == seat]
        if not tokens:
            name = table.state.game.seats[seat - 1]
            raise Problem("conflict", Message("{name} is no host.", name=name))
        token = by.id if by.id in tokens else tokens[-1]
        check_may_end(table, by, token)
        return Change([("host-ended", {"by": by.to_json(), "seat": seat, "token": token})])

    return log.write(table, request, decide)[0]


def check_may_end(table: TableProjection, by: Principal, token: str) -> None:
    """Check that ``by`` may take its rights, or its token, from another. Raises Problem.

    A table keeps one host at least; and who was made a host because the host's phone was gone is
    not shut out by that phone when it turns up.
    """
    hosts = table.meta.hosts.held
    if token not in hosts or by.is_operator:
        return
    if token == by.id:
        if len(hosts) == 1:
            raise Problem("conflict", "The table needs a host: make another phone a host first.")
    elif by.id not in hosts or hosts[by.id].since < hosts[token].since:
        raise Problem(
            "forbidden",
            "The table, or the operator of this server, made this phone a host after you: only "
            "they can change that.",
        )


def ask_to_host(log: EventLog, table: TableProjection, request: WriteRequest) -> LogEntry:
    """Ask the table to become a host, as the host's phone is gone. Raises Problem."""
    by, seat = request.principal, _own_seat(request.principal)

    def decide() -> Change:
        _check_holds(table, by, seat)
        if by.is_host:
            name = table.state.game.seats[seat - 1]
            raise Problem("conflict", Message("{name} is a host already.", name=name))
        asked = table.meta.hosts.request
        if asked is not None and not _lapsed(table, asked):
            name = table.state.game.seats[asked.seat - 1]
            raise Problem(
                "conflict", Message("{name} has asked to become a host already.", name=name)
            )
        until = datetime.now(UTC) + timedelta(seconds=log.takeovers.seconds)
        body = {"by": by.to_json(), "seat": seat, "until": until.isoformat(timespec="milliseconds")}
        return Change([("host-asked", body)])

    entry, _ = log.write(table, request, decide)
    settle(log, table)
    return entry


def agree_to_host(log: EventLog, table: TableProjection, request: WriteRequest) -> LogEntry:
    """Agree that the phone that asks becomes a host. Raises Problem."""
    by, seat = request.principal, _own_seat(request.principal)

    def decide() -> Change:
        _check_holds(table, by, seat)
        asked = _open_request(table)
        if by.is_host:
            return Change([("host-made", made_body(by, asked.seat, asked.token, "host"))])
        if by.id in asked.agreed:
            raise Problem("conflict", "This seat has agreed already.")
        return Change([("host-agreed", {"by": by.to_json(), "seat": seat})])

    entry, _ = log.write(table, request, decide)
    settle(log, table)
    return entry


def end_request(log: EventLog, table: TableProjection, request: WriteRequest) -> LogEntry:
    """Refuse a phone's request to become a host, as a host, or withdraw one's own."""

    def decide() -> Change:
        by, asked = request.principal, _open_request(table)
        if not by.is_host and by.id != asked.token:
            raise Problem("forbidden", "Only a host can refuse, and whoever asked can withdraw.")
        why = "withdrawn" if by.id == asked.token else "refused"
        body = {"by": by.to_json(), "seat": asked.seat, "why": why}
        return Change([("host-request-ended", body)])

    return log.write(table, request, decide)[0]


def made_body(by: Principal, seat: int, token: str, how: str) -> Body:
    """Return the log's body for a new host."""
    return {"by": by.to_json(), "seat": seat, "token": token, "how": how}


def settle(log: EventLog, table: TableProjection) -> bool:
    """Make the phone that asks a host if it is time; return whether a request is still open."""
    asked = table.meta.hosts.request
    if asked is None:
        return False
    if not _lapsed(table, asked) and not _is_due(table, asked):
        return True
    by = Principal(asked.token, table.id, "seat", asked.seat)

    def decide() -> Change:
        if table.meta.hosts.request != asked:
            raise Problem("stale-version", "The table has changed meanwhile. Read it again.")
        if _lapsed(table, asked):
            body = {"by": by.to_json(), "seat": asked.seat, "why": "lapsed"}
            return Change([("host-request-ended", body)])
        if not _is_due(table, asked):
            raise Problem("stale-version", "The table has changed meanwhile. Read it again.")
        return Change([("host-made", made_body(by, asked.seat, asked.token, "table"))])

    try:
        log.write(table, WriteRequest(by), decide)
    except Problem as problem:  # refused, withdrawn or closed meanwhile
        logger.debug("no new host", table=table.id, why=problem.kind)
        return table.meta.hosts.request is not None and table.meta.closed is None
    return False


def settle_all(log: EventLog) -> None:
    """Make hosts of the phones whose requests are due."""
    for table_id in log.takeovers.waiting():
        try:
            still_open = settle(log, log.fresh(table_id))
        except Problem:  # purged
            still_open = False
        if not still_open:
            log.takeovers.forget(table_id)


def request_view(table: TableProjection) -> Body | None:
    """Return the open request to become a host: who asks, who agrees, and who is needed."""
    asked = table.meta.hosts.request
    if asked is None or _lapsed(table, asked):
        return None
    seats = _seated(table)
    agreed = [seat for seat, token in sorted(seats.items()) if token in asked.agreed]
    return {
        "seat": asked.seat,
        "at": asked.at,
        "agreed": agreed,
        "missing": max(0, needed(len(seats)) - len(agreed)),
        "until": asked.until,
    }


def is_host_silent(table: TableProjection) -> bool:
    """Return whether the game waits for a seat that no phone can speak for: no host's either."""
    # An organiser is heard of at the tournament.
    if table.meta.tournament is not None or not table.presence.is_quiet():
        return False
    heard = [is_heard(table, seat) for seat, _ in table.state.awaiting]
    return not all(heard) and all(map(table.presence.is_silent, table.meta.hosts.held))


def is_heard(table: TableProjection, seat: int) -> bool:
    """Return whether a seat has a phone that has been heard of for the last two minutes."""
    token = table.meta.claims.get(seat)
    return token is not None and not table.presence.is_silent(token)


def needed(seated: int) -> int:
    """Return how many of the seated phones have to agree, the one that asks counted."""
    return max(1, seated - 1)


def _agreed(table: TableProjection, asked: HostRequest) -> bool:
    seats: Mapping[int, str] = _seated(table)
    agreed = sum(token in asked.agreed for token in seats.values())
    return agreed >= needed(len(seats))


def _seated(table: TableProjection) -> dict[int, str]:
    """Return the phones that have a say, by seat: those of the seats that are in."""
    return {s: token for s, token in table.meta.claims.items() if s in table.state.order}


def _own_seat(principal: Principal) -> int:
    if principal.seat is None:
        raise Problem("forbidden", SEATED.refusal)
    return principal.seat


def _check_holds(table: TableProjection, by: Principal, seat: int) -> None:
    """Check that the phone still holds its seat: another may have been given it. Raises Problem."""
    if _seated(table).get(seat) != by.id:
        raise Problem("forbidden", "Another phone has this seat now.")


def _open_request(table: TableProjection) -> HostRequest:
    asked = table.meta.hosts.request
    if asked is None or _lapsed(table, asked):
        raise Problem("not-found", "Nobody asks to become a host.")
    return asked


def _is_due(table: TableProjection, asked: HostRequest) -> bool:
    return _agreed(table, asked) and datetime.now(UTC) >= datetime.fromisoformat(asked.until)


def _lapsed(table: TableProjection, asked: HostRequest) -> bool:
    """Return whether a request is over: too few have agreed in time, or who asks has left."""
    if asked.token not in _seated(table).values():
        return True
    since = datetime.now(UTC) - datetime.fromisoformat(asked.until)
    return since.total_seconds() > LONGEST_REQUEST
