"""The image: it is built from the files that the Dockerfile copies, and from no others."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder
from pathspec import GitIgnoreSpec

from tests.conftest import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
STAGE = re.compile(r"^FROM ", re.MULTILINE)


def sent_to_the_builder() -> GitIgnoreSpec:
    """What .dockerignore keeps away. Its patterns begin at the root, and the last one decides."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [re.sub("^(!?)", r"\1/", line) for line in lines if line and line[0] != "#"]
    return GitIgnoreSpec.from_lines(patterns)


def copy_as_the_dockerfile_does(folder: Path) -> None:
    """Fill the folder with what the first stage copies."""
    _, build, _ = STAGE.split(DOCKERFILE)
    kept_away = sent_to_the_builder()
    for line in re.findall(r"^COPY (.+)$", build, re.MULTILINE):
        *sources, target = shlex.split(line)
        for source in sources:
            whole = (ROOT / source).is_dir()
            for path in sorted((ROOT / source).rglob("*")) if whole else [ROOT / source]:
                if path.is_dir() or kept_away.match_file(path.relative_to(ROOT)):
                    continue
                name = path.relative_to(ROOT / source if whole else path.parent)
                copy = folder / target / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)


def wheel(project: Path, folder: Path) -> set[str]:
    """Build the project's wheel and return the names of the files in it."""
    (built,) = WheelBuilder(str(project)).build(directory=str(folder), versions=["standard"])
    with ZipFile(built) as archive:
        return set(archive.namelist())


def test_the_wheel_of_the_image_is_the_wheel_of_the_checkout(tmp_path: Path) -> None:
    copy_as_the_dockerfile_does(tmp_path / "src")
    files = wheel(tmp_path / "src", tmp_path / "image")
    assert files == wheel(ROOT, tmp_path / "checkout")
    assert {"referee/cli.py", "referee/commands/mcp/notation.md", "hardware/cli.py"} <= files
    assert not any(name.startswith(("tests/", "hardware/plans")) for name in files)


def test_a_file_that_is_not_copied_is_missed(tmp_path: Path) -> None:
    copy_as_the_dockerfile_does(tmp_path / "src")
    (tmp_path / "src" / "docs" / "notation.md").unlink()
    with pytest.raises(FileNotFoundError, match="Forced include not found"):
        wheel(tmp_path / "src", tmp_path / "image")


def test_the_builder_gets_nothing_private() -> None:
    kept_away = sent_to_the_builder()
    for name in (".git/config", ".env", "referee.sqlite3", "referee/x.sqlite3-wal", "docs/home.md"):
        assert kept_away.match_file(name), name
    assert not kept_away.match_file("referee/cli.py")


def test_its_labels_are_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', DOCKERFILE))
    for name, key in (("version",) * 2, ("description",) * 2, ("licenses", "license")):
        assert labels[name] == project[key]


def test_its_user_is_one_of_the_systems() -> None:
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert 0 < int(user) < 1000
    assert f"useradd --system --uid {user} " in DOCKERFILE
