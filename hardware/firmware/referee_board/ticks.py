"""The board's time: milliseconds in 32 bits that wrap."""

MASK = 0xFFFFFFFF


def elapsed(now: int, then: int) -> int:
    """Milliseconds from ``then`` to ``now``, right across the wrap (up to 49 days)."""
    return (now - then) & MASK
