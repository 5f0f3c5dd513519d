"""A board plugged into a laptop: the page reads it itself, through Web Serial."""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests

from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.wire import Faults
from tests.e2e.server import Server
from tests.web.conftest import SMALL, Phone, Shoot
from tests.web.stage import comes_to, seated
from tests.web.test_access import violations
from tests.web.test_between import host_of

VECTORS = json.loads(Path("hardware/board/vectors.json").read_text(encoding="utf-8"))
WIRE = 'const wire = await import("/page/js/board/link.js");'
HEX = """
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (found) => Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
"""
# What a browser gives a page for a serial port that was allowed; its bytes are a pseudo terminal's.
PORT = """
(() => {
  if (!location.origin.startsWith("http")) return;
  const serial = new EventTarget();
  const port = Object.assign(new EventTarget(), {
    async open({ baudRate }) {
      const may = baudRate === 115200 && (await window.openPort());
      if (!may) throw new DOMException("", "NetworkError");
      this.readable = new ReadableStream({
        start: (controller) => (this.controller = controller),
        cancel: () => (this.controller = null),
      });
      this.writable = new WritableStream({ write: (data) => window.toBoard(Array.from(data)) });
    },
    async close() {
      if (this.readable.locked || this.writable.locked) throw new TypeError("the port is in use");
      this.controller = null;
      await window.closePort();
    },
  });
  window.fromBoard = (data) => port.controller?.enqueue(Uint8Array.from(data));
  window.lost = () => {
    // What comes from the cable before the page has closed the port is lost, too.
    port.controller?.error(new DOMException("lost", "NetworkError"));
    port.controller = null;
  };
  window.plugged = () => serial.dispatchEvent(new Event("connect"));
  const allow = async () => (localStorage.setItem("allowed", "1"), port);
  Object.assign(serial, {
    requestPort: allow,
    async getPorts() {
      return localStorage.getItem("allowed") && (await window.isPlugged()) ? [port] : [];
    },
  });
  // An event that comes from a port has it for a target.
  const listen = serial.addEventListener.bind(serial);
  serial.addEventListener = (kind, heard) => listen(kind, () => heard({ target: port }));
  Object.defineProperty(navigator, "serial", { value: serial });
})();
"""


