"""The main loop on a Pico."""

import io
import os
import struct
import sys
from time import ticks_diff, ticks_ms  # type: ignore[attr-defined]

import machine

from . import pins
from .board import Board
from .levels import MiddlesFile
from .sensing import SensorThresholds
from .ticks import MASK
from .usb import Usb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ports import Config, Sensors
    from .wifi import Wifi

WATCHDOG_MS = 5000
CRASH_FILE = "crash.txt"
MIDDLES_FILE = "middles.txt"


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
    try:
        after_watchdog = machine.reset_cause() == machine.WDT_RESET
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        board_id = (machine.unique_id() + bytes(8))[:8]
        board = Board(
            Usb(),
            sensors(config),
            pins.Lights(config.SEATS),
            Clock(),
            board_id,
            _boot_number(),
            config.SET,
            config.SEATS,
            thresholds=thresholds(config),
            after_watchdog=after_watchdog,
            middles=MiddlesFile(MIDDLES_FILE),
        )
        wifi = _wifi(board_id)
        if wifi:
            board.use(wifi)
        lamp = machine.Pin("LED", machine.Pin.OUT)
        lit = None
        while True:
            board.step()
            if lit != board.link.connected:  # on a Pico W the lamp is the radio's
                lit = board.link.connected
                lamp.value(lit)
            watchdog.feed()
    except BaseException as error:  # a KeyboardInterrupt, too: no board ends at a prompt
        # There is no prompt to print to: write the error to a file and restart.
        try:
            _keep_crash(error)
        finally:  # on a full flash, too
            machine.reset()


def sensors(config: "Config") -> "Sensors":
    """Return the sensors that ``config.py`` names; without a word, the hall sensors."""
    if getattr(config, "SENSORS", "hall") == "hall":
        return pins.Sensors(config.SEATS)
    from .magnetometers import Sensors  # 2 KB that most boards do without

    return Sensors(pins.bus(), config.SEATS)


def thresholds(config: "Config") -> SensorThresholds:
    """Return the thresholds of ``config.py``. Raises ValueError if they are out of order."""
    return SensorThresholds(
        config.MIDDLE_MV, config.PRESENT_MV, config.ABSENT_MV, config.BROKEN_MV, config.SHORT_MV
    )


def _wifi(board_id: bytes) -> "Wifi | None":
    """Return the Wi-Fi; None on a Pico without."""
    try:
        import network  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    from .wifi import Wifi

    return Wifi(network, board_id)


def _boot_number() -> int:
    number = 0
    while number == 0:
        (number,) = struct.unpack("<I", os.urandom(4))
    return number


def _keep_crash(error: BaseException) -> None:
    """Write the error to a file, unless it is there: a crash loop must not wear out the flash."""
    text = io.StringIO()
    sys.print_exception(error, text)  # type: ignore[attr-defined]
    try:
        with open(CRASH_FILE) as file:
            if file.read() == text.getvalue():
                return
    except OSError:
        pass  # it is the first
    with open(CRASH_FILE, "w") as file:
        file.write(text.getvalue())
