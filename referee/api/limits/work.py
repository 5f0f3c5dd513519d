"""Count work, in moves to play again.

Imports, replays, exports and corrections play moves again; other work counts as so many of them.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from referee.api.limits.rates import limiter, sender_address
from referee.service.access import Principal
from referee.service.log.table_projection import TableProjection
from referee.service.records.records import check_length

# Seconds of processor time that a request may take for nothing; moves played in a second.
USUAL = 0.02
MOVES_A_SECOND = 20_000
# Moves that a ruling without a table counts as, and a change of a tournament.
RULING = 1000
# Observations of a batch that count as one request: ten take what one request may take for nothing.
BATCHED_AS_ONE = 10


def count_ruling() -> None:
    """Count a position or record to rule on, or work on a tournament, for the sender's address.

    Raises Problem if no more are allowed.
    """
    limiter().spend("work", sender_address(), RULING)


def count_record(value: Any, most: int) -> int:
    """Count the moves of a posted record for the sender's address, and return them.

    Raises Problem if they are more than ``most``, or beyond the limit.
    """
    moves = check_length(value, most)
    limiter().spend("work", sender_address(), moves)
    return moves


@contextmanager
def timed(table: TableProjection, usual: float = USUAL) -> Iterator[None]:
    """Count the time that observations take as moves, beyond the seconds that they usually take.

    Raises Problem if no more are allowed.
    """
    with _timed([table.id, sender_address()], usual):
        yield


@contextmanager
def timed_batch(table: TableProjection, holder: Principal, observations: int) -> Iterator[None]:
    """Count a batch of observations as one request for each ten, and its time as ``timed`` does.

    Raises Problem if no more are allowed.
    """
    requests = -(-observations // BATCHED_AS_ONE)
    if requests > 1:
        # One is counted already.
        limiter().spend("token", holder.id, requests - 1)
    with timed(table, USUAL * requests):
        yield


@contextmanager
def timed_tournament(holder: Principal | None) -> Iterator[None]:
    """Count the time that work on a tournament takes likewise, for the address and the token."""
    tokens = [holder.id] if holder is not None else []
    with _timed([*tokens, sender_address()]):
        yield


@contextmanager
def _timed(senders: list[str], usual: float = USUAL) -> Iterator[None]:
    for sender in senders:
        limiter().check("work", sender)
    begin = time.thread_time()
    try:
        yield
    finally:
        moves = int((time.thread_time() - begin - usual) * MOVES_A_SECOND)
        if moves > 0:
            for sender in senders:
                limiter().note("work", sender, moves)


def count_game(table: TableProjection) -> None:
    """Count the present game's moves for the sender's address and for the table. Raises Problem."""
    moves = table.version - table.meta.game_since
    limiter().spend("work", table.id, moves)
    limiter().spend("work", sender_address(), moves)
