"""The firmware in the real MicroPython on a socket, and a network in between that loses much."""

import contextlib
import json
import random
import select
import socket
import struct
import threading
import time

from hardware.board.ports.network_port import JoinedBoard, keep_joined
from tests.hardware.firmware.rig import HERE, MicroPythonRig

HOME = ("Home", "correct-horse")
KEY = "00112233445566778899aabbccddeeff"


class WirelessRig(MicroPythonRig):
    """A Pico W; ``joined``: to the Wi-Fi that there is, by this computer, before it starts."""

    def __init__(self, joined=True, **more):
        # Bound and not listening, it keeps the port for the board, whose door may be shut: at every
        # address, as the board binds it.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("0.0.0.0", 0))
        self.door = self._place.getsockname()[1]
        self.air = HOME
        self._joined = joined
        super().__init__(**more)

    def close(self):
        super().close()
        self._place.close()

    @property
    def address(self):
        return f"tcp://127.0.0.1:{self.door}"

    def set_air(self, *air):
        """Another Wi-Fi is in the air, or none."""
        self.air = air
        self._set_the_air()

    def _more_arguments(self):
        if self._joined:
            self._joined = False
            settings = {"name": HOME[0], "password": HOME[1], "key": KEY}
            (self.folder / "wifi.json").write_text(json.dumps(settings))
            keep_joined(JoinedBoard(self.board_id, "referee-board-7f2a00", KEY))
        return [self.door, HERE / "radio"]

    def _set_the_air(self):
        self.command(" ".join(["air", *self.air]))


class Relay:
    """A stretch of network: connections to it go to ``port``, and what it loses is up to you.

    Attributes:
        worst: Whether bytes come in small pieces, some late.
        cuts: How many connections it has cut.
    """

    def __init__(self, port, seed=0):
        self._to = ("127.0.0.1", port)
        self._random = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.worst = False
        self.cuts = 0
        self._still_until = 0.0
        self._cut_after = None
        self._down = False
        self._pairs = []
        self._ending = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def url(self):
        return f"tcp://127.0.0.1:{self.port}"

    def cut(self):
        """Reset all connections."""
        with self._lock:
            self._reset()

    def cut_after(self, count):
        """Reset all connections after so many bytes, wherever that is in a frame."""
        self._cut_after = count

    def stall(self, seconds):
        """Carry nothing for so long, and tell nobody."""
        self._still_until = time.monotonic() + seconds

    def down(self):
        """Nobody is reached any more."""
        with self._lock:
            self._down = True
            self._reset()

    def up(self):
        self._down = False

    def close(self):
        self._ending = True
        self._thread.join()
        self._reset()
        self._listener.close()

    def _reset(self):
        self.cuts += bool(self._pairs)
        for one in (one for pair in self._pairs for one in pair):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
        self._pairs = []

    def _run(self):
        while not self._ending:
            with self._lock:
                watched = {one: pair for pair in self._pairs for one in pair}
            if time.monotonic() < self._still_until:
                time.sleep(0.01)
                continue
            with contextlib.suppress(OSError, ValueError):
                ready = select.select([self._listener, *watched], [], [], 0.02)[0]
                with self._lock:
                    for one in ready:
                        self._serve(one, watched.get(one))

    def _serve(self, one, pair):
        if pair is None:
            caller = self._listener.accept()[0]
            try:
                if self._down:
                    raise ConnectionRefusedError
                self._pairs.append((caller, socket.create_connection(self._to, 2)))
            except OSError:
                caller.close()
            return
        if pair not in self._pairs:
            return
        data = b""
        with contextlib.suppress(OSError):
            data = one.recv(self._random.randint(1, 9) if self.worst else 4096)
        if not data:
            for end in pair:
                end.close()
            self._pairs.remove(pair)
            return
        if self.worst and self._random.random() < 0.02:
            time.sleep(self._random.random() * 0.05)
        count = self._cut_after
        if count is not None:
            data = data[:count]
            self._cut_after = count - len(data)
        with contextlib.suppress(OSError):
            pair[1 - pair.index(one)].sendall(data)
        if self._cut_after == 0:
            self._cut_after = None
            self._reset()
