"""Many moves in a short time, each certain to be noticed: for fault runs and measurements."""

import random
import time
from collections.abc import Iterator

from hardware.virtual_board.board import VirtualBoard

# A reading has to last 25 ms, and readings are a few ms apart.
SETTLED_MS = 35.0
LOOK_S = 0.0002


def random_placements(board: VirtualBoard, seed: int = 0) -> Iterator[tuple[str, int]]:
    """Put a random power at a random other place, again and again, for as long as it is asked to.

    Each is yielded as soon as the firmware must have taken it for settled, so that all of them are
    told, in this order, whatever happens on the wire. The firmware has to run: a board that hangs
    or has no power holds this up until it goes on.

    Args:
        board: The board, started.
        seed: Of the moves.

    Yields:
        The power and where it stands now. A host that has not acknowledged 500 changes (two a move)
        makes the board forget; whoever asks for more has to see to that.
    """
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    while True:
        power = chance.choice(board.powers)
        elsewhere = [place for place in range(board.seats + 1) if place != board.positions()[power]]
        place = chance.choice(elsewhere)
        board.place(power, place)
        seen = _scan_after(board, board.now())
        _scan_after(board, seen + SETTLED_MS)
        yield power, place


def _scan_after(board: VirtualBoard, time_ms: float) -> float:
    """When the sensors have been read at that time of the simulation or later."""
    while (scanned := board.scanned_ms()) < time_ms:
        time.sleep(LOOK_S)
    return scanned
