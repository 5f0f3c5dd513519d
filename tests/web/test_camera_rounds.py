"""A whole round told by a phone's page: drawn table, Chromium, server and worker."""

import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
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
from tests.web.stage import start_camera

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
    """A server with the worker that reads frames."""
    with Server(tmp_path_factory.mktemp("served") / "tables.sqlite3", watcher=True) as running:
        yield running


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


@pytest.mark.parametrize(
    ("ruleset", "seed"), [("classic-112", 1), pytest.param("power-grab", 4, marks=pytest.mark.soak)]
)
def test_a_whole_round_is_told_by_the_page(
    phone: Any, server: Server, tmp_path: Path, ruleset: str, seed: int
) -> None:
    plan = Plan(ruleset, 2, seed, 1, SEEN, 1)
    table = LiveTable(server.url, ruleset, plan.names, {"target": 1})
    camera = VirtualCamera(tmp_path, seed, SIZE)
    pictures = requests.Session()
    address = camera.url.replace("/stream", "/picture.jpg")
    try:
        page = phone("/")
        page.expose_function(
            "pictureNow", lambda: b64encode(pictures.get(address, timeout=60).content).decode()
        )
        width, height = map(int, SIZE.split("x"))
        page.add_init_script(f"({FILMED % (width, height, SHOWN_EVERY_MS)})()")
        page.goto(f"/t/{table.id}/camera#camera={table.register_camera()}")
        start_camera(page)
        page.wait_for_selector("svg.sights.good")
        Round(plan, table, camera).play(page)
        page.close()
    finally:
        with suppress(DemoError):
            camera.stop()
    counts = table.tally.counts
    told = "\n".join(table.report())
    assert counts["placed"] >= 8
    assert not any(counts[fault] for fault in FAULTS), told
    # On a busy machine a picture may come too late to show a card before the next one, or only a
    # part of what a hand does there: then a card is tapped, or a question is one too many.
    assert counts["missed"] + counts["invented"] <= max(1, counts["placed"] // 20), told
