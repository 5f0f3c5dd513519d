"""The documents: their links lead somewhere, and what they show is what happens."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hardware import cli as table_cli
from referee import cli
from referee.rules.codec import move_to_json, parse_move
from referee.rules.records.record import parse_record, replay
from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
ADR = ROOT / "docs" / "adr"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
APPS = (ROOT / "docs" / "apps.md").read_text(encoding="utf-8")
RECIPES = [
    ROOT / folder / "README.md"
    for folder in (
        *("referee/rules", "referee/api", "referee/texts", "referee/web"),
        *("referee/store/migrations", "hardware", "lab", "tests"),
    )
]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md"), *RECIPES])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
QUOTED = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?:[\w.-]+/)*[\w-]+\.(?:js|md|py|toml|yaml)")
MODULE = re.compile(r"python -m ((?:bench|hardware|lab|referee|tests)[\w.]*)")
CODE_NAME = re.compile(r"[A-Z]\w{3,}")
MADE_UP = {"NNNN_what_it_does.py", "utils.py", "table.toml"}
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
REFEREE = re.compile(r"referee (replay|rules|check)\b")
OUTPUT_ENDS = "--- end of output ---"


def anchors(page: Path) -> set[str]:
    """The names that a link can point to within a page."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run_bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script as somebody does who has activated the environment."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.fixture(scope="module")
def files() -> list[str]:
    """Every file of the project's packages, and those beside them."""
    packages = ("bench", "docs", "examples", "hardware", "lab", "referee", "tests")
    found = [*ROOT.glob("*.*"), *(path for name in packages for path in (ROOT / name).rglob("*"))]
    return [f"/{path.relative_to(ROOT)}" for path in found if "node_modules" not in path.parts]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_and_modules_that_a_page_names_exist(page: Path, files: list[str]) -> None:
    text = page.read_text(encoding="utf-8")
    named = {name for name in QUOTED.findall(text) if FILE.fullmatch(name)}
    named = {name for name in named if name.rpartition("/")[2] not in MADE_UP}
    assert {name for name in named if not any(file.endswith(f"/{name}") for file in files)} == set()
    for module in MODULE.findall(text):
        path = ROOT / module.replace(".", "/")
        assert (path / "__main__.py").exists() or path.with_suffix(".py").exists(), module


def test_folders_targets_and_names_in_the_recipes_exist(files: list[str]) -> None:
    recipes = CONTRIBUTING + "".join(page.read_text(encoding="utf-8") for page in RECIPES)
    quoted = QUOTED.findall(recipes)
    folders = [name for name in quoted if re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+/?", name)]
    for name in folders:
        known = (ROOT / name).exists() or name.rpartition("/")[2] in MADE_UP
        assert known or any(file.endswith(f"/{name.rstrip('/')}") for file in files), name
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"\bmake ([a-z-]+)`", recipes)) <= set(targets)
    code = [(ROOT / file[1:]).read_text(encoding="utf-8") for file in files if file.endswith(".py")]
    words = set(re.findall(r"\w+", " ".join(code)))
    assert {name for name in quoted if CODE_NAME.fullmatch(name)} - words == set()


def test_nobody_is_told_to_install_what_no_index_has(files: list[str]) -> None:
    kinds = (".py", ".md", ".toml", ".service", ".js")
    told = [ROOT / name[1:] for name in files if name.endswith(kinds)]
    assert len(told) > 500
    advice = "table-referee" + "["
    assert [path for path in told if advice in path.read_text(encoding="utf-8")] == []


def test_the_readme_is_short_enough_to_be_read() -> None:
    # However many decks there are.
    assert len(re.sub(r"(?<=\| ruleset \| deck \|\n)(\|.*\n)+", "", README).split()) <= 650


