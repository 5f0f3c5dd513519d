"""Latency from the POST of a move to its ruling on four phones' pages, in Chromium."""

import importlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from bench.report import ResultTable, percentiles, progress, scaled
from tests.e2e.server import Server
from tests.web.conftest import CHROMIUM, FLAGS, SMALL

MOVES = 100
LANGUAGES = ("en", "sv", "hu", "ru")
REACH_MS = 100
PAUSE = 0.5
"""Seconds between moves; the pages have refreshed by then."""
# Each page records when a new ruling appears in its list, by the clock that all processes share.
WATCH = """() => {
  window.shownAt = {};
  const note = () => {
    for (const item of document.querySelectorAll(".rulings li")) {
      window.shownAt[item.dataset.key] ??= performance.timeOrigin + performance.now();
    }
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
}"""


def run() -> Iterator[ResultTable]:
    """Open four phones at one table, and post draws and passes from elsewhere."""
    if CHROMIUM is None:
        progress("Chromium is not installed: page is skipped")
        return
    playwright = importlib.import_module("playwright.sync_api")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "page.sqlite3") as server,
        playwright.sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        table, host, code = _table(server.url)
        pages = [_watcher(browser, server.url, code, lang) for lang in LANGUAGES]
        taken = list(_measure(table, host, pages, scaled(MOVES)))
        browser.close()
    within = sum(delay <= REACH_MS for delay in taken)
    yield ResultTable(
        "From the POST of a move to its ruling on the pages of four phones",
        ("rulings shown", "median ms", "p95 ms", "worst ms", f"within {REACH_MS} ms"),
        [
            (
                len(taken),
                *percentiles(taken, 50, 95, 100),
                f"{100 * within / len(taken):.1f} %",
            )
        ],
        ["Timed from before the request is sent until the ruling is in the page."],
    )


def _table(url: str) -> tuple[str, dict[str, str], str]:
    """Create a table with an open round; return its URL, the host's headers and the join code."""
    opened = requests.post(
        f"{url}/api/v1/tables",
        json={"ruleset": "power-grab", "seats": ["Ann", "Bo", "Cy", "Di"]},
        timeout=30,
    ).json()
    table = f"{url}/api/v1/tables/{opened['table']['id']}"
    host = {"Authorization": f"Bearer {opened['token']}"}
    start = {"opening": ["red-7"], "dealer": 1}
    requests.post(f"{table}/rounds", json=start, headers=host, timeout=30).raise_for_status()
    return table, host, opened["table"]["code"]


def _watcher(browser: Any, url: str, code: str, lang: str) -> Any:
    page = browser.new_context(viewport=SMALL, locale=lang, base_url=url).new_page()
    page.goto(f"/join?code={code}")
    page.click("[data-do=watch]")
    page.wait_for_selector(".rulings li", state="attached")
    page.evaluate(WATCH)
    return page


def _measure(table: str, host: dict[str, str], pages: list[Any], moves: int) -> Iterator[float]:
    """Yield milliseconds for each move and page."""
    session = requests.Session()
    state = session.get(table, headers=host, timeout=30).json()["state"]
    for _ in range(moves):
        time.sleep(PAUSE)
        move = "draw" if state["awaiting"][0]["need"] == "play" else "pass"
        body = {"seat": state["turn"], "move": move}
        sent = time.time() * 1000
        entry = session.post(f"{table}/moves", json=body, headers=host, timeout=30).json()
        state = entry["state"]
        for page in pages:
            shown = page.wait_for_function(f"() => window.shownAt[{entry['id']}]")
            yield shown.json_value() - sent
