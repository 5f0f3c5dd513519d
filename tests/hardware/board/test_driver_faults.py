"""The driver on a bad wire, and killed at any moment: nothing lost, nothing told twice."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.wire import Faults
from tests.hardware.board.pty_board import SPEED, Notebook, fast_board, patient, wait_until
from tests.hardware.board.rigs import TOWERS, Firmware, Hand

MOVES = 40
ROOT = Path(__file__).parents[3]


def told(bodies):
    """Each power's positions; what comes back unchanged after "unknown" is no move."""
    found, dark = {power: [] for power in TOWERS}, set()
    for body in bodies:
        for power, position in body["powers"].items():
            if position == "unknown":
                dark.add(power)
                continue
            if power not in dark or found[power][-1:] != [position]:
                found[power].append(position)
            dark.discard(power)
    return found


def test_on_a_bad_wire_with_disconnects():
    bad = Faults(drop=0.01, corrupt=0.01, duplicate=0.005)
    firmware, notebook = Firmware(4), Notebook()
    options = {"to_host": bad, "to_board": bad, "seed": 5, "make_firmware": firmware}
    with VirtualBoard(seats=4, speed=SPEED, clock=patient, **options) as board:
        hand = Hand(board, firmware, 5)
        device = fast_board("board", {"port": board.port.url})
        device.start(notebook, {})
        try:
            wait_until(lambda: notebook.bodies)
            for count in range(MOVES):
                hand.move()
                if count % 10 == 5:
                    board.unplug(0.3)
            wait_until(lambda: told(notebook.bodies) == hand.truth)
            figures = device.status().figures
            assert figures["frames_bad"] > 0
            assert figures["reconnects"] > 0
        finally:
            device.stop()


def begin(process):
    process.stdin.write(b"\n")
    process.stdin.flush()


def end(process):
    process.kill()
    process.wait()
    process.stdin.close()


def test_killed_at_any_moment(tmp_path):
    kept = tmp_path / "kept.json"

    def bodies():
        return json.loads(kept.read_text())["bodies"] if kept.exists() else []

    firmware = Firmware(4)
    options = {"seed": 6, "make_firmware": firmware}
    with VirtualBoard(seats=4, speed=SPEED, clock=patient, **options) as board:
        hand = Hand(board, firmware, 6)
        command = [sys.executable, "-m", "tests.hardware.board.recorder", board.port.url, tmp_path]

        def ready():
            return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE)

        # The next process loads its modules while the hand moves on.
        kills, process, following = 0, ready(), ready()
        try:
            begin(process)
            wait_until(bodies)
            for _ in range(MOVES):
                if hand.random.random() < 0.2:
                    with contextlib.suppress(AssertionError):  # then it is killed without news
                        wait_until(lambda before=kills: len(bodies()) > before)
                    end(process)
                    kills += 1
                    process, following = following, ready()
                    begin(process)
                hand.move()
            wait_until(lambda: told(bodies()) == hand.truth)  # and none of them twice
        finally:
            end(process)
            end(following)
    assert kills >= 3
