"""What the board needs from outside. Only type checkers read this; the Pico does without it."""

from typing import Protocol


class Uart(Protocol):
    """The line to the host; neither method ever waits."""

    def read(self) -> bytes:
        """What has come since, maybe nothing."""

    def write(self, data: bytes) -> int:
        """How many of these bytes were taken, maybe none."""


class Sensors(Protocol):
    """The sensors of all places."""

    def scan(self) -> "list[list[int] | None]":
        """Millivolts of each place's four sensors; None for a place that cannot be read."""


class Lights(Protocol):
    """The lights at the places, and the buzzer."""

    def show(self, place: int, pattern: int, power: int) -> None:
        """Light a place: 0 off, 1 on, 2 slow, 3 fast blinking; for a power, or 255."""

    def tick(self, now: int) -> None:
        """Blink, and end a sound that is over; called in every turn."""

    def buzz(self, place: int, ms: int, hz: int) -> None:
        """Sound for so long; 0 ms or 0 Hz ends it."""


class Clock(Protocol):
    """The time."""

    def __call__(self) -> int:
        """Milliseconds since some start."""


class Owner(Protocol):
    """Who a link belongs to: the board."""

    def cells(self) -> bytes:
        """What stands where: a cell for the tray and one for each seat."""

    def connected(self, now: int) -> None:
        """A host has connected; called before the snapshot."""

    def disconnected(self) -> None:
        """The host has fallen silent."""

    def command(self, kind: int, fields: "tuple[int, ...]") -> int:
        """Do a ``light`` or ``buzz``; the result for ``done``."""


class Config(Protocol):
    """What a builder sets: ``config.py``."""

    SET: int
    SEATS: int
    MIDDLE_MV: int
    PRESENT_MV: int
    ABSENT_MV: int
    BROKEN_MV: int
    SHORT_MV: int
