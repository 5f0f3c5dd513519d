"""The file of a recording: an untrusted ZIP archive.

``recording.json`` has the ``version`` (1), when it ``began`` (UTC), the ``ruleset`` (or null) and
the ``devices`` (``name``, ``backend``). ``events.jsonl`` has one object per line, in order, each
with ``t`` (seconds since the recording began), ``device`` and ``kind``:

- ``frame``: a picture, the ``file`` in the archive (``frames/000123.jpg``);
- ``place``: where the piles are in the pictures that follow: the corners of ``pile`` and ``draw``
  in pixels (or null), the ``state``, ``moved_by`` and ``turned`` of the camera's follower;
- ``mark``: a card was laid, lifted or cleared (``Mark``), which names no player;
- ``bytes``: a board's bytes as ``hex``; ``way`` is "in" (from the board) or "out";
- ``posted``: an observation with its idempotency ``key`` and ``body``; the ``answer`` has the
  ``status`` and the meaning or problem, and is empty if no answer came.

Unless ``whole`` (in ``recording.json``), the pictures show only the pile and a rim of the table.
It never holds a token, a player's name or a table's address; devices are named by their backend.
"""

import json
import lzma
import math
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

What = Literal["found", "placed", "lifted", "cleared"]
By = Literal["person", "phone", "camera"]
WHATS: tuple[What, ...] = ("found", "placed", "lifted", "cleared")
BYS: tuple[By, ...] = ("person", "phone", "camera")
# Events of the log by which a card comes to lie on the discard pile.
LAID = ("played", "flipped")


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at the pile by its time, after the mark before.

    Those from the log come when a phone or the camera reported the card; they name no player.
    ``found``: a round began with this card. ``card`` is what then lay on top, None if not told.
    ``entry`` is the log's, 0 of a person's mark. If it ``stands`` no more after a correction, it is
    open what was laid.
    """

    what: What
    card: str | None
    by: By
    entry: int = 0
    stands: bool = True

    def fields(self) -> dict[str, Any]:
        """Return the fields of its event."""
        return asdict(self)


def read_mark(fields: Mapping[str, Any]) -> Mark:
    """Return the mark of an event's checked fields."""
    return Mark(fields["what"], fields["card"], fields["by"], fields["entry"], fields["stands"])


def read_marks(entry: Mapping[str, Any]) -> list[Mark]:
    """Return the marks in an entry of the table's event stream."""
    role = (entry.get("by") or {}).get("role")
    by: By = "camera" if role == "device" else "phone"
    if entry.get("kind") == "round-opened":
        return _marks("found", _list(entry.get("opening"))[-1:], by, entry)
    if entry.get("kind") not in ("moved", "confirmed"):
        return []
    events = [event for event in _list(entry.get("events")) if isinstance(event, Mapping)]
    return _marks(
        "placed", [event.get("card") for event in events if event.get("event") in LAID], by, entry
    )


def correct(marks: Sequence[Mark], entry: Mapping[str, Any]) -> list[Mark]:
    """Return the marks after an entry of the stream, which may be a correction."""
    if entry.get("kind") != "corrected":
        return list(marks)
    fell, again = _ids(entry, "fell"), _ids(entry, "stands")
    replaced, card = _replaced(entry)
    after = []
    for mark in marks:
        if mark.entry == replaced and card is not None:
            after.append(replace(mark, card=card))
        elif mark.entry in fell or mark.entry in again:
            after.append(replace(mark, stands=mark.entry in again))
        else:
            after.append(mark)
    return after


def _ids(entry: Mapping[str, Any], name: str) -> set[int]:
    """Return the ids in ``fell`` or ``stands`` of a correction; a long list has ranges of them."""
    items = [item.get("id") for item in _list(entry.get(name)) if isinstance(item, Mapping)]
    ids = {number for number in items if isinstance(number, int)}
    for span in _list(entry.get(f"{name}_entries")):
        if isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span):
            ids.update(range(span[0], span[1] + 1))
    return ids


