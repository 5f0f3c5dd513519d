"""How fast a long queue on the computer beside the table reaches the server."""

import tempfile
import time
from pathlib import Path

from bench.report import ResultTable, progress, scaled
from hardware.gateway.api import Api
from hardware.gateway.config import ServerConfig
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.poster import MOST, Poster
from hardware.observation import Observation
from hardware.times import utc
from referee.demo.http.client import Client
from tests.e2e.server import Server

LIMITS = {"REFEREE_LIMITS": "on"}
WAITING = 29_000
"""More than arrives meanwhile, and fewer than the entries that a table may have."""
SECONDS = 120
"""Limits count by the minute."""
DEVICE = "Board"


def run() -> list[ResultTable]:
    """Measure."""
    seconds = scaled(SECONDS)
    report = ResultTable(
        f"Observations that reached the server in {seconds} s, of {WAITING:,} that waited",
        ("", "observations", "a second", "ratio"),
    )
    delivered = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "db", env=LIMITS) as server,
    ):
        for name, most in (("one by one", 1), (f"up to {MOST} together", MOST)):
            progress(f"outbox: {name}")
            delivered.append(_delivered(server.url, most, seconds))
            rate, ratio = delivered[-1] / seconds, delivered[-1] / delivered[0]
            report.rows.append((name, delivered[-1], rate, ratio))
    report.notes.append("With the server's usual limits, at a fresh table each.")
    return [report]


def _delivered(url: str, most: int, seconds: float) -> int:
    """Post for a while from a full outbox; return how many were taken."""
    table = (
        Client(url).post("/tables", {"ruleset": "power-grab", "seats": ["Ann", "Bo", "Cy"]}).body
    )
    table_id = table["table"]["id"]
    wish = {"name": DEVICE, "kind": "board"}
    device = Client(url, table["token"]).post(f"/tables/{table_id}/devices", wish).body
    seen = [{"kind": "powers", "powers": {"UNO!"[n % 4]: n // 4 % 4}} for n in range(WAITING)]
    with tempfile.TemporaryDirectory() as folder:
        outbox = Outbox(Path(folder) / "outbox", table_id)
        outbox.open()
        outbox.put(DEVICE, [Observation(utc(time.time()), body) for body in seen], {})
        api = Api(ServerConfig(url, table_id), device["token"])
        poster = Poster(DEVICE, outbox, api, lambda _: None, most=most)
        poster.start()
        time.sleep(seconds)
        poster.stop()
        (queue,) = outbox.queues()
        outbox.close()
    return queue.delivered
