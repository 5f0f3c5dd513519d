"""Rate limits: how much one address and one token may ask for."""

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

from referee.api.guard.counting import ProcessMemory
from referee.config import Limits, parse_limit
from referee.rules.message import Message
from referee.service.problems import Problem

log = structlog.get_logger(__name__)
# An IPv6 network of this size is one household or one rented machine.
NETWORK = 64
FREE = frozenset({"/health", "/ready", "/metrics"})
# A flood of refusals must not become a flood of lines.
TELL_ONCE = RateLimitItemPerMinute(1)
PERIODS: dict[str, str] = {
    "second": "a second",
    "minute": "a minute",
    "hour": "an hour",
    "day": "a day",
    "month": "a month",
    "year": "a year",
}
SAID: dict[str, str] = {
    "address": "Too many requests from this address",
    "token": "Too many requests with this token",
    "tables": "Too many new tables from this address",
    "misses": "Too many join codes that do not exist, from this address",
    "all_misses": "Too many join codes that do not exist are being tried",
    "work": "Too many positions and records to rule on from this address",
    "photos": "Too many photos with this token",
}


class Limiter:
    """Counts what each sender asks for, and refuses what is too much.

    ``limited`` is told the name of the limit at each refusal. A storage that all processes share
    may be out of reach: then each counts for itself.
    """

    def __init__(
        self,
        limits: Limits,
        limited: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limited = limited
        self._clock = clock
        self._limits = {name: parse_limit(getattr(limits, name)) for name in SAID}
        self._own = FixedWindowRateLimiter(ProcessMemory(clock))
        self._shared = self._own
        if limits.storage != "memory":
            storage = storage_from_string(limits.storage, wrap_exceptions=True)
            self._shared = FixedWindowRateLimiter(storage)

    def count(self, limit: str, sender: str) -> None:
        """One more of what ``limit`` counts. Raises Problem when it is one too many."""
        for item in self._limits[limit]:
            if not self._hit(item, limit, sender):
                raise self._refusal(item, limit, sender)

    def check(self, limit: str, sender: str) -> None:
        """Count nothing, but raise Problem when no more is allowed."""
        for item in self._limits[limit]:
            if not self._test(item, limit, sender):
                raise self._refusal(item, limit, sender)

    def _hit(self, item: RateLimitItem, *names: str) -> bool:
        try:
            return self._shared.hit(item, *names)
        except StorageError as error:
            self._count_alone(error)
            return self._own.hit(item, *names)

    def _test(self, item: RateLimitItem, *names: str) -> bool:
        try:
            return self._shared.test(item, *names)
        except StorageError as error:
            self._count_alone(error)
            return self._own.test(item, *names)

    def _count_alone(self, error: StorageError) -> None:
        if self._own.hit(TELL_ONCE, "alone"):
            log.warning("limits are counted alone", reason=type(error.storage_error).__name__)

    def _refusal(self, item: RateLimitItem, limit: str, sender: str) -> Problem:
        seconds = max(1, math.ceil(self._left(item, limit, sender)))
        self._limited(limit)
        if self._own.hit(TELL_ONCE, "told", limit, sender):
            log.warning("limit reached", limit=limit, sender=sender)
        return Problem(
            "too-many-requests",
            Message(
                "{what}: {count} in {period} are allowed. Try again in {seconds} s.",
                what=Message(SAID[limit]),
                count=item.amount,
                period=_period(item),
                seconds=seconds,
            ),
            extra={"retry_after": seconds},
        )

    def _left(self, item: RateLimitItem, *names: str) -> float:
        """In how many seconds the present window ends."""
        if self._shared is not self._own:
            with suppress(StorageError):
                # A shared storage goes by the time of day.
                return self._shared.get_window_stats(item, *names).reset_time - time.time()
        return self._own.get_window_stats(item, *names).reset_time - self._clock()


def limiter() -> Limiter:
    """The limiter of the app."""
    found = current_app.extensions["referee-limiter"]
    if not isinstance(found, Limiter):
        raise TypeError("the app has no limiter")
    return found


def count_address() -> None:
    """Every request counts for its address, but for those that ask how the server is."""
    if request.path not in FREE:
        limiter().count("address", sender_address())


def sender_address() -> str:
    """Whom a request is counted for: an IPv4 address, or an IPv6 network."""
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
