"""Clocks and waits that allow for a busy machine; drivers on them, and their sink."""

import threading
import time
from types import SimpleNamespace

from hardware.board.driver import SerialBoard
from hardware.board.options import read_options

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
