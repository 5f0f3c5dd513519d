"""The conditions that films are rendered under, by name, and what plays out in each."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lab.films.staging.deeds import Writer
from lab.films.staging.lighting import Lighting
from lab.films.staging.people import Reach
from lab.films.staging.script import Habits, Rng, Span
from lab.films.staging.sensor import Sensor
from lab.films.staging.timeline import Visit

HIDES = 90.0
"""Distance in mm from the pile's middle to a hand within which what it holds may hide the pile."""
USUAL: Mapping[str, float] = {
    "lay": 0.49,
    "equal": 0.10,
    "quick": 0.05,
    "draw and lay": 0.05,
    "draw": 0.03,
    "nudge top": 0.03,
    "nudge pile": 0.04,
    "square up": 0.03,
    "lift": 0.03,
    "put back": 0.03,
    "pass": 0.04,
    "hover": 0.03,
    "shuffle": 0.02,
    "toss": 0.02,
    "knock": 0.01,
}
"""How often people do what."""
TIDY: Mapping[str, float] = {"lay": 0.8, "equal": 0.06, "pass": 0.05, "draw": 0.05, "hover": 0.04}


@dataclass(frozen=True)
class Condition:
    """What is special about a film."""

    deeds: Mapping[str, float] = field(default_factory=lambda: TIDY)
    habits: Habits = field(default_factory=Habits)
    sensor: Sensor = field(default_factory=Sensor)
    lighting: Lighting = field(default_factory=Lighting)
    tables: tuple[str, ...] = ("wood", "laminate", "felt", "cloth", "stone", "oilcloth")
    tilt: Span = (0.0, 30.0)
    place: tuple[float, float] = (104.0, 132.0)  # The pile's place in mm
    fan: str = ""  # Where a fan is held again and again, as of ``Writer.hold_fan``
    leans: float = 0.0  # Share of deeds before which somebody's arm comes to lie on the table
    rate: float | None = None  # Frames a second, random if None
    exposure: float = 0.012
    depth: float = 0.35
    drift: float = 0.0  # mm by which a reflection swings
    begins: tuple[int, int] = (1, 5)  # Cards on the pile before, from and to
    least: float = 0.0  # Seconds that a film lasts at least
    cards: float = 1.0  # Cards laid over those asked for
    objects: int = 2  # Things on a photographed table; a rendered one has a random number


def _tremble(rng: Rng) -> Sensor:
    """Return a camera that trembles by a fifth of a pixel to two, and at times with the table."""
    size = float(np.exp(rng.uniform(np.log(0.2), np.log(2.0))))
    share = float(rng.uniform(0.3, 0.9))
    thump = float(rng.choice([0.0, 1.5]))
    return Sensor(sway=size * (1 - share), jitter=size * share, thump=thump)


_DARK = Lighting(
    lamp=(0.24, 0.42, 0.60), around=(0.14, 0.17, 0.2), place=(250.0, -180.0, 700.0), gloss=70.0
)
_GLARE = Lighting(window=130.0, gloss=60.0)
_RESTING = Habits(rest=(0.35, 0.8), pressing=0.6, slide=0.3)
_MESSY = Habits(spread=24.0, most=52.0, skew=35.0, crosswise=0.3, lean=0.9)
_SHAKY = Sensor(sway=0.3, jitter=0.4, readout=0.03)

CONDITIONS: Mapping[str, Callable[[Rng], Condition]] = {
    "tidy": lambda _: Condition(),
    "evening": lambda _: Condition(lighting=_DARK, sensor=Sensor(noise=4.5, sharp=0.7)),
    "exposure": lambda rng: Condition(
        sensor=Sensor(exposing=4.0, overshoot=float(rng.uniform(0.3, 0.8)), exposure_steps=8)
    ),
    "white-balance": lambda _: Condition(sensor=Sensor(balancing=1.0, balance_steps=8)),
    "autofocus": lambda _: Condition(sensor=Sensor(hunts=12), depth=0.8),
    "plaid": lambda _: Condition(tables=("plaid",)),
    "45-degrees": lambda _: Condition(tilt=(42.0, 48.0)),
    "curled": lambda _: Condition(habits=Habits(curl=(2.0, 9.0), lean=1.2)),
    "arm-swinging": lambda _: Condition(
        deeds={"lay": 0.5, "swing": 0.35, "draw": 0.1, "hover": 0.05}, leans=0.15
    ),
    "fast": lambda _: Condition(
        habits=Habits(brisk=(1.5, 2.4), rest=(0.02, 0.1), pause=(0.2, 0.6)),
        deeds={"lay": 0.7, "toss": 0.1, "quick": 0.15, "equal": 0.05},
    ),
    "untidy": lambda _: Condition(
        habits=Habits(spread=15.0, most=32.0, skew=25.0),
        deeds={**TIDY, "toss": 0.2},
        place=(140.0, 168.0),
    ),
    "glare": lambda _: Condition(lighting=_GLARE, drift=14.0),
    "messy": lambda _: Condition(habits=_MESSY, place=(185.0, 205.0), deeds=USUAL, objects=14),
    "resting-hand": lambda _: Condition(habits=_RESTING),
    "fan-over": lambda _: Condition(fan="over"),
    "fan-beside": lambda _: Condition(fan="beside"),
    "trembling": lambda rng: Condition(sensor=_tremble(rng)),
    "rolling-shutter": lambda _: Condition(sensor=_SHAKY, exposure=0.006),
    "mjpeg": lambda rng: Condition(sensor=Sensor(quality=int(rng.integers(28, 60)))),
    "dark-8fps": lambda _: Condition(
        lighting=_DARK,
        sensor=Sensor(noise=7.5, sharp=0.8, smear=0.25, quality=70),
        rate=8.0,
        exposure=0.09,
    ),
    "long": lambda _: Condition(deeds=USUAL, least=120.0, cards=2.2, leans=0.03),
    "several": lambda rng: Condition(
        deeds=USUAL,
        habits=Habits(spread=11.0, most=28.0, skew=18.0, curl=(1.0, 5.0), rest=(0.1, 0.7)),
        sensor=replace(
            _tremble(rng), hunts=4, balancing=0.6, exposing=2.0, quality=60, readout=0.02
        ),
        lighting=replace(_GLARE, window=80.0),
        drift=8.0,
        place=(132.0, 160.0),
        fan="over",
        objects=6,
    ),
    "fan-still": lambda _: Condition(fan="still"),
}
"""Each makes a film's condition from its random numbers."""


