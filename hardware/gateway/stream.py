"""Follows the table's event stream: discrepancies, and what observations turned out to be."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import requests

from hardware.gateway.api import Api, Reply, Unreachable, read_reply
from hardware.gateway.deck import UNKNOWN_DECK, deck_at, deck_of
from hardware.gateway.discrepancies import DiscrepancyLights
from hardware.retry import Retry

LONGEST = 4 * 1024 * 1024


class StreamError(ValueError):
    """The bytes are no stream of events."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event; ``id`` is the stream's latest id, even if this event has none."""

    id: str
    kind: str
    data: str


class EventParser:
    """Turns bytes into complete events."""

    def __init__(self) -> None:
        self._rest = b""
        self._skip_feed = False
        self._started = False
        self._id = ""
        self._kind = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that these bytes complete. Raises StreamError beyond 4 MiB."""
        events = []
        for line in self._lines(data):
            event = self._line(line)
            if event is not None:
                events.append(event)
        if len(self._rest) + self._size > LONGEST:
            raise StreamError(f"an event of more than {LONGEST} bytes")
        return events

    def _lines(self, data: bytes) -> list[str]:
        """Return the complete lines, which end with CR, LF, or both."""
        if self._skip_feed and data:
            data = data.removeprefix(b"\n")
            self._skip_feed = False
        whole = self._rest + data
        # A CR at the end may be half of a CR LF: the line counts, and a following LF does not.
        self._skip_feed = whole.endswith(b"\r")
        lines = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = lines.pop()
        decoded = [line.decode("utf-8", "replace") for line in lines]
        if decoded and not self._started:
            self._started = True
            decoded[0] = decoded[0].removeprefix("\ufeff")
        return decoded

    def _line(self, line: str) -> Event | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._size += len(value)
        elif name == "event":
            self._kind = value
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _dispatch(self) -> Event | None:
        event = Event(self._id, self._kind or "message", "\n".join(self._data))
        heard = bool(self._data)
        self._kind, self._data, self._size = "", [], 0
        return event if heard else None


# A silent stream sends a comment every 15 s.
SILENCE = 40.0
LOOK_AGAIN = 30.0
STOP_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class StreamStatus:
    """``state``: "connecting", "following", "away" or "refused"; ``detail`` says why."""

    state: str = "connecting"
    detail: str = ""
    reconnects: int = 0


class StreamFollower:
    """One stream for all devices. ``apis``, one per token, take turns when one is refused.

    ``heard`` gets each entry of the log, in order; ``missed`` is called when some were left out.
    """

    def __init__(
        self,
        apis: Sequence[Api],
        lights: DiscrepancyLights,
        *,
        retry: Retry | None = None,
        look_again: float = LOOK_AGAIN,
        silence: float = SILENCE,
        clock: Callable[[], float] = time.monotonic,
        heard: Callable[[Mapping[str, Any]], None] = lambda _: None,
        missed: Callable[[], None] = lambda: None,
    ) -> None:
        self._heard = heard
        self._apis = list(apis)
        self._lights = lights
        self._missed = missed
        self._retry = retry or Retry()
        self._look_again = look_again
        self._silence = silence
        self._clock = clock
        self._last: int | None = None
        self._refusals = 0
        self._reconnects = 0
        self._stop = threading.Event()
        self._open: requests.Response | None = None
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        self._status = StreamStatus()
        self.seats: tuple[str, ...] = ()
        self.deck = UNKNOWN_DECK

    def start(self) -> None:
        """Begin to follow the events."""
        self._thread.start()

    def stop(self) -> None:
        """Stop following."""
        self._stop.set()
        answer = self._open
        if answer is not None:
            # Wake the thread that waits for bytes, if the HTTP library can.
            shutdown = getattr(answer.raw, "shutdown", None)
            if shutdown is not None:
                with suppress(OSError, ValueError):
                    shutdown()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def status(self) -> StreamStatus:
        """Return the current state."""
        return self._status

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._follow(self._apis[0])
                why = f"{self._apis[0].server_url}: the stream ended"
            except Unreachable as error:
                why = str(error)
            except _Refused as error:
                self._next_token(str(error))
                continue
            except Exception as error:  # whatever it is, the stream must come back
                self._last = None
                why = f"the stream cannot be read: {error!r}"
            self._wait("away", why, self._retry.failed())

    def _follow(self, api: Api) -> None:
        if self._last is None:
            self._read_table(api)
        began = self._clock()
        with api.stream(self._last or 0, self._silence) as answer:
            if answer.status_code != 200:
                self._turned_away(read_reply(answer))
            self._open = answer
            try:
                self._listen(answer, api)
            finally:
                self._open = None
                if self._clock() - began > self._retry.longest:
                    self._retry.succeeded()

    def _read_table(self, api: Api) -> None:
        """Read the table's current state, to skip the events before it."""
        known = self._lights.version
        reply = api.get(api.table_path())
        body: Any = reply.body or {}
        version = body.get("version")
        if reply.status != 200 or not isinstance(version, int):
            self._turned_away(reply)
        self.deck = deck_of(api, body)
        self._lights.learn(version, body.get("discrepancies"), instead_of=known)
        self._last = version
        self._missed()
        seats = body.get("seats", [])
        self.seats = tuple(str(seat.get("name", "")) for seat in seats)

    def _turned_away(self, reply: Reply) -> None:
        if reply.status in (401, 403, 404):
            raise _Refused(reply.detail)
        # A reset server may not know the last id, so read the table again.
        self._last = None
        raise Unreachable(f"the stream is not to be had: {reply.detail}")

    def _listen(self, answer: requests.Response, api: Api) -> None:
        parser = EventParser()
        # Byte by byte unless chunked: a larger read would wait for more bytes.
        size = None if getattr(answer.raw, "chunked", False) else 1
        for portion in answer.iter_content(chunk_size=size):
            if self._stop.is_set():
                return
            if self._status.state != "following":
                self._refusals = 0
                self._status = StreamStatus("following", "", self._reconnects)
            for event in parser.feed(portion):
                self._take(event, api)

    def _take(self, event: Event, api: Api) -> None:
        if event.kind == "revoked":
            raise _Refused("the token was revoked")
        entry = json.loads(event.data)
        # What is about the stream itself has no id; the parser keeps the last one, as it has to.
        if isinstance(entry, dict) and str(entry.get("id")) == event.id:
            if entry.get("kind") == "game-started":
                # Before the number counts: where this fails, the event comes again.
                self.deck = deck_at(api)
            self._last = int(event.id)
            self._lights.learn(self._last, entry.get("discrepancies"))
            self._heard(entry)

    def _next_token(self, why: str) -> None:
        self._refusals += 1
        self._apis.append(self._apis.pop(0))
        seconds = 0.0 if self._refusals % len(self._apis) else self._look_again
        self._wait("refused", why, seconds)

    def _wait(self, state: str, why: str, seconds: float) -> None:
        self._reconnects += 1
        self._status = StreamStatus(state, why, self._reconnects)
        self._stop.wait(seconds)


class _Refused(Exception):  # noqa: N818 - a state of the token
    """The token may not read the table."""
