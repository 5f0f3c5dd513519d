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
from typing import Any

from hardware.gateway.api import Api, Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.recording.form import EVENTS, FRAMES, HEAD, VERSION
from hardware.times import utc

LAST_S = 900.0
MOST_BYTES = 256_000_000
RATE, QUALITY = 15.0, 85
# The fields of an answer to record, without the state of the game.
ANSWER_FIELDS = ("id", "meaning", "type", "title", "detail")


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
        rate: Pictures a second to keep of each camera.
        clock: Seconds that never go back.
        now: Seconds since 1970.
    """

    def __init__(
        self,
        last: float = LAST_S,
        most: int = MOST_BYTES,
        rate: float = RATE,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._last, self._most, self._rate = last, most, rate
        self._clock = clock
        self._began = clock()
        self._began_at = now()
        self._kept: deque[_Kept] = deque()
        self._size = 0
        self._lock = threading.Lock()

    def frame(self, device: str, jpeg: bytes) -> None:
        """Record a camera's picture."""
        self._keep({"kind": "frame", "device": device}, jpeg)

    def pictures(self, device: str) -> Callable[[Any], None]:
        """Return a function that records a camera's pictures at the tape's rate."""
        latest = float("-inf")

        def take(picture: Any) -> None:
            nonlocal latest
            now = self._clock()
            if now - latest < 1 / self._rate - 1e-3:
                return
            latest = now
            import cv2

            done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            if done:
                self.frame(device, data.tobytes())

        return take

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

        ``devices``: backends by name.
        """
        with self._lock:
            kept = list(self._kept)
        head = {
            "version": VERSION,
            "began": utc(self._began_at),
            "ruleset": ruleset,
            "devices": [{"name": name, "backend": backend} for name, backend in devices.items()],
        }
        lines = []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(HEAD, json.dumps(head, indent=1))
            for number, one in enumerate(kept, 1):
                event = dict(one.event)
                if one.picture:
                    event["file"] = f"{FRAMES}{number:06}.jpg"
                    # JPEG does not compress further.
                    archive.writestr(event["file"], one.picture, zipfile.ZIP_STORED)
                lines.append(json.dumps(event, separators=(",", ":")))
            archive.writestr(EVENTS, "".join(f"{line}\n" for line in lines))
        return len(lines)

    def _keep(self, event: Mapping[str, Any], picture: bytes = b"") -> None:
        with self._lock:
            t = self._clock() - self._began
            one = _Kept({"t": round(t, 4), **event}, picture)
            self._kept.append(one)
            self._size += one.size
            while self._kept and (
                self._size > self._most or self._kept[0].event["t"] < t - self._last
            ):
                self._size -= self._kept.popleft().size


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
            self._tape.posted(self._device, key, body, reply)
        return reply


def record_device(tape: Tape, name: str, device: Any) -> None:
    """Record a device's pictures or bytes, if it has a ``tape``."""
    if not hasattr(device, "tape"):
        return
    if hasattr(device, "pictures"):
        device.tape = tape.pictures(name)
    else:
        device.tape = partial(tape.data, name)
