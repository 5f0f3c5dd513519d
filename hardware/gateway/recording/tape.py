"""The recording of a running gateway: pictures, board bytes, observations and answers."""

import json
import threading
import time
import zipfile
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.gateway.api import Api, Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.posting.poster import results_of
from hardware.gateway.recording.form import EVENTS, FRAMES, HEAD, VERSION, Mark, correct, read_marks
from hardware.times import utc

if TYPE_CHECKING:
    from hardware.camera.setup.follow import PilePosition

# Rim around the pile, in shares of the place's longer side: the tracker watches 0.35, and a hand
# should be seen to come. With a card's place of 92 x 121 mm that is 6 cm of table.
RIM = 0.5
# Share of the rim up to which the place may move before pictures are cut elsewhere.
SLACK = 0.4
# JPEG compresses blocks of 16 x 16 pixels.
BLOCK = 16
# Decimals of corners, in pixels.
DIGITS = 1


class Cutter:
    """Cuts the pictures of one camera, all alike until the pile has moved; ``whole`` cuts nothing.

    ``corner``: x and y, in pixels of the whole picture, where the last cut began.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._box: tuple[int, int, int, int] | None = None
        self.corner = (0, 0)

    def cut(self, picture: Any, place: "PilePosition") -> Any | None:
        """Return the part to keep; None while it is not known where the pile lies."""
        if self._whole:
            return picture
        if place.pile is not None and place.state != "moving":
            self._follow(picture, place)
        if self._box is None:
            return None
        left, top, right, bottom = self._box
        self.corner = (left, top)
        part = picture[top:bottom, left:right]
        return part if part.size else None

    def _follow(self, picture: Any, place: "PilePosition") -> None:
        rim = RIM * _longer_side(place.pile)
        if self._box is None or not _holds(self._box, place, (1 - SLACK) * rim, picture):
            self._box = _around(place, rim, picture)

    def fields(self, place: "PilePosition") -> dict[str, Any]:
        """Return a place as an event's fields, in pixels of the cut picture."""
        return {
            "state": place.state,
            "moved_by": round(float(place.moved_by), DIGITS),
            "turned": round(float(place.turned), DIGITS),
            "pile": self._corners(place.pile),
            # Cut away, it cannot be watched.
            "draw": self._corners(place.draw) if self._whole else None,
        }

    def _corners(self, corners: Any) -> list[list[float]] | None:
        if corners is None:
            return None
        x, y = self.corner
        return [[round(float(a) - x, DIGITS), round(float(b) - y, DIGITS)] for a, b in corners]


