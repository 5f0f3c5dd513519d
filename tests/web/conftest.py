"""The real server, and phones: Chromium pages, each with its own storage."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server

# The shell opens pages in half the time.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
SMALL = {"width": 360, "height": 740}
LARGE = {"width": 1920, "height": 1080}
# Generous, for busy machines.
PATIENCE_MS = 60_000
Phone = Callable[..., Any]
Shoot = Callable[..., None]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server for all page tests of this worker."""
    with Server(tmp_path_factory.mktemp("served") / "tables.sqlite3") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; skips if it or playwright is missing."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def phone(browser: Any, server: Server, faults: list[str]) -> Iterator[Phone]:
    """Open the page on another phone; its errors go to ``faults``."""
    opened = []

    def open_page(path: str = "/", lang: str = "en", **more: Any) -> Any:
        settings = {"viewport": SMALL, "locale": lang, "base_url": server.url, **more}
        context = browser.new_context(**settings)
        opened.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda said: faults.append(said.text) if "Content Security" in said.text else None,
        )
        page.goto(path)
        return page

    yield open_page
    for context in opened:
        with suppress(Exception):
            context.close()


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """Script errors and policy violations of all phones; a test must end with none."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture(scope="session")
def shoot(request: pytest.FixtureRequest) -> Shoot:
    """Save screenshots in these sizes, or in the page's own; without ``--album`` do nothing."""
    album = request.config.getoption("--album")

    def take(page: Any, name: str, *sizes: dict[str, int]) -> None:
        before = page.viewport_size
        for size in sizes or (before,):
            page.set_viewport_size(size)
            path = Path(album) / f"{name}-{size['width']}.png"
            page.screenshot(path=path, full_page=size == SMALL)
        page.set_viewport_size(before)

    return take if album else lambda *_: None
