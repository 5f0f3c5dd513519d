"""Rate limits by address and token, and what is left of them in each answer.

The fields of an answer are those of draft-ietf-httpapi-ratelimit-headers: ``RateLimit-Policy`` has
each limit with its quota ``q`` and its window ``w`` in seconds, ``RateLimit`` what is left of it,
``r``, and in how many seconds ``t`` the window ends, unless a shared storage would have to be asked
again.
"""

import ipaddress
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from typing import Any, TypeVar

import structlog
from flask import Response, current_app, g, has_request_context, request
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from referee.api.limits.memory import ProcessMemory
from referee.config import Limits, parse_limit
from referee.rules.message import Message
from referee.service.problems import Problem

log = structlog.get_logger(__name__)
T = TypeVar("T")
# Prefixes by version of the protocol: of what belongs to one household or one rented machine, and
# of the wider network in which somebody can rent many of these.
OWN = {4: 32, 6: 64}
WIDER = {4: 24, 6: 48}
CACHE_SIZE = 4096
NOT_COUNTED = frozenset({"/health", "/ready", "/metrics"})
# Log repeated refusals no more often than this.
ONCE_A_MINUTE = RateLimitItemPerMinute(1)
PERIODS: dict[str, str] = {
    "second": "a second",
    "minute": "a minute",
    "hour": "an hour",
    "day": "a day",
    "month": "a month",
    "year": "a year",
}
LONGEST_SECONDS = 120
MESSAGES: dict[str, str] = {
    "address": "Too many requests from this address",
    "token": "Too many requests with this token",
    "frames": "Too many pictures with this token",
    "tables": "Too many new tables from this address",
    "misses": "Too many join codes that do not exist, from this address",
    "pressed_misses": "Too many join codes that do not exist, from this address",
    "work": "Too many moves to play again",
}
# Join codes that do not exist, as multiples of what one address may try: in its wider network, and
# everywhere. While either is exceeded, an address may try only a part.
MISSES = {"network_misses": 10.0, "all_misses": 60.0, "pressed_misses": 0.1}


