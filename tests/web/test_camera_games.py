"""Games that a phone's page tells: drawn table, Chromium, server and worker."""

import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests

from referee.demo.http.client import DemoError
from referee.demo.http.devices import VirtualCamera
from referee.demo.players.captions import Caption, Snapshot
from referee.demo.rounds.camera_table import SEEN, CameraGame
from referee.demo.rounds.game import Plan
from referee.demo.show.live_table import LiveTable
from tests.e2e.server import Server
from tests.web.conftest import Phone
from tests.web.stage import place_of, register, seated, start_camera

# Seconds and taps from opening the link to the first ruling on another phone.
SOON, TAPS = 60, 4
SIZE = "1280x720"
SHOWN_EVERY_MS = 80
FAULTS = ("wrong", "doubled", "puzzled")
# The phone's own camera shows what lies on the drawn table.
FILMED = """() => {
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: %d, height: %d });
    const context = canvas.getContext("2d");
    const show = async () => {
      try {
        const bytes = Uint8Array.from(atob(await pictureNow()), (one) => one.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
        context.drawImage(picture, 0, 0);
      } finally {
        setTimeout(show, %d);
      }
    };
    await show();
    return canvas.captureStream(15);
  };
}"""


class Unseen:
    """Shows nothing."""

    def update(self, scene: Snapshot, line: Caption) -> None:
        """Do nothing."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the worker that reads frames, at a port that it keeps when it is restarted."""
    database = tmp_path_factory.mktemp("served") / "tables.sqlite3"
    with Server(database, watcher=True, stays=True) as running:
        yield running


@contextmanager
def drawn_table(folder: Path, seed: int) -> Iterator[VirtualCamera]:
    """Run a camera above a drawn table."""
    camera = VirtualCamera(folder, seed, SIZE)
    try:
        yield camera
    finally:
        with suppress(DemoError):
            camera.stop()


@contextmanager
def filming(phone: Phone, camera: VirtualCamera, path: str) -> Iterator[tuple[Any, bool]]:
    """Open the page on a phone above the drawn table; tell whether it had to be tapped, too.

    It is closed before the camera is: it would ask for pictures that nobody gives any more.
    """
    page, pictures = phone("/"), requests.Session()
    address = camera.url.replace("/stream", "/picture.jpg")
    page.expose_function(
        "pictureNow", lambda: b64encode(pictures.get(address, timeout=60).content).decode()
    )
    width, height = map(int, SIZE.split("x"))
    page.add_init_script(f"({FILMED % (width, height, SHOWN_EVERY_MS)})()")
    page.goto(path)
    try:
        yield page, start_camera(page)
    finally:
        page.close()


def top_is(page: Any, card: str) -> None:
    """Wait until this card lies on top, as a player's phone shows it."""
    page.wait_for_selector(f".pile [aria-label*='{card}']")


def test_the_game_goes_on_through_all_trouble(phone: Phone, server: Server, tmp_path: Path) -> None:
    host, player = seated(phone, server, "classic-108", langs=("en", "en"))
    token = register(server.url, place_of(host), "camera").token
    path = f"/t/{place_of(host)['table']}/camera#camera={token}"
    with drawn_table(tmp_path, 1) as table:
        table.do("lay red-7")
        table.wait_until_idle()
        began = time.monotonic()
        with filming(phone, table, path) as (camera, tapped):
            # On what the scanned code offers, and perhaps on the button and what the browser asks.
            assert 1 + 2 * tapped <= TAPS
            camera.wait_for_selector(".eye-state >> text=On top: red 7")
            # Each hand comes from the side of its player: one from elsewhere is asked about.
            table.do("lay red-9 from 0")
            top_is(player, "red 9")
            assert time.monotonic() - began <= SOON

            # Twenty seconds without a network.
            camera.context.set_offline(True)
            camera.wait_for_selector(".eye-state >> text=No connection")
            camera.wait_for_timeout(20_000)
            camera.context.set_offline(False)
            camera.wait_for_selector(".eye-state >> text=On top: red 9")
            table.do("lay blue-9 from 90")
            top_is(player, "blue 9")

            # The server is killed, worker and all, and comes back.
            server.kill()
            camera.wait_for_selector(".eye-state >> text=No connection")
            server.start()
            camera.wait_for_selector(".eye-state >> text=On top: blue 9")
            table.do("lay blue-2 from 0")
            top_is(player, "blue 2")
            assert host.locator(".asks .question").count() == 0


class Round:
    """Plays a round in a thread, while the browser goes on in the test's."""

    def __init__(self, plan: Plan, table: LiveTable, camera: VirtualCamera) -> None:
        self._plan, self._table, self._camera = plan, table, camera
        self.failure = ""
        self._thread = threading.Thread(target=self._play, daemon=True)

    def play(self, page: Any) -> None:
        """Play it; raises AssertionError if its scores are not those of the simulation."""
        self._thread.start()
        while self._thread.is_alive():
            page.wait_for_timeout(200)
        assert not self.failure

    def _play(self) -> None:
        try:
            self._table.begin(self._camera, Random(f"people/{self._plan.seed}"))
            CameraGame(self._plan, Unseen(), self._table).play()
        except DemoError as error:
            self.failure = str(error)


# Quarantined in `make soak`: a drawn table, a browser and a reader share two cores, and how many
# pictures come in time decides. On a machine a third as fast three tries missed 3 or 4 of 62 cards
# each; on a faster one, alone and idle, the first try missed the opening 8 times of 8.
@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "seed"), [("classic-112", 6), ("power-grab", 4)])
def test_a_whole_round_is_told_by_the_page(
    phone: Phone, server: Server, tmp_path: Path, ruleset: str, seed: int
) -> None:
    plan = Plan(ruleset, 2, seed, 1, SEEN, 1)
    table = LiveTable(server.url, ruleset, plan.names, {"target": 1})
    path = f"/t/{table.id}/camera#camera={table.register_camera()}"
    with drawn_table(tmp_path, seed) as camera, filming(phone, camera, path) as (page, _):
        page.wait_for_selector("svg.sights.good")
        Round(plan, table, camera).play(page)
    counts = table.tally.counts
    told = "\n".join(table.report())
    assert counts["placed"] >= 8
    assert not any(counts[fault] for fault in FAULTS), told
    # On a busy machine a picture may come too late to show a card before the next one, or only a
    # part of what a hand does there: then a card is tapped, or a question is one too many.
    assert counts["missed"] + counts["invented"] <= max(1, counts["placed"] // 20), told
