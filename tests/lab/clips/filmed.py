"""Short scripted clips, watched with the ground-truth reader."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hardware.camera.track import PileEvent, PileWatcher, Thresholds, window_of
from hardware.camera.types import Recogniser
from lab.clips.camera import ClipCamera
from lab.clips.clip import Clip, random_setting
from lab.clips.ground_truth import TrueEvent
from lab.clips.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.clips.light import RoomLight
from lab.clips.random_scripts import DECK
from lab.clips.tabletop import Action

SIZE = (640, 360)
PILE = ("green-4", "blue-2")


@dataclass
class Watched:
    """True and reported events of a clip, and its watcher."""

    happened: list[TrueEvent]
    events: list[PileEvent]
    watcher: PileWatcher

    @property
    def reported(self) -> list[tuple[str, str | None]]:
        return [(one.kind, one.card) for one in self.events]


def clip(script: Iterable[Action], seed: int = 3) -> Clip:
    setting = random_setting(seed, SIZE, PILE, restless=0.0)
    camera = ClipCamera(SIZE, tilt=12.0, card=0.3)
    return Clip(replace(setting, camera=camera, light=RoomLight(seed=seed)), script)


def watched(
    film: Clip,
    faults: ReaderErrors | None = None,
    reader: Callable[[GroundTruthReader], Recogniser] = lambda truth: truth,
) -> Watched:
    truth = GroundTruthReader(DECK, faults or ReaderErrors(doubt=0.0, miss=0.0))
    watcher = PileWatcher(reader(truth))
    events: list[PileEvent] = []
    for frame in film:
        shape = frame.picture.shape[:2]
        truth.tell(frame, window_of(frame.region, shape, Thresholds()).crop)
        events += watcher.watch(frame.picture, frame.time, frame.region)
    return Watched(film.happened, events, watcher)
