"""Say in each answer what is left of the limits that its request was counted for.

The fields are those of draft-ietf-httpapi-ratelimit-headers: ``RateLimit-Policy`` has each limit
with its quota ``q`` and its window ``w`` in seconds, ``RateLimit`` what is left of it, ``r``, and
in how many seconds ``t`` the window ends, unless a shared storage would have to be asked again.
"""

import math
from functools import lru_cache

from flask import Response, g, has_request_context
from limits import RateLimitItem

POLICY, LEFT = "RateLimit-Policy", "RateLimit"


def note_limit(limit: str, item: RateLimitItem, left: int, seconds: float | None) -> None:
    """Remember what a request was counted for; ``seconds`` until the window ends."""
    if not has_request_context():
        return
    name, policy = _described(limit, item)
    ends = "" if seconds is None else f";t={max(0, math.ceil(seconds))}"
    g.setdefault("limits", {})[policy] = f"{name};r={max(0, left)}{ends}"


def add_limit_headers(response: Response) -> None:
    """Add the fields to an answer whose request was counted."""
    if "limits" in g:
        response.headers[POLICY] = ", ".join(g.limits)
        response.headers[LEFT] = ", ".join(g.limits.values())


@lru_cache(maxsize=64)
def _described(limit: str, item: RateLimitItem) -> tuple[str, str]:
    """Return the name of a limit's window, and its policy."""
    seconds = item.get_expiry()
    name = f'"{limit}-{seconds}s"'
    return name, f"{name};q={item.amount};w={seconds}"
