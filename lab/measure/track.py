"""Track the pile in drawn films and score the events: ``python -m lab.measure track``."""

import argparse
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2

from hardware.camera.track.events import PileEvent
from hardware.camera.track.view.window import window_of
from hardware.camera.track.watcher import PileWatcher
from hardware.camera.types import Detection, Picture, Recogniser
from lab.films.drawn import CARDS, DrawnFilms
from lab.films.film import FilmOptions
from lab.films.ground_truth_reader import GroundTruthReader
from lab.measure.track_score import TrackScore, percentile, score_events

SIZE = (1280, 720)
FOLLOWS = 20
"""Frames by which the region lags behind a bumped camera."""


@dataclass
class WatcherTimes:
    """Seconds of processor time: the tracker's per frame, the recogniser's per call.

    ``still`` and ``moving`` are the tracker's frames, ``read`` the recogniser's calls.
    """

    still: list[float] = field(default_factory=list)
    moving: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)


class TimedRecogniser:
    """A recogniser that appends the seconds of processor time of each call to ``times``."""

    def __init__(self, recogniser: Recogniser, times: list[float]) -> None:
        self._recogniser, self._times = recogniser, times

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """See ``Recogniser.recognise``."""
        begun = time.thread_time()
        detections = self._recogniser.recognise(picture, parts=parts)
        self._times.append(time.thread_time() - begun)
        return detections


def watch_film(
    seed: int,
    placements: int,
    times: WatcherTimes,
    real: Recogniser | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> TrackScore:
    """Track a film, which the seed selects, and score the events.

    ``real`` reads cards in place of the ground-truth reader. ``tell`` is called with a line for
    each true event and each reported one.
    """
    film = DrawnFilms(FilmOptions(SIZE, placements=placements)).film("play", seed)
    oracle = GroundTruthReader(CARDS, seed=seed)
    watcher = PileWatcher(TimedRecogniser(real or oracle, times.read))
    # After a bump, the mat is found again with a delay.
    regions = deque([film.region], maxlen=FOLLOWS)
    events: list[PileEvent] = []
    now = 0.0
    for frame in film.frames:
        regions.append(frame.region)
        region = regions[0]
        oracle.tell(frame, window_of(region, SIZE[::-1], watcher.limits).crop)
        was_busy, asked = watcher.busy, len(times.read)
        begun = time.thread_time()
        events += watcher.watch(frame.picture, frame.time, region)
        spent = time.thread_time() - begun - sum(times.read[asked:])
        (times.moving if was_busy or watcher.busy else times.still).append(spent)
        now = frame.time
    lines = [
        (event.at, f"happened {event.at:8.2f} {event.kind} {event.card}") for event in film.happened
    ]
    lines += [(event.at, f"told     {event.at:8.2f} {event.kind} {event.card}") for event in events]
    for _, line in sorted(lines):
        tell(line)
    return score_events(film.happened, events, now)


def table(total: TrackScore, times: WatcherTimes) -> str:
    """Format the figures."""
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
    """Run the command; return 1 if anything was missed, invented or wrong."""
    parser = argparse.ArgumentParser("python -m lab.measure track")
    parser.add_argument("--films", type=int, default=10, help="number of films")
    parser.add_argument("--seed", type=int, default=1, help="of the first film")
    parser.add_argument("--placements", type=int, default=12, help="cards laid in each film")
    parser.add_argument("--real", action="store_true", help="read with the networks, not the truth")
    parser.add_argument("--verbose", action="store_true", help="print true and reported events")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    real = _networks() if args.real else None
    total, times = TrackScore(), WatcherTimes()
    for seed in range(args.seed, args.seed + args.films):
        lines: list[str] = []
        score = watch_film(seed, args.placements, times, real, lines.append)
        total.add(score)
        _say_faults(seed, score, lines if args.verbose else [])
    print(table(total, times))  # noqa: T201
    wrong = any(not p.right and not p.asked for p in total.pairs)
    return int(bool(total.missed or total.invented or wrong))


def _networks() -> Recogniser:
    from hardware.camera.decks import RULESETS
    from hardware.camera.reading.recognise import CardRecogniser

    return CardRecogniser(RULESETS["classic-108"])


def _say_faults(seed: int, score: TrackScore, lines: Sequence[str]) -> None:
    for line in lines:
        print(f"film {seed}: {line}")  # noqa: T201
    faults = [f"missed {m.kind} {m.card} at {m.at:.2f}" for m in score.missed]
    faults += [f"invented {e.kind} {e.card} at {e.at:.2f}" for e in score.invented]
    faults += [f"needless {e.kind} {e.readings} {e.card} at {e.at:.2f}" for e in score.needless]
    for pair in score.pairs:
        truth, event = pair.happened, pair.event
        if not pair.right:
            word = "asked about" if pair.asked else "took for"
            faults.append(
                f"{word} {event.kind} {event.readings} {event.card} at {event.at:.2f}: "
                f"{truth.kind} {truth.card}"
            )
    for fault in faults:
        print(f"film {seed}: {fault}", flush=True)  # noqa: T201
