"""One phone that is a table's camera: its frames, and a gateway that tells the referee."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.backends import CAMERA
from hardware.camera.decks import RULESETS
from hardware.camera.device import Camera, Feed
from hardware.camera.device_options import read_options
from hardware.camera.enrol.deckfile import SUFFIX
from hardware.camera.source.pushed import PushedSource
from hardware.frames.answer import View
from hardware.frames.view import PhoneView
from hardware.gateway.config import CAMERA_NAME, Config, DeviceConfig, ServerConfig, learnt_beside
from hardware.gateway.runner import Gateway


@dataclass(frozen=True, slots=True)
class Place:
    """Where phones' tables are: the server's address, and the worker's folder.

    ``faces``: a folder of enrolled faces, one file a deck.
    """

    server: str
    folder: Path
    faces: Path | None = None


@dataclass(frozen=True, slots=True)
class Sender:
    """Which device of which table sends, its token, and the deck that lies there."""

    table: str
    device: str
    token: str
    ruleset: str


class Phone:
    """A phone as a camera of the gateway's: the same device as a webcam, fed by its frames.

    Raises OutboxError if its outbox cannot be used.
    """

    def __init__(self, sender: Sender, place: Place) -> None:
        self.sender = sender
        self._source = PushedSource("the phone")
        self._view = PhoneView()
        outbox = place.folder / f"{sender.table}-{sender.device}.sqlite3"
        options: dict[str, Any] = {
            "ruleset": sender.ruleset,
            "learnt": str(learnt_beside(outbox)),
            "table": sender.table,
        }
        enrolled = place.faces and place.faces / f"{sender.ruleset}{SUFFIX}"
        if enrolled and enrolled.is_file():
            options["faces"] = str(enrolled)
        config = Config(
            ServerConfig(place.server, sender.table),
            (DeviceConfig(CAMERA_NAME, CAMERA, options, sender.token),),
            outbox,
            outbox.with_suffix(".status.json"),
        )
        self._gateway = Gateway(config, self._make)
        self._gateway.start()

    @property
    def idle_for(self) -> float:
        """Seconds since the last frame."""
        return self._source.silent_for

    @property
    def refused(self) -> bool:
        """True once the server refuses the token: it was revoked."""
        return bool(self._gateway.document()["server"]["state"] == "refused")

    def take(
        self, data: bytes | None, made: float, sent: float, point: tuple[float, float] | None
    ) -> View:
        """Take a frame, or None for a picture that still shows the same; return what is seen."""
        if point is not None:
            self._view.pointer.point(*point)
        self._source.push(data, made, sent)
        return self._view.now(self._source.waiting)

    def close(self) -> None:
        """Stop watching; what waits is posted if the server answers."""
        self._gateway.stop()

    def _make(self, name: str, _: str, options: Mapping[str, Any]) -> Camera:
        feed = Feed(self._source, self._view.follower, self._view.shown)
        # The phone itself adjusts its camera.
        return Camera(name, read_options({**options, "lock": False}), feed=feed)


def knows(ruleset: str) -> bool:
    """Return whether the networks know a deck."""
    return ruleset in RULESETS
