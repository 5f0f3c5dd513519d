"""Playing long games again without holding up other tables.

A game of thousands of moves takes seconds of processor time, and Python runs one thread at a time.
So such work is done by one thread of the process, which gives way to the others again and again.
"""

import gc
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from referee.service.problems import Problem

T = TypeVar("T")
# Games of fewer moves are played again at once.
SHORT = 500
# How many wait for their turn in a process, and for how many seconds.
MOST_WAITING = 2
PATIENCE = 5.0
# Seconds of work before others get their turn, the seconds they get, and the steps between looks
# at the clock.
WORK, REST = 0.002, 0.0005
LOOK = 4
# Seconds after which a thread that wants to run does, while a long game is played again.
SWITCH = 0.0005


class LongGames:
    """The turns of requests that play long games again: one at a time, a few waiting."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._turn = threading.Lock()
        self._holder: int | None = None
        self._places = threading.BoundedSemaphore(1 + MOST_WAITING)

    @contextmanager
    def turn(self, moves: int) -> Iterator[None]:
        """Wait for the turn of a game of so many moves. Raises Problem when it is not soon.

        Whoever has the turn keeps it.
        """
        if moves < SHORT or self._holder == threading.get_ident():
            yield
            return
        if not self._places.acquire(blocking=False):
            raise busy()
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise busy()
            self._holder = threading.get_ident()
            try:
                with _giving_way():
                    yield
            finally:
                self._holder = None
                self._turn.release()
        finally:
            self._places.release()


@contextmanager
def _giving_way() -> Iterator[None]:
    """Let other threads run soon after they want to, and put off the garbage collector.

    A collection stops all threads while it looks at every move of the game.
    """
    collects, interval = gc.isenabled(), sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(SWITCH)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        if collects:
            gc.enable()


def busy() -> Problem:
    """Return the problem that the server has enough long games to play again."""
    return Problem(
        "busy", "Long games are being played again just now. Try again in a few seconds."
    )


def paced(steps: Iterable[T]) -> Iterator[T]:
    """Yield the steps, letting other threads run every few milliseconds.

    Without this each of them would wait for the interpreter at every turn that it takes.
    """
    since = time.perf_counter()
    for number, step in enumerate(steps, 1):
        yield step
        if number % LOOK == 0 and time.perf_counter() - since > WORK:
            time.sleep(REST)
            since = time.perf_counter()
