"""``referee-table run`` as a process."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hardware.gateway.fakes import TOKEN, FakeReferee
from tests.processes import lives
from tests.waiting import PATIENCE, until

CONFIG = """
[server]
url = "http://127.0.0.1:9"
table = "abcde"
token = "{token}"

[outbox]
path = "{folder}/outbox"

[[devices]]
name = "Board"
backend = "serial-board"
token = "{token}"

[devices.options]
port = "{folder}/nothing"
"""


def test_it_ends_with_the_process_that_it_was_started_for(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(CONFIG.format(token="t" * 43, folder=tmp_path))
    file.chmod(0o600)
    script = (
        "import os, subprocess, sys\n"
        "words = ['run', '--plain', '--config', sys.argv[1], '--parent', str(os.getpid())]\n"
        "child = subprocess.Popen([sys.executable, '-u', '-m', 'hardware', *words])\n"
        "print(child.pid, flush=True)\n"
        "child.wait()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(file)], stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    # It runs: it says so of the board that is not there.
    assert "nothing" in parent.stdout.readline()
    assert lives(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait(PATIENCE)
    until(lambda: not lives(child), pause=0.1)
    parent.stdout.close()


CAMERA = """
# The pile's camera.
[server]
url = "{url}"
table = "t1"
token = "{token}"

[outbox]
path = "{folder}/outbox"

[camera]
source = "{folder}/pile.png"
ruleset = "classic-108"
"""


@contextmanager
def at_table(file: Path) -> Iterator[subprocess.Popen[str]]:
    """``run --plain`` with a configuration."""
    command = [sys.executable, "-u", "-m", "hardware", "run", "--plain", "--config", str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        yield process
        process.terminate()


def heard(process: subprocess.Popen[str], what: str) -> list[str]:
    """The lines that it prints up to one with these words."""
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if what in line:
            return lines
    raise AssertionError("".join(lines))


def camera_at(fake: FakeReferee, folder: Path) -> Path:
    (folder / "pile.png").write_bytes(b"no picture")
    file = folder / "table.toml"
    file.write_text(CAMERA.format(url=fake.url, token=TOKEN, folder=folder))
    file.chmod(0o600)
    return file


def test_the_camera_follows_the_deck_of_its_own_table(fake: FakeReferee, tmp_path: Path) -> None:
    file = camera_at(fake, tmp_path)
    fake.ruleset = "power-grab"
    with at_table(file) as process:
        heard(process, "The table plays power-grab now")
        heard(process, "server: answers")
        fake.ruleset = "classic-112"
        fake.event(fake.version + 1, {"kind": "game-started"})
        heard(process, "The table plays classic-112 now, and the camera looks for its cards.")
    assert 'ruleset = "classic-112"' in file.read_text()
    assert "# The pile's camera." in file.read_text()


def test_a_deck_that_the_camera_does_not_know_is_told_in_one_line(
    fake: FakeReferee, tmp_path: Path
) -> None:
    file = camera_at(fake, tmp_path)
    fake.ruleset = "our-own"
    with at_table(file) as process:
        heard(process, "looks for the cards of classic-108, and the table plays our-own")
    assert 'ruleset = "classic-108"' in file.read_text()
