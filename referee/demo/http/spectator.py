"""A spectator of the live stream, who must never learn a card in a hand."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import requests

from referee.demo.http.client import API, TIMEOUT, DemoError, Json

PATIENCE = 10.0


class Spectator:
    """Reads a table's event stream in a thread.

    Attributes:
        seen: The entries received.
        received_at: When each arrived, by ``time.perf_counter``.
        hang_ups: How often the connection was lost or closed.
    """

    def __init__(self, server: str, table_id: str, token: str, hang_up_after: int = 100) -> None:
        self.url = f"{server}{API}/tables/{table_id}/events"
        self.seen: list[Json] = []
        self.received_at: dict[int, float] = {}
        self.hang_ups = 0
        self._hang_up_after = hang_up_after
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["Authorization"] = f"Bearer {token}"
        self._session.headers["Accept"] = "text/event-stream"
        self._news = threading.Condition()
        self._failure: str | None = None
        self._revoked = False
        self._connected = True
        self._broken_at = 0.0
        self._thread = threading.Thread(target=self._follow, name="spectator", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def check_ended(self) -> None:
        """Raise DemoError if the stream goes on although the token was revoked."""
        self._thread.join(PATIENCE)
        if self._thread.is_alive() or not self._revoked:
            raise DemoError("The stream goes on although the spectator's token was revoked.")

    def wait_for(self, version: int) -> None:
        """Wait for the entry. Raises DemoError when it does not arrive."""
        end = time.monotonic() + PATIENCE
        with self._news:
            while version not in self.received_at:
                left = end - time.monotonic()
                if self._failure or left <= 0 or not self._news.wait(left):
                    reason = self._failure or f"event {version} did not come in {PATIENCE:.0f} s"
                    raise DemoError(f"The spectator's stream: {reason}.")

    def _follow(self) -> None:
        while not self._revoked:
            try:
                self._listen()
            except requests.RequestException as error:
                # A restarted server is back within a second or two.
                if self._connected:
                    self._connected, self._broken_at = False, time.monotonic()
                    self.hang_ups += 1
                if time.monotonic() - self._broken_at > PATIENCE:
                    return self._fail(f"has been down for {PATIENCE:.0f} s: {error}")
                time.sleep(0.1)
            except (ValueError, KeyError) as error:
                return self._fail(f"cannot be read: {error!r}")
        return None

    def _fail(self, reason: str) -> None:
        with self._news:
            self._failure = reason
            self._news.notify_all()

    def _listen(self) -> None:
        """Read one connection, and close it after some events, as a phone losing its network."""
        last = self.seen[-1]["id"] if self.seen else 0
        headers = {"Last-Event-ID": str(last)}
        with self._session.get(self.url, headers=headers, stream=True, timeout=TIMEOUT) as answer:
            answer.raise_for_status()
            self._connected = True
            for count, (event_id, kind, entry) in enumerate(_events(answer), 1):
                if kind == "revoked":
                    self._revoked = True
                    return
                if not event_id:
                    # About the stream itself: the store, or the server stopping.
                    continue
                if event_id != entry["id"] or kind != entry["kind"]:
                    raise ValueError(f"event {event_id} ({kind}) brings entry {entry['id']}")
                with self._news:
                    self.seen.append(entry)
                    self.received_at[event_id] = time.perf_counter()
                    self._news.notify_all()
                if count == self._hang_up_after:
                    self.hang_ups += 1
                    return


def _events(answer: requests.Response) -> Iterator[tuple[int, str, Any]]:
    """Yield the events of a stream: id (0 for none), kind, data."""
    fields: dict[str, str] = {}
    for raw in answer.iter_lines(chunk_size=None):
        line = raw.decode("utf-8")
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield int(fields.get("id", 0)), fields["event"], json.loads(fields["data"])
            fields = {}
        else:
            fields = {}
