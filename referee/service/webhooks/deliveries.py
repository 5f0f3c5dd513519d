"""What a webhook is to be sent next, read from the log, and how its outcome is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
import structlog
from sqlalchemy import Executable, update

from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.problems import Problem
from referee.service.webhooks.attempts import (
    Attempt,
    Outcome,
    after_failure,
    after_success,
    has_proved_quick,
    seconds_until,
    stamp,
    with_attempt,
)
from referee.service.webhooks.messages import TEST, event_body, message_id, test_body
from referee.store.reader import WebhookPosition
from referee.store.schema import webhooks
from referee.store.writer import Row

logger = structlog.get_logger(__name__)
# An entry as a spectator reads it, in a language.
Render = Callable[[TableProjection, LogEntry, str], Mapping[str, Any]]
Statement = tuple[Executable, Row]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message to be sent; ``event`` is None for a test. ``quick``: the last one went well."""

    hook: Mapping[str, Any]
    message: str
    kind: str
    event: int | None
    body: bytes
    quick: bool


class Deliveries:
    """Knows what is next: ``next`` and ``due`` read the store."""

    def __init__(self, log: EventLog, render: Render) -> None:
        self._log = log
        self._render = render
        # Webhook → its revision, and the entry up to which nothing is left to send. It saves asking
        # again, and sending again what could not be stored.
        self._done: dict[str, tuple[int, int]] = {}

    def due(self, positions: Iterable[WebhookPosition]) -> list[str]:
        """Return the webhooks that have something left to send."""
        return [
            position.id
            for position in positions
            if position.has_test or self._last(position) < position.newest
        ]

    def forget_all_but(self, hook_ids: Iterable[str]) -> None:
        """Forget webhooks that are gone."""
        kept = set(hook_ids)
        # Another thread may be adding to it.
        self._done = {
            webhook: done for webhook, done in dict(self._done).items() if webhook in kept
        }

    def next(self, hook_id: str) -> Delivery | float | None:
        """Return what to send now, or the seconds to wait for it; None if nothing is left."""
        row = self._log.reader.webhook(hook_id)
        if row is None:
            return None
        hook = dict(row)
        at = datetime.now(UTC)
        quick = has_proved_quick(hook["recent"])
        if hook["test"] is not None:
            body = test_body(hook["table_id"], at)
            return Delivery(hook, hook["test"], TEST, None, body, quick)
        if hook["disabled"] is not None:
            return None
        wait = seconds_until(hook["retry_at"], at)
        return wait if wait > 0 else self._next_event(hook, quick)

    def _next_event(self, hook: Mapping[str, Any], quick: bool) -> Delivery | None:
        try:
            table = self._log.fresh(hook["table_id"])
        except Problem:  # purged
            return None
        newest = table.version
        kinds = None if hook["kinds"] is None else orjson.loads(hook["kinds"])
        last = self._done.get(hook["id"], (-1, 0))
        after = max(hook["last_seq"], last[1]) if last[0] == hook["revision"] else hook["last_seq"]
        event = self._log.reader.next_entry(table.id, after, kinds)
        if event is None:
            self._done[hook["id"]] = (hook["revision"], max(after, newest))
            return None
        entry = self._render(table, parse_entry(event), hook["lang"])
        message = message_id(hook["id"], event.seq)
        return Delivery(hook, message, event.kind, event.seq, event_body(table.id, entry), quick)

    def store(
        self, sent: Delivery, outcome: Outcome, at: datetime, delays: Sequence[float]
    ) -> list[Statement]:
        """Return the statements that store what came of a delivery that began at a time."""
        hook = sent.hook
        number = 1 if sent.event is None else hook["attempts"] + 1
        named = (sent.message, sent.event, sent.kind, number, stamp(at))
        attempt = Attempt(*named, outcome.ms, outcome.code, outcome.error)
        this_one = update(webhooks).where(webhooks.c.id == hook["id"])
        noted = this_one.values(recent=with_attempt(hook["recent"], attempt))
        if sent.event is None:
            tested = this_one.where(webhooks.c.test == sent.message).values(test=None)
            return [(noted, {}), (tested, {})]
        if outcome.error is None:
            changed = after_success(sent.event)
            self._done[hook["id"]] = (hook["revision"], sent.event)
        else:
            changed = after_failure(hook, outcome, datetime.now(UTC), delays)
            if "disabled" in changed:
                table, why = hook["table_id"], changed["reason"]
                logger.info("webhook is off", table=table, webhook=hook["id"], why=why)
        # Not over what a host has changed meanwhile.
        unchanged = this_one.where(webhooks.c.revision == hook["revision"])
        return [(noted, {}), (unchanged.values(**changed), {})]

    def _last(self, position: WebhookPosition) -> int:
        revision, last = self._done.get(position.id, (-1, 0))
        return max(position.last_seq, last) if revision == position.revision else position.last_seq
