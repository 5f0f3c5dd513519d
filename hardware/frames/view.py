"""What a phone is told of its pictures: what they show, and what is wrong with them."""

import threading
from collections.abc import Iterator

from hardware.camera.other_deck import warning
from hardware.camera.pipeline import Pipeline
from hardware.camera.setup.advice import AdviceThresholds, advise
from hardware.camera.setup.conditions import Conditions, measure
from hardware.camera.setup.find_pile import PLACE, PileFinder, Pointer
from hardware.camera.setup.follow import Follower
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.unrest import Sign
from hardware.camera.source import Frame
from hardware.camera.types import Corners, Picture, Recogniser
from hardware.camera.upkeep import Upkeep
from hardware.frames.answer import ADVICE, View, paced, starting

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
        self._seen: frozenset[str] = frozenset()
        self._codes: frozenset[str] = frozenset()

    def now(self, waiting: int) -> View:
        """Return the newest view; ``waiting`` frames have not been looked at."""
        with self._guard:
            return paced(self._view, waiting)

    def follower(self, recogniser: Recogniser) -> Follower:
        """Return what finds the pile in the phone's pictures."""
        self._finder = PileFinder(recogniser, self.pointer)
        return self._finder

    def shown(self, pipeline: Pipeline, upkeep: Upkeep, frame: Frame | None) -> None:
        """Take what the camera made of a frame."""
        if frame is not None and not pipeline.busy and frame.at - self._measured >= MEASURE_EVERY:
            self._measured = frame.at
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
