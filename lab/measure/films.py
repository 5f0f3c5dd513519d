"""Watch films and count what was reported: ``python -m lab.measure films --kind KIND``.

Each film goes through the whole pipeline, as ``referee-table watch FILM --pile …`` would watch it:
without a mat, so the pile's surroundings have to be followed. A line a condition:

laid      cards laid on the pile; taken: cards lifted or the pile cleared away
right     of these (laid and taken), reported rightly without a question
asked     reported with a question to the players
wrong     reported as something else, without a question
missed    not reported within six seconds
invented  reports of what did not happen; needless: questions about it
disturb.  hands that pass, push or rest, fans held up: nothing of it is to be reported
blind     longest time without a view of the pile, in seconds
p50, p95  seconds from a card's coming down to its report
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2

from hardware.camera.decks import cards_of
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.source import Frame
from hardware.camera.track.events import PileEvent
from hardware.camera.types import Recogniser
from lab.films.film import Film, FilmMaker, FilmOptions
from lab.measure.track_score import REPORTED, MatchedEvent, TrackScore, percentile, score_events

KINDS = {
    "drawn": "lab.films.drawn:DrawnFilms",
    "rendered": "lab.films.rendered.films:RenderedFilms",
    "photographed": "lab.films.photographed.films:PhotographedFilms",
    "recorded": "lab.films.recorded:RecordedFilms",
}
"""Makers of films by kind, as module and class."""
RULESET = "classic-108"
"""The deck in films that name none."""
COLUMNS = (
    *("films", "laid", "taken", "right", "asked", "wrong", "missed", "invented", "needless"),
    *("disturb.", "blind", "p50", "p95"),
)


@dataclass
class FilmScore:
    """The score of films of one condition."""

    films: int = 0
    track: TrackScore = field(default_factory=TrackScore)
    disturbances: int = 0
    blind: float = 0.0  # Longest time without a view of the pile, in seconds

    def add(self, other: "FilmScore") -> None:
        """Add other films."""
        self.films += other.films
        self.track.add(other.track)
        self.disturbances += other.disturbances
        self.blind = max(self.blind, other.blind)

    def row(self) -> list[str]:
        """Return its columns."""
        track = self.track
        verdicts = [verdict(pair) for pair in track.pairs]
        unasked = sum(event.sure for event in track.invented)
        # Of a recorded film it is not known to the second when a card came down.
        timed = [p for p in track.pairs if p.happened.until is None]
        late = [p.event.at - p.happened.at for p in timed if p.happened.kind == "placed"]
        counts = (
            self.films,
            track.happened("placed"),
            track.happened("lifted") + track.happened("cleared"),
            *(verdicts.count(word) for word in ("right", "asked", "wrong")),
            len(track.missed),
            unasked,
            len(track.needless) + len(track.invented) - unasked,
            self.disturbances,
        )
        seconds = (self.blind, percentile(late, 0.5), percentile(late, 0.95))
        return [*(str(count) for count in counts), *(f"{value:.1f}" for value in seconds)]


def verdict(pair: MatchedEvent) -> str:
    """Return what a report is worth: a doubtful one is a question to the players."""
    if pair.asked or not pair.event.sure:
        return "asked"
    return "right" if pair.right else "wrong"


def watch_film(
    film: Film,
    recogniser: Recogniser,
    tell: Callable[[str], None] = lambda _: None,
) -> FilmScore:
    """Watch a film and score the events; ``tell`` gets a line for each of both."""
    pipeline: Pipeline | None = None
    events: list[PileEvent] = []
    blind = now = 0.0
    seen = None
    for number, frame in enumerate(film.frames):
        if pipeline is None:
            follower = film.follower or SceneFollower(extract_scene(frame.picture, film.region))
            pipeline = Pipeline(recogniser, follower, live=False)
        events += pipeline.take(Frame(frame.picture, frame.time, number))
        now = frame.time
        if pipeline.sight.state != "blind" or seen is None:
            seen = now
        blind = max(blind, now - seen)
    track = score_events(film.happened, events, now)
    for line in _lines(film, events, track):
        tell(line)
    disturbances = sum(event.kind not in REPORTED for event in film.happened)
    return FilmScore(1, track, disturbances, blind)


def _lines(film: Film, events: Iterable[PileEvent], track: TrackScore) -> list[str]:
    """Return true and reported events in order, each with its verdict."""
    verdicts = {id(event): "MISSED" for event in track.missed}
    verdicts |= {id(p.event): v.upper() if (v := verdict(p)) != "right" else v for p in track.pairs}
    verdicts |= {id(e): "INVENTED" if e.sure else "NEEDLESS" for e in track.invented}
    verdicts |= {id(e): "NEEDLESS" for e in track.needless}
    lines = [
        (event.at, f"{event.at:8.2f} happened {event.kind} {event.card or ''} {event.note}", event)
        for event in film.happened
    ]
    for event in events:
        chances = [f"{card} {chance:.3f}" for card, chance in event.probabilities.items()][:2]
        about = " or ".join(event.readings) or event.kind
        line = f"{event.at:8.2f} told     {about} {', '.join(chances)} (seen {event.seen:.2f})"
        lines.append((event.at, line, event))  # type: ignore[arg-type]
    ordered = sorted(lines, key=lambda line: line[0])
    return [f"{line} {verdicts.get(id(event), '')}".rstrip() for _, line, event in ordered]


@dataclass(frozen=True)
class FilmJob:
    """A film to make and watch, in any process."""

    kind: str
    options: FilmOptions
    condition: str
    seed: int
    models: Path

    def run(self) -> tuple["FilmJob", FilmScore, list[str]]:
        """Make the film and watch it; return its score, and its events as lines."""
        cv2.setNumThreads(1)
        lines: list[str] = []
        film = maker_of(self.kind, self.options).film(self.condition, self.seed)
        recogniser = _recogniser(self.models, film.ruleset or RULESET)
        return self, watch_film(film, recogniser, lines.append), lines


@cache
def maker_of(kind: str, options: FilmOptions) -> FilmMaker:
    """Return the maker of a kind of films."""
    module, _, name = KINDS[kind].partition(":")
    maker: FilmMaker = getattr(importlib.import_module(module), name)(options)
    return maker


@cache
def _recogniser(models: Path, ruleset: str) -> Recogniser:
    return CardRecogniser(cards_of(ruleset), models)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    args = _parser().parse_args(argv)
    width, _, height = args.size.partition("x")
    options = FilmOptions((int(width), int(height)), args.cards, args.placements)
    known = maker_of(args.kind, options).conditions
    conditions = args.condition or known
    for unknown in set(conditions) - set(known):
        sys.stderr.write(f"{unknown}: {args.kind} films have {', '.join(known)}\n")
        return 2
    jobs = [
        FilmJob(args.kind, options, condition, seed, args.models)
        for condition in conditions
        for seed in range(args.seed, args.seed + args.films)
    ]
    scores = {condition: FilmScore() for condition in conditions}
    for done, score, lines in _run(jobs, args.jobs):
        scores[done.condition].add(score)
        faults = [line for line in lines if args.verbose or line.split()[-1].isupper()]
        for line in faults:
            sys.stdout.write(f"{done.condition} {done.seed}: {line}\n")
        sys.stdout.write(table({f"{done.condition} {done.seed}": score}).splitlines()[-1] + "\n")
        sys.stdout.flush()
    sys.stdout.write(table(scores) + "\n")
    return 0


def table(scores: dict[str, FilmScore]) -> str:
    """Format the scores, a line a condition, with their sum below."""
    total = FilmScore()
    for score in scores.values():
        total.add(score)
    rows = [["", *COLUMNS], *([name, *score.row()] for name, score in scores.items())]
    if len(scores) > 1:
        rows.append(["all", *total.row()])
    wide = max(len(row[0]) for row in rows)
    return "\n".join(
        f"{row[0]:{wide}}" + "".join(f"{cell:>{max(6, len(head) + 1)}}" for cell, head in cells)
        for row in rows
        for cells in [list(zip(row[1:], COLUMNS, strict=True))]
    )


def _run(jobs: Sequence[FilmJob], processes: int) -> Iterator[tuple[FilmJob, FilmScore, list[str]]]:
    if processes == 1:
        yield from map(FilmJob.run, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(FilmJob.run, jobs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m lab.measure films",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kind", choices=[*KINDS], required=True, help="who makes the films")
    parser.add_argument("--condition", nargs="+", help="names; all if left out")
    parser.add_argument("--films", type=int, default=1, help="per condition (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first film (%(default)s)")
    parser.add_argument("--placements", type=int, default=20, help="per film (%(default)s)")
    parser.add_argument("--size", default="1280x720", help="of the frames (%(default)s)")
    parser.add_argument(
        "--cards", type=Path, metavar="FOLDER", help="labelled photos, or recorded films"
    )
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--verbose", action="store_true", help="print right events too")
    return parser