class Cable:
    """Carries bytes between a page and a virtual board's pseudo terminal."""

    def __init__(self, page: Any, board: VirtualBoard) -> None:
        self._page = page
        self._board = board
        self._end: int | None = None
        context = page.context
        context.expose_function("openPort", self._open)
        context.expose_function("closePort", self._close)
        context.expose_function("toBoard", self._to_board)
        context.expose_function("isPlugged", lambda: board.port.plugged)
        context.add_init_script(PORT)
        page.reload()

    def _open(self) -> bool:
        # A browser closes the port of a page that is left.
        self._close()
        if not self._board.port.plugged:
            return False
        self._end = os.open(self._board.port.url, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        return True

    def _close(self) -> None:
        if self._end is not None:
            os.close(self._end)
            self._end = None

    def _to_board(self, data: list[int]) -> None:
        if self._end is not None:
            with suppress(OSError):
                os.write(self._end, bytes(data))

    def until(self, wanted: Callable[[], object], seconds: float = 120) -> None:
        """Carry bytes until something is so."""
        end = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < end, self._page.inner_text("main")
            self.turn()

    def turn(self) -> None:
        """Carry what has come."""
        data = b""
        with suppress(BlockingIOError, OSError):
            if self._end is not None:
                data = os.read(self._end, 4096)
        if data:
            self._page.evaluate("data => window.fromBoard(data)", list(data))
        self._page.wait_for_timeout(20)

    def unplug(self) -> None:
        """Pull it out."""
        self._board.unplug()
        self._page.evaluate("window.lost()")

    def plug(self) -> None:
        """Put it in again."""
        self._board.plug()
        self._page.evaluate("window.plugged()")


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard(seats=4) as running:
        yield running


def at_table(phone: Phone, server: Server, board: VirtualBoard) -> tuple[Any, Cable, Any]:
    """Return a host's page with the board in use, its cable, and how to read the table."""
    names = ("Ann", "Bo", "Cy")
    (page,) = seated(phone, server, "power-grab", names, "red-4:N")
    path, headers = host_of(page, server)
    cable = Cable(page, board)
    page.goto(page.url.rstrip("/") + "/host")
    page.locator("details:has([data-do=camera-link]) > summary").click()
    page.click("[data-do=own-board]")

    def read() -> dict[str, Any]:
        return requests.get(path, headers=headers, timeout=60).json()

    return page, cable, read


def discrepancies(table: dict[str, Any]) -> dict[str, Any]:
    return {one["power"]: one["is"] for one in table["discrepancies"]}


@pytest.fixture
def page(phone: Phone) -> Any:
    return phone("/")


def test_packets_and_frames_are_the_golden_ones(page: Any) -> None:
    to_host = [one for one in VECTORS["frames"] if int(one["packet"][2:4], 16) < 0x80]
    to_board = [one for one in VECTORS["frames"] if one not in to_host]
    assert len(to_host) > 15
    assert len(to_board) > 8
    read = f"""async (frames) => {{ {WIRE} {HEX}
        return frames.map((frame) => {{
            const [packet] = wire.deframer().feed(bytes(frame));
            return wire.unpack(packet);
        }}); }}"""
    names = {"next_seq": "next", "newest_seq": "newest", "last_seq": "last"}
    found = page.evaluate(read, [one["frame"] for one in to_host])
    for one, message in zip(to_host, found, strict=True):
        fields = {names.get(name, name): value for name, value in one["fields"].items()}
        usual = {"seq": 0, "kind": one["message"]}
        assert message == {**usual, **fields}, one["name"]
    write = f"""async (messages) => {{ {WIRE} {HEX}
        return messages.map((one) => hex(wire.frame(wire.pack(one)))); }}"""
    messages = [
        {"kind": one["message"], **{names.get(k, k): v for k, v in one["fields"].items()}}
        for one in to_board
    ]
    assert page.evaluate(write, messages) == [one["frame"] for one in to_board]


def test_what_is_no_message_is_dropped(page: Any) -> None:
    unpack = f"""async (packets) => {{ {WIRE} {HEX}
        return packets.map((one) => wire.unpack(bytes(one)).wrong ?? null); }}"""
    # A page hears a cable: messages of the Wi-Fi, 0x10 and up, it does not know.
    refused = [one for one in VECTORS["refused"] if int(one["packet"][2:4] or "0", 16) < 0x10]
    found = page.evaluate(unpack, [one["packet"] for one in refused])
    assert found == [one["reason"] for one in refused]
    feed = f"""async (streams) => {{ {WIRE} {HEX}
        return streams.map((chunks) => {{
            const frames = wire.deframer();
            const packets = chunks.flatMap((one) => frames.feed(bytes(one))).map(hex);
            return [packets, frames.dropped];
        }}); }}"""
    streams = [*VECTORS["streams"]]
    streams += [{"chunks": [one["bytes"]], "packets": []} for one in VECTORS["dropped"]]
    found = page.evaluate(feed, [one["chunks"] for one in streams])
    for one, (packets, dropped) in zip(streams, found, strict=True):
        assert packets == one["packets"], one
        assert dropped == sum(one.get("dropped", {"crc": 1}).values()), one


def test_a_game_needs_no_gateway(
    phone: Phone, server: Server, board: VirtualBoard, shoot: Shoot
) -> None:
    page, cable, read = at_table(phone, server, board)
    cable.until(lambda: page.locator("[data-at=fine]").count())
    assert "for 4 seats" in page.inner_text("[data-at=fine]")
    shoot(page, "own-board", SMALL)
    assert violations(page) == []
    # A tower that nobody may have: the table is told, and its light blinks at the tray.
    board.place("O", 3)
    cable.until(lambda: discrepancies(read()) == {"O": 3})
    cable.until(lambda: 0 in board.lights())
    board.place("O", 0)
    cable.until(lambda: discrepancies(read()) == {} and not board.lights())


def test_nothing_is_lost_while_the_server_cannot_be_reached(
    phone: Phone, server: Server, board: VirtualBoard
) -> None:
    page, cable, read = at_table(phone, server, board)
    cable.until(lambda: page.locator("[data-at=fine]").count())
    page.context.set_offline(True)
    board.place("U", 3)
    for _ in range(60):
        cable.turn()
    assert discrepancies(read()) == {}
    page.context.set_offline(False)
    cable.until(lambda: discrepancies(read()) == {"U": 3})


def test_a_pulled_cable_and_a_page_opened_anew(
    phone: Phone, server: Server, board: VirtualBoard
) -> None:
    page, cable, read = at_table(phone, server, board)
    cable.until(lambda: page.locator("[data-at=fine]").count())
    cable.unplug()
    cable.until(lambda: page.locator("[data-at=away]").count())
    board.place("U", 1)
    cable.plug()
    cable.until(lambda: page.locator("[data-at=fine]").count())
    cable.until(lambda: discrepancies(read()) == {"U": 1})
    # The page goes on with it by itself.
    page.goto(page.url.removesuffix("/host"))
    board.place("U", 0)
    cable.until(lambda: discrepancies(read()) == {})


def test_a_bad_line_tells_nothing_wrong(phone: Phone, server: Server) -> None:
    noisy = Faults(corrupt=0.002, drop=0.002)
    with VirtualBoard(seats=4, to_host=noisy, to_board=noisy, seed=5) as board:
        page, cable, read = at_table(phone, server, board)
        cable.until(lambda: page.locator("[data-at=fine]").count())
        for place in (1, 2, 3, 0):
            board.place("U", place)
            wanted = {"U": place} if place else {}
            cable.until(lambda wanted=wanted: discrepancies(read()) == wanted)


def test_the_host_stops_using_it(phone: Phone, server: Server, board: VirtualBoard) -> None:
    page, cable, read = at_table(phone, server, board)
    cable.until(lambda: page.locator("[data-at=fine]").count())
    path, headers = host_of(page, server)
    page.click("[data-do=stop-board]")
    cable.until(lambda: page.locator("[data-do=own-board]").count())

    def revoked() -> list[bool]:
        devices = requests.get(f"{path}/devices", headers=headers, timeout=60).json()["items"]
        return [one["revoked"] is not None for one in devices]

    comes_to(revoked, [True])
    board.place("U", 2)
    for _ in range(40):
        cable.turn()
    assert discrepancies(read()) == {}