def _replaced(entry: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """Return the entry that a correction replaced by another card, and that card."""
    change, entered = entry.get("change"), entry.get("entered")
    if not isinstance(change, Mapping) or change.get("kind") != "replace":
        return None, None
    for item in _list(entry.get("fell")):
        if isinstance(item, Mapping) and _move_of(item) == _move_of(change):
            card = entered.get("card") if isinstance(entered, Mapping) else None
            return item.get("id"), card if isinstance(card, str) else None
    return None, None


def _move_of(move: Mapping[str, Any]) -> tuple[Any, Any]:
    return move.get("round"), move.get("move")


def _marks(what: What, cards: Sequence[Any], by: By, entry: Mapping[str, Any]) -> list[Mark]:
    number = entry.get("id")
    number = number if isinstance(number, int) else 0
    return [Mark(what, card, by, number) for card in cards if isinstance(card, str)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


HEAD, EVENTS, FRAMES = "recording.json", "events.jsonl", "frames/"
VERSION = 1
_NAME = re.compile(r"recording\.json|events\.jsonl|frames/[0-9]{6,9}\.jpg")
MOST_FILES = 200_000
MOST_HEAD, MOST_EVENTS, MOST_FRAME = 100_000, 200_000_000, 16_000_000
MOST_LINE = 1_000_000
# Pictures and lines of JSON do not compress this well; a ZIP bomb does.
MOST_RATIO = 200
MOST_PIXELS = 1e6
STATES = ("searching", "still", "moving", "covered")
LONGEST_S = 7 * 24 * 3600.0
# Errors that unpacking an arbitrary archive may raise.
UNREADABLE = (
    OSError,
    EOFError,
    KeyError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


class RecordingError(ValueError):
    """The file is no recording, or not safe to read; the text says why."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event, ``t`` seconds after the recording began; described in this module."""

    t: float
    kind: str
    device: str
    fields: Mapping[str, Any]


class Recording:
    """An opened recording; ``frames`` reads its pictures one after another.

    Attributes:
        began: When it began, UTC.
        ruleset: The deck; None if not known.
        whole: Whether the pictures show all that the camera saw.
        backends: The devices' backends by name.
        events: All events, in order.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            with zipfile.ZipFile(file) as archive:
                self._sizes = _checked(archive)
                head = _json(archive.read(HEAD), HEAD)
                self._read_head(head)
                self.events = tuple(self._read_events(archive))
        except RecordingError as error:
            raise RecordingError(f"{file} is no recording: {error}") from None
        except UNREADABLE as error:
            why = getattr(error, "strerror", None) or "it is no ZIP archive, or damaged"
            raise RecordingError(f"{file} cannot be read: {why}") from None

    def frames(self, device: str) -> Iterator[tuple[RecordedEvent, bytes]]:
        """Yield a camera's ``frame`` events with their JPEG pictures. Raises RecordingError."""
        try:
            with zipfile.ZipFile(self._file) as archive:
                for event in self.of("frame", device):
                    yield event, archive.read(event.fields["file"])
        except UNREADABLE as error:
            raise RecordingError(f"{self._file}: a picture cannot be read: {error}") from None

    @property
    def marks(self) -> list[tuple[float, Mark]]:
        """The marks, each with its time."""
        return [(e.t, read_mark(e.fields)) for e in self.of("mark")]

    def of(self, kind: str, device: str | None = None) -> list[RecordedEvent]:
        """Return the events of a kind, of one device if given."""
        return [e for e in self.events if e.kind == kind and device in (None, e.device)]

    def _read_head(self, head: Any) -> None:
        if not isinstance(head, dict) or head.get("version") != VERSION:
            raise RecordingError(f"{HEAD} must say version {VERSION}")
        self.began = _text(head, "began")
        ruleset = head.get("ruleset")
        if ruleset is not None and not isinstance(ruleset, str):
            raise RecordingError("ruleset must be a text or null")
        self.ruleset: str | None = ruleset
        self.whole = head.get("whole", True) is not False
        devices = head.get("devices")
        if not isinstance(devices, list) or len(devices) > 100:
            raise RecordingError("devices must be a list")
        self.backends = {_text(device, "name"): _text(device, "backend") for device in devices}

    def _read_events(self, archive: zipfile.ZipFile) -> Iterator[RecordedEvent]:
        before = 0.0
        for number, line in enumerate(archive.read(EVENTS).splitlines(), 1):
            if len(line) > MOST_LINE:
                raise RecordingError(f"line {number} of {EVENTS} is too long")
            event = self._event(_json(line, f"line {number} of {EVENTS}"), number)
            if event.t < before:
                raise RecordingError(f"line {number} of {EVENTS} goes back in time")
            before = event.t
            yield event

    def _event(self, value: Any, number: int) -> RecordedEvent:
        where = f"line {number} of {EVENTS}"
        if not isinstance(value, dict) or value.get("kind") not in _CHECKS:
            raise RecordingError(f"{where} is of no known kind")
        t = value.get("t")
        # Python's JSON allows infinity, and True counts as an int.
        if isinstance(t, bool) or not isinstance(t, int | float) or not math.isfinite(t):
            raise RecordingError(f"{where}: t must be a number of seconds")
        if not 0 <= t <= LONGEST_S:
            raise RecordingError(f"{where}: t must be from 0 to {LONGEST_S:.0f}")
        if not _CHECKS[value["kind"]](value, self._sizes):
            raise RecordingError(f"{where} is not as a {value['kind']} should be")
        return RecordedEvent(float(t), value["kind"], _text(value, "device"), value)


def _checked(archive: zipfile.ZipFile) -> Mapping[str, int]:
    """Check names and sizes before anything is unpacked; return the sizes."""
    items = archive.infolist()
    if len(items) > MOST_FILES:
        raise RecordingError("it holds too many files")
    sizes: dict[str, int] = {}
    for item in items:
        if not _NAME.fullmatch(item.filename) or item.filename in sizes:
            raise RecordingError(f"{item.filename!r} does not belong into it")
        most = {HEAD: MOST_HEAD, EVENTS: MOST_EVENTS}.get(item.filename, MOST_FRAME)
        if item.file_size > most or item.file_size > MOST_RATIO * max(1, item.compress_size):
            raise RecordingError(f"{item.filename} is too large")
        sizes[item.filename] = item.file_size
    for name in (HEAD, EVENTS):
        if name not in sizes:
            raise RecordingError(f"it has no {name}")
    return sizes


def _frame(value: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    return isinstance(value.get("file"), str) and value["file"] in sizes


def _bytes(value: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    text = value.get("hex")
    wired = isinstance(text, str) and re.fullmatch("(?:[0-9a-f]{2})+", text) is not None
    return wired and value.get("way") in ("in", "out")


def _posted(value: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    whole = isinstance(value.get("body"), dict) and isinstance(value.get("answer"), dict)
    return whole and isinstance(value.get("key"), str)


def _place(value: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    known = all(value.get(name) is None or _corners(value[name]) for name in ("pile", "draw"))
    # Older recordings lack ``turned``.
    numbers = _number(value.get("moved_by")) and _number(value.get("turned", 0.0))
    return known and numbers and value.get("state") in STATES


def _corners(value: Any) -> bool:
    points = value if isinstance(value, list) and len(value) == 4 else [None]
    return all(isinstance(p, list) and len(p) == 2 and all(map(_number, p)) for p in points)


def _number(value: Any) -> bool:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    return real and math.isfinite(value) and abs(value) < MOST_PIXELS


def _mark(value: Mapping[str, Any], sizes: Mapping[str, int]) -> bool:
    card, entry = value.get("card"), value.get("entry")
    named = card is None or (isinstance(card, str) and 0 < len(card) <= 40)
    whole = named and type(entry) is int and isinstance(value.get("stands"), bool)
    return whole and value.get("what") in WHATS and value.get("by") in BYS


_CHECKS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, int]], bool]] = {
    "frame": _frame,
    "bytes": _bytes,
    "posted": _posted,
    "place": _place,
    "mark": _mark,
}


def _json(data: bytes, what: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise RecordingError(f"{what} is no JSON") from None


def _text(value: Any, name: str) -> str:
    text = value.get(name) if isinstance(value, dict) else None
    if not isinstance(text, str) or not 0 < len(text) <= 200:
        raise RecordingError(f"{name} must be a text")
    return text
