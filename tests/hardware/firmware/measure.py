"""``python -m tests.hardware.firmware.measure``: memory, time a step, and round trips."""

import statistics
import subprocess
import sys
import time

from hardware.board.wire.messages import Done, Heartbeat, Light
from tests.hardware.firmware.rig import FIRMWARE, MicroPythonRig, micropython
from tests.hardware.firmware.test_micropython import HERE, Host, cell

TIMES = 200
DEBOUNCE = 0.025


def milliseconds(name, seconds):
    ordered = sorted(seconds)
    p99 = ordered[int(0.99 * (len(ordered) - 1))]
    return f"{name}: p50 {1000 * statistics.median(ordered):.2f} ms, p99 {1000 * p99:.2f} ms\n"


def wait_for_next(host, place, value):
    """Wait for the change after the last one; on a busy machine a board repeats older ones."""
    following = (host.last + 1) & 0xFFFF
    host.wait(lambda message: cell(place, value)(message) and message.seq == following)


def main():
    subprocess.run(
        [*micropython(), str(HERE / "unix_measure.py"), str(FIRMWARE)], check=True, timeout=600
    )
    with MicroPythonRig(seats=10) as rig:
        host = Host(rig)
        host.port.timeout = 0.001
        host.wait(lambda message: isinstance(message, Heartbeat) and message.time > 100)
        host.connect()
        answers = []
        changes = []
        for number in range(1, TIMES + 1):
            began = time.perf_counter()
            host.send(Light(number, number % 11, 1))
            host.wait(lambda message, number=number: message == Done(number, 0))
            answers.append(time.perf_counter() - began)
        rig.lift("U")
        wait_for_next(host, 0, 0b01_01_01_00)
        for number in range(TIMES):
            began = time.perf_counter()
            rig.lift("U") if number % 2 else rig.place("U", 7)
            wait_for_next(host, 7, 1 - number % 2)
            changes.append(time.perf_counter() - began - DEBOUNCE)
        host.close()
    sys.stdout.write(milliseconds("a command and its answer, over a pty", answers))
    sys.stdout.write(milliseconds("a sensor to its change at the host, less 25 ms", changes))


if __name__ == "__main__":
    main()
