"""Films that are staged: what happens is written first, and a stage draws each moment of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from lab.films.film import Film, FilmOptions
from lab.films.staging.conditions import CONDITIONS, Condition, play
from lab.films.staging.deeds import Writer
from lab.films.staging.eye import Array, Eye
from lab.films.staging.lighting import Lighting
from lab.films.staging.moment import Optics
from lab.films.staging.people import Person, random_person
from lab.films.staging.script import Rng
from lab.films.staging.sensor import Camera
from lab.films.staging.sheet import BACK, THICK, Sheet
from lab.films.staging.shooting import Shooting, Stage
from lab.films.staging.timeline import Timeline


class StagedFilms(ABC):
    """Films of one kind of stages, one for each condition and seed."""

    makers: ClassVar[Mapping[str, Callable[[Rng], Condition]]] = CONDITIONS
    salt: ClassVar[int]  # Gives each kind of stages random numbers of its own

    def __init__(self, options: FilmOptions) -> None:
        self._options = options

    @property
    def conditions(self) -> Sequence[str]:
        """The conditions."""
        return tuple(self.makers)

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
        number = list(self.makers).index(condition) if condition in self.makers else -1
        rng = np.random.default_rng([seed, number + 1, self.salt])
        chosen = self.makers[condition](rng)
        options = self._options
        eye = _random_eye(rng, options.size, chosen)
        lighting = _varied(rng, chosen.lighting)
        timeline = Timeline(lighting, beside=_random_draw_pile(rng, chosen.place[0]))
        timeline.drift = (chosen.drift, float(rng.uniform(6, 14)))
        writer = Writer(timeline, rng, chosen.habits, self._seated(rng), self.cards)
        play(writer, chosen, options.placements)
        region = eye.place_of(*chosen.place)
        stage = self.stage(chosen, eye, region, seed, rng)
        rate = chosen.rate or float(rng.choice([15.0, 20.0, 30.0, 30.0]))
        camera = Camera(chosen.sensor, options.size, seed)
        optics = Optics(chosen.exposure, chosen.sensor.readout, chosen.depth)
        taken = Shooting(stage, eye, region, writer, camera, rate, optics)
        frames = taken.film(timeline.length)
        return Film(condition, region.astype(np.float32), frames, taken.happened)

    def _seated(self, rng: Rng) -> list[tuple[Person, float]]:
        """Return people around the table, with the directions of their arms."""
        count = int(rng.integers(2, 5))
        first = float(rng.uniform(0, 360))
        turns: Array = first + np.arange(count) * 360 / count + rng.normal(0, 12, count)
        return [(self.person(rng), float(turn)) for turn in turns]


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
        lighting.times(tint * level),
        place=(side * x * float(rng.uniform(0.5, 1.5)), y * float(rng.uniform(-1, 1.3)), z),
        radius=float(rng.uniform(25, 110)),
        gloss=lighting.gloss * float(rng.uniform(0.4, 1.3)),
        window_at=(float(rng.normal(0, 25)), float(rng.normal(0, 25))),
    )


def _random_draw_pile(rng: Rng, place: float) -> tuple[Sheet, ...]:
    """Return a draw pile beside a place so many mm wide, or none."""
    if rng.random() < 0.4:
        return ()
    x = float(rng.choice([-1, 1])) * (place / 2 + float(rng.uniform(46, 76)))
    return draw_pile(rng, x, float(rng.normal(0, 15)))


def draw_pile(rng: Rng, x: float, y: float) -> tuple[Sheet, ...]:
    """Return a draw pile at a place."""
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
