"""examples/kotlin: types generated from the description, compiled, and a few moves with them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.examples.playing import ROOT

EXAMPLE = ROOT / "examples" / "kotlin"
JAVA = shutil.which("java")
pytestmark = [
    pytest.mark.skipif(JAVA is None, reason="java is not installed"),
    pytest.mark.skipif(
        not (EXAMPLE / "tools" / "run_kotlin_kernel").exists(),
        reason="the Kotlin compiler was not installed in examples/kotlin/tools",
    ),
]
# What runs for seconds need not be compiled as for hours: that takes half of the time.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, "PYTHON": sys.executable, "JAVA_TOOL_OPTIONS": QUICK},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_a_few_moves_are_played_and_told_in_swedish(tmp_path: Path) -> None:
    built = run(str(EXAMPLE / "build"), str(tmp_path / "build"))
    assert built.returncode == 0, built.stdout + built.stderr
    classpath = (tmp_path / "build" / "classpath").read_text().strip()
    with Server(tmp_path / "played.sqlite3") as server:
        done = run(
            str(JAVA),
            "-Dfile.encoding=UTF-8",
            "-cp",
            classpath,
            "referee.play.PlayKt",
            server.url,
            "sv",
        )
    assert done.returncode == 0, done.stderr
    ruled, *told, top, refused = done.stdout.splitlines()
    # Cy's blue 5 does not match: that is a ruling. Bo's seat is taken: that is a problem.
    assert ruled.startswith("  ")
    assert "Bo spelar en röd trea." in told
    assert top == "red-5"
    assert refused.startswith("/problems/seat-taken ")
