"""What an answer to a posted observation means for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from hardware.gateway.api import Reply

# taken: it is in the log. again: try again soon. refused: this token may not post, look again
# later. contested: not as things stand, which may change. unfit: never, however often it is sent.
Fate = Literal["taken", "again", "refused", "contested", "unfit"]
LONGEST_WISH = 300.0


@dataclass(frozen=True, slots=True)
class PostResult:
    """What becomes of an observation, and why; ``wait``: how many seconds the server asked for."""

    fate: Fate
    why: str = ""
    wait: float = 0.0


def judge_reply(reply: Reply, now: float) -> PostResult:
    """What an answer means. ``now``, in seconds since 1970, is what dates in it are compared with.

    Only a referee's own words may put an observation aside: what else answers under the address,
    such as a proxy while the server is down, knows nothing of it.
    """
    status = reply.status
    if 200 <= status < 300 and isinstance((reply.body or {}).get("id"), int):
        return PostResult("taken")
    if status in (401, 403):
        return PostResult("refused", f"the token is not accepted: {reply.detail}")
    if status in (408, 425, 429) or status >= 500:
        return PostResult("again", f"the server is not ready: {reply.detail}", _wish(reply, now))
    if 300 <= status < 400:
        elsewhere = reply.headers.get("Location", "elsewhere")
        return PostResult("again", f"the server sends us to {elsewhere}; is server.url right?")
    if reply.problem is None:
        return PostResult("again", f"what answers ({status}) is no referee; is server.url right?")
    if status == 404:
        return PostResult("refused", f"the table is not there: {reply.detail}")
    if status in (409, 412, 423):
        return PostResult("contested", reply.detail)
    return PostResult("unfit", reply.detail)


def _wish(reply: Reply, now: float) -> float:
    return min(max(0.0, _retry_after(reply.headers, now)), LONGEST_WISH)


def _retry_after(headers: Mapping[str, str], now: float) -> float:
    """Retry-After, which is a number of seconds or a date; 0 when there is none to understand."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - now
    except ValueError:
        return 0.0
