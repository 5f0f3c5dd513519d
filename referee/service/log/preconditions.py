"""Preconditions of a write: If-Match, an open table, one use of a key."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem

# Entries of a table: three times the moves of a very long evening.
MOST_ENTRIES = 30_000
# A full table still takes these: tokens are made void, and it is closed.
ALWAYS = frozenset(
    {"closed", "opened-again", "token-revoked", "token-rotated", "host-ended", "code-renewed"}
)


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Who writes, and the headers that come with it.

    ``key`` is the Idempotency-Key, ``fingerprint`` a hash of the request it is bound to, and
    ``if_match`` the versions of the table that If-Match names (None: any). ``may_confirm``: it may
    name an old one if it only confirms what the log holds. ``shared_key``: whoever else sends
    the same gets the same answer.
    """

    principal: Principal
    key: str | None = None
    fingerprint: str = ""
    if_match: frozenset[int] | None = None
    may_confirm: bool = False
    shared_key: str | None = None

    @property
    def known_version(self) -> int | None:
        """The newest version of the table that the sender names."""
        return max(self.if_match, default=None) if self.if_match is not None else None

    @property
    def request_key(self) -> str | None:
        """The key as stored: it is unique for its sender only."""
        if self.shared_key is not None:
            return self.shared_key
        return None if self.key is None else f"{self.principal.id}:{self.key}"

    @property
    def stored(self) -> dict[str, str | None]:
        """What is stored with the entry that answers the request, so that it is found again."""
        return {"request_key": self.request_key, "fingerprint": self.fingerprint}


def check_if_match(table: TableProjection, request: WriteRequest) -> None:
    """Check that If-Match, if sent, names the table's present version. Raises Problem."""
    reason = "The table has changed: it is at version {version} now. Read it again."
    check_version(table.version, request, Message(reason, version=table.version))


def check_version(version: int, request: WriteRequest, changed: Message) -> None:
    """Check that If-Match, if sent, names this version. Raises Problem with ``changed``."""
    if request.if_match is not None and version not in request.if_match:
        raise Problem("stale-version", changed, extra={"version": version})


def check_same_request(first: str, again: str) -> None:
    """Check that a key comes again with what it was first used for. Raises Problem.

    Requests are compared by their fingerprints, or by what they make.
    """
    if first != again:
        raise Problem(
            "key-reused",
            "This Idempotency-Key was used for another request; use a new one for each.",
        )


def check_open(table: TableProjection, principal: Principal) -> None:
    """Check that the table takes entries. Raises Problem."""
    if table.meta.closed is not None and not principal.is_operator:
        raise Problem(
            "closed", "This table is closed: it can be read, and nothing is written any more."
        )


def check_room(table: TableProjection, kinds: Iterable[str], most: int) -> None:
    """Check that the table's log has room for entries of these kinds. Raises Problem."""
    added = list(kinds)
    if table.version + len(added) > most and not ALWAYS.issuperset(added):
        reason = "This table has as many entries as it may have, {most}: go on at a new one."
        raise Problem("table-full", Message(reason, most=most))


def fingerprint(method: str, path: str, body: bytes) -> str:
    """Return the hash of a request that an Idempotency-Key is bound to."""
    return hashlib.sha256(b"\0".join((method.encode(), path.encode(), body))).hexdigest()
