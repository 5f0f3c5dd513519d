"""One phone that is a table's camera: its frames, what it is told, and a gateway to the referee."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.backends import CAMERA
from hardware.camera.decks import RULESETS
from hardware.camera.device import Camera, Feed, read_options
from hardware.camera.enrol.deckfile import SUFFIX
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.other_deck import warning
from hardware.camera.setup.advice import AdviceThresholds, advise
from hardware.camera.setup.conditions import Conditions, measure
from hardware.camera.setup.find_pile import PLACE, PileFinder, Pointer
from hardware.camera.setup.follow import Follower
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.unrest import Sign
from hardware.camera.source import Frame
from hardware.camera.source.pushed import PushedSource
from hardware.camera.types import Corners, Picture, Recogniser
from hardware.camera.upkeep import Upkeep
from hardware.frames.answer import ADVICE, View, paced, starting
from hardware.gateway.config import CAMERA_NAME, Config, DeviceConfig, ServerConfig, learnt_beside
from hardware.gateway.runner import Gateway

SIGNS: dict[Sign, str] = {
    "shakes": "shakes",
    "covered": "covered",
    "focus-hunts": "hunts",
    "exposure-hunts": "hunts",
    "slow": "slow",
}
# Seconds between measurements, which take 30 ms; never while a card is read.
MEASURE_EVERY = 1.5
# Share of the picture's shorter side from which the pile's place leaves no room for hands.
NEAR = 0.8


class PhoneView:
    """The view of one phone; written by its camera's thread, read by any."""

    def __init__(self) -> None:
        self.pointer = Pointer()
        self._finder: PileFinder | None = None
        self._guard = threading.Lock()
        self._view = starting()
        self._measured = float("-inf")
        self._picture: Picture | None = None
        self._seen: frozenset[str] = frozenset()
        self._codes: frozenset[str] = frozenset()

    def newest(self, waiting: int) -> View:
        """Return the newest view; ``waiting`` frames have not been looked at."""
        with self._guard:
            return paced(self._view, waiting)

    def follower(self, recogniser: Recogniser) -> Follower:
        """Return what finds the pile in the phone's pictures."""
        self._finder = PileFinder(recogniser, self.pointer)
        return self._finder

    def shown(self, pipeline: Pipeline, upkeep: Upkeep, frame: Frame | None) -> None:
        """Take what the camera made of a frame."""
        if frame is not None and self._is_due(frame) and not pipeline.busy:
            self._measured, self._picture = frame.at, frame.picture
            # What is seen in one picture alone may be a lamp that flickers, or a shadow.
            before, self._seen = self._seen, frozenset(self._measure(frame.picture, pipeline))
            self._codes = before & self._seen
        signs = {SIGNS[sign] for sign in upkeep.warnings}
        strange = {"other-deck"} if warning(pipeline.other_decks) else set()
        codes = self._codes | signs | strange
        sight, position = pipeline.sight, pipeline.position
        watching = sight.state == "watching"
        view: View = {
            "state": sight.state,
            "reason": sight.reason,
            "pile": None,
            "draw_pile": None,
            "card": pipeline.card,
            "chance": pipeline.chance,
            "busy": watching and pipeline.busy,
            "advice": [code for code in ADVICE if code in codes],
        }
        if frame is not None:
            size = frame.picture.shape[1], frame.picture.shape[0]
            view["pile"] = _shares(pipeline.pile, size)
            view["draw_pile"] = _shares(None if position is None else position.draw, size)
        with self._guard:
            if frame is None:
                view = {**view, **{place: self._view[place] for place in ("pile", "draw_pile")}}
            self._view = view

    def _is_due(self, frame: Frame) -> bool:
        """Return whether it is time to measure, and there is another picture than last time."""
        return frame.at - self._measured >= MEASURE_EVERY and frame.picture is not self._picture

    def _measure(self, picture: Picture, pipeline: Pipeline) -> Iterator[str]:
        position, mat = pipeline.position, None if self._finder is None else self._finder.mat
        sighting, view = (None, None) if mat is None else (mat.sighting, mat.view)
        seen = measure(picture, sighting, view, pipeline.pile)
        if position is not None:
            for finding in advise(seen, position, ConditionHistory(), live=False):
                if finding.code:
                    yield finding.code
        yield from _distance(seen, picture)


def _distance(seen: Conditions, picture: Picture) -> Iterator[str]:
    """Tell whether a pile that was found without a mat is too small, or leaves no room."""
    if seen.pile_width is None:
        return
    if seen.mat is None and seen.pile_width / PLACE[0] < AdviceThresholds().card:
        yield "far"
    if seen.pile_width > NEAR * min(picture.shape[:2]):
        yield "near"


def _shares(place: Corners | None, size: tuple[int, int]) -> list[list[float]] | None:
    if place is None:
        return None
    return [[round(float(x) / size[0], 4), round(float(y) / size[1], 4)] for x, y in place]


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
        self, data: bytes | None, captured: float, sent: float, point: tuple[float, float] | None
    ) -> View:
        """Take a frame, or None for a picture that still shows the same; return what is seen."""
        if point is not None:
            self._view.pointer.point(*point)
        self._source.push(data, captured, sent)
        return self._view.newest(self._source.waiting)

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
