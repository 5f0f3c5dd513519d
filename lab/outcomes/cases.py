"""Gathers cases: the evidence of each change of a filmed pile, and what really happened."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

from hardware.camera.decks import cards_of
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.source import Frame
from hardware.camera.track.outcome.outcome_scorer import (
    OUTCOMES,
    Likelihoods,
    Outcome,
    OutcomeEvidence,
)
from hardware.camera.track.view.window import window_of
from hardware.camera.track.watcher import PileWatcher
from hardware.camera.types import Recogniser
from lab.films.drawn import CARDS, DrawnFilms
from lab.films.film import Film, FilmOptions
from lab.films.ground_truth import TrueEvent
from lab.films.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.measure.films import RULESET, maker_of

SIZES = ((640, 360), (960, 540))
"""Of the frames of drilled films, in turn."""
DRILLED = 12
FILMED = FilmOptions((640, 480), placements=6)
"""Cards laid in a drilled film, and what makers of other films are told."""
DOUBTS, CONFUSED = 0.08, 0.003
"""Share of unsure readings of a drilled film's reader, and of wrong ones in every third clip."""
FOLLOWS = 20
"""Frames by which the region lags behind a bumped camera."""
HAPPENED: dict[str, Outcome] = {"placed": "placed", "lifted": "lifted", "cleared": "lifted"}
"""Outcomes by true event; another card shows at once where a cleared pile was laid out again."""


@dataclass(frozen=True, slots=True)
class Case:
    """What was measured at a change of the pile, and what had happened."""

    film: str  # The film it was seen in
    time: float  # When, in seconds
    truth: Outcome
    evidence: OutcomeEvidence


class Labeller:
    """A scorer that knows the truth, and keeps each case.

    ``happened`` holds the film's true events so far. Cases in which several things happened at once
    are answered and left out.
    """

    def __init__(self, film: str, happened: Sequence[TrueEvent]) -> None:
        self._film, self._happened = film, happened
        self._concluded = 0
        self.now = 0.0
        self.cases: list[Case] = []

    def likelihoods(self, evidence: OutcomeEvidence) -> Likelihoods:
        """Return what really happened."""
        kinds = [
            event.kind for event in self._happened[self._concluded :] if event.kind in HAPPENED
        ]
        truth = HAPPENED[kinds[-1]] if kinds else "same"
        if len(set(kinds)) < 2 and kinds.count("lifted") < 2:
            self.cases.append(Case(self._film, self.now, truth, evidence))
        self.conclude()
        return {outcome: float(outcome == truth) for outcome in OUTCOMES}

    def conclude(self) -> None:
        """Note that what has happened so far is known."""
        self._concluded = len(self._happened)


def gather(kind: str, seed: int) -> list[Case]:
    """Return the cases of a film: "drill", or a kind of films, its conditions by turns."""
    if kind == "drill":
        return _drill_cases(seed)
    maker = maker_of(kind, FILMED)
    condition = maker.conditions[seed % len(maker.conditions)]
    return _film_cases(f"{kind} {condition} {seed}", maker.film(condition, seed))


def _drill_cases(seed: int) -> list[Case]:
    """Return the cases of a drawn film, read by the ground-truth reader with errors."""
    size = SIZES[seed % len(SIZES)]
    film = DrawnFilms(FilmOptions(size, placements=DRILLED)).film("drill", seed)
    faults = ReaderErrors(doubt=DOUBTS, confuse=0.0 if seed % 3 else CONFUSED)
    reader = GroundTruthReader(CARDS, faults, seed)
    labeller = Labeller(f"drill {seed}", film.happened)
    watcher = PileWatcher(reader, scorer=labeller)
    regions = deque([film.region], maxlen=FOLLOWS)
    for frame in film.frames:
        regions.append(frame.region)
        reader.tell(frame, window_of(regions[0], size[::-1], watcher.limits).crop)
        labeller.now = frame.time
        watcher.watch(frame.picture, frame.time, regions[0])
        if not watcher.busy:
            labeller.conclude()
    return labeller.cases


def _film_cases(name: str, film: Film) -> list[Case]:
    """Return the cases of a film, watched through the whole pipeline with the networks."""
    labeller = Labeller(name, film.happened)
    pipeline: Pipeline | None = None
    for number, frame in enumerate(film.frames):
        if pipeline is None:
            follower = SceneFollower(extract_scene(frame.picture, film.region))
            pipeline = Pipeline(_networks(), follower, live=False, scorer=labeller)
        labeller.now = frame.time
        pipeline.take(Frame(frame.picture, frame.time, number))
        if not pipeline.busy:
            labeller.conclude()
    return labeller.cases


@cache
def _networks() -> Recogniser:
    return CardRecogniser(cards_of(RULESET))


MEASURES = tuple(field.name for field in fields(OutcomeEvidence))


def write_cases(path: Path, cases: Iterable[Case]) -> None:
    """Add cases to a CSV file, one a line."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(["film", "time", "truth", *MEASURES])
        for case in cases:
            values = (round(float(value), 5) for value in astuple(case.evidence))
            writer.writerow([case.film, round(case.time, 3), case.truth, *values])


def read_cases(paths: Iterable[Path]) -> Iterator[Case]:
    """Yield the cases of CSV files."""
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                evidence = OutcomeEvidence(**{name: float(row[name]) for name in MEASURES})
                yield Case(row["film"], float(row["time"]), _outcome(row["truth"]), evidence)


def _outcome(text: str) -> Outcome:
    (known,) = (outcome for outcome in OUTCOMES if outcome == text)
    return known
