"""The Pico's pins: 44 hall sensors behind three multiplexers, one light per place, and a buzzer.

README.md lists the same pins as a wiring table.
"""

import sys
from time import sleep_us  # type: ignore[attr-defined]

import machine

from .sensing import POWERS
from .ticks import elapsed

ADDRESS_PINS = (2, 3, 4, 5)  # S0 … S3 of all multiplexers
SIGNAL_PINS = (26, 27, 28)  # one multiplexer's output each
SUPPLY_PIN = 29  # on the Pico itself: a third of VSYS; on a Pico W it belongs to the radio
LIGHT_PINS = (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)  # the tray's, then seat 1 … 10
BUZZER_PIN = 17
BUS_PINS = (0, 1)  # data and clock, for a board with magnetometers only
SERVICE_PIN = 22  # a jumper to ground keeps the program from starting

CHANNELS = 16
SETTLE_US = 20  # the multiplexer takes less than 1, the sensor behind 1 kΩ a few more
SUPPLY_MV = 3300
BUS_HZ = 100_000  # slow, since cables of a metre are long for I2C
BUS_TIMEOUT_US = 5000
LOWEST_HZ = 20  # the limit of hearing; the RP2040's PWM reaches down to about 8

OFF, ON, SLOW, FAST = 0, 1, 2, 3
FAST_MS = 125  # half a period
SLOW_MS = 500


def service_wanted() -> bool:
    """Return whether the service jumper is in."""
    pin = machine.Pin(SERVICE_PIN, machine.Pin.IN, machine.Pin.PULL_UP)
    return not pin.value()


def bus() -> "machine.I2C":
    """Return the I2C bus of a board with magnetometers."""
    sda, scl = (machine.Pin(number) for number in BUS_PINS)
    return machine.I2C(0, sda=sda, scl=scl, freq=BUS_HZ, timeout=BUS_TIMEOUT_US)


class Sensors:
    """The hall sensors of the tray and the seats."""

    def __init__(self, seats: int) -> None:
        self._address = [machine.Pin(number, machine.Pin.OUT, value=0) for number in ADDRESS_PINS]
        self._rows: list[list[int] | None] = []
        wireless = " W" in sys.implementation._machine
        self._supply = None if wireless else machine.ADC(machine.Pin(SUPPLY_PIN))
        signals = [machine.ADC(machine.Pin(number)) for number in SIGNAL_PINS]
        # Ordered by channel, so that a scan sets each address once.
        self._plan = [[] for _ in range(CHANNELS)]  # type: ignore[var-annotated]
        for place in range(seats + 1):
            row = [0] * POWERS
            self._rows.append(row)
            for power in range(POWERS):
                signal, channel = divmod(place * POWERS + power, CHANNELS)
                self._plan[channel].append((signals[signal], row, power))

    def scan(self) -> list[list[int] | None]:
        """Return millivolts of each place's four sensors; the next scan reuses the lists."""
        for channel, readings in enumerate(self._plan):
            if not readings:
                continue
            for bit, pin in enumerate(self._address):
                pin.value(channel >> bit & 1)
            sleep_us(SETTLE_US)
            for converter, row, power in readings:
                row[power] = _millivolts(converter)
        return self._rows

    def supply(self) -> int:
        """Return millivolts of VSYS; 0 on a Pico W, where reading it would stop the radio."""
        return 3 * _millivolts(self._supply) if self._supply else 0


def _millivolts(converter: "machine.ADC") -> int:
    """Return the middle of three readings."""
    first = converter.read_u16()
    second = converter.read_u16()
    third = converter.read_u16()
    middle = first + second + third - max(first, second, third) - min(first, second, third)
    return int(middle * SUPPLY_MV >> 16)


class Lights:
    """The light of each place, and the buzzer in the hub."""

    def __init__(self, seats: int) -> None:
        numbers = LIGHT_PINS[: seats + 1]
        self._pins = [machine.Pin(number, machine.Pin.OUT, value=0) for number in numbers]
        self._patterns = bytearray(len(numbers))
        self._phase = -1
        self._buzzer = machine.PWM(machine.Pin(BUZZER_PIN))
        self._buzzer.duty_u16(0)
        self._sound_ms = 0
        self._sound_at: int | None = None

    def show(self, place: int, pattern: int, power: int) -> None:  # noqa: ARG002
        """Set a place's light; it is the same for all powers."""
        self._patterns[place] = pattern
        self._phase = -1

    def tick(self, now: int) -> None:
        """Blink, and end a sound after its time; ``now`` is in ms."""
        phase = now // FAST_MS
        if phase != self._phase:
            self._phase = phase
            lit = (0, 1, 1 - phase // (SLOW_MS // FAST_MS) % 2, 1 - phase % 2)
            for pin, pattern in zip(self._pins, self._patterns):  # noqa: B905
                pin.value(lit[pattern])
        if self._sound_ms:
            if self._sound_at is None:
                self._sound_at = now
            elif elapsed(now, self._sound_at) >= self._sound_ms:
                self._silence()

    def buzz(self, place: int, ms: int, hz: int) -> None:  # noqa: ARG002
        """Sound the board's only buzzer; 0 ms or 0 Hz ends it."""
        self._silence()
        if ms and hz:
            self._buzzer.freq(max(hz, LOWEST_HZ))
            self._buzzer.duty_u16(0x8000)
            self._sound_ms = ms

    def _silence(self) -> None:
        self._buzzer.duty_u16(0)
        self._sound_ms = 0
        self._sound_at = None