class Limiter:
    """Counts requests of each sender and refuses those beyond a limit.

    ``limited`` is called with the limit's name at each refusal. While a shared storage is out of
    reach, each process counts for itself.
    """

    def __init__(
        self,
        limits: Limits,
        limited: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limited = limited
        self._clock = clock
        self._limits = {
            name: parse_limit(text) for name, text in asdict(limits).items() if name != "storage"
        }
        for name, factor in MISSES.items():
            self._limits[name] = scaled(self._limits["misses"], factor)
        self._local = FixedWindowRateLimiter(ProcessMemory(clock))
        self._shared = self._local
        if limits.storage != "memory":
            storage = storage_from_string(limits.storage, wrap_exceptions=True)
            self._shared = FixedWindowRateLimiter(storage)

    def count(self, limit: str, sender: str) -> None:
        """Count a request. Raises Problem beyond the limit."""
        for item in self._limits[limit]:
            left = self._left_after(item, limit, sender)
            if left < 0:
                raise self._refusal(item, limit, sender)

    def spend(self, limit: str, sender: str, cost: int) -> None:
        """Count work of some cost. Raises Problem, and counts nothing, if less is left."""
        for item in self._limits[limit]:
            if not self._test(item, limit, sender, cost=min(cost, item.amount)):
                raise self._refusal(item, limit, sender)
        for item in self._limits[limit]:
            self._hit(item, limit, sender, cost=min(cost, item.amount))

    def check(self, limit: str, sender: str) -> None:
        """Raise Problem if no further request is allowed, without counting one."""
        for item in self._limits[limit]:
            if not self._test(item, limit, sender):
                raise self._refusal(item, limit, sender)

    def note(self, limit: str, sender: str, cost: int = 1) -> None:
        """Count a request of some cost, without refusing it."""
        for item in self._limits[limit]:
            self._hit(item, limit, sender, cost=cost)

    def is_reached(self, limit: str, sender: str) -> bool:
        """Return whether as many requests were counted as a limit allows."""
        if all(self._test(item, limit, sender) for item in self._limits[limit]):
            return False
        self._limited(limit)
        self._tell(limit, sender)
        return True

    def _left_after(self, item: RateLimitItem, limit: str, sender: str) -> int:
        """Count a request; return how many more are allowed, -1 beyond the limit."""
        key, seconds = item.key_for(limit, sender), None
        count = self._ask(lambda limiter: limiter.storage.incr(key, item.get_expiry()))
        if self._shared is self._local:
            seconds = self._local.storage.get_expiry(key) - self._clock()
        note_limit(limit, item, item.amount - count, seconds)
        return item.amount - count

    def _hit(self, item: RateLimitItem, *names: str, cost: int = 1) -> bool:
        return self._ask(lambda limiter: limiter.hit(item, *names, cost=cost))

    def _test(self, item: RateLimitItem, *names: str, cost: int = 1) -> bool:
        return self._ask(lambda limiter: limiter.test(item, *names, cost=cost))

    def _ask(self, ask: Callable[[FixedWindowRateLimiter], T]) -> T:
        """Ask the shared storage, or while it is out of reach this process's own."""
        try:
            return ask(self._shared)
        except StorageError as error:
            if self._local.hit(ONCE_A_MINUTE, "alone"):
                reason = type(error.storage_error).__name__
                log.warning("limit storage unavailable", reason=reason)
            return ask(self._local)

    def _refusal(self, item: RateLimitItem, limit: str, sender: str) -> Problem:
        seconds = max(1, math.ceil(self._left(item, limit, sender)))
        self._limited(limit)
        self._tell(limit, sender)
        return Problem(
            "too-many-requests",
            _told(Message(MESSAGES[limit]), item, seconds),
            extra={"retry_after": seconds},
        )

    def _tell(self, limit: str, sender: str) -> None:
        if self._local.hit(ONCE_A_MINUTE, "told", limit, sender):
            log.warning("limit reached", limit=limit, sender=sender)

    def _left(self, item: RateLimitItem, *names: str) -> float:
        """Return the seconds until the current window ends."""
        if self._shared is not self._local:
            with suppress(StorageError):
                # A shared storage uses the time of day.
                return self._shared.get_window_stats(item, *names).reset_time - time.time()
        return self._local.get_window_stats(item, *names).reset_time - self._clock()


def scaled(limit: tuple[RateLimitItem, ...], factor: float) -> tuple[RateLimitItem, ...]:
    """Return a limit that allows a multiple of the number, and at least 1."""
    return tuple(
        type(item)(max(1, int(item.amount * factor)), item.multiples, item.namespace)
        for item in limit
    )


def limiter() -> Limiter:
    """Return the app's limiter."""
    registered: Limiter = current_app.extensions["referee-limiter"]
    return registered


def count_address() -> None:
    """Count the request for its address, unless it is a health check."""
    if request.path not in NOT_COUNTED:
        limiter().count("address", sender_address())


def sender_address() -> str:
    """Return the IPv4 address or IPv6 network that the request is counted for."""
    return _sender(OWN)


def forwarded_address(environ: Mapping[str, Any], proxies: int) -> str:
    """Return the same as ``sender_address``, before the app has seen the request."""
    passed_on = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    own = network_of(environ.get("REMOTE_ADDR", ""), *OWN.values()) or "local"
    if not proxies or len(passed_on) < proxies:
        return own
    return network_of(passed_on[-proxies], *OWN.values()) or own


def sender_network() -> str:
    """Return the wider network that the request comes from."""
    return _sender(WIDER)


def _sender(prefixes: Mapping[int, int]) -> str:
    network = network_of(request.remote_addr or "", *prefixes.values())
    if network is None:
        # What a proxy has passed on is no address, so count for the proxy itself.
        before = request.environ.get("werkzeug.proxy_fix.orig", {}).get("REMOTE_ADDR") or ""
        network = network_of(before, *prefixes.values())
    return network or "local"


@lru_cache(CACHE_SIZE)
def network_of(written: str, prefix: int, prefix_6: int) -> str | None:
    """Return the network of an address as proxies write it, with a port or without one.

    An IPv4 address may be written as an IPv6 one (``::ffff:192.0.2.1``). None for anything else.
    """
    host = written.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    address = getattr(address, "ipv4_mapped", None) or address
    length = prefix if address.version == 4 else prefix_6
    network = ipaddress.ip_network((address, length), strict=False)
    return str(address) if length == address.max_prefixlen else str(network)


def _told(what: Message, item: RateLimitItem, seconds: int) -> Message:
    """Return what is refused and until when, which people count in minutes if it is long."""
    if seconds > LONGEST_SECONDS:
        return Message(
            "{what}: {count} in {period} are allowed. Try again in {minutes} min.",
            what=what,
            count=item.amount,
            period=_period(item),
            minutes=math.ceil(seconds / 60),
        )
    return Message(
        "{what}: {count} in {period} are allowed. Try again in {seconds} s.",
        what=what,
        count=item.amount,
        period=_period(item),
        seconds=seconds,
    )


def _period(item: RateLimitItem) -> Message:
    if item.multiples == 1:
        return Message(PERIODS[item.GRANULARITY.name])
    seconds = item.get_expiry()
    if seconds % 60:
        return Message("{number} seconds", number=seconds)
    return Message("{number} minutes", number=seconds // 60)


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
