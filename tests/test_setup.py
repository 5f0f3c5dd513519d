"""`make` sets up an environment, or leaves none that is half made."""

import os
import subprocess
from pathlib import Path

from tests.conftest import ROOT

# As on Debian without python3-venv: the folder and its python are there before it fails.
NO_VENV = """#!/bin/sh
[ "$*" = "-m venv .venv" ] || exit 9
mkdir -p .venv/bin && ln -s "$0" .venv/bin/python
echo "The virtual environment was not created successfully because ensurepip is not available." >&2
exit 1
"""
# A pip that installs what it is asked for by writing it down; there is no index that uv reaches.
OWN_INDEX = """#!/bin/sh
case "$*" in
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *"requirement requirements-uv.txt")
    echo "$*" >>asked
    printf '#!/bin/sh\\necho "uv $*" >>asked; exit $UV_FAILS\\n' >.venv/bin/uv
    chmod +x .venv/bin/uv ;;
  *) echo "$*" >>asked ;;
esac
"""


def make(
    folder: Path, python: str, target: str, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run the project's Makefile in an empty folder with a Python that is a script."""
    script = folder / "python"
    script.write_text(python, encoding="utf-8")
    script.chmod(0o755)
    for name in ("Makefile", "pyproject.toml", "requirements-dev.txt", "requirements-uv.txt"):
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return subprocess.run(
        ["make", f"PYTHON={script}", target],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_an_environment_that_is_half_made_is_removed_and_what_is_missing_named(
    tmp_path: Path,
) -> None:
    for _ in range(2):
        done = make(tmp_path, NO_VENV, "demo")
        assert done.returncode == 2
        assert "apt-get install python3-venv" in done.stderr
        assert not (tmp_path / ".venv").exists()


def test_where_uv_reaches_no_index_pip_installs_what_is_locked(tmp_path: Path) -> None:
    for status, ways in (("0", ["uv"]), ("2", ["uv", "-m"])):
        folder = tmp_path / status
        folder.mkdir()
        assert make(folder, OWN_INDEX, ".venv/.dev", UV_FAILS=status).returncode == 0
        asked = (folder / "asked").read_text(encoding="utf-8").splitlines()
        locked = [line for line in asked if line.endswith("requirement requirements-dev.txt")]
        assert [line.split()[0] for line in locked] == ways
        assert all("--require-hashes" in line for line in (asked[0], *locked))
        assert asked[-1].endswith("--editable .")
