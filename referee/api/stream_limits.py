"""The streams that are open: so many at most, and none that nobody reads.

A stream takes a thread of the server. One whose reader has gone, or does not read what it is sent,
is cut off; what it has not got it reads when it comes again, from the last event that it saw.
"""

import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from referee.service.problems import Problem

LOOK_EVERY = 1.0
# How long a reader may take to make room for more.
PATIENCE = 20.0
# What the kernel keeps for a reader that is slow; beyond it the stream waits.
BUFFER_BYTES = 64 * 1024
GONE = select.POLLRDHUP | select.POLLHUP | select.POLLERR | select.POLLNVAL


class Slot:
    """One open stream. ``wake`` makes it look whether it is ``over``."""

    def __init__(self, wake: Callable[[], None], peer: socket.socket | None) -> None:
        self.wake = wake
        self.peer = peer
        self.writing_since: float | None = None
        self.over = False


class StreamLimit:
    """How many streams may be open at once, and those that are."""

    def __init__(self, most: int, patience: float = PATIENCE) -> None:
        self.most = most
        self.closing = False
        self._patience = patience
        self._slots: set[Slot] = set()
        self._guard = threading.Lock()
        self._looking = False

    @property
    def open(self) -> int:
        """How many are open."""
        return len(self._slots)

    def enter(self, wake: Callable[[], None], peer: socket.socket | None = None) -> Slot:
        """One more, to whoever is at the other end of a connection. Raises Problem."""
        slot = Slot(wake, peer)
        with self._guard:
            if self.closing:
                raise Problem("not-ready", "The server is being stopped; try again.")
            if len(self._slots) >= self.most:
                raise Problem("too-many-streams", "Too many streams are open; try again later.")
            self._slots.add(slot)
            if not self._looking and peer is not None:
                self._looking = True
                threading.Thread(target=self._look_after, name="streams", daemon=True).start()
        if peer is not None:
            _bound(peer)
        return slot

    def leave(self, slot: Slot) -> None:
        """One less."""
        with self._guard:
            self._slots.discard(slot)

    def close(self) -> None:
        """Have all streams say that the server stops, and end."""
        self.closing = True
        for slot in self._all():
            slot.over = True
            slot.wake()

    def shed(self, now: float) -> None:
        """End the streams whose readers have gone, or have made no room for too long."""
        readers = {slot.peer.fileno(): slot for slot in self._all() if slot.peer is not None}
        readers.pop(-1, None)
        poll = select.poll()
        for descriptor in readers:
            poll.register(descriptor, select.POLLRDHUP)
        gone = {readers[descriptor] for descriptor, found in poll.poll(0) if found & GONE}
        for slot in readers.values():
            since = slot.writing_since
            if slot in gone:
                slot.over = True
                slot.wake()
            if slot in gone or (since is not None and now - since > self._patience):
                _cut(slot)

    def _all(self) -> list[Slot]:
        with self._guard:
            return list(self._slots)

    def _look_after(self) -> None:
        while True:
            time.sleep(LOOK_EVERY)
            with self._guard:
                if not self._slots:
                    self._looking = False
                    return
            self.shed(time.monotonic())


def _bound(peer: socket.socket) -> None:
    """Have the kernel keep little for a slow reader, and give up one that answers nothing."""
    with suppress(OSError):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * PATIENCE))


def _cut(slot: Slot) -> None:
    """Whoever is in the midst of sending to the peer is told that it is gone."""
    if slot.peer is not None:
        with suppress(OSError):
            slot.peer.shutdown(socket.SHUT_RDWR)
