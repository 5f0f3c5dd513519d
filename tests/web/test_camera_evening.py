"""A phone's camera from the page to the ruling on the others: film, browser, server, worker."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.films import write_film
from tests.web.stage import place_of, register, seated, start_camera

# Seconds and taps from opening the link to the first ruling on another phone.
SOON, TAPS = 60, 4


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Three cards are laid, with time between them for trouble."""
    path = tmp_path_factory.mktemp("film") / "evening.mjpeg"
    steps = [(15.0, "lay red-9"), (50.0, "lay blue-9"), (60.0, "lay blue-2")]
    yield write_film(path, steps, pile=["red-7"], rest=60)
    path.unlink()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the worker that reads frames, at a port that it keeps when it is restarted."""
    database = tmp_path_factory.mktemp("served") / "tables.sqlite3"
    with Server(database, watcher=True, stays=True) as running:
        yield running


def top_is(page: Any, card: str, seconds: float) -> None:
    """Wait until this card lies on top, as a player's phone shows it."""
    page.wait_for_selector(f".pile [aria-label*='{card}']", timeout=1_000 * seconds)


def test_the_game_goes_on_through_all_trouble(filming: Phone, phone: Phone, server: Server) -> None:
    host, player = seated(phone, server, "classic-108", langs=("en", "en"))
    token = register(server.url, place_of(host), "camera").token
    table = place_of(host)["table"]
    taps = 1  # on what the scanned code offers

    began = time.monotonic()
    camera = filming(f"/t/{table}/camera#camera={token}", permissions=[])
    if start_camera(camera):
        taps += 2  # the button, and what the browser asks
    top_is(player, "red 9", SOON)
    assert time.monotonic() - began <= SOON
    assert taps <= TAPS

    # Twenty seconds without a network.
    camera.context.set_offline(True)
    camera.wait_for_selector(".eye-state >> text=No connection")
    camera.wait_for_timeout(20_000)
    camera.context.set_offline(False)
    camera.wait_for_selector(".eye-state >> text=On top: red 9")
    top_is(player, "blue 9", 70)

    # The server is killed, worker and all, and comes back.
    server.kill()
    camera.wait_for_selector(".eye-state >> text=No connection")
    server.start()
    camera.wait_for_selector(".eye-state >> text=On top: blue 9")
    top_is(player, "blue 2", 90)
    assert host.locator(".asks .question").count() == 0
