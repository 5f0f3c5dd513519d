"""Measures the firmware's logic in MicroPython: the firmware's folder."""

import gc
import sys
import time

sys.path[:0] = sys.argv[1:2]

from referee_board.board import Board  # noqa: E402
from referee_board.ring import Ring  # noqa: E402

STEPS = 4000


class Nothing:
    """A line without a host, lights nobody sees, and sensors that see nothing move."""

    def __init__(self):
        self.now = 0
        self.rows = [[1650] * 4 for _ in range(11)]

    def read(self):
        return b""

    def write(self, data):
        return len(data)

    def scan(self):
        return self.rows

    def supply(self):
        return 4700

    def show(self, place, pattern, power):
        pass

    def buzz(self, place, ms, hz):
        pass

    def tick(self, now):
        pass


def taken(make):
    gc.collect()
    before = gc.mem_alloc()
    made = make()
    gc.collect()
    return gc.mem_alloc() - before, made


def steps(board, nothing, advance, flip):
    slowest = 0
    began = time.ticks_us()
    for number in range(STEPS):
        if flip and number % 20 == 0:
            row = nothing.rows[number // 20 % 11]
            row[0] = 2650 if row[0] == 1650 else 1650
        nothing.now += advance
        at = time.ticks_us()
        board.step()
        slowest = max(slowest, time.ticks_diff(time.ticks_us(), at))
    return time.ticks_diff(time.ticks_us(), began) / STEPS, slowest


ring_bytes, _ring = taken(lambda: Ring(1))
nothing = Nothing()
board_bytes, board = taken(
    lambda: Board(nothing, nothing, nothing, lambda: nothing.now, b"measures", 1, 1, 10)
)
sys.stdout.write(f"memory of the ring of 512 messages: {ring_bytes} bytes\n")
sys.stdout.write(f"memory of the board for ten seats, ring included: {board_bytes} bytes\n")
for name, advance, flip in (
    ("a step between two scans", 0, False),
    ("a step that looks at 44 sensors", 5, False),
    ("the same, one sensor changing in 20 steps", 5, True),
):
    mean, slowest = steps(board, nothing, advance, flip)
    sys.stdout.write(f"{name}: {mean:.1f} us on average, {slowest} us at most\n")
