"""A table that plays itself: virtual camera and board, gateway, and simulated players."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random

from referee.demo.http.client import Json
from referee.demo.http.devices import (
    AttachedDevice,
    Gateway,
    VirtualBoard,
    VirtualCamera,
    board_at,
    wait_until,
)
from referee.demo.http.server_process import ServerProcess
from referee.demo.http.spectator import Spectator
from referee.demo.players.captions import Caption, Show, Snapshot
from referee.demo.rounds.camera_table import CameraTable
from referee.rules.ruleset import find_ruleset
from referee.texts.catalog import counted

# Seconds to wait for the camera's report of a card before it is entered by phone.
PATIENCE = 12.0
DISTURBANCES = ("nudge", "nudge top", "pass", "put-back", "hover 0.4")


@dataclass(frozen=True, slots=True)
class RulingPicture:
    """A picture of the pile at a ruling."""

    jpeg: bytes
    caption: Caption


class _VirtualPileHands:
    """Hands at the pile under the virtual camera; see ``PileHands``."""

    def __init__(self, camera: VirtualCamera, players: int, rng: Random) -> None:
        self._camera = camera
        self._players = players
        self._rng = rng

    def lay(self, card: str, seat: int | None = None) -> None:
        self._do(f"lay {card} {self._manner(seat)}")

    def turn_up(self, card: str, seat: int) -> None:
        self._do(f"turn-up {card} {self._manner(seat)}")

    def draw(self, seat: int) -> None:
        self._do(f"draw {self._manner(seat)}")

    def lift(self) -> None:
        self._do("lift")

    def clear(self) -> None:
        self._do("clear")

    def disturb(self) -> None:
        self._do(self._rng.choice(DISTURBANCES))

    def _manner(self, seat: int | None) -> str:
        side = "" if seat is None else f" from {360 * (seat - 1) / self._players:.0f}"
        return f"brisk {self._rng.uniform(0.9, 1.6):.2f}{side}"

    def _do(self, line: str) -> None:
        self._camera.do(line)
        self._camera.wait_until_idle()
        # Let the camera see the card before the next hand hides it.
        time.sleep(0.5)


class FilmingShow:
    """Wraps a show, and takes a picture of each ruling."""

    def __init__(self, show: Show, camera: VirtualCamera) -> None:
        self._show = show
        self._camera = camera
        self.pictures: list[RulingPicture] = []

    def update(self, snapshot: Snapshot, caption: Caption) -> None:
        """Take a picture and pass the event on."""
        self.pictures.append(RulingPicture(self._camera.picture(), caption))
        self._show.update(snapshot, caption)


class LiveTable(CameraTable):
    """A table with all its devices running."""

    def __init__(self, server: str, ruleset: str, names: tuple[str, ...], options: Json) -> None:
        super().__init__(server, ruleset, names, options)
        self.latencies: list[float] = []
        self._camera: VirtualCamera | None = None

    @property
    def camera(self) -> VirtualCamera:
        """The camera above the pile."""
        assert self._camera is not None  # noqa: S101
        return self._camera

    def begin(self, camera: VirtualCamera, rng: Random) -> None:
        """Play with the camera as soon as the referee knows that it sees the pile."""
        self._camera = camera
        wait_until(
            lambda: self.look()["camera"]["sight"] == "watching" or None,
            "the camera has not reported that it sees the pile",
        )
        self.watch(_VirtualPileHands(camera, len(self.seats), rng), rng, PATIENCE)

    def measure(self, spectator: Spectator) -> None:
        """Measure the time from a card on the table to the event on the spectator's phone."""
        placed = [event for event in self.camera.truth() if event.get("kind") == "placed"]
        ahead = time.time() - time.perf_counter()
        for event, entry in zip(placed, self.laid, strict=False):
            if entry is not None:
                down = datetime.fromisoformat(event["time"]).timestamp()
                self.latencies.append(spectator.received_at[entry] + ahead - down)

    def report(self) -> tuple[str, ...]:
        """Summarise what the devices reported."""
        counts, phone = self.tally.counts, self.tally.phone
        tapped = ", ".join(f"{name} {count}" for name, count in sorted(phone.items()))
        wrong = counts["wrong"] + counts["doubled"]
        followed = (
            f"{counts['placed']} cards were laid, none tapped: {counts['right']} ruled on at once, "
            f"{counts['asked']} after a question, {counts['missed']} missed, {wrong} wrong."
        )
        lines = [followed, f"Entered by phone: {tapped or 'nothing'}."]
        if self.latencies:
            ordered = sorted(self.latencies)
            p50, p95 = (ordered[int((len(ordered) - 1) * part)] * 1000 for part in (0.5, 0.95))
            lines.append(
                f"From a card down to the ruling on a phone: p50 {p50:.0f} ms, p95 {p95:.0f} ms."
            )
        if self._board is not None:
            lines.append(
                f"Towers were moved {counted(self.counts['moved'], 'time')}, only on the board."
            )
        return (*lines, *self.tally.troubles)


@contextmanager
def live_table(
    server: ServerProcess,
    ruleset: str,
    names: tuple[str, ...],
    seed: int,
    options: Json,
    size: str,
) -> Iterator[LiveTable]:
    """Start a table with virtual devices and a gateway; stop them at the end. Raises DemoError.

    ``options`` are the table's house rules.
    """
    table = LiveTable(server.url, ruleset, names, options)
    rng = Random(f"people/{seed}")
    with tempfile.TemporaryDirectory(prefix="referee-table-") as name, ExitStack() as stack:
        folder = Path(name)
        powers: Sequence[str] = find_ruleset(ruleset).powers
        camera = VirtualCamera(folder, seed, size)
        stack.callback(camera.stop)
        source = {
            "source": camera.url,
            "ruleset": ruleset,
            "setup": str(folder / "camera.json"),
        }
        devices = [AttachedDevice("Camera", "camera", table.register_camera(), source)]
        board = VirtualBoard(folder, len(names), powers) if powers else None
        if board:
            stack.callback(board.stop)
            devices.append(board_at(board.port, table.register_board()))
        gateway = Gateway(folder, server.url, table.id, devices)
        stack.callback(gateway.stop)
        if board:
            table.use(board, gateway)
        table.begin(camera, rng)
        yield table
