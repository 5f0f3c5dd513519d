"""People who join by themselves, with a name of their own and the table's join code."""

from dataclasses import replace

from sqlalchemy import RowMapping

from referee.rules.message import Message
from referee.rules.records.seating import SeatChange
from referee.service.access import Principal, check_open_key
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_given_name
from referee.service.people.seats import (
    changed,
    check_room_for_one,
    check_takes_newcomers,
    forget,
    leaves_in_round,
    other_names,
    points_to_start,
    tokens_before,
    voiding,
)
from referee.service.people.tables import token_row
from referee.service.problems import Problem


def join_by_name(
    log: EventLog, table: TableProjection, name: str, key: str | None, fingerprint: str
) -> tuple[str, Principal, LogEntry]:
    """Take the free seat of this name; without one join an open table, else ask to. Raises Problem.

    At an open table a new seat is in from the next round on. Who has to ask gets a spectator's
    token: while a round is played, where only a host lets people in, and for a seat that another
    phone has, which a host can free.
    """
    check_open_key(key)
    own = None if key is None else f"{table.id}:{key}"
    joiner = Principal(log.tokens.id("join", own), table.id, "spectator")
    token = log.tokens.token("join", own)
    request = WriteRequest(joiner, key, fingerprint)
    void: list[RowMapping] = []

    def decide() -> Change:
        void.clear()
        seat = _seat_of(table, name)
        if seat in table.meta.claims:
            return _asking(table, joiner, name, token)
        if seat is not None:
            return _seating(joiner, seat, token)
        if table.meta.tournament is not None:
            raise Problem("conflict", "The organiser of the tournament decides who sits here.")
        state = table.state
        check_takes_newcomers(state)
        check_given_name(name, "name", other_names(state, 0))
        check_room_for_one(state)
        if not table.meta.open or leaves_in_round(state):
            return _asking(table, joiner, name, token)
        seat = len(state.game.seats) + 1
        change = SeatChange(join={seat: points_to_start(state, None)}, names={seat: name})
        taken = _seating(joiner, seat, token)
        seated = changed(table, request, change)
        void.extend(tokens_before(log, table))
        with_token = replace(
            seated,
            entries=[*seated.entries, *taken.entries],
            states=[*seated.states, None],
            before=taken.before,
        )
        return voiding(with_token, request, void)

    entry, _ = log.write(table, request, decide)
    forget(log, table, void)
    seat = entry.body["seat"]
    return token, joiner if seat is None else replace(joiner, role="seat", seat=seat), entry


def _seat_of(table: TableProjection, name: str) -> int | None:
    names = table.state.game.seats
    return next((seat for seat in table.state.order if names[seat - 1] == name), None)


def _seating(joiner: Principal, seat: int, token: str) -> Change:
    holder = replace(joiner, role="seat", seat=seat)
    body = {"by": holder.to_json(), "seat": seat, "token": holder.id}
    return Change([("joined", body)], before=[token_row(holder, token)])


def _asking(table: TableProjection, joiner: Principal, name: str, token: str) -> Change:
    asking = table.meta.asking
    if name in asking.values():
        raise Problem("conflict", Message("{name} has asked to join already.", name=name))
    # As many may ask at once as can sit at the table.
    if len(asking) >= table.state.game.ruleset.most_seats:
        raise Problem("conflict", "Too many people have asked to join this table.")
    named = replace(joiner, name=name)
    body = {"by": joiner.to_json(), "seat": None, "token": joiner.id, "asks": name}
    return Change([("joined", body)], before=[token_row(named, token)])
