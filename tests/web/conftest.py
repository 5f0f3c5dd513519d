"""The real server, and phones: Chromium pages, each with its own storage."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
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
# What a phone remembers from before, without a page of its own to write it first.
REMEMBERED = """for (const [name, value] of Object.entries(%s))
  if (!localStorage.getItem("referee." + name))
    localStorage.setItem("referee." + name, JSON.stringify(value));"""
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


@contextmanager
def phones(faults: list[str], **usual: Any) -> Iterator[Phone]:
    """Open pages, each with its own storage; their errors go to ``faults``.

    ``usual``: settings of each, such as the ``base_url``, which a page may have otherwise.
    ``remembers``: what a phone has stored, by name.
    """
    opened = []

    def open_page(
        browser: Any,
        path: str,
        remembers: Mapping[str, Any] | None = None,
        route: Any = None,
        **more: Any,
    ) -> Any:
        # Nothing moves while it is measured. A service worker reads all files once more on each new
        # phone, a third of what that costs: the tests of what it does allow it.
        still = {"viewport": SMALL, "reduced_motion": "reduce", "service_workers": "block"}
        context = browser.new_context(**{**still, **usual, **more})
        opened.append(context)
        if remembers:
            context.add_init_script(REMEMBERED % json.dumps(remembers))
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
def phone(browser: Any, server: Server, faults: list[str]) -> Iterator[Phone]:
    """Open the page on another phone; its errors go to ``faults``."""
    with phones(faults, base_url=server.url) as open_page:
        # The log is folded away until somebody opens it, once and for all.
        yield lambda path="/", lang="en", remembers=None, **more: open_page(
            browser, path, {"log": True, **(remembers or {})}, locale=lang, **more
        )


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
    with phones(faults, base_url=server.url, permissions=["camera"]) as open_page:
        yield lambda path="/", lang="en", **more: open_page(
            filming_browser, path, locale=lang, **more
        )


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
