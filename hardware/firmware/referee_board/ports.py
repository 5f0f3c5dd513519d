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


class Lights(Protocol):
    """The lights at the places, and the buzzer."""

    def show(self, place: int, pattern: int, power: int) -> None:
        """Set a place's light (0 off, 1 on, 2 slow, 3 fast) for a power, or 255."""

    def tick(self, now: int) -> None:
        """Blink, and end a sound after its time; called in each turn."""

    def buzz(self, place: int, ms: int, hz: int) -> None:
        """Sound for ``ms``; 0 ms or 0 Hz ends it."""


class Clock(Protocol):
    """The time."""

    def __call__(self) -> int:
        """Return milliseconds since some start."""


class Owner(Protocol):
    """The owner of a link: the board."""

    def cells(self) -> bytes:
        """Return a cell for the tray and one for each seat."""

    def connected(self, now: int) -> None:
        """Note that a host has connected; called before the snapshot."""

    def disconnected(self) -> None:
        """Note that the host is silent."""

    def command(self, kind: int, fields: "tuple[int, ...]") -> int:
        """Run a ``light`` or ``buzz``; return the result for ``done``."""


class Config(Protocol):
    """The settings of ``config.py``."""

    SET: int
    SEATS: int
    MIDDLE_MV: int
    PRESENT_MV: int
    ABSENT_MV: int
    BROKEN_MV: int
    SHORT_MV: int
