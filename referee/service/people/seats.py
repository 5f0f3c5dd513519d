"""Who sits at a table: join and come back, leave, take another name, change places."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import RowMapping, update

from referee.rules.message import Message
from referee.rules.position.state import State
from referee.rules.records.seating import SeatChange, change_seats
from referee.rules.rulings import RuleError
from referee.service.access import HOST_OR_OWN_SEAT, check_acts_for
from referee.service.history.standing_moves import seats_body
from referee.service.log.entries import now
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_given_name
from referee.service.people.tables import check_seat
from referee.service.problems import Problem, from_rule, invalid
from referee.store.schema import tokens

Decide = Callable[[], SeatChange]


def join_seat(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    *,
    name: str | None,
    seat: int | None,
    place: int | None,
    points: int | None,
) -> LogEntry:
    """Let somebody join between rounds, as a new seat, or come back to ``seat``. Raises Problem.

    ``place`` counts the seats that are in, from 1; None for the last place, or where the seat was.
    """

    def decide() -> SeatChange:
        state = table.state
        check_between_rounds(state)
        if seat is not None:
            check_seat(table, seat)
            if seat in state.order:
                known = state.game.seats[seat - 1]
                raise Problem("conflict", Message("{name} is at the table already.", name=known))
        elif name is None:
            raise invalid("name", "say who joins, or which seat comes back")
        else:
            check_takes_newcomers(state)
        check_room_for_one(state)
        joining = seat or len(state.game.seats) + 1
        start = points if points is not None else points_to_start(state, seat)
        order = _inserted(state.order, joining, place)
        names = {joining: name} if name is not None else {}
        if name is not None:
            check_given_name(name, "name", other_names(state, joining))
        return SeatChange(order, {joining: start}, names)

    void: list[RowMapping] = []

    def adjudicate() -> Change:
        change = changed(table, request, decide())
        void[:] = [] if seat is not None else tokens_before(log, table)
        return voiding(change, request, void)

    entry, _ = log.write(table, request, adjudicate)
    forget(log, table, void)
    return entry


def check_room_for_one(state: State) -> None:
    """Check that one more can sit at the table. Raises Problem."""
    most = state.game.ruleset.most_seats
    if len(state.order) >= most:
        raise Problem("conflict", Message("At most {most} players can play.", most=most))


def check_takes_newcomers(state: State) -> None:
    """Check that no teams are fixed, of which each seat is in one. Raises Problem."""
    if state.game.options.teams:
        raise Problem("conflict", "This table plays in teams: no seat can be added to it.")


def forget(log: EventLog, table: TableProjection, void: Sequence[RowMapping]) -> None:
    """Shut out the holders of tokens that were revoked."""
    for row in void:
        log.holders.forget(row["id"], row["hash"])
    if void:
        table.announce()


def tokens_before(log: EventLog, table: TableProjection) -> list[RowMapping]:
    """Return the tokens of whoever had a newcomer's number before; their joining was taken back.

    A host stays one.
    """
    seat, hosts = len(table.state.game.seats) + 1, table.meta.hosts.held
    rows = [row for row in log.reader.tokens_of(table.id) if row["seat"] == seat]
    return [row for row in rows if row["revoked"] is None and row["id"] not in hosts]


def voiding(change: Change, request: WriteRequest, void: Sequence[RowMapping]) -> Change:
    """Return a change that revokes tokens first."""
    by = request.principal.to_json()
    entries = [("token-revoked", {"by": by, "token": row["id"]}) for row in void]
    revoke = [update(tokens).where(tokens.c.id == row["id"]).values(revoked=now()) for row in void]
    return Change(
        [*entries, *change.entries],
        [*(None for _ in void), *change.states],
        [*((statement, {}) for statement in revoke), *change.before],
    )


def other_names(state: State, seat: int) -> list[str]:
    """Return the names of the other seats, of those who left too."""
    return [name for other, name in enumerate(state.game.seats, 1) if other != seat]


def points_to_start(state: State, seat: int | None) -> int:
    """Return the points to join with (seat.join); ``seat``: who comes back to it."""
    own = state.scores[seat - 1] if seat is not None else 0
    if state.game.options.scoring == "winner":
        return own
    return max([own, *(state.scores[other - 1] for other in state.order)])


def _inserted(order: tuple[int, ...], seat: int, place: int | None) -> tuple[int, ...] | None:
    if place is None:
        return None
    if not 1 <= place <= len(order) + 1:
        most = len(order) + 1
        reason = Message("must be a whole number from {least} to {most}", least=1, most=most)
        raise invalid("place", reason)
    return (*order[: place - 1], seat, *order[place - 1 :])


def arrange_seats(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    order: Sequence[int] | None,
    dealer: int | None,
) -> LogEntry:
    """Change the order of the seats, and who deals next, between rounds. Raises Problem."""

    def decide() -> SeatChange:
        state = table.state
        check_between_rounds(state)
        if order is None and dealer is None:
            raise invalid("order", "give the order, or who deals next")
        if order is not None and sorted(order) != sorted(state.order):
            seats = ", ".join(str(seat) for seat in state.order)
            reason = Message("must list each seat that is in once: {seats}", seats=seats)
            raise invalid("order", reason, "seat.order")
        if dealer is not None and dealer not in state.order:
            raise invalid("dealer", Message("there is no seat {seat}", seat=dealer), "seat.order")
        return SeatChange(tuple(order) if order is not None else None, dealer=dealer)

    return _change(log, table, request, decide)


def rename_seat(
    log: EventLog, table: TableProjection, request: WriteRequest, seat: int, name: str
) -> LogEntry:
    """Give a seat another name, at any time: its own player may, and a host. Raises Problem."""

    def decide() -> SeatChange:
        check_seat(table, seat)
        check_acts_for(request.principal, seat, HOST_OR_OWN_SEAT.refusal)
        check_given_name(name, "name", other_names(table.state, seat))
        return SeatChange(names={seat: name})

    return _change(log, table, request, decide)


def leaves_in_round(state: State) -> bool:
    """Return whether who leaves now leaves a round: then it is a move."""
    return state.turn is not None or bool(state.awaiting)


def leaving(table: TableProjection, request: WriteRequest, seat: int) -> Change:
    """Return the change by which a seat leaves between rounds. Raises Problem."""
    state = table.state
    check_seat(table, seat)
    check_acts_for(request.principal, seat, HOST_OR_OWN_SEAT.refusal)
    if seat not in state.order:
        name = state.game.seats[seat - 1]
        raise Problem("conflict", Message("{name} has left already.", name=name))
    if len(state.order) == 1:
        raise Problem("conflict", "Somebody has to stay at the table.")
    order = tuple(other for other in state.order if other != seat)
    return changed(table, request, SeatChange(order))


def _change(
    log: EventLog, table: TableProjection, request: WriteRequest, decide: Decide
) -> LogEntry:
    return log.write(table, request, lambda: changed(table, request, decide()))[0]


def changed(table: TableProjection, request: WriteRequest, change: SeatChange) -> Change:
    """Return a change of the seats as entries of the log. Raises Problem."""
    before = table.state
    try:
        state, events = change_seats(before, change)
    except RuleError as error:
        # Somebody's name, whichever seat it is.
        field = "name" if error.field.startswith("names.") else error.field
        raise from_rule(RuleError(error.rule, field, error.reason)) from None
    body = seats_body(request.principal, change, events, state)
    entries = [("seats-changed", {**body, "was": _was(before, change)})]
    house = table.meta.house
    if house is None or not house.missing(before.order) or house.missing(state.order):
        return Change(entries, [state])
    # Whoever had not approved the house rules has left.
    agreed = {"by": body["by"], "proposal": house.id, "seat": None, "agreed": True}
    return Change([*entries, ("house-rules-approved", agreed)], [state, None], answer=-2)


def _was(before: State, change: SeatChange) -> dict[str, Any]:
    """Return what a change replaced, for its announcements: order, names, seats that come back."""
    seats = before.game.seats
    renamed = [s for s, name in change.names.items() if s <= len(seats) and seats[s - 1] != name]
    return {
        "order": list(before.order),
        "dealer": before.next_deal,
        "names": {str(seat): seats[seat - 1] for seat in renamed},
        "back": [seat for seat in change.join if seat <= len(seats)],
    }


def check_between_rounds(state: State) -> None:
    """Check that no round is being played. Raises Problem."""
    if leaves_in_round(state):
        raise Problem("conflict", "People join and change places between rounds only.")
