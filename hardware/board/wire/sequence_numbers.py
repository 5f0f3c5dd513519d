"""Numbers that wrap: 16-bit sequence numbers and the board's 32-bit clock."""

_SEQ = 1 << 16
_TIME = 1 << 32


def before(a: int, b: int) -> bool:
    """Return whether sequence number *b* is 1 to 32767 steps after *a*, modulo 65536."""
    return 1 <= (b - a) % _SEQ <= 32767


def distance(a: int, b: int) -> int:
    """Return how many steps sequence number *b* is after *a*, modulo 65536."""
    return (b - a) % _SEQ


def following(seq: int, count: int = 1) -> int:
    """Return the sequence number ``count`` steps later, or earlier if negative."""
    return (seq + count) % _SEQ


def elapsed(since: int, until: int) -> int:
    """Return the milliseconds between two board times; negative if the clock went back."""
    return (until - since + _TIME // 2) % _TIME - _TIME // 2
