"""Films that are staged: what happens is written first, and a stage draws each moment of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np

from lab.clips.ground_truth import TrueEvent
from lab.films.film import Film, FilmFrame, FilmOptions
from lab.films.staging.conditions import CONDITIONS, Condition, play
from lab.films.staging.deeds import Writer
from lab.films.staging.eye import Array, Eye
from lab.films.staging.lighting import Lighting
from lab.films.staging.moment import Look, Moment, Optics
from lab.films.staging.people import Person, Reach, random_person
from lab.films.staging.script import Rng
from lab.films.staging.sensor import Camera, knocks_of
from lab.films.staging.sheet import BACK, THICK, Sheet
from lab.films.staging.timeline import Timeline


class Stage(Protocol):
    """Draws what one camera sees."""

    def look(self, now: Moment, optics: Optics) -> Look:
        """Return the picture of a moment."""


class StagedFilms(ABC):
    """Films of one kind of stages, one for each condition and seed."""

    conditions: Sequence[str] = tuple(CONDITIONS)
    salt: ClassVar[int]  # Gives each kind of stages random numbers of its own

    def __init__(self, options: FilmOptions) -> None:
        self._options = options

    @property
    @abstractmethod
    def cards(self) -> Sequence[str]:
        """The distinct cards that a film may show."""

    @abstractmethod
    def stage(self, condition: Condition, eye: Eye, region: Array, seed: int, rng: Rng) -> Stage:
        """Return the stage of a film; ``region`` has the corners of the pile's place in pixels."""

    def person(self, rng: Rng) -> Person:
        """Return somebody who plays."""
        return random_person(rng)

    def film(self, condition: str, seed: int) -> Film:
        """Return a film. Raises KeyError for an unknown condition."""
        number = list(CONDITIONS).index(condition) if condition in CONDITIONS else -1
        rng = np.random.default_rng([seed, number + 1, self.salt])
        chosen = CONDITIONS[condition](rng)
        options = self._options
        eye = _random_eye(rng, options.size, chosen)
        lighting = _varied(rng, chosen.lighting)
        timeline = Timeline(lighting, beside=_draw_pile(rng, chosen.place[0]))
        timeline.drift = (chosen.drift, float(rng.uniform(6, 14)))
        writer = Writer(timeline, rng, chosen.habits, self._seated(rng), self.cards)
        play(writer, chosen, options.placements)
        wide, high = chosen.place
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([wide, high]) / 2
        region = eye.pixels(np.column_stack([box, np.zeros(4)]))
        stage = self.stage(chosen, eye, region, seed, rng)
        rate = chosen.rate or float(rng.choice([15.0, 20.0, 30.0, 30.0]))
        knocks = knocks_of(writer.happened, chosen.sensor, seed)
        camera = Camera(chosen.sensor, options.size, seed, knocks)
        happened: list[TrueEvent] = []
        frames = _filmed(stage, eye, writer, chosen, camera, rate, happened)
        return Film(condition, region.astype(np.float32), frames, happened)

    def _seated(self, rng: Rng) -> list[tuple[Person, float]]:
        """Return people around the table, with the directions of their arms."""
        count = int(rng.integers(2, 5))
        first = float(rng.uniform(0, 360))
        turns: Array = first + np.arange(count) * 360 / count + rng.normal(0, 12, count)
        return [(self.person(rng), float(turn)) for turn in turns]


def _filmed(
    stage: Stage,
    eye: Eye,
    writer: Writer,
    condition: Condition,
    camera: Camera,
    rate: float,
    happened: list[TrueEvent],
) -> Iterator[FilmFrame]:
    timeline, due = writer.timeline, list(writer.happened)
    optics = Optics(condition.exposure, condition.sensor.readout, condition.depth)
    pending: list[TrueEvent] = []

    def seen(reach: Reach) -> tuple[float, float]:
        x, y = eye.pixels(np.array([[reach.x, reach.y, reach.z]]))[0]
        return float(x), float(y)

    for number in range(int(timeline.length * rate)):
        time = number / rate
        look = stage.look(timeline.moment(time, seen), optics)
        while due and due[0].at <= time:
            happened.append(due[0])
            pending.append(due.pop(0))
        for one in pending:
            if look.clear and one.clear is None:
                one.clear = time
            if look.gone and one.gone is None:
                one.gone = time
        pending = [one for one in pending if one.clear is None or one.gone is None]
        yield FilmFrame(camera.take(look.picture, time, 0.0 if look.gone else 1.0), time)


def _random_eye(rng: Rng, size: tuple[int, int], condition: Condition) -> Eye:
    # A larger place has to fit into the picture.
    most = min(0.32, 0.62 * 87.0 / condition.place[1])
    return Eye(
        size,
        tilt=float(rng.uniform(*condition.tilt)),
        around=float(rng.uniform(55, 125)),
        roll=float(rng.normal(0, 3)),
        distance=float(rng.uniform(480, 900)),
        card=float(rng.uniform(0.85, 1.0)) * most,
        middle=(float(rng.uniform(0.43, 0.57)), float(rng.uniform(0.47, 0.56))),
    )


def _varied(rng: Rng, lighting: Lighting) -> Lighting:
    """Return the light with the lamp elsewhere, and somewhat warmer or colder."""
    x, y, z = lighting.place
    warm = float(rng.uniform(-0.08, 0.1))
    tint = np.array([1 - warm, 1.0, 1 + warm])
    level = float(rng.uniform(0.82, 1.05))
    side = float(rng.choice([-1, 1]))
    return replace(
        lighting,
        lamp=_tinted(lighting.lamp, tint * level),
        around=_tinted(lighting.around, tint * level),
        place=(side * x * float(rng.uniform(0.5, 1.5)), y * float(rng.uniform(-1, 1.3)), z),
        radius=float(rng.uniform(25, 110)),
        gloss=lighting.gloss * float(rng.uniform(0.4, 1.3)),
        window_at=(float(rng.normal(0, 25)), float(rng.normal(0, 25))),
    )


def _tinted(light: tuple[float, float, float], tint: Array) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in np.array(light) * tint)
    return b, g, r


def _draw_pile(rng: Rng, place: float) -> tuple[Sheet, ...]:
    """Return a draw pile beside a place so many mm wide, or none."""
    if rng.random() < 0.4:
        return ()
    x, y = (
        float(rng.choice([-1, 1])) * (place / 2 + float(rng.uniform(46, 76))),
        float(rng.normal(0, 15)),
    )
    turn = float(rng.normal(0, 8))
    return tuple(
        Sheet(
            BACK,
            -k,
            x + float(rng.normal(0, 0.6)),
            y,
            3 * THICK * k,
            turn + float(rng.normal(0, 1)),
        )
        for k in range(1, 9)
    )
