"""Making tables and joining them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Executable, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.engine import new_game
from referee.rules.message import Message, sent
from referee.rules.position.state import FEWEST_SEATS
from referee.rules.presets import with_preset
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.access import Principal, check_open_key, hash_token, new_code, read_code
from referee.service.log.entries import now
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import REFEREE
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_given_names
from referee.service.problems import Problem, from_rule, invalid
from referee.store.schema import tables, tokens
from referee.store.writer import Row

CODE_TRIES = 5
NOBODY = Principal("", "", "nobody")


def create_table(
    log: EventLog,
    ruleset: str,
    options: Mapping[str, Any],
    seats: Sequence[str],
    key: str | None,
    fingerprint: str,
    mode: str = REFEREE,
    open_to_all: bool = False,
    preset: str | None = None,
    timer: Mapping[str, Any] | None = None,
) -> tuple[TableProjection, str, LogEntry]:
    """Create a table; return it, its host's token and its first entry.

    ``mode`` says what the table does. ``open_to_all``: whoever has the join code takes a seat of
    their own, so that it begins with as few seats as one likes. ``preset`` names house rules that
    ``options`` add to, ``timer`` is the time that turns have. Raises Problem.
    """
    new = new_table(log, key, fingerprint)
    try:
        options = with_preset(preset, options) or {}
        start = new_game(ruleset, options, seats, 0 if open_to_all else FEWEST_SEATS)
    except RuleError as error:
        raise from_rule(error) from None
    check_given_names((f"seats[{i}]", name) for i, name in enumerate(seats))
    earlier = new.made_before(log)
    if earlier is not None:
        return log.table(new.table_id), new.token, earlier
    for tries_left in reversed(range(CODE_TRIES)):
        table = TableProjection(new.table_id, new_code(), now(), start)
        row = {"id": table.id, "code": table.code, "created": table.created}
        made_as: dict[str, Any] = {"mode": mode, "open": True} if open_to_all else {"mode": mode}
        made_as |= {} if timer is None else {"timer": timer}
        body = {"by": new.host.to_json(), "game": game_to_json(start.game), **made_as}
        before = [(insert(tables), row), token_row(new.host, new.token)]
        try:
            entry = log.create(table, new.request, Change([("created", body)], [start], before))
        except IntegrityError:
            earlier = new.made_before(log)
            if earlier is not None:
                return log.table(new.table_id), new.token, earlier
            if not tries_left:
                raise
            continue
        return table, new.token, entry
    raise AssertionError("unreachable")


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be made, and its host; a repeated request names the same."""

    table_id: str
    host: Principal
    token: str
    request: WriteRequest

    def made_before(self, log: EventLog) -> LogEntry | None:
        """Return the entry with which this request made the table, if it did. Raises Problem."""
        if self.request.key is None or log.reader.token_by_id(self.host.id) is None:
            return None
        return log.made_before(log.table(self.table_id), self.request)


def new_table(log: EventLog, key: str | None, fingerprint: str) -> NewTable:
    """Return the table that a request is to make. Raises Problem."""
    check_open_key(key)
    table_id = log.tokens.id("table", key)
    host = Principal(log.tokens.id("host", key), table_id, "host")
    token = log.tokens.token("host", key)
    return NewTable(table_id, host, token, WriteRequest(host, key, fingerprint))


def token_row(principal: Principal, token: str) -> tuple[Executable, Row]:
    """Return the insertion of a token into the database, hashed."""
    row = {
        "id": principal.id,
        "hash": hash_token(token),
        "table_id": principal.table_id,
        "role": principal.role,
        "seat": principal.seat,
        "name": principal.name,
        "created": now(),
        "revoked": None,
    }
    return insert(tokens), row


def find_table(log: EventLog, code: str) -> TableProjection:
    """Return the table with this join code. Raises Problem."""
    table_id = log.reader.table_by_code(read_code(code))
    if table_id is None:
        raise Problem("not-found", "There is no table with this join code.")
    return log.table(table_id)


def join_table(
    log: EventLog, table: TableProjection, seat: int | None, key: str | None, fingerprint: str
) -> tuple[str, Principal, LogEntry]:
    """Take a free seat of the table, or watch (seat None). Raises Problem."""
    check_open_key(key)
    role = "spectator" if seat is None else "seat"
    own = None if key is None else f"{table.id}:{key}"
    joiner = Principal(log.tokens.id("join", own), table.id, role, seat)
    token = log.tokens.token("join", own)

    def decide() -> Change:
        if seat is not None:
            check_seat(table, seat)
            name = table.state.game.seats[seat - 1]
            if seat not in table.state.order:
                raise Problem("conflict", Message("{name} has left the table.", name=name))
            if seat in table.meta.claims:
                raise Problem(
                    "seat-taken",
                    Message("Somebody has taken the seat of {name} already.", name=name),
                )
        body = {"by": joiner.to_json(), "seat": seat, "token": joiner.id}
        return Change([("joined", body)], before=[token_row(joiner, token)])

    entry, _ = log.write(table, WriteRequest(joiner, key, fingerprint), decide)
    return token, joiner, entry


def choose_language(
    log: EventLog, table: TableProjection, request: WriteRequest, language: str | None
) -> LogEntry:
    """Store a seat's language; None uses each request's language again."""
    by = request.principal
    body = {"by": by.to_json(), "seat": by.seat, "language": language}
    return log.write(table, request, lambda: Change([("language-chosen", body)]))[0]


def check_seat(table: TableProjection, seat: int, field: str = "seat") -> None:
    """Check that the table has such a seat. Raises Problem, which names the field."""
    seats = len(table.state.game.seats)
    if not 1 <= seat <= seats:
        reason = Message("must be a whole number from {least} to {most}", least=1, most=seats)
        raise invalid(field, sent(reason, seat))
