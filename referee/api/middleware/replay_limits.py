"""Count moves to play again: what imports, replays, exports and corrections cost."""

from typing import Any

from referee.api.middleware.limiting import limiter, sender_address
from referee.service.records import check_length
from referee.service.table_projection import TableProjection


def count_record(value: Any, most: int) -> int:
    """Count the moves of a posted record for the sender's address, and return them.

    Raises Problem if they are more than ``most``, or beyond the limit.
    """
    moves = check_length(value, most)
    limiter().spend("replayed", sender_address(), moves)
    return moves


def count_game(table: TableProjection) -> None:
    """Count the present game's moves for the sender's address and for the table. Raises Problem."""
    moves = table.version - table.meta.game_since
    limiter().spend("table_replayed", table.id, moves)
    limiter().spend("replayed", sender_address(), moves)
