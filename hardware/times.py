"""Times as text: UTC, ISO 8601, to the millisecond; and durations for people."""

from datetime import UTC, datetime


def utc(seconds: float) -> str:
    """Format seconds since 1970."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(text: str) -> float:
    """Parse a time; return seconds since 1970. Raises ValueError without a time zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} does not say its time zone")
    return moment.timestamp()


def span(seconds: float) -> str:
    """Format a duration for people: ``0.4 s``, ``12 s``, ``5 min``, ``3 h``, ``2 days``."""
    if seconds < 9.95:
        return f"{max(seconds, 0):.1f} s"
    for length, unit, until in ((1, "s", 120), (60, "min", 7200), (3600, "h", 172_800)):
        if seconds < until:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86_400:.0f} days"
