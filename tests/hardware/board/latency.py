"""How long a change takes from the wire to the sink: ``python -m tests.hardware.board.latency``.

A board that is nothing but a socket or a pseudo terminal writes a change, waits until the driver's
sink has it, pauses, and writes the next.
"""

import argparse
import os
import random
import socket
import sys
import threading
import time
import tty

from hardware.board.driver import serial_board
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import Change, Connect, Hello, Snapshot, pack, unpack
from tests.hardware.board.vectors import cell_of


class Arrivals:
    """A sink that says when it was last called with observations."""

    def __init__(self):
        self.at = 0.0
        self.came = threading.Event()

    def __call__(self, observations, memory):
        if observations:
            self.at = time.perf_counter()
            self.came.set()


def pty():
    master, slave = os.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    return (
        name,
        lambda: (lambda size: os.read(master, size), lambda data: os.write(master, data)),
    )


def tcp():
    server = socket.create_server(("127.0.0.1", 0))

    def accept():
        line, _ = server.accept()
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return line.recv, line.sendall

    return f"socket://127.0.0.1:{server.getsockname()[1]}", accept


def measure(make, count):
    """Milliseconds, one each change, in order of size."""
    url, accept = make()
    sink = Arrivals()
    device = serial_board("latency", {"port": url})
    device.start(sink, {})
    read, write = accept()
    deframer = Deframer()
    while not any(isinstance(unpack(packet), Connect) for packet in deframer.feed(read(4096))):
        pass
    write(encode(pack(Hello(b"latency!", 7, (1, 0, 0), 1, 6, 0, 1))))
    write(encode(pack(Snapshot(1, 0, bytes([0x55, 0, 0, 0, 0, 0, 0])))))
    threading.Thread(target=drain, args=(read,), daemon=True).start()
    sink.came.wait(5)
    took = []
    for step in range(count):
        in_tray = step % 2
        sink.came.clear()
        seat = Change(2 + 2 * step, step * 50, 1, cell_of([not in_tray, 0, 0, 0]))
        tray = Change(3 + 2 * step, step * 50, 0, cell_of([in_tray, 1, 1, 1]))
        frames = encode(pack(seat)) + encode(pack(tray))
        time.sleep(random.uniform(0.005, 0.03))
        begin = time.perf_counter()
        write(frames)
        if not sink.came.wait(5):
            raise RuntimeError("a change did not arrive")
        took.append((sink.at - begin) * 1000)
    device.stop()
    return sorted(took)


def drain(read):
    try:
        while read(4096):
            pass
    except OSError:
        return


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=1000)
    count = parser.parse_args().changes
    for name, make in (("pty", pty), ("tcp", tcp)):
        took = measure(make, count)
        p50, p99 = took[count // 2], took[count * 99 // 100]
        sys.stdout.write(
            f"{name}: {count} changes, p50 {p50:.2f} ms, p99 {p99:.2f} ms, most {took[-1]:.2f} ms\n"
        )


if __name__ == "__main__":
    main()
