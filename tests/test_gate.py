"""The gate knows which tests are live, and installs what the lock names."""

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.conftest import LIVE, ROOT, SMOKE

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
