"""The commands on a system that lacks what the server needs."""

import subprocess
import sys

BLOCKED = """
import sys
for name in ("fcntl", "termios", "resource"):
    sys.modules[name] = None
from referee.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_server_says_where_it_runs() -> None:
    done = run("serve")
    assert done.returncode == 2
    assert done.stderr == (
        "referee serve: the server runs on Linux and macOS; on Windows, in WSL\n"
    )


def test_the_rules_are_there_all_the_same() -> None:
    done = run("check", "classic-108 7,7,7 2> play red-7", "2 red-3")
    assert done.returncode == 0, done.stderr
    assert "rules" in run("--help").stdout
