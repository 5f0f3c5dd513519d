"""The board's time: milliseconds, wrapping at 32 bits."""

MASK = 0xFFFFFFFF


def elapsed(now: int, then: int) -> int:
    """Return milliseconds from ``then`` to ``now``, also across the wrap (up to 49 days)."""
    return (now - then) & MASK
