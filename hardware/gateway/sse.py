"""Parse server-sent events from bytes in any portions; no I/O."""

from dataclasses import dataclass

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
