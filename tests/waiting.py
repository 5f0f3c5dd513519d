"""Waiting in tests until something holds, with a limit for busy machines."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# Seconds.
PATIENCE = 120.0


def until(holds: Callable[[], T], pause: float = 0.005, missed: str = "it never came to that") -> T:
    """Wait until something holds, and return it; ``missed`` is told if it never does."""
    end = time.monotonic() + PATIENCE
    while not (value := holds()):
        assert time.monotonic() < end, missed
        time.sleep(pause)
    return value
