"""The webhooks of a table: its hosts add, read, change, test and delete them.

They are not part of the log, which everybody at the table reads: a URL may hold a secret.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import RowMapping, delete, insert, update
from sqlalchemy.exc import IntegrityError

from referee.rules.message import Message
from referee.service.access import Principal, new_id
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import WriteRequest, check_open, check_same_request
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem, invalid
from referee.service.webhooks.addresses import AddressPolicy, check_on, check_url
from referee.service.webhooks.attempts import read_recent, stamp
from referee.service.webhooks.messages import former_until, test_id, write_secret
from referee.store.schema import webhooks
from referee.store.writer import Job

MOST_WEBHOOKS = 5
NOT_FAILING = {"attempts": 0, "failing_since": None, "retry_at": None}
Json = dict[str, Any]


def add_webhook(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    policy: AddressPolicy,
    given: Mapping[str, Any],
) -> tuple[Json, str]:
    """Add a webhook; return it, and its secret, which is shown this once. Raises Problem.

    ``given``: url, kinds (None: all), lang, description, after (None: from now on).
    """
    check_on(policy)
    check_url(given["url"], policy)
    table = log.fresh(table.id)
    own = request.request_key and f"{table.id}:{request.request_key}"
    secret = write_secret(log.tokens.secret("webhook", own))
    after = table.version if given["after"] is None else given["after"]
    row = {
        "id": log.tokens.id("webhook", own) if own else new_id(),
        "table_id": table.id,
        "secret": secret,
        "fingerprint": request.fingerprint if own else None,
        "created": stamp(datetime.now(UTC)),
        "revision": 0,
        "recent": "[]",
        **NOT_FAILING,
        **_columns(table, {**given, "after": after}),
    }
    with table.lock:
        stored = log.reader.webhook(row["id"]) if own else None
        if stored is None:
            check_open(table, request.principal)
            if len(log.reader.webhooks_of(table.id)) >= MOST_WEBHOOKS:
                raise Problem(
                    "conflict",
                    Message("A table has {most} webhooks at most: delete one.", most=MOST_WEBHOOKS),
                )
            try:
                log.writer.write(Job(before=[(insert(webhooks), row)]))
            except IntegrityError:
                # Another process was first, or the table is gone.
                stored = _find(log, table, row["id"])
    if stored is not None:
        check_same_request(stored["fingerprint"], request.fingerprint)
    log.hooks.change(table.id)
    return show_webhook(log, table, row["id"]), secret


def list_webhooks(log: EventLog, table: TableProjection) -> list[Json]:
    """Return the table's webhooks, without their secrets."""
    return [_shown(row) for row in log.reader.webhooks_of(table.id)]


def show_webhook(log: EventLog, table: TableProjection, hook_id: str) -> Json:
    """Return a webhook, without its secret. Raises Problem."""
    return _shown(_find(log, table, hook_id))


def change_webhook(
    log: EventLog,
    table: TableProjection,
    by: Principal,
    policy: AddressPolicy,
    hook_id: str,
    given: Mapping[str, Any],
) -> Json:
    """Change what is given of a webhook: as for ``add_webhook``, and active. Raises Problem."""
    check_on(policy)
    if "url" in given:
        check_url(given["url"], policy)
    table = log.fresh(table.id)
    check_open(table, by)
    _find(log, table, hook_id)
    changed = _columns(table, given)
    if "active" in given:
        off = {"disabled": stamp(datetime.now(UTC)), "reason": "host"}
        changed |= NOT_FAILING | ({"disabled": None, "reason": None} if given["active"] else off)
    if "url" in given or "after" in given:
        changed |= NOT_FAILING
    _update(log, table, hook_id, changed)
    return show_webhook(log, table, hook_id)


def delete_webhook(log: EventLog, table: TableProjection, hook_id: str) -> None:
    """Delete a webhook, of a closed table too. Raises Problem."""
    _find(log, table, hook_id)
    log.writer.write(Job(before=[(delete(webhooks).where(webhooks.c.id == hook_id), {})]))
    log.hooks.change(table.id)


def rotate_secret(
    log: EventLog, table: TableProjection, request: WriteRequest, hook_id: str
) -> tuple[Json, str]:
    """Give a webhook a new secret; the former one signs too for a day. Raises Problem."""
    own = request.request_key and f"{hook_id}:{request.request_key}"
    secret = write_secret(log.tokens.secret("rotate", own))
    with table.lock:
        row = _find(log, table, hook_id)
        check_open(table, request.principal)
        # Sent again with the same key, it is the same secret.
        if row["secret"] != secret:
            until = stamp(former_until(datetime.now(UTC)))
            former = {"former_secret": row["secret"], "former_until": until}
            _update(log, table, hook_id, {"secret": secret, **former})
    return show_webhook(log, table, hook_id), secret


def ask_for_test(log: EventLog, table: TableProjection, policy: AddressPolicy, hook_id: str) -> str:
    """Ask for a test message, and return its id; one at a time. Raises Problem."""
    check_on(policy)
    row = _find(log, table, hook_id)
    message: str = row["test"] or test_id(hook_id)
    _update(log, table, hook_id, {"test": message})
    return message


def list_attempts(log: EventLog, table: TableProjection, hook_id: str) -> list[Json]:
    """Return the latest attempts at delivering, newest first. Raises Problem."""
    return read_recent(_find(log, table, hook_id)["recent"])


def _columns(table: TableProjection, given: Mapping[str, Any]) -> Json:
    changed = {name: given[name] for name in ("url", "lang", "description") if name in given}
    if "kinds" in given:
        kinds: Sequence[str] | None = given["kinds"]
        changed["kinds"] = None if kinds is None else orjson.dumps(sorted(set(kinds))).decode()
    if "after" in given:
        if given["after"] > table.version:
            raise invalid(
                "after",
                Message(
                    "there is no event {last} yet: the newest is {version}",
                    last=given["after"],
                    version=table.version,
                ),
            )
        changed["last_seq"] = given["after"]
    return changed


def _update(log: EventLog, table: TableProjection, hook_id: str, changed: Json) -> None:
    this_one = update(webhooks).where(webhooks.c.id == hook_id)
    counted = this_one.values(revision=webhooks.c.revision + 1, **changed)
    log.writer.write(Job(before=[(counted, {})]))
    log.hooks.change(table.id)


def _find(log: EventLog, table: TableProjection, hook_id: str) -> RowMapping:
    webhook = log.reader.webhook(hook_id)
    if webhook is None or webhook["table_id"] != table.id:
        raise Problem("not-found", "There is no such webhook at this table.")
    return webhook


def _shown(row: RowMapping) -> Json:
    kinds = row["kinds"]
    failing = row["failing_since"] is not None and row["disabled"] is None
    return {
        "id": row["id"],
        "url": row["url"],
        "kinds": None if kinds is None else orjson.loads(kinds),
        "lang": row["lang"],
        "description": row["description"],
        "created": row["created"],
        "after": row["last_seq"],
        "active": row["disabled"] is None,
        "disabled": None
        if row["disabled"] is None
        else {"at": row["disabled"], "reason": row["reason"]},
        "failing": {
            "since": row["failing_since"],
            "attempts": row["attempts"],
            "next": row["retry_at"],
        }
        if failing
        else None,
    }
