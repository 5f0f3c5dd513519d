"""The clock of a round, as the server's clock has it."""

from datetime import datetime, timedelta
from typing import Any

from referee.tournaments.fold import spent
from referee.tournaments.model import Clock


def clock_view(clock: Clock | None, at: str) -> dict[str, Any] | None:
    """Return the clock of a round at a time; None without one."""
    if clock is None:
        return None
    left = clock.seconds - spent(clock, at)
    running = clock.since is not None
    state = "up" if left <= 0 else "running" if running else "paused"
    ends = datetime.fromisoformat(at) + timedelta(seconds=left)
    return {
        "state": state,
        "seconds": clock.seconds,
        "left": max(0, round(left)),
        "ends": ends.isoformat(timespec="milliseconds") if running else None,
    }


def is_up(clock: Clock | None, at: str) -> bool:
    """Return whether the time is up."""
    return clock is not None and spent(clock, at) >= clock.seconds