def play(writer: Writer, condition: Condition, placements: int) -> None:
    """Write a whole film: so many cards laid, and what else the condition has."""
    rng = writer.rng
    begins = int(rng.integers(condition.begins[0], condition.begins[1] + 1))
    writer.start_with(begins)
    writer.now = float(rng.uniform(1.2, 2.0))
    wanted = round(placements * condition.cards)
    begun = writer.now
    while _laid(writer) < wanted or writer.now < condition.least:
        # The first thing seen is a fan.
        if condition.fan and (writer.now == begun or rng.random() < 0.55):
            longest = 9.0 if condition.fan == "still" else 1.5
            _beside_each_other(writer, writer.hold_fan(condition.fan), longest)
        elif rng.random() < condition.leans:
            _beside_each_other(writer, writer.lean(), 1.5)
        else:
            _one(writer, condition.deeds)
        writer.wait()
    writer.wait((1.5, 2.0))
    writer.timeline.length = writer.now
    writer.happened.sort(key=lambda event: event.at)


def _laid(writer: Writer) -> int:
    return sum(event.kind == "placed" for event in writer.happened)


def _beside_each_other(writer: Writer, held: tuple[Visit, Reach], longest: float) -> None:
    """Let a fan or an arm stay in view while others play on, or nobody does.

    Nobody does for ``longest`` seconds at most before they begin.
    """
    rng, reach = writer.rng, held[1]
    writer.wait((0.3, longest))
    # What hides the top card leaves soon; what is beside it may stay long.
    hides = math.hypot(reach.x, reach.y) < HIDES
    for _ in range(int(rng.choice([0, 1]) if hides else rng.choice([0, 1, 2, 4]))):
        _one(writer, {"lay": 0.9, "equal": 0.1})
        writer.wait((0.3, 1.2))
    writer.fold_fan(held)


def _one(writer: Writer, deeds: Mapping[str, float]) -> None:
    """Do something at random that the pile allows."""
    rng = writer.rng
    chances = np.array(list(deeds.values()))
    what = str(rng.choice(list(deeds), p=chances / chances.sum()))
    count = len(writer.pile)
    if not count or (what in ("lift", "put back", "nudge top") and count < 2):
        what = "lay"
    card = writer.other_card()
    if what == "equal":
        writer.lay(str(writer.top), "equal")
    elif what == "quick":
        second = card
        while second == card:
            second = writer.other_card()
        writer.quick(card, second)
    elif what == "draw and lay" and writer.timeline.beside:
        writer.lay(card, "turned up", drawn=True)
    elif what.startswith("nudge"):
        writer.nudge(what.removeprefix("nudge "))
    elif what == "pass":
        writer.pass_over(card if rng.random() < 0.4 else None)
    elif what == "swing":
        for _ in range(int(rng.integers(1, 4))):
            writer.pass_over(None, float(rng.uniform(0.9, 1.6)))
    elif what == "hover":
        writer.hover(float(rng.uniform(0.3, 3.0)), card if rng.random() < 0.5 else None)
    else:
        others: dict[str, Callable[[], None]] = {
            "lay": lambda: writer.lay(card),
            "square up": writer.square_up,
            "lift": writer.lift,
            "put back": writer.put_back,
            "shuffle": writer.shuffle,
            "draw": writer.draw,
            "knock": writer.knock,
            "toss": lambda: writer.toss(card),
        }
        others.get(what, others["lay"])()
