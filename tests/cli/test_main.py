"""The command line as a whole: help, exit statuses, and readers that go away."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from referee import cli
from referee.cli import COMMANDS, main
from referee.commands import replay
from referee.rules import ruleset

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "power-grab-towers.json"
DECK = ROOT / "tests" / "toy_deck"
Capture = pytest.CaptureFixture[str]


def referee(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "referee", *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PATH": ""},
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(capsys: Capture, name: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert f"usage: referee {name}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("program", ["referee", "hardware"])
def test_a_program_says_its_version(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", program, "--version"], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"referee(-table)? \d+\.\d+\.\d+\n", done.stdout)


def test_ctrl_c_while_a_command_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert main(["serve"]) == 130


def test_help_names_every_command(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(re.search(rf"^    {name} ", out, re.MULTILINE) for name in COMMANDS)


def printed(program: str) -> str:
    """What a program of Python's prints."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


def test_the_help_imports_no_server() -> None:
    out = printed(
        "import sys, referee.cli\n"
        "try: referee.cli.main(['--help'])\n"
        "finally: print({'flask', 'limits', 'rich', 'sqlalchemy'} & set(sys.modules))"
    )
    assert out.endswith("--help\nset()\n")


def test_a_server_imports_what_describes_and_migrates_when_it_is_needed() -> None:
    out = printed(
        "import sys, referee.commands.serve\n"
        "print({'alembic', 'apispec', 'flask_smorest', 'psycopg', 'yaml'} & set(sys.modules))"
    )
    assert out == "set()\n"


def test_without_a_command_some_are_named(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main([])
    error = capsys.readouterr().err
    assert error == "referee: name a command, such as demo or serve (--help lists them)\n"


@pytest.mark.parametrize("args", [[], ["sing"], ["replay"], ["replay", "-q", "-v", "x"]])
def test_bad_usage_exits_with_two(args: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(args)
    assert stopped.value.code == 2


@pytest.mark.parametrize("name", ["check", "rules"])
def test_the_examples_in_the_help_run(capsys: Capture, name: str) -> None:
    with pytest.raises(SystemExit):
        main([name, "--help"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    examples = [
        line for line in lines if line.startswith(f"referee {name} ") and "--json" not in line
    ]
    assert len(examples) >= 3
    for line in examples:
        words = shlex.split(re.split(r"  +", line)[0])
        assert main(words[1:]) == 0, line


def test_the_module_runs_and_exits_with_the_status() -> None:
    good = referee("replay", "--quiet", str(EXAMPLE))
    assert (good.returncode, good.stderr) == (0, "")
    bad = referee("replay", "no-such-file.json")
    assert bad.returncode == 2
    assert bad.stderr == "referee replay: no-such-file.json: no such file or directory\n"
    illegal = referee("check", "classic-108 7,7 2> play red-7", "2 blue-3")
    assert (illegal.returncode, illegal.stderr) == (1, "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [sys.executable, "-m", "referee", "replay", "-v", *[str(EXAMPLE)] * 200]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(100)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(120) == cli.PIPE_CLOSED


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, report: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replay, "_replay_file", interrupted)
    assert main(["replay", str(EXAMPLE)]) == cli.STOPPED


@pytest.fixture
def no_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "_extra", {})


def test_commands_know_a_deck_of_the_environment(
    no_variants: None, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("REFEREE_VARIANTS", str(DECK))
    assert main(["rules", "card.leap"]) == 0
    assert "toy-leap" in capsys.readouterr().out
    assert main(["check", "toy-leap 4,4,4 2> play red-3", "2 red-leap"]) == 0


def test_a_folder_that_is_no_deck(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    monkeypatch.setenv("REFEREE_VARIANTS", str(tmp_path))
    assert main(["rules", "match"]) == 2
    error = capsys.readouterr().err
    assert error == (
        f"referee: {tmp_path} does not contain a ruleset: there is no __init__.py in it\n"
    )
