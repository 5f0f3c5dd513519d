"""What is kept while a gateway runs: pictures, a board's bytes, observations and their answers."""

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
# Of an answer only what says how it was taken: the state of the game is the server's.
TOLD = ("id", "meaning", "type", "title", "detail")


@dataclass(frozen=True, slots=True)
class _Kept:
    """An event, and the picture that belongs to it."""

    event: Mapping[str, Any]
    picture: bytes = b""

    @property
    def size(self) -> int:
        return len(self.picture) + 300


class Tape:
    """The latest of a session. It may be used from any thread; nothing is written before ``save``.

    Tokens never come near it: it is given bodies, not headers, and no options of devices.

    Args:
        last: So many seconds are kept.
        most: So many bytes at most.
        rate: So many pictures a second of each camera.
        clock: Seconds that only ever grow.
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
        """A camera's picture."""
        self._keep({"kind": "frame", "device": device}, jpeg)

    def pictures(self, device: str) -> Callable[[Any], None]:
        """What takes a camera's pictures, some of them a second."""
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
        """Bytes of a board's wire; ``way`` is "in" for what came from it and "out" for the rest."""
        if data:
            self._keep({"kind": "bytes", "device": device, "way": way, "hex": data.hex()})

    def posted(self, device: str, key: str, body: bytes, reply: Reply | None) -> None:
        """An observation and its answer; None: there was none."""
        answer: dict[str, Any] = {}
        if reply is not None:
            said = reply.body or {}
            answer = {"status": reply.status, **{n: said[n] for n in TOLD if n in said}}
        event = {"kind": "posted", "device": device, "key": key, "body": json.loads(body)}
        self._keep({**event, "answer": answer})

    def save(self, file: Path, devices: Mapping[str, str], ruleset: str | None) -> int:
        """Write the file; how many events it holds. Raises OSError.

        ``devices`` are their backends by name.
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
                    # Pictures are as small as they get already.
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
    """The API, with what a device posts through it kept on a tape."""

    def __init__(self, server: ServerConfig, token: str, device: str, tape: Tape) -> None:
        super().__init__(server, token)
        self._device = device
        self._tape = tape

    def post(self, path: str, body: bytes, key: str) -> Reply:
        """Write something. Raises Unreachable."""
        reply: Reply | None = None
        try:
            reply = super().post(path, body, key)
        finally:
            self._tape.posted(self._device, key, body, reply)
        return reply


def record_device(tape: Tape, name: str, device: Any) -> None:
    """Keep what a device sees, if it is one that gives pictures or bytes to a ``tape``."""
    if not hasattr(device, "tape"):
        return
    if hasattr(device, "pictures"):
        device.tape = tape.pictures(name)
    else:
        device.tape = partial(tape.data, name)
