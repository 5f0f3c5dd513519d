"""The gate tells what happened, knows which tests are live, and installs what the lock names."""

import json
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.conftest import LIVE, ROOT, SMOKE

SUMMARY = runpy.run_path(str(ROOT / ".ci" / "summary.py"))
EXTRAS = ("audit", "dev", "home", "mcp", "postgres", "table")


def locked(file: str) -> dict[str, list[Version]]:
    """Return the versions of each package that a lock names, some for one Python alone."""
    found: dict[str, list[Version]] = {}
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith((" ", "#")):
            wanted = Requirement(line.rstrip(" \\"))
            (pin,) = wanted.specifier
            found.setdefault(wanted.name.lower(), []).append(Version(pin.version))
    return found


@pytest.mark.parametrize(
    ("file", "extras"), [("requirements.txt", ("postgres",)), ("requirements-dev.txt", EXTRAS)]
)
def test_the_lock_has_what_the_project_needs(file: str, extras: tuple[str, ...]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [*project["dependencies"]]
    for extra in extras:
        names += project["optional-dependencies"][extra]
    pins = locked(file)
    for wanted in map(Requirement, names):
        versions = pins[wanted.name.lower()]
        assert all(version in wanted.specifier for version in versions), wanted
    assert "torch" not in pins


def test_each_live_place_is_there() -> None:
    for place in (*LIVE, *SMOKE):
        path, _, name = place.partition("::")
        assert (ROOT / path).exists(), place
        assert f"def {name.partition('[')[0]}" in (ROOT / path).read_text("utf-8") if name else True
    assert all(test.startswith(LIVE) for test in SMOKE)


def test_the_summary_is_short_and_names_what_failed(tmp_path: Path) -> None:
    steps = ("packages", "setup", "test", "live", "lint-api", "audit")
    (tmp_path / "steps").write_text("".join(f"{name} 100 0\n" for name in steps), encoding="utf-8")
    for name in ("test", "live"):
        outcome: dict[str, Any] = {"passed": 900, "failed": 20, "skipped": 1}
        outcome["failures"] = [(f"tests/{name}.py::test_{n}", "assert 1 == 3") for n in range(20)]
        outcome["second_tries"] = [f"tests/{name}.py::test_{n}" for n in range(30, 40)]
        (tmp_path / f"{name}.json").write_text(json.dumps(outcome), encoding="utf-8")
    lines = SUMMARY["summary"](tmp_path)
    assert len(lines) <= 30
    assert all(any(line.split()[:3] == [name, "100", "0"] for line in lines) for name in steps)
    assert "FAILED tests/live.py::test_0: assert 1 == 3" in lines
    assert "NEEDED A SECOND TRY: tests/live.py::test_30" in lines
    assert lines[-1] == "1800 passed, 40 failed, 2 skipped"
