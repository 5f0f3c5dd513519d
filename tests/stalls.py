"""``python -m tests.stalls make live``: run a command that all of the machine now and then forgets.

Every 20 s its process group is stopped for 2 s, as a shared machine does to whoever runs on it. The
exit status is the command's.
"""

import argparse
import os
import signal
import subprocess
import sys


def run(command: list[str], every: float, pause: float) -> int:
    """Run the command, stopped for ``pause`` seconds after each ``every``; return its status."""
    stalls = 0
    with subprocess.Popen(command, start_new_session=True) as running:
        try:
            while True:
                try:
                    status = running.wait(every)
                    break
                except subprocess.TimeoutExpired:
                    os.killpg(running.pid, signal.SIGSTOP)
                    try:
                        running.wait(pause)
                    except subprocess.TimeoutExpired:
                        stalls += 1
                    os.killpg(running.pid, signal.SIGCONT)
        except KeyboardInterrupt:
            os.killpg(running.pid, signal.SIGTERM)
            raise
    print(f"stalled {stalls} times for {pause:g} s; exit status {status}")  # noqa: T201
    return status


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.stalls", description=__doc__)
    parser.add_argument("--every", type=float, default=20, metavar="SECONDS")
    parser.add_argument("--pause", type=float, default=2, metavar="SECONDS")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    return run(asked.command, asked.every, asked.pause)


if __name__ == "__main__":
    sys.exit(main())
