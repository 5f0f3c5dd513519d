"""Attempts at delivering to a webhook: what came of them, when to try again, when to give up."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

MOST_RECENT = 20
# Seconds after each failed attempt; after the last one the webhook is off. It is the schedule that
# Standard Webhooks suggests, three days in all.
DELAYS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
# Up to a fifth longer, so that what failed together is not tried again together.
JITTER = 0.2
LONGEST_WAIT = 1.2 * max(DELAYS)
GONE = 410
# Statuses whose Retry-After counts, and the most that it may ask for, in seconds.
BUSY = (429, 502, 503, 504)
LONGEST_BUSY = 3_600
ERRORS = ("name", "address", "connection", "encryption", "timeout", "answer", "redirect", "status")
REASONS = ("host", "gone", "failures")
# Faster receivers than this do not have to queue behind those that fail.
QUICK_MS = 3_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt: the status of the answer, if any, and what was wrong, if anything.

    ``wait`` is Retry-After in seconds.
    """

    ms: int
    code: int | None = None
    error: str | None = None
    wait: int = 0


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt as hosts see it; ``event`` is None for a test."""

    message: str
    event: int | None
    kind: str
    number: int
    at: str
    ms: int
    code: int | None
    error: str | None


def read_recent(stored: str) -> list[dict[str, Any]]:
    """Return the latest attempts, newest first, as they are stored."""
    attempts: list[dict[str, Any]] = orjson.loads(stored)
    return attempts


def with_attempt(stored: str, attempt: Attempt) -> str:
    """Return the latest attempts with one more, as they are stored."""
    kept = [asdict(attempt), *read_recent(stored)][:MOST_RECENT]
    return orjson.dumps(kept).decode()


def has_proved_quick(stored: str) -> bool:
    """Return whether the newest attempt went well, and fast."""
    recent = read_recent(stored)
    return bool(recent) and recent[0]["error"] is None and recent[0]["ms"] < QUICK_MS


def after_success(event: int) -> dict[str, Any]:
    """Return the columns that change once an event has arrived."""
    return {"last_seq": event, "attempts": 0, "failing_since": None, "retry_at": None}


def after_failure(
    hook: Mapping[str, Any], outcome: Outcome, at: datetime, delays: Sequence[float]
) -> dict[str, Any]:
    """Return the columns that change after a failed attempt."""
    failed = hook["attempts"] + 1
    changed = {"attempts": failed, "failing_since": hook["failing_since"] or stamp(at)}
    if outcome.code == GONE or failed > len(delays):
        why = "gone" if outcome.code == GONE else "failures"
        return {**changed, "retry_at": None, "disabled": stamp(at), "reason": why}
    delay = delays[failed - 1] * (1 + JITTER * secrets.randbelow(1000) / 1000)
    busy = min(outcome.wait, LONGEST_BUSY) if outcome.code in BUSY else 0
    return {**changed, "retry_at": stamp(at + timedelta(seconds=max(delay, busy)))}


def seconds_until(retry_at: str | None, at: datetime) -> float:
    """Return how long to wait; a clock that was set back does not make it longer than it can be."""
    if retry_at is None:
        return 0.0
    return min((datetime.fromisoformat(retry_at) - at).total_seconds(), LONGEST_WAIT)


def stamp(at: datetime) -> str:
    """Return a time as the store has it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
