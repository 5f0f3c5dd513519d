"""The board of ``peer`` on a pseudo terminal that can be unplugged; drivers on a fast clock."""

import os
import select
import threading
import time
import tty
from types import SimpleNamespace

from hardware.board.driver import SerialBoard
from hardware.board.options import read_options
from tests.hardware.board.peer import Peer

SPEED = 5.0
"""How many times faster than real time the boards and drivers of most tests run."""


class PatientClock:
    """Seconds that all but stop while the process does, or is slow: 20 ms a call at most."""

    def __init__(self):
        self._lock = threading.Lock()
        self._now, self._called = 0.0, time.monotonic()

    def __call__(self):
        with self._lock:
            called = time.monotonic()
            self._now += min(called - self._called, 0.02)
            self._called = called
            return self._now


patient = PatientClock()


def patient_sleep(seconds):
    end = patient() + seconds
    while patient() < end:
        time.sleep(0.005)


PATIENT_TIME = SimpleNamespace(monotonic=patient, sleep=patient_sleep)
"""In place of the module ``time``."""


def fast_clock():
    return patient() * SPEED


def fast_board(name, options, clock=fast_clock):
    """A driver that takes its time from ``clock``, not started."""
    return SerialBoard(name, read_options(options), clock)


class PtyBoard:
    """A thread that steps a peer; ``path`` is the same after it was unplugged and plugged in."""

    def __init__(self, folder, peer=None):
        self.path = folder / "board"
        self.peer = peer or Peer()
        self._lock = threading.Lock()
        self._begin = fast_clock()
        self._stopping = False
        self._master = None
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stopping = True
        self._thread.join()
        if self._master is not None:
            self.unplug()

    @property
    def url(self):
        return str(self.path)

    def now(self):
        return int((fast_clock() - self._begin) * 1000) + 1000

    def do(self, act):
        with self._lock:
            return act(self.peer, self.now())

    def place(self, power, place):
        self.do(lambda peer, now: peer.place(power, place, now))

    def lift(self, power):
        self.do(lambda peer, now: peer.lift(power, now))

    def plug(self):
        with self._lock:
            self._master, slave = os.openpty()
            tty.setraw(slave)
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(os.ttyname(slave))
            os.set_blocking(self._master, False)
            os.close(slave)

    def unplug(self):
        with self._lock:
            os.close(self._master)
            self._master = None
            self.path.unlink(missing_ok=True)
            self.peer.connected = False

    def write(self, data):
        with self._lock:
            os.write(self._master, data)

    def _run(self):
        while not self._stopping:
            with self._lock:
                master = self._master
                if master is not None:
                    self._step(master)
            if master is None:
                time.sleep(0.005)
            else:
                select.select([], [], [], 0.002)

    def _step(self, master):
        try:
            data = os.read(master, 4096)
        except OSError:  # nobody has it open, or nothing is there
            data = b""
        out = self.peer.step(data, self.now())
        try:
            if out:
                os.write(master, out)
        except OSError:
            return  # nobody listens


def wait_until(condition, seconds=120.0):
    """Poll until it holds, and return what it returned; the limit is for busy machines."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError("it did not come to that in time")


class Notebook:
    """A sink in memory: all it was given, and the last memory."""

    def __init__(self):
        self.observations = []
        self.memory = {}
        self.failing = False
        self.times = []

    def __call__(self, observations, memory):
        if self.failing:
            raise OSError(28, "No space left on device")
        self.times += [time.monotonic()] * len(observations)
        self.observations += observations
        self.memory = memory

    @property
    def bodies(self):
        return [observation.body for observation in self.observations]

    def told(self):
        """Each power's positions, in the order they were told."""
        told = {}
        for body in self.bodies:
            for power, position in body["powers"].items():
                told.setdefault(power, []).append(position)
        return told
