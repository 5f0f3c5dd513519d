"""Making tables and joining them."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Executable, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.engine import new_game
from referee.rules.message import Message, sent
from referee.rules.rulings import RuleError
from referee.rules.serial import game_to_json
from referee.rules.state import State
from referee.service.access import Principal, check_open_key, hash_token, new_code, read_code
from referee.service.event_log import Change, EventLog, now
from referee.service.history import rounds_as_entries
from referee.service.names import check_given_name
from referee.service.preconditions import WriteRequest
from referee.service.problems import Problem, from_rule, invalid
from referee.service.table_meta import REFEREE
from referee.service.table_projection import LogEntry, TableProjection
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
    imported: Any = None,
    mode: str = REFEREE,
) -> tuple[TableProjection, str, LogEntry]:
    """Create a table; return it, its host's token and its first entry.

    ``imported`` is a parsed record whose rounds the table starts with; ``mode`` says what the table
    does. Raises Problem.
    """
    check_open_key(key)
    try:
        start = imported.start if imported else new_game(ruleset, options, seats)
    except RuleError as error:
        raise from_rule(error) from None
    if not imported:
        for i, name in enumerate(seats):
            check_given_name(name, f"seats[{i}]", seats[:i])
    table_id = log.tokens.id("table", key)
    token = log.tokens.token("host", key)
    host = Principal(log.tokens.id("host", key), table_id, "host")
    request = WriteRequest(host, key, fingerprint)
    made = _made_before(log, table_id, request)
    if made is not None:
        return log.table(table_id), token, made
    for tries_left in reversed(range(CODE_TRIES)):
        table = TableProjection(table_id, new_code(), now(), start)
        change = _creation(table, host, token, start, imported, mode)
        try:
            entry = log.create(table, request, change)
        except IntegrityError:
            made = _made_before(log, table_id, request)
            if made is not None:
                return log.table(table_id), token, made
            if not tries_left:
                raise
            continue
        return table, token, entry
    raise AssertionError("unreachable")


def _made_before(log: EventLog, table_id: str, request: WriteRequest) -> LogEntry | None:
    if request.key is None or log.reader.table(table_id) is None:
        return None
    return log.made_before(log.table(table_id), request)


def _creation(
    table: TableProjection, host: Principal, token: str, start: State, imported: Any, mode: str
) -> Change:
    row = {"id": table.id, "code": table.code, "created": table.created}
    body = {"by": host.to_json(), "game": game_to_json(start.game), "mode": mode}
    entries: list[tuple[str, Mapping[str, Any]]] = [("created", body)]
    states: list[State | None] = [start]
    if imported:
        for kind, more, state in rounds_as_entries(imported, host):
            entries.append((kind, more))
            states.append(state)
    return Change(entries, states, [(insert(tables), row), token_row(host, token)])


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
