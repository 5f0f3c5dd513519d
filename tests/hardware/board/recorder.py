"""A process with a serial board in it: ``python -m tests.hardware.board.recorder URL FOLDER``.

What it sees goes into FOLDER/kept.json, observations and memory in one rename, so that it can be
killed at any moment. It begins once a line comes on standard input.
"""

import json
import os
import sys
import time
from pathlib import Path

from tests.hardware.board.pty_board import fast_board


class File:
    """A sink that is a file."""

    def __init__(self, folder):
        self._path = Path(folder) / "kept.json"
        self._next = Path(folder) / "next.json"
        self.kept = {"bodies": [], "memory": {}}
        if self._path.exists():
            self.kept = json.loads(self._path.read_text())

    def __call__(self, observations, memory):
        bodies = self.kept["bodies"] + [dict(observation.body) for observation in observations]
        self.kept = {"bodies": bodies, "memory": memory}
        with open(self._next, "w") as file:
            json.dump(self.kept, file)
            file.flush()
            os.fsync(file.fileno())
        self._next.replace(self._path)


def main():
    url, folder = sys.argv[1:]
    sys.stdin.readline()
    sink = File(folder)
    fast_board("board", {"port": url}).start(sink, sink.kept["memory"])
    time.sleep(600)  # until it is killed


if __name__ == "__main__":
    main()