def lines(text: str) -> list[str]:
    """The lines of a text, less the blanks at their ends and at its end."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


def shown_commands() -> list[tuple[str, str, int]]:
    """Commands, outputs and exit statuses in the console blocks of docs/command-line.md."""
    shown: list[tuple[str, str, int]] = []
    for kind, block in BLOCK.findall(COMMAND_LINE):
        if kind != "console":
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command == "echo $?":
                said, printed, _ = shown[-1]
                shown[-1] = (said, printed, int(output))
            else:
                shown.append((command, output, 0))
    return shown


def test_the_page_shows_three_commands() -> None:
    names = {command.split()[1] for command, _, _ in shown_commands()}
    assert names == {"replay", "rules", "check"}


@pytest.mark.parametrize(("command", "output", "status"), shown_commands())
def test_a_command_prints_and_exits_as_shown(command: str, output: str, status: int) -> None:
    assert REFEREE.match(command), command
    done = run_bash(command, ROOT)
    assert done.stderr == ""
    assert lines(done.stdout) == lines(output)
    assert done.returncode == status


def tour(page: str, heading: str) -> list[tuple[str, str]]:
    """The blocks of a tour, each with the output that is shown under it."""
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    steps: list[tuple[str, str]] = []
    for kind, block in BLOCK.findall(section):
        if kind == "text":
            steps[-1] = (steps[-1][0], block)
        else:
            steps.append((block, ""))
    return steps


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tour is made with curl")
@pytest.mark.parametrize(
    ("page", "heading"),
    [
        (README, "Connect an app"),
        (APPS, "Five minutes with curl"),
        (APPS, "The life of an app, with curl"),
    ],
    ids=["README", "five-minutes", "apps"],
)
def test_a_tour_works_when_it_is_copied(tmp_path: Path, page: str, heading: str) -> None:
    steps = tour(page, heading)
    assert steps
    assert all(output for _, output in steps[-1:])
    script = "".join(f"{step}echo '{OUTPUT_ENDS}'\n" for step, _ in steps)
    assert "http://127.0.0.1:8000" in script
    server = Server(tmp_path / "tour.sqlite3", stays=True)
    script = script.replace(":8000", f":{server.port}")
    with ThreadPoolExecutor() as threads:
        # Who is quick pastes it before the server listens.
        touring = threads.submit(run_bash, script, tmp_path)
        with server:
            done = touring.result()
    assert done.stderr == ""
    assert done.stdout.split(f"{OUTPUT_ENDS}\n") == [*(output for _, output in steps), ""]


def test_the_examples_in_the_description_of_the_record_hold() -> None:
    page = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    record, counted, *moves = [
        json.loads(block) for kind, block in BLOCK.findall(page) if kind == "json"
    ]
    steps = list(replay(parse_record(record)))
    assert len(steps) == 4
    assert not any(step.mismatches for step in steps)
    *_, last = replay(parse_record({**record, "rounds": [counted]}))
    assert last.state.scores == (0, 0, 79)
    assert [move_to_json(parse_move(move, 2)) for move in moves] == moves
    assert len(moves) == 2


def test_every_decision_is_in_the_index() -> None:
    index = (ADR / "README.md").read_text(encoding="utf-8")
    decisions = sorted(ADR.glob("[0-9]*.md"))
    assert [path.name[:4] for path in decisions] == [f"{n + 1:04}" for n in range(len(decisions))]
    listed = [link for link in LINK.findall(index) if link[:4].isdigit()]
    assert listed == [path.name for path in decisions]


def test_every_dependency_is_accounted_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [project["project"]["dependencies"], project["build-system"]["requires"]]
    groups += project["project"]["optional-dependencies"].values()
    names = {re.split(r"[<>=!~\[; ]", item)[0] for group in groups for item in group}
    told = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^- `([\w-]+)`: \S", told, re.MULTILINE)) == names


def test_every_command_that_the_readme_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    shown = QUOTED.findall(README) + "".join(block for _, block in BLOCK.findall(README)).split(
        "\n"
    )
    commands = [words for text in shown if (words := text.partition("#")[0].split())]
    made = re.findall(r"\bmake ([a-z-]+)", "\n".join(shown))
    assert {"demo", "test", "home", "phones"} <= set(made) <= set(targets)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = re.findall(r"pip install '\.\[([\w,]+)\]'", README)
    assert installed
    assert set(",".join(installed).split(",")) <= set(extras["optional-dependencies"])
    programs = {"referee": cli.main, "referee-table": table_cli.main}
    named = [words for words in commands if words[0] in programs and len(words) > 1]
    assert len(named) > 2
    for program, command, *arguments in named:
        part = [command, *arguments[:1]] if command == "camera" else [command]
        with pytest.raises(SystemExit) as ended:
            programs[program]([*part, "--help"])
        assert ended.value.code == 0, part
        options = capsys.readouterr().out
        assert all(flag in options for flag in arguments if flag.startswith("--")), arguments
