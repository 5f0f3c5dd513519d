"""Create, read and join tables."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log, may_make_tables, principal
from referee.api.language import language
from referee.api.limits.rates import limiter, sender_address, sender_network
from referee.api.operation import Resource, token_answer, with_etag
from referee.api.rendering import table_json
from referee.api.requests import body_fingerprint, idempotency_key
from referee.api.schemas.tables import (
    LARGEST_GAME,
    JoinedSchema,
    JoinSchema,
    MadeTableSchema,
    ModeSchema,
    NewTableSchema,
    TableSchema,
)
from referee.rules.message import Message
from referee.service.access import CODE_LENGTH, HOST, SEAL_LENGTH, read_code
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.newcomers import join_by_name
from referee.service.people.tables import create_table, find_table, join_table
from referee.service.play.games import choose_mode
from referee.service.problems import Problem, invalid

# In bytes: a code, and a seat.
LARGEST_JOIN = 1024
blueprint = Resource("tables", "Tables, and joining them")


@blueprint.operation(
    "POST /tables",
    "createTable",
    "The table, and its host's token.",
    MadeTableSchema,
    body=NewTableSchema,
    largest=LARGEST_GAME,
    write=True,
    if_match="none",
    fails=("not-authenticated", "forbidden"),
    rights=None,
)
def create(new: dict[str, Any]) -> ResponseReturnValue:
    """Create a table, as its host."""
    may_make_tables()
    table, token, _ = create_table(
        event_log(),
        new["ruleset"],
        new["options"],
        new["seats"],
        idempotency_key(),
        body_fingerprint(),
        mode=new["mode"],
        open_to_all=new["open"],
        preset=new["preset"],
        timer=new["timer"],
    )
    created = table_json(table, language(), event_log().tokens)
    return with_etag({"table": created, "token": token}, table.version, 201)


@blueprint.operation(
    "GET /tables/<table_id>", "getTable", "The table and its public state.", TableSchema
)
def get(table: TableProjection) -> ResponseReturnValue:
    """Return a table's present state."""
    view = table_json(table, language(), event_log().tokens)
    if principal().role == "device":
        # Who steals a camera's token must not take a free seat. Empty, as apps expect texts.
        view |= {"code": "", "invitation": ""}
    return with_etag(view, view["version"])


@blueprint.operation(
    "PUT /tables/<table_id>/mode",
    "chooseMode",
    "From now on the table works like this.",
    body=ModeSchema,
    fails=("conflict",),
    rights=HOST,
)
def choose(wish: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Keep the score only, or have every move ruled on; chosen between rounds.

    It tells apps what to show. Rounds of both kinds may be entered at any table.
    """
    return choose_mode(event_log(), table, request, wish["mode"])


@blueprint.operation(
    "POST /join",
    "joinTable",
    "A token for the seat, or for watching.",
    JoinedSchema,
    body=JoinSchema,
    largest=LARGEST_JOIN,
    write=True,
    if_match="none",
    fails=("not-found", "seat-taken"),
    rights=None,
)
def join(wish: dict[str, Any]) -> ResponseReturnValue:
    """Take a free seat with the join code, by its number or with one's own name, or watch.

    Who asks to join gets a spectator's token. Once a host has let them in (`joinSeat`), or the
    round at an `open` table is over, they join with their name again. The name of a seat that
    another phone has asks for that seat: a host frees it by revoking its token.
    """
    table, (key, bound_to) = _table_of(wish["code"]), (idempotency_key(), body_fingerprint())
    if wish["name"] is not None:
        if wish["seat"] is not None:
            raise invalid("name", "give a seat or a name, not both")
        return token_answer(*join_by_name(event_log(), table, wish["name"], key, bound_to))
    return token_answer(*join_table(event_log(), table, wish["seat"], key, bound_to))


def _table_of(code: str) -> TableProjection:
    """Return the table with this join code, limiting guesses. Raises Problem.

    Only codes that do not exist count. However many others try, the first codes of an address are
    looked up; an invitation, which nobody can guess, always is.
    """
    written, address = read_code(code), sender_address()
    if event_log().tokens.is_invitation(written):
        return find_table(event_log(), written[:-SEAL_LENGTH])
    network = sender_network()
    pressed = limiter().is_reached("all_misses", "") or limiter().is_reached(
        "network_misses", network
    )
    limiter().check("pressed_misses" if pressed else "misses", address)
    try:
        return find_table(event_log(), written)
    except Problem:
        for limit, sender in (
            ("misses", address),
            ("pressed_misses", address),
            ("network_misses", network),
            ("all_misses", ""),
        ):
            limiter().note(limit, sender)
        if len(written) != CODE_LENGTH:
            detail = Message(
                "There is no table with this join code: it has {count} characters, not {sent}.",
                count=CODE_LENGTH,
                sent=len(written),
            )
            raise Problem("not-found", detail) from None
        raise