def _around(place: "PilePosition", rim: float, picture: Any) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what to keep, in whole blocks inside the picture."""
    (left, top), (right, bottom) = _extent(place.pile)
    height, width = picture.shape[:2]
    return (
        max(0, int(left - rim) // BLOCK * BLOCK),
        max(0, int(top - rim) // BLOCK * BLOCK),
        min(width, -(-int(right + rim) // BLOCK) * BLOCK),
        min(height, -(-int(bottom + rim) // BLOCK) * BLOCK),
    )


def _holds(box: tuple[int, int, int, int], place: "PilePosition", rim: float, picture: Any) -> bool:
    """Return whether the box holds a place with its rim, as far as that is in the picture."""
    (left, top), (right, bottom) = _extent(place.pile)
    height, width = picture.shape[:2]
    return (
        box[0] <= max(0, left - rim)
        and box[1] <= max(0, top - rim)
        and box[2] >= min(width, right + rim)
        and box[3] >= min(height, bottom + rim)
    )


def _extent(corners: Any) -> tuple[tuple[float, float], tuple[float, float]]:
    low = tuple(min(float(point[axis]) for point in corners) for axis in (0, 1))
    high = tuple(max(float(point[axis]) for point in corners) for axis in (0, 1))
    return (low[0], low[1]), (high[0], high[1])


def _longer_side(corners: Any) -> float:
    sides = [
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return float(max(sides))


LAST_S = 900.0
MOST_BYTES = 400_000_000
QUALITY = 80
# The fields of an answer to record: not the state of the game, and no sentence with a name in it.
ANSWER_FIELDS = ("id", "meaning", "type")
# The device that marks are of.
TABLE = "table"


@dataclass(frozen=True, slots=True)
class _Kept:
    """An event and its picture."""

    event: Mapping[str, Any]
    picture: bytes = b""

    @property
    def size(self) -> int:
        return len(self.picture) + 300


class Tape:
    """The latest minutes of a session, in memory until ``save``. Thread-safe.

    It never sees tokens: it gets bodies, not headers, and no device options.

    Args:
        last: Seconds to keep.
        most: Bytes to keep, at most.
        rate: Pictures a second to keep of each camera; None for all.
        whole: Keep whole pictures, not only the pile and a rim of the table.
        clock: Seconds that never go back.
        now: Seconds since 1970.
    """

    def __init__(
        self,
        last: float = LAST_S,
        most: int = MOST_BYTES,
        rate: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
        *,
        whole: bool = False,
    ) -> None:
        self._last, self._most, self._rate, self._whole = last, most, rate, whole
        self._clock = clock
        self._began = clock()
        self._began_at = wall_clock()
        self._kept: deque[_Kept] = deque()
        self._size = 0
        # Where the piles were in the first picture that is kept, by device.
        self._places: dict[str, Mapping[str, Any]] = {}
        self._marks: list[tuple[float, Mark]] = []
        self._lock = threading.Lock()

    @property
    def full(self) -> bool:
        """Whether it holds as much as it keeps: from now on the earliest is lost."""
        return self._size > 0.98 * self._most

    def frame(self, device: str, jpeg: bytes, at: float | None = None) -> None:
        """Record a camera's picture, taken at ``at`` by the tape's clock."""
        self._keep({"kind": "frame", "device": device}, jpeg, at)

    def pictures(self, device: str) -> "Callable[[Any, float, PilePosition], None]":
        """Return a function that records a camera's pictures.

        It takes the picture, when it was taken by the tape's clock, and where the piles are in it.
        """
        import cv2

        cutter = Cutter(whole=self._whole)
        least = 0.0 if self._rate is None else 0.95 / self._rate
        latest = float("-inf")
        told: Mapping[str, Any] | None = None

        def take(picture: Any, at: float, place: "PilePosition") -> None:
            nonlocal latest, told
            part = cutter.cut(picture, place)
            if part is None or at - latest < least:
                return
            latest = at
            fields = cutter.fields(place)
            if fields != told:
                told = fields
                self._keep({"kind": "place", "device": device, **fields}, at=at)
            done, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if done:
                self.frame(device, data.tobytes(), at)

        return take

    def heard(self, entry: Mapping[str, Any]) -> None:
        """Mark what an entry of the table's event stream says was laid."""
        marks = read_marks(entry)
        with self._lock:
            t = self._clock() - self._began
            kept = correct([mark for _, mark in self._marks], entry)
            self._marks = [(when, mark) for (when, _), mark in zip(self._marks, kept, strict=True)]
            self._marks += [(t, mark) for mark in marks]

    def mark(self, mark: Mark, at: float) -> None:
        """Mark what a person says had happened at ``at``, by the tape's clock."""
        with self._lock:
            self._marks.append((max(0.0, at - self._began), mark))

    def data(self, device: str, way: str, data: bytes) -> None:
        """Record a board's bytes; ``way`` is "in" (from the board) or "out"."""
        if data:
            self._keep({"kind": "bytes", "device": device, "way": way, "hex": data.hex()})

    def posted(self, device: str, key: str, body: bytes, reply: Reply | None) -> None:
        """Record an observation and its answer; None if none came."""
        answer: dict[str, Any] = {}
        if reply is not None:
            fields = reply.body or {}
            answer = {
                "status": reply.status,
                **{k: v for k, v in fields.items() if k in ANSWER_FIELDS},
            }
        event = {"kind": "posted", "device": device, "key": key, "body": json.loads(body)}
        self._keep({**event, "answer": answer})

    def save(self, file: Path, devices: Mapping[str, str], ruleset: str | None) -> int:
        """Write the file; return the number of events. Raises OSError.

        ``devices``: backends by name. The file names devices by their backend.
        """
        with self._lock:
            kept, places, marks = list(self._kept), dict(self._places), list(self._marks)
        names = _anonymous(devices)
        first = min((entry.event["t"] for entry in kept), default=0.0)
        events = [
            *((first, {**place, "t": first}, b"") for place in places.values()),
            *((entry.event["t"], entry.event, entry.picture) for entry in kept),
            *((t, _mark_event(t, mark), b"") for t, mark in marks if t >= first),
        ]
        head = {
            "version": VERSION,
            "began": utc(self._began_at),
            "ruleset": ruleset,
            "whole": self._whole,
            "devices": [{"name": names[name], "backend": devices[name]} for name in devices],
        }
        lines = []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(HEAD, json.dumps(head, indent=1))
            # A picture was taken a little before it came here, so sort by time.
            for number, (_, event, picture) in enumerate(sorted(events, key=lambda e: e[0]), 1):
                event = {**event, "device": names.get(event["device"], event["device"])}
                if picture:
                    event["file"] = f"{FRAMES}{number:06}.jpg"
                    # JPEG does not compress further.
                    archive.writestr(event["file"], picture, zipfile.ZIP_STORED)
                lines.append(json.dumps(event, separators=(",", ":")))
            archive.writestr(EVENTS, "".join(f"{line}\n" for line in lines))
        return len(lines)

    def _keep(
        self, event: Mapping[str, Any], picture: bytes = b"", at: float | None = None
    ) -> None:
        with self._lock:
            now = self._clock()
            t = max(0.0, (now if at is None else min(at, now)) - self._began)
            item = _Kept({"t": round(t, 4), **event}, picture)
            self._kept.append(item)
            self._size += item.size
            while self._kept and (
                self._size > self._most or self._kept[0].event["t"] < t - self._last
            ):
                lost = self._kept.popleft()
                self._size -= lost.size
                if lost.event["kind"] == "place":
                    self._places[lost.event["device"]] = lost.event


