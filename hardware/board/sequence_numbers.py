"""Numbers that wrap: sequence numbers of 16 bits, and the board's clock of 32 bits."""

_SEQ = 1 << 16
_TIME = 1 << 32


def before(a: int, b: int) -> bool:
    """Whether sequence number *a* comes before *b*: *b* is 1 to 32767 further round the circle."""
    return 1 <= (b - a) % _SEQ <= 32767


def following(seq: int, count: int = 1) -> int:
    """The sequence number so many further on; before it if negative."""
    return (seq + count) % _SEQ


def elapsed(since: int, now: int) -> int:
    """Milliseconds of the board's clock between two times; negative if it went back."""
    return (now - since + _TIME // 2) % _TIME - _TIME // 2
