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
# A camera whose pictures come from a file, and nobody to ask.
FILMED = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
SMALL = {"width": 360, "height": 740}
LARGE = {"width": 1920, "height": 1080}
# Generous, for busy machines.
PATIENCE_MS = 60_000
LOG_OPEN = "if (!localStorage.getItem('referee.log')) localStorage.setItem('referee.log', 'true')"
Phone = Callable[..., Any]
Shoot = Callable[..., None]


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server for all page tests of this worker."""
    with Server(tmp_path_factory.mktemp("served") / "tables.sqlite3") as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium; skips if it or playwright is missing.

    Playwright's event loop runs as long as it: tests of other packages run their own.
    """
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def phone(browser: Any, server: Server, faults: list[str]) -> Iterator[Phone]:
    """Open the page on another phone; its errors go to ``faults``."""
    opened = []

    def open_page(path: str = "/", lang: str = "en", **more: Any) -> Any:
        # Nothing moves while it is measured.
        still = {"viewport": SMALL, "reduced_motion": "reduce"}
        settings = {**still, "locale": lang, "base_url": server.url, **more}
        context = browser.new_context(**settings)
        opened.append(context)
        # The log is folded away until somebody opens it, once and for all.
        context.add_init_script(LOG_OPEN)
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


@pytest.fixture(scope="module")
def filming_browser(browser: Any, film: Path) -> Iterator[Any]:
    """Chromium with the module's film for a camera."""
    flags = [*FLAGS, *FILMED, f"--use-file-for-fake-video-capture={film}"]
    running = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    yield running
    running.close()


@pytest.fixture
def filming(filming_browser: Any, server: Server, faults: list[str]) -> Iterator[Phone]:
    """Open the page on a phone that has been allowed such a camera."""
    opened = []

    def open_page(path: str = "/", lang: str = "en", route: Any = None, **more: Any) -> Any:
        settings = {"viewport": SMALL, "reduced_motion": "reduce", "permissions": ["camera"]}
        settings |= {"locale": lang, "base_url": server.url, **more}
        context = filming_browser.new_context(**settings)
        opened.append(context)
        context.set_default_timeout(PATIENCE_MS)
        if route:
            context.route(*route)
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


@pytest.fixture(scope="package")
def shoot(request: pytest.FixtureRequest) -> Shoot:
    """Save screenshots in these sizes, or in the page's own; without ``--album`` do nothing."""
    album = request.config.getoption("--album")

    def take(page: Any, name: str, *sizes: dict[str, int]) -> None:
        before = page.viewport_size
        for size in sizes or (before,):
            page.set_viewport_size(size)
            page.screenshot(path=Path(album) / f"{name}-{size['width']}.png")
        page.set_viewport_size(before)

    return take if album else lambda *_: None
