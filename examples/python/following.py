"""Following a table: every event once, in order, whatever becomes of the connection."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
from referee_client import AuthenticatedClient
from referee_client.models import Entry

# A silent stream says every 15 seconds that it is still there.
SILENCE = 40.0
SHORTEST, LONGEST = 0.5, 15.0
NO_USE = (401, 403, 404)


class SetBack(Exception):  # noqa: N818 - what it says
    """The server knows fewer events than were seen: an older backup was restored."""


class Gone(Exception):  # noqa: N818 - what it says
    """The table, or the token for it, is no more."""


def follow(client: AuthenticatedClient, table_id: str, last: int) -> Iterator[Entry]:
    """Events after number ``last``, as they happen. Raises Gone when there will be no more.

    A broken connection is made anew with Last-Event-ID, so that nothing is missed and nothing
    comes twice; the wait in between grows while the server cannot be reached.
    """
    pause = SHORTEST
    while True:
        try:
            for entry in listen(client, table_id, last):
                last, pause = entry.id, SHORTEST
                yield entry
        except SetBack:
            with suppress(httpx.HTTPError):
                last = newest(client, table_id)
        except httpx.TransportError:
            pause = min(2 * pause, LONGEST)
        time.sleep(pause)


def newest(client: AuthenticatedClient, table_id: str) -> int:
    """The table's version, to go on from. Raises Gone, httpx.HTTPError."""
    answer = client.get_httpx_client().get(f"/api/v1/tables/{table_id}")
    if answer.status_code in NO_USE:
        raise Gone(answer.json()["detail"])
    version: int = answer.raise_for_status().json()["version"]
    return version


def listen(client: AuthenticatedClient, table_id: str, last: int) -> Iterator[Entry]:
    """One connection: events after ``last`` until it ends.

    Raises Gone, SetBack, httpx.TransportError.
    """
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
    path = f"/api/v1/tables/{table_id}/events"
    timeout = httpx.Timeout(10, read=SILENCE)
    with client.get_httpx_client().stream("GET", path, headers=headers, timeout=timeout) as answer:
        if answer.status_code in NO_USE:
            raise Gone(json.loads(answer.read())["detail"])
        if answer.status_code == 422:
            raise SetBack
        if answer.status_code != 200:
            time.sleep(float(answer.headers.get("Retry-After", 1)))
            return
        kind, data = "message", ""
        for line in answer.iter_lines():
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                kind = value
            elif field == "data":
                data = value
            elif not line and data:
                # These concern the stream, not the table, and have no id.
                if kind == "revoked":
                    raise Gone("You were shut out of this table, or it is no more.")
                if kind == "closing":
                    return
                if kind not in ("unavailable", "available"):
                    yield Entry.from_dict(json.loads(data))
                kind, data = "message", ""
