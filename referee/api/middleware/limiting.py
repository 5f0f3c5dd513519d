"""Rate limits by address and token."""

import ipaddress
import math
import time
from collections.abc import Callable
from contextlib import suppress

import structlog
from flask import current_app, request
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from referee.api.middleware.counting import ProcessMemory
from referee.config import Limits, parse_limit
from referee.rules.message import Message
from referee.service.problems import Problem

log = structlog.get_logger(__name__)
# The prefix of an IPv6 network that belongs to one household or one rented machine.
NETWORK = 64
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
MESSAGES: dict[str, str] = {
    "address": "Too many requests from this address",
    "token": "Too many requests with this token",
    "tables": "Too many new tables from this address",
    "misses": "Too many join codes that do not exist, from this address",
    "all_misses": "Too many join codes that do not exist are being tried",
    "work": "Too many positions and records to rule on from this address",
    "photos": "Too many photos with this token",
}


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
        self._limits = {name: parse_limit(getattr(limits, name)) for name in MESSAGES}
        self._local = FixedWindowRateLimiter(ProcessMemory(clock))
        self._shared = self._local
        if limits.storage != "memory":
            storage = storage_from_string(limits.storage, wrap_exceptions=True)
            self._shared = FixedWindowRateLimiter(storage)

    def count(self, limit: str, sender: str) -> None:
        """Count a request. Raises Problem beyond the limit."""
        for item in self._limits[limit]:
            if not self._hit(item, limit, sender):
                raise self._refusal(item, limit, sender)

    def check(self, limit: str, sender: str) -> None:
        """Raise Problem if no further request is allowed, without counting one."""
        for item in self._limits[limit]:
            if not self._test(item, limit, sender):
                raise self._refusal(item, limit, sender)

    def _hit(self, item: RateLimitItem, *names: str) -> bool:
        try:
            return self._shared.hit(item, *names)
        except StorageError as error:
            self._warn_fallback(error)
            return self._local.hit(item, *names)

    def _test(self, item: RateLimitItem, *names: str) -> bool:
        try:
            return self._shared.test(item, *names)
        except StorageError as error:
            self._warn_fallback(error)
            return self._local.test(item, *names)

    def _warn_fallback(self, error: StorageError) -> None:
        if self._local.hit(ONCE_A_MINUTE, "alone"):
            log.warning("limit storage unavailable", reason=type(error.storage_error).__name__)

    def _refusal(self, item: RateLimitItem, limit: str, sender: str) -> Problem:
        seconds = max(1, math.ceil(self._left(item, limit, sender)))
        self._limited(limit)
        if self._local.hit(ONCE_A_MINUTE, "told", limit, sender):
            log.warning("limit reached", limit=limit, sender=sender)
        return Problem(
            "too-many-requests",
            Message(
                "{what}: {count} in {period} are allowed. Try again in {seconds} s.",
                what=Message(MESSAGES[limit]),
                count=item.amount,
                period=_period(item),
                seconds=seconds,
            ),
            extra={"retry_after": seconds},
        )

    def _left(self, item: RateLimitItem, *names: str) -> float:
        """Return the seconds until the current window ends."""
        if self._shared is not self._local:
            with suppress(StorageError):
                # A shared storage uses the time of day.
                return self._shared.get_window_stats(item, *names).reset_time - time.time()
        return self._local.get_window_stats(item, *names).reset_time - self._clock()


def limiter() -> Limiter:
    """Return the app's limiter."""
    found = current_app.extensions["referee-limiter"]
    if not isinstance(found, Limiter):
        raise TypeError("the app has no limiter")
    return found


def count_address() -> None:
    """Count the request for its address, unless it is a health check."""
    if request.path not in NOT_COUNTED:
        limiter().count("address", sender_address())


def sender_address() -> str:
    """Return the IPv4 address or IPv6 network that the request is counted for."""
    address = request.remote_addr or "local"
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], NETWORK), strict=False))
    except ValueError:
        return address


def _period(item: RateLimitItem) -> Message:
    period = PERIODS[item.GRANULARITY.name]
    if item.multiples == 1:
        return Message(period)
    return Message("{number} × {period}", number=item.multiples, period=Message(period))
