"""The main loop on a Pico."""

import os
import struct
import sys
from time import ticks_diff, ticks_ms  # type: ignore[attr-defined]

import machine

from . import pins
from .board import Board
from .sensing import SensorThresholds
from .ticks import MASK
from .usb import Usb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ports import Config

WATCHDOG_MS = 5000
CRASH_FILE = "crash.txt"


class Clock:
    """A clock of 32 bits; MicroPython's own wraps earlier."""

    def __init__(self) -> None:
        self._last = ticks_ms()
        self._total = 0

    def __call__(self) -> int:
        """Return milliseconds since the start."""
        now = ticks_ms()
        self._total = (self._total + ticks_diff(now, self._last)) & MASK
        self._last = now
        return self._total


def run(config: "Config") -> None:
    """Run the board for ever, or return at once if the service jumper is in."""
    if pins.service_wanted():
        return
    after_watchdog = machine.reset_cause() == machine.WDT_RESET
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        board = Board(
            Usb(),
            pins.Sensors(config.SEATS),
            pins.Lights(config.SEATS),
            Clock(),
            (machine.unique_id() + bytes(8))[:8],
            _boot_number(),
            config.SET,
            config.SEATS,
            thresholds=thresholds(config),
            after_watchdog=after_watchdog,
        )
        lamp = machine.Pin("LED", machine.Pin.OUT)
        while True:
            board.step()
            lamp.value(board.link.connected)
            watchdog.feed()
    except Exception as error:
        # There is no prompt to print to: write the error to a file and restart.
        _keep_crash(error)
        machine.reset()


def thresholds(config: "Config") -> SensorThresholds:
    """Return the thresholds of ``config.py``. Raises ValueError if they are out of order."""
    return SensorThresholds(
        config.MIDDLE_MV, config.PRESENT_MV, config.ABSENT_MV, config.BROKEN_MV, config.SHORT_MV
    )


def _boot_number() -> int:
    number = 0
    while number == 0:
        (number,) = struct.unpack("<I", os.urandom(4))
    return number


def _keep_crash(error: Exception) -> None:
    with open(CRASH_FILE, "w") as file:
        sys.print_exception(error, file)  # type: ignore[attr-defined]
