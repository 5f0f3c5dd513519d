"""The page to browse the API, in a real browser that can reach nothing but the server."""

import subprocess
from pathlib import Path

import pytest

from tests.e2e.server import Server
from tests.web.conftest import CHROMIUM

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--virtual-time-budget=20000",
)


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_api_is_browsed_without_a_network(tmp_path: Path) -> None:
    with Server(tmp_path / "browsed.sqlite3") as server:
        command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
        page = subprocess.run(
            [*command, f"{server.url}/docs/"],
            capture_output=True,
            text=True,
            timeout=240,
            check=True,
        ).stdout
    assert "Rule on one move in a posted position." in page
    assert "makeMove" in page
    assert "Failed to load API definition" not in page
