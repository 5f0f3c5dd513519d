"""``python -m lab.measure track``: the watcher at drawn clips, and the truth."""

import argparse
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2

from hardware.camera.track.events import PileEvent
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.watcher import PileWatcher
from hardware.camera.track.window import window_of
from hardware.camera.types import Found, Picture, Recogniser
from lab.clips.clip import Clip, random_setting
from lab.clips.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.clips.random_scripts import DECK, idle_script, play_script, starting_pile
from lab.measure.track_score import TrackScore, percentile, score_events

FOLLOWS = 20
"""Frames until the region follows a camera that was knocked."""


@dataclass
class WatcherTimes:
    """Seconds that the watcher itself took for frames, apart from the recogniser's.

    ``still`` and ``moving`` hold them by what was going on, ``read`` those of the recogniser.
    """

    still: list[float] = field(default_factory=list)
    moving: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)


class TimedRecogniser:
    """A recogniser that appends the seconds of processor time of each call to ``times``."""

    def __init__(self, recogniser: Recogniser, times: list[float]) -> None:
        self._recogniser, self._times = recogniser, times

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Found]:
        """See ``Recogniser.recognise``."""
        begun = time.thread_time()
        found = self._recogniser.recognise(picture, parts=parts)
        self._times.append(time.thread_time() - begun)
        return found


@dataclass(frozen=True)
class ClipSpec:
    """A clip to watch.

    Attributes:
        seed: Which one.
        seconds: How long it is.
        idle: Whether nobody plays.
        size: Width and height of its frames.
        restless: How much its light changes.
    """

    seed: int
    seconds: float
    idle: bool = False
    size: tuple[int, int] = (1280, 720)
    restless: float = 0.5


def watch_clip(
    film: ClipSpec,
    faults: ReaderErrors,
    times: WatcherTimes,
    real: Recogniser | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> TrackScore:
    """Watch a clip.

    Args:
        film: Which.
        faults: How the recogniser errs that knows the truth.
        times: Gets the times taken.
        real: A recogniser that reads the pictures, instead of the one that knows the truth.
        tell: Is told in words what happened and what the watcher said.

    Returns:
        What was told against what happened.
    """
    place = random_setting(film.seed, film.size, starting_pile(film.seed), film.restless)
    clip = Clip(place, (idle_script if film.idle else play_script)(film.seed, film.seconds))
    oracle = GroundTruthReader(DECK, faults, film.seed)
    watcher = PileWatcher(TimedRecogniser(real or oracle, times.read))
    # Whoever looks for the mat finds it again some time after the camera was knocked.
    regions = deque([place.camera.region], maxlen=FOLLOWS)
    events: list[PileEvent] = []
    now = 0.0
    for frame in clip:
        regions.append(frame.region)
        region = regions[0]
        oracle.tell(frame, window_of(region, film.size[::-1], Thresholds()).crop)
        was_busy, asked = watcher.busy, len(times.read)
        begun = time.thread_time()
        events += watcher.watch(frame.picture, frame.time, region)
        spent = time.thread_time() - begun - sum(times.read[asked:])
        (times.moving if was_busy or watcher.busy else times.still).append(spent)
        now = frame.time
    lines = [(one.at, f"happened {one.at:8.2f} {one.kind} {one.card}") for one in clip.happened]
    lines += [(one.at, f"told     {one.at:8.2f} {one.kind} {one.card}") for one in events]
    for _, line in sorted(lines):
        tell(line)
    return score_events(clip.happened, events, now)


def table(total: TrackScore, times: WatcherTimes) -> str:
    """The figures in words."""
    lines = ["             happened  right  asked"]
    for kind in ("placed", "lifted", "cleared"):
        counts = total.happened(kind), total.right(kind), total.asked(kind)
        lines.append(f"{kind:12} {counts[0]:8} {counts[1]:6} {counts[2]:6}")
    wrong = [p for p in total.pairs if not p.right and not p.asked]
    lines.append(
        f"missed {len(total.missed)}, wrong {len(wrong)}, invented {len(total.invented)}, "
    )
    lines[-1] += f"needless questions {len(total.needless)}, in {total.seconds:.0f} s"
    for since, words in (("clear", "top free of hands"), ("gone", "no hand over the place")):
        late = total.latencies(since)
        if late:
            p50, p95, most = (1000 * percentile(late, share) for share in (0.5, 0.95, 1.0))
            lines.append(f"from {words} to event: p50 {p50:.0f}, p95 {p95:.0f}, most {most:.0f} ms")
    for name, spent in (("still", times.still), ("moving", times.moving)):
        if spent:
            mean, p95 = sum(spent) / len(spent), percentile(spent, 0.95)
            lines.append(f"{name}: {1 / mean:.0f} frames a second, p95 {1000 * p95:.1f} ms a frame")
    lines.append(f"recogniser asked {len(times.read)} times in {total.seconds:.0f} s")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Watch clips and print the figures; the exit status is 1 if anything was told wrongly."""
    parser = argparse.ArgumentParser("python -m lab.measure track")
    parser.add_argument("--clips", type=int, default=10, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="the first one's")
    parser.add_argument("--seconds", type=float, default=40.0, help="how long each is")
    parser.add_argument("--idle", action="store_true", help="nobody plays")
    parser.add_argument("--size", default="1280x720", help="of the frames, such as 640x360")
    parser.add_argument("--restless", type=float, default=0.5, help="how much the light changes")
    parser.add_argument("--confuse", type=float, default=0.0, help="chance of a wrong card a frame")
    parser.add_argument("--miss", type=float, default=0.02, help="chance of no card a frame")
    parser.add_argument("--real", action="store_true", help="with the networks, not with the truth")
    parser.add_argument("--verbose", action="store_true", help="what happened and what was told")
    args = parser.parse_args(argv)
    width, _, height = args.size.partition("x")
    # On one core, as it is judged.
    cv2.setNumThreads(1)
    real = _networks() if args.real else None
    faults = ReaderErrors(miss=args.miss, confuse=args.confuse)
    total, times = TrackScore(), WatcherTimes()
    for seed in range(args.seed, args.seed + args.clips):
        size = (int(width), int(height))
        film = ClipSpec(seed, args.seconds, args.idle, size, args.restless)
        lines: list[str] = []
        one = watch_clip(film, faults, times, real, lines.append)
        total.add(one)
        _say_faults(seed, one, lines if args.verbose else [])
    print(table(total, times))  # noqa: T201
    wrong = any(not p.right and not p.asked for p in total.pairs)
    return int(bool(total.missed or total.invented or wrong))


def _networks() -> Recogniser:
    from hardware.camera.decks import RULESETS
    from hardware.camera.recognise import CardRecogniser

    return CardRecogniser(RULESETS["classic-108"])


def _say_faults(seed: int, one: TrackScore, lines: Sequence[str]) -> None:
    for line in lines:
        print(f"clip {seed}: {line}")  # noqa: T201
    faults = [f"missed {m.kind} {m.card} at {m.at:.2f}" for m in one.missed]
    faults += [f"invented {e.kind} {e.card} at {e.at:.2f}" for e in one.invented]
    faults += [f"needless {e.kind} {e.readings} {e.card} at {e.at:.2f}" for e in one.needless]
    for pair in one.pairs:
        truth, event = pair.happened, pair.event
        if not pair.right:
            word = "asked about" if pair.asked else "took for"
            faults.append(
                f"{word} {event.kind} {event.readings} {event.card} at {event.at:.2f}: "
                f"{truth.kind} {truth.card}"
            )
    for fault in faults:
        print(f"clip {seed}: {fault}", flush=True)  # noqa: T201
