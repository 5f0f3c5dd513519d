"""MicroPython's machine module of a Pico whose pins a test holds; runs in the unix port.

Lines come in on one descriptor ("mv SIGNAL MILLIVOLTS", "supply MILLIVOLTS", "service LEVEL",
"crash", "hang", "kbd WHAT", "air NAME PASSWORD"), and go out on another ("pin NUMBER LEVEL",
"pwm HZ DUTY", "kbd CHARACTER"). They are looked at when the watchdog is fed.
"""

import select
import sys

PWRON_RESET = 1
WDT_RESET = 3
SUPPLY_MV = 3300
NO_MAGNET_MV = 1650
ADDRESS_PINS = (2, 3, 4, 5)
FIRST_SIGNAL_PIN = 26
CHANNELS = 16

_levels = {}
_inputs = {22: 1}  # the service jumper is out: the pull-up wins
_supply = {29: 4700}  # VSYS in millivolts
_signals = [NO_MAGNET_MV] * (3 * CHANNELS)
_board = {"id": b"", "cause": PWRON_RESET, "in": None, "out": None, "begun": b"", "code": 0}
_ctrl_c = {"heard": ""}
_air = []  # name and password of the Wi-Fi that there is


def air():
    return tuple(_air)


def hold(control_in, control_out, board_id, reset_cause):
    """Take the lines from here, and send them there."""
    _board["in"] = open(control_in, "rb")  # noqa: SIM115
    _board["out"] = open(control_out, "wb")  # noqa: SIM115
    _board["id"] = board_id
    _board["cause"] = reset_cause
    _board["poll"] = select.poll()
    _board["poll"].register(_board["in"], select.POLLIN)
    _board["rest"] = select.poll()
    _board["rest"].register(_board["in"], select.POLLIN)
    _board["rest"].register(sys.stdin, select.POLLIN)
    serve()


def tell(line):
    _board["out"].write(line.encode() + b"\n")


def serve():
    while _board["poll"].poll(0):
        byte = _board["in"].read(1)
        if not byte:
            end(0)  # the test has ended
        if byte != b"\n":
            _board["begun"] += byte
            continue
        words = _board["begun"].decode().split()
        _board["begun"] = b""
        if words[0] == "mv":
            _signals[int(words[1])] = int(words[2])
        elif words[0] == "service":
            _inputs[22] = int(words[1])
        elif words[0] == "supply":
            _supply[29] = int(words[1])
        elif words[0] == "crash":
            raise RuntimeError("the test wants a " + " ".join(words))
        elif words[0] == "kbd":
            _ctrl_c["heard"] = words[1]
        elif words[0] == "air":
            _air[:] = words[1:]
        elif words[0] == "hang":
            tell("bite")
            end(4)  # what the watchdog makes of a program that hangs


def end(code):
    """End the process, whatever the program does about it."""
    _board["code"] = code
    sys.exit(code)


class Keyboard:
    """The module micropython, as far as the program uses it: which byte interrupts it.

    A Ctrl-C that came before ``kbd_intr`` turned it off is raised here; a Pico raises it here at
    the latest. MicroPython's Unix port has signals instead, and dies of some that come at a bad
    time.
    """

    @staticmethod
    def kbd_intr(character):
        _ctrl_c["heard"] = ""
        tell(f"kbd {character}")
        while not _ctrl_c["heard"]:
            _board["poll"].poll(-1)
            serve()
        if _ctrl_c["heard"] == "struck":
            raise KeyboardInterrupt


def unique_id():
    return _board["id"]


def reset_cause():
    return _board["cause"]


def reset():
    if _board["code"]:
        sys.exit(_board["code"])
    tell("reset")
    sys.exit(3)


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        self.mode = mode
        self.pull = pull
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is None:
            if self.number == 22 and self.pull != Pin.PULL_UP:
                raise ValueError("a jumper without a pull-up reads nothing for sure")
            return _inputs[self.number]
        if self.mode != Pin.OUT:
            raise ValueError(f"pin {self.number} is no output")
        level = 1 if level else 0
        if _levels.get(self.number) != level:
            _levels[self.number] = level
            if self.number not in ADDRESS_PINS:
                tell(f"pin {self.number} {level}")
        return None


class ADC:
    """Converters behind three multiplexers, and of the supply; one reading in three is a spike."""

    def __init__(self, pin):
        self._pin = pin.number
        self._first = (pin.number - FIRST_SIGNAL_PIN) * CHANNELS
        self._reads = 0

    def read_u16(self):
        self._reads += 1
        if self._reads % 3 == 0:
            return 65535 if self._reads % 2 else 0
        if self._pin in _supply:
            return _supply[self._pin] // 3 * 65536 // SUPPLY_MV + 10
        channel = 0
        for bit, number in enumerate(ADDRESS_PINS):
            channel |= _levels[number] << bit
        return min(65535, _signals[self._first + channel] * 65536 // SUPPLY_MV + 10)


class PWM:
    def __init__(self, pin):
        self._hz = 0

    def freq(self, hz):
        if hz < 8:
            raise ValueError("freq too small")
        self._hz = hz

    def duty_u16(self, duty):
        tell(f"pwm {self._hz} {duty}")


class WDT:
    def __init__(self, timeout):
        if not 0 < timeout <= 8388:
            raise ValueError("timeout exceeds 8388")

    def feed(self):
        _board["rest"].poll(1)  # a Pico needs no rest; the computer that runs the tests does
        serve()
