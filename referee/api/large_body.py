"""Bodies of megabytes: counted before they are parsed, and held in memory one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import current_app

from referee.api.auth import event_log
from referee.api.middleware.limiting import limiter, sender_address
from referee.api.requests import json_body, parse_json

# Bytes that take as long to parse as a move to play, or less.
BYTES_A_MOVE = 400


@contextmanager
def large_body() -> Iterator[Any]:
    """Parse a body that may hold a record, in turn if it is a large one.

    It counts for the sender's address even if it is refused. Raises Problem.
    """
    data = json_body(current_app.extensions["referee-settings"].max_body)
    moves = len(data) // BYTES_A_MOVE
    limiter().spend("replayed", sender_address(), moves)
    with event_log().long_games.turn(moves):
        yield parse_json(data)
