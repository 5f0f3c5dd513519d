"""Latency from the sensor board's wire to the event on a phone's stream."""

import json
import tempfile
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

import requests

from bench.report import ResultTable, percentiles, progress
from hardware.board.wire.framing import Deframer
from hardware.board.wire.messages import Change, unpack
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.ports import PtyPort
from referee.demo.http.client import API, Client
from referee.demo.http.devices import Gateway, board_at
from referee.demo.http.server_process import running_server

PLACEMENTS = 500
SHOWN = (50, 95, 99, 100)
SEATS = 4
POWER = "U"
PATIENCE = 10.0
PAUSES = (0.05, 0.15)
"""Range of seconds between placements, so that they do not overlap."""


class TimedPty(PtyPort):
    """A pseudo terminal that records when each change was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self._frames = Deframer()
        self.sent: dict[tuple[int, int], float] = {}

    def write(self, data: bytes) -> int:
        """Write, and record the time before."""
        at = time.perf_counter()
        taken = super().write(data)
        for packet in self._frames.feed(data[:taken]):
            message = unpack(packet)
            if isinstance(message, Change):
                # A retransmitted message keeps its first time.
                self.sent.setdefault((message.seq, message.place), at)
        return taken


def run() -> list[ResultTable]:
    """Measure."""
    report = ResultTable(
        f"From the board's wire to the event on a stream, {PLACEMENTS} placements",
        ("", "p50 ms", "p95 ms", "p99 ms", "max ms"),
    )
    progress("board: server, gateway and virtual board")
    on_wire, in_hand, unseen = _measure()
    report.rows.append(("first byte on the wire to the event", *percentiles(on_wire, *SHOWN)))
    report.rows.append(("tower put down to the event", *percentiles(in_hand, *SHOWN)))
    report.notes.append("The second row includes the 25 ms for which the board debounces a tower.")
    if unseen:
        report.notes.append(
            f"{unseen} placements are in neither: they came in a snapshot, after a connection that "
            "broke, and not as a change on the wire. This computer was too busy to measure on."
        )
    return [report]


def _measure() -> tuple[list[float], list[float], int]:
    """Return both latencies in ms, and how many placements had no change on the wire."""
    rng = Random(1)
    port = TimedPty()
    with tempfile.TemporaryDirectory() as name, running_server() as server:
        folder = Path(name)
        table = (
            Client(server.url)
            .post("/tables", {"ruleset": "power-grab", "seats": ["Ann", "Bo", "Cy", "Dot"]})
            .body
        )
        table_id = table["table"]["id"]
        host = Client(server.url, table["token"])
        wish = {"name": "Board", "kind": "board"}
        token = host.post(f"/tables/{table_id}/devices", wish).body["token"]
        with VirtualBoard(port, seats=SEATS) as board:
            board.place(POWER, 0)
            gateway = Gateway(folder, server.url, table_id, [board_at(Path(port.url), token)])
            try:
                stream = TableStream(f"{server.url}{API}/tables/{table_id}/events", table["token"])
                stream.wait_for(0)
                return _placements(board, port, stream, rng)
            finally:
                gateway.stop()


def _placements(
    board: VirtualBoard, port: TimedPty, stream: "TableStream", rng: Random
) -> tuple[list[float], list[float], int]:
    on_wire, in_hand, unseen = [], [], 0
    for number in range(PLACEMENTS):
        place = 1 + number % SEATS
        port.sent.clear()
        put_down = time.perf_counter()
        board.place(POWER, place)
        arrived = stream.wait_for(place)
        sent = [at for (_, where), at in list(port.sent.items()) if where == place]
        if sent:
            on_wire.append(1000 * (arrived - min(sent)))
            in_hand.append(1000 * (arrived - put_down))
        else:
            unseen += 1
        time.sleep(rng.uniform(*PAUSES))
        if number % 100 == 99:
            progress(f"board: {number + 1} placements")
    if not on_wire:
        raise RuntimeError("no placement's change was on the wire: was the board ever connected?")
    return on_wire, in_hand, unseen


class TableStream:
    """A phone's event stream."""

    def __init__(self, url: str, token: str) -> None:
        self._seen: SimpleQueue[tuple[float, object]] = SimpleQueue()
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        self._answer = requests.get(url, headers=headers, stream=True, timeout=60)
        self._answer.raise_for_status()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        try:
            for line in self._answer.iter_lines(chunk_size=None):
                at = time.perf_counter()
                if line.startswith(b"data: "):
                    seen = json.loads(line[6:]).get("observation", {}).get("powers", {})
                    if POWER in seen:
                        self._seen.put((at, seen[POWER]))
        except requests.RequestException:
            return

    def wait_for(self, place: int) -> float:
        """Wait for the event that puts the power at ``place``; return its arrival time."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                at, position = self._seen.get(timeout=0.5)
            except Empty:
                continue
            if position == place:
                return at
        raise RuntimeError(f"no event put {POWER} at {place} within {PATIENCE:.0f} s")
