"""Imitates the page of a phone that is the table's camera: which frames it sends, and when.

It follows ``referee/web/files/js/camera`` number by number: what counts as movement, the rhythm of
pictures and of signs that nothing moves, and the queue in front of the network.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import requests

from hardware.camera.types import Picture

# motion.js
SMALL, CELL, MOVED_IN_CELL = (160, 90), 10, 8
LEAST, NOISES, LEARN, SPREAD = 10.0, 5.0, 0.05, 1.48
# watch.js
LOOK, AFTER, SIGN = 0.075, 1.5, 0.4
RATE = 8.0
QUALITY = 80
# sender.js
MOST_WAITING = 20
PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Shot:
    """What the page takes of its camera: a small grey picture to compare, and the one to send."""

    time: float
    small: Picture
    jpeg: bytes


def shots(frames: Iterable[tuple[Picture, float]]) -> Iterator[Shot]:
    """Take a film's frames, (picture, seconds), as often as the page looks."""
    due = float("-inf")
    for picture, at in frames:
        if at < due:
            continue
        due = at + LOOK
        yield shot(picture, at)


def shot(picture: Picture, at: float) -> Shot:
    """Take one picture."""
    small = cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA)
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return Shot(at, cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.int16), packed.tobytes())


class MotionSense:
    """Whether something has moved; light that changes everywhere alike has not."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._settled: Picture | None = None
        self._noise = 1.0

    def look(self, small: Picture) -> bool:
        """Return whether something moved since the last picture, or crept since ``settle``."""
        if self._before is None or self._settled is None:
            self._before = self._settled = small
            return True
        shift, spread = _difference(small, self._before)
        self._noise += LEARN * (min(spread, 4 * self._noise) - self._noise)
        most = max(LEAST, NOISES * self._noise)
        moved = _differs(small - self._before - shift, most)
        crept = small - self._settled - _difference(small, self._settled)[0]
        self._before = small
        return moved or _differs(crept, most)

    def settle(self) -> None:
        """Count creeping from here."""
        self._settled = self._before


def _difference(small: Picture, other: Picture) -> tuple[int, float]:
    off = small - other
    shift = int(np.median(off))
    return shift, SPREAD * (float(np.median(np.abs(off - shift))) + 0.5)


def _differs(off: Picture, most: float) -> bool:
    moved = np.abs(off) > most
    cells = moved.reshape(SMALL[1] // CELL, CELL, SMALL[0] // CELL, CELL).sum(axis=(1, 3))
    return bool((cells >= MOVED_IN_CELL).any())


@dataclass
class Tally:
    """What was sent: pictures and signs, their bytes, and how they were answered."""

    pictures: int = 0
    signs: int = 0
    bytes: int = 0
    dropped: int = 0
    statuses: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Waiting:
    captured: float
    jpeg: bytes


class PhonePage:
    """One phone; a thread sends what it takes.

    ``clock`` is the phone's own clock in seconds, such as the time since its page was opened.
    """

    def __init__(
        self, server: str, table: str, token: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.server = server
        self._path = f"/api/v1/tables/{table}/frames"
        self._token = token
        self._clock = clock
        self._sense = MotionSense()
        self._moved = self._taken = self._signed = self._next = float("-inf")
        self._changed = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._busy = False
        self._stopped = False
        self.point: tuple[float, float] | None = None
        self.tally = Tally()
        self.view: dict[str, Any] = {}
        threading.Thread(target=self._send_all, name="phone page", daemon=True).start()

    def see(self, shot: Shot) -> None:
        """Look at what the camera shows now, and send it if the page would."""
        now = self._clock()
        if self._sense.look(shot.small):
            self._moved = now
        rate = min(float(self.view.get("frames_per_second", RATE)), 12.0)
        every = float(self.view.get("picture_every_s", 2.0))
        moving = now - self._moved < AFTER
        if now >= self._next if moving else now - self._taken >= every:
            self._taken = now
            self._next = max(self._next, now - 1 / rate) + 1 / rate
            self._sense.settle()
            self._put(_Waiting(now, shot.jpeg))
        elif not moving and self._idle() and now - max(self._taken, self._signed) >= SIGN:
            self._signed = now
            self._put(_Waiting(now, b""))

    def stop(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _idle(self) -> bool:
        with self._changed:
            return not (self._waiting or self._busy)

    def _put(self, frame: _Waiting) -> None:
        with self._changed:
            self._waiting.append(frame)
            if len(self._waiting) > MOST_WAITING:
                self._waiting.popleft()
                self.tally.dropped += 1
            self._changed.notify_all()

    def _send_all(self) -> None:
        with requests.Session() as session:
            session.headers["Authorization"] = f"Bearer {self._token}"
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._waiting or self._stopped)
                    if self._stopped:
                        return
                    frame, self._busy = self._waiting.popleft(), True
                pause = self._send(session, frame)
                with self._changed:
                    self._busy = False
                    self._changed.wait_for(lambda: self._stopped, pause)

    def _send(self, session: requests.Session, frame: _Waiting) -> float:
        """Send a frame; return how long to wait before the next one."""
        query = {
            "captured": f"{1000 * frame.captured:.1f}",
            "sent": f"{1000 * self._clock():.1f}",
            "still": "false" if frame.jpeg else "true",
        }
        if self.point is not None:
            query["pile"] = ",".join(f"{share:.4f}" for share in self.point)
        headers = {"Content-Type": "image/jpeg"} if frame.jpeg else {}
        try:
            answer = session.post(
                self.server + self._path, params=query, data=frame.jpeg, headers=headers, timeout=8
            )
        except requests.RequestException:
            self._count(0)
            return PAUSE
        self._count(answer.status_code)
        if answer.status_code == 200:
            self.view = answer.json()
            self.tally.bytes += len(frame.jpeg)
            self.tally.pictures += bool(frame.jpeg)
            self.tally.signs += not frame.jpeg
            if self.view["pile"]:
                self.point = None
            return 0.0
        return float(answer.headers.get("Retry-After", PAUSE))

    def _count(self, status: int) -> None:
        self.tally.statuses[status] = self.tally.statuses.get(status, 0) + 1
