"""End with the process that started this one, however that ended."""

import argparse
import os
import threading
import time
from collections.abc import Callable

EVERY = 0.5  # seconds between two looks


def add_parent_flag(parser: argparse.ArgumentParser) -> None:
    """Add ``--parent``, for programs that are started by another one."""
    parser.add_argument(
        "--parent", type=int, metavar="PID", help="stop when this process, its parent, is gone"
    )


def end_with(parent: int | None, stop: Callable[[], object]) -> None:
    """Call ``stop`` from a thread once the parent has ended; without a parent, never."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(EVERY)
        stop()

    if parent is not None:
        threading.Thread(target=watch, name="parent", daemon=True).start()
