"""examples/typescript: types generated from the description, and the player made with them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.examples.playing import ROOT

EXAMPLE = ROOT / "examples" / "typescript"
MODULES = EXAMPLE / "node_modules"
NODE = shutil.which("node")
pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(
        not (MODULES / "typescript").exists(),
        reason="`npm ci` was not run in examples/typescript",
    ),
]


def node(script: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a script with node."""
    return subprocess.run(
        [str(NODE), str(script), *args],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The player: its types generated from the description, checked against it, and compiled."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(MODULES)
    for name in ("package.json", "tsconfig.json", "src"):
        copy = shutil.copytree if (EXAMPLE / name).is_dir() else shutil.copy
        copy(EXAMPLE / name, folder / name)
    generate = MODULES / "openapi-typescript/bin/cli.js"
    done = node(generate, str(ROOT / "openapi.yaml"), "-o", str(folder / "src" / "referee.d.ts"))
    assert done.returncode == 0, done.stderr
    done = node(MODULES / "typescript/bin/tsc", "--project", str(folder))
    assert done.returncode == 0, done.stdout
    return folder / "dist" / "play.js"


def test_a_recorded_game_is_played_and_told_in_finnish(program: Path, tmp_path: Path) -> None:
    record = ROOT / "examples" / "classic-112-custom-cards.json"
    with Server(tmp_path / "played.sqlite3") as server:
        done = node(program, server.url, str(record), "fi")
    assert done.returncode == 0, done.stderr
    told, _, sheet = done.stdout.rpartition("\n\n")
    assert sheet.splitlines() == ["Ann   90     90", "Bo     0      0", "Cy     0      0"]
    # As many rulings as the record expects, each in words, and in the language asked for.
    moves = json.loads(record.read_text())["rounds"][0]["moves"]
    assert len([line for line in told.splitlines() if line.startswith("  ")]) == sum(
        move.get("expect", {}).get("verdict") == "illegal" or "ruled" in move for move in moves
    )
    assert "Vuorossa on Ann." in told.splitlines()


def test_a_refusal_is_said_in_the_language_asked_for(program: Path, tmp_path: Path) -> None:
    record = tmp_path / "unknown.json"
    game = {"ruleset": "no-such-deck", "seats": ["A", "B"], "options": {}, "rounds": []}
    record.write_text(json.dumps(game))
    with Server(tmp_path / "refusing.sqlite3") as server:
        done = node(program, server.url, str(record), "sv")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no-such-deck" in done.stderr
    assert "Traceback" not in done.stderr