def _mark_event(t: float, mark: Mark) -> Mapping[str, Any]:
    return {"t": round(t, 4), "kind": "mark", "device": TABLE, **mark.fields()}


def _anonymous(devices: Mapping[str, str]) -> Mapping[str, str]:
    """Return names that tell nothing of people, by the devices' own names."""
    names: dict[str, str] = {}
    for name, backend in devices.items():
        number = 1 + sum(devices[other] == backend for other in names)
        names[name] = backend if number == 1 else f"{backend}-{number}"
    return names


class TapedApi(Api):
    """The API, recording what a device posts."""

    def __init__(self, server: ServerConfig, token: str, device: str, tape: Tape) -> None:
        super().__init__(server, token)
        self._device = device
        self._tape = tape

    def post(self, path: str, body: bytes, key: str) -> Reply:
        """Send a POST request and record it. Raises Unreachable."""
        reply: Reply | None = None
        try:
            reply = super().post(path, body, key)
        finally:
            if path.endswith("/batch"):
                self._batch_posted(body, reply)
            else:
                self._tape.posted(self._device, key, body, reply)
        return reply

    def _batch_posted(self, body: bytes, reply: Reply | None) -> None:
        """Record the observations of a batch that were answered, each as if by itself."""
        sent = json.loads(body)["observations"]
        answers = results_of(reply, len(sent)) if reply is not None else []
        for item, answer in zip(sent, answers, strict=False):
            observation = json.dumps(item["observation"]).encode()
            self._tape.posted(self._device, item["key"], observation, answer)


def record_device(tape: Tape, name: str, device: Any) -> None:
    """Record a device's pictures or bytes, if it has a ``tape``."""
    if not hasattr(device, "tape"):
        return
    if hasattr(device, "pictures"):
        device.tape = tape.pictures(name)
    else:
        device.tape = partial(tape.data, name)
