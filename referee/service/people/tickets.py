"""Single-use tickets that open a stream within a minute: EventSource sends no headers.

A ticket names its holder, its expiry and a unique number, and is signed with the database's secret:
any process that shares the database can redeem it. The database remembers the numbers of used
tickets until they expire.
"""

import secrets
import time
from collections.abc import Callable

from sqlalchemy import delete, insert
from sqlalchemy.exc import IntegrityError

from referee.service.access import Principal
from referee.service.log.event_log import EventLog
from referee.store.schema import used_tickets
from referee.store.writer import Job

TICKET_SECONDS = 60


class Tickets:
    """Issues tickets and redeems them."""

    def __init__(self, log: EventLog, clock: Callable[[], float] = time.time) -> None:
        self._log = log
        self._clock = clock

    def issue(self, principal: Principal) -> str:
        """Issue a ticket to the holder of a token."""
        expires = int(self._clock()) + TICKET_SECONDS
        signed = f"{principal.id}.{principal.mark}.{expires:x}.{secrets.token_urlsafe(6)}"
        return f"{signed}.{self._log.tokens.signature(signed)}"

    def redeem(self, ticket: str) -> Principal | None:
        """Return the holder of a ticket; None if it is used, expired or forged."""
        signed, _, signature = ticket.rpartition(".")
        if not self._log.tokens.signed(signed, signature):
            return None
        token_id, mark, expires, number = signed.split(".")
        now = int(self._clock())
        # One that would last too long is refused as well: the clock was set back. Twice the time
        # allows for servers whose clocks differ a little.
        if not now <= int(expires, 16) <= now + 2 * TICKET_SECONDS:
            return None
        use = insert(used_tickets)
        forget = delete(used_tickets).where(used_tickets.c.expires < now)
        row = {"number": number, "expires": int(expires, 16)}
        try:
            self._log.writer.write(Job(before=[(use, row), (forget, {})]))
        except IntegrityError:
            return None
        holder = self._log.holders.by_id(token_id)
        return holder if holder is not None and holder.mark == mark else None
