"""Interfaces that the board needs, for type checkers; the Pico does without this module."""

from typing import Protocol


class Uart(Protocol):
    """The line to the host; neither method ever waits."""

    def read(self) -> bytes:
        """Return the bytes received since the last call."""

    def write(self, data: bytes) -> int:
        """Send bytes; return how many were taken."""


class Sensors(Protocol):
    """The sensors of all places."""

    def scan(self) -> "list[list[int] | None]":
        """Return millivolts of each place's four sensors; None for a place that cannot be read."""

    def supply(self) -> int:
        """Return millivolts of the board's supply; 0 if nothing measures it."""


class Bus(Protocol):
    """An I2C bus as MicroPython has it; each method raises OSError if nobody answers."""

    def writeto(self, address: int, data: bytes) -> object:
        """Write bytes to a chip."""

    def writeto_mem(self, address: int, register: int, data: bytes) -> object:
        """Write bytes to a chip's registers."""

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Read bytes of a chip's registers."""


class Lights(Protocol):
    """The lights at the places, and the buzzer."""

    def show(self, place: int, pattern: int, power: int) -> None:
        """Set a place's light (0 off, 1 on, 2 slow, 3 fast) for a power, or 255."""

    def tick(self, now: int) -> None:
        """Blink, and end a sound after its time; called in each turn, at ``now`` (ms)."""

    def buzz(self, place: int, ms: int, hz: int) -> None:
        """Sound for ``ms``; 0 ms or 0 Hz ends it."""


class Middles(Protocol):
    """Where the sensors' middles are kept."""

    def load(self) -> "list[int]":
        """Return the middles in the order of place and power; none if there are none."""

    def store(self, middles: "list[int]") -> None:
        """Keep them. Raises OSError."""


class Config(Protocol):
    """The settings of ``config.py``."""

    SET: int
    SEATS: int
    MIDDLE_MV: int
    PRESENT_MV: int
    ABSENT_MV: int
    BROKEN_MV: int
    SHORT_MV: int
