"""Interpret the server's answer to a posted observation."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from hardware.gateway.api import Reply

# taken: it is in the log. again: retry soon. refused: the token may not post, or the table takes
# nothing at all; retry later.
# contested: it conflicts with the table's state, which may change. unfit: never accepted.
# known: the server has another observation of that number, from before an old copy of the outbox
# was put back.
Fate = Literal["taken", "again", "refused", "contested", "unfit", "known"]
LONGEST_WAIT = 300.0
# Problems of a table that takes nothing from anybody: it may be opened again, or be left.
TAKES_NOTHING = ("closed", "table-full")


@dataclass(frozen=True, slots=True)
class PostResult:
    """The next step for an observation, and why; ``wait``: seconds the server asked for."""

    fate: Fate
    why: str = ""
    wait: float = 0.0


def judge_reply(reply: Reply, now: float) -> PostResult:
    """Interpret an answer. ``now``: seconds since 1970, for dates in headers.

    Only an answer of a referee can set an observation aside: anything else at the address, such as
    a proxy while the server is down, only delays it.
    """
    status = reply.status
    if 200 <= status < 300 and isinstance((reply.body or {}).get("id"), int):
        return PostResult("known" if (reply.body or {}).get("meaning") == "repeated" else "taken")
    if status in (401, 403):
        return PostResult("refused", f"the token is not accepted: {reply.detail}")
    if status in (408, 425, 429) or status >= 500:
        return PostResult(
            "again", f"the server is not ready: {reply.detail}", _retry_wait(reply, now)
        )
    if 300 <= status < 400:
        elsewhere = reply.headers.get("Location", "elsewhere")
        return PostResult("again", f"the server sends us to {elsewhere}; is server.url right?")
    if reply.problem is None:
        return PostResult("again", f"what answers ({status}) is no referee; is server.url right?")
    if status == 404:
        return PostResult("refused", f"the table is not there: {reply.detail}")
    if reply.problem in TAKES_NOTHING:
        return PostResult("refused", f"the table takes nothing: {reply.detail}")
    if reply.problem == "key-reused":
        return PostResult("known", reply.detail)
    if status in (409, 412, 423):
        return PostResult("contested", reply.detail)
    return PostResult("unfit", reply.detail)


def _retry_wait(reply: Reply, now: float) -> float:
    return min(max(0.0, _retry_after(reply.headers, now)), LONGEST_WAIT)


def _retry_after(headers: Mapping[str, str], now: float) -> float:
    """Return the seconds of Retry-After, a number or a date; 0 if missing or unreadable."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        return parsedate_to_datetime(text).timestamp() - now
    except ValueError:
        return 0.0
