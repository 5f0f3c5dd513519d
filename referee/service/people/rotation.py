"""Repeat a rotation of one's own token whose answer was lost.

The old secret is void, and only the lost answer held the new one. So for a short time the old
secret still speaks for this one request, sent again with the same Idempotency-Key: it gets the same
new secret, which is derived from the key and stored nowhere. It opens nothing else, and without the
key, which must be hard to guess, it does not open this either.
"""

from datetime import UTC, datetime, timedelta

from referee.service.access import SELF, SHORTEST_OPEN_KEY, Principal, hash_token, mark_of
from referee.service.log.entries import parse_entry
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry
from referee.service.log.token_holders import principal_of_row

REPEAT = timedelta(minutes=5)
# So many of the newest entries are searched.
MOST_LATER = 500


def proof_of(log: EventLog, hashed: str) -> str:
    """Return what lets a rotation's entry recognise the secret that it replaced."""
    return log.tokens.signature(f"rotated:{hashed}")


def rotated_holder(
    log: EventLog, table_id: str, token_id: str, old: str, key: str | None
) -> Principal | None:
    """Return whose secret ``old`` was, if their own rotation with this key has just replaced it.

    ``token_id`` is the token that the request names. None for any other request.
    """
    if key is None or len(key) < SHORTEST_OPEN_KEY:
        return None
    hashed = hash_token(old)
    entry = _rotation(log, table_id, hashed)
    if entry is None or datetime.fromisoformat(entry.at) < datetime.now(UTC) - REPEAT:
        return None
    holder = str(entry.body["token"])
    own = entry.body["by"]["token"] == holder and token_id in (SELF, holder)
    request_key = f"{holder}:{key}"
    stored = log.reader.by_request_key(table_id, request_key)
    if not own or stored is None or stored[0].seq != entry.seq:
        return None
    if not log.tokens.signed(f"rotated:{hashed}", entry.body.get("proof", "")):
        return None
    row = log.reader.token_by_id(holder)
    new = hash_token(log.tokens.token("rotate", request_key))
    # A token that was revoked, or rotated again, stays so.
    if row is None or row["revoked"] is not None or row["hash"] != new:
        return None
    return principal_of_row(row)


def _rotation(log: EventLog, table_id: str, hashed: str) -> LogEntry | None:
    newest = log.reader.newest([table_id]).get(table_id, 0)
    for stored in reversed(log.reader.entries(table_id, newest - MOST_LATER)):
        if stored.kind == "token-rotated":
            entry = parse_entry(stored)
            if entry.body["void"] == mark_of(hashed):
                return entry
    return None
