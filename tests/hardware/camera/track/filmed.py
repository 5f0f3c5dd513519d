"""Short clips with a script of their own, watched with a reader that knows the truth."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2

from hardware.camera.track import PileEvent, PileWatcher, Thresholds, window_of
from hardware.camera.types import Corners, Recogniser
from lab.clips.camera import ClipCamera
from lab.clips.clip import Clip, random_setting
from lab.clips.ground_truth import ClipFrame, TrueEvent
from lab.clips.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.clips.light import RoomLight
from lab.clips.random_scripts import DECK
from lab.clips.tabletop import Action

SIZE = (640, 360)
PILE = ("green-4", "blue-2")

Through = Callable[[Iterator[ClipFrame]], Iterator[ClipFrame]]


@dataclass
class Watched:
    """What happened in a clip, what was told, and who watched."""

    happened: list[TrueEvent]
    events: list[PileEvent]
    watcher: PileWatcher
    told: list[tuple[str, str | None]] = field(init=False)

    def __post_init__(self) -> None:
        self.told = [(one.kind, one.card) for one in self.events]


def clip(
    script: Iterable[Action],
    pile: Sequence[str] = PILE,
    seed: int = 3,
    light: RoomLight | None = None,
) -> Clip:
    place = random_setting(seed, SIZE, pile, restless=0.0)
    camera = ClipCamera(SIZE, tilt=12.0, card=0.3)
    return Clip(replace(place, camera=camera, light=light or RoomLight(seed=seed)), script)


def watched(
    film: Clip,
    through: Through = lambda frames: frames,
    faults: ReaderErrors | None = None,
    reader: Callable[[GroundTruthReader], Recogniser] = lambda oracle: oracle,
) -> Watched:
    """Watch a clip; ``through`` is what becomes of its frames on the way to the watcher."""
    oracle = GroundTruthReader(DECK, faults or ReaderErrors(doubt=0.0, miss=0.0))
    watcher = PileWatcher(reader(oracle))
    events: list[PileEvent] = []
    for frame in through(iter(film)):
        shape = frame.picture.shape[:2]
        oracle.tell(frame, window_of(frame.region, shape, Thresholds()).crop)
        events += watcher.watch(frame.picture, frame.time, frame.region)
    return Watched(film.happened, events, watcher)


def resized(frame: ClipFrame, scale: float) -> ClipFrame:
    """The same as a camera with more or fewer pixels would have taken it."""
    height, width = frame.picture.shape[:2]
    size = (round(width * scale), round(height * scale))
    cards = tuple(replace(one, corners=one.corners * scale) for one in frame.cards)
    picture = cv2.resize(frame.picture, size, interpolation=cv2.INTER_AREA)
    return replace(frame, picture=picture, cards=cards, region=frame.region * scale)


def turned(frame: ClipFrame) -> ClipFrame:
    """The same as a camera that hangs the other way round would have taken it."""
    height, width = frame.picture.shape[:2]

    def there(corners: Corners) -> Corners:
        return (width - 1, height - 1) - corners

    cards = tuple(replace(one, corners=there(one.corners)) for one in frame.cards)
    picture = cv2.rotate(frame.picture, cv2.ROTATE_180)
    return replace(frame, picture=picture, cards=cards, region=there(frame.region))
