"""Conditions of composed films, by name."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lab.films.webcam import Webcam

Rng = np.random.Generator
Span = tuple[float, float]


@dataclass(frozen=True)
class Condition:
    """How a film is made; spans are of values drawn anew each time."""

    spread: float = 5.0  # Standard deviation of the places of cards, in mm
    rest: Span = (0.03, 0.3)  # Seconds for which a hand stays on the card that it laid
    pace: Span = (0.8, 1.3)  # Speed of hands, 1 as usual
    pause: Span = (0.4, 1.5)  # Seconds between one hand and the next
    disturbed: float = 0.22  # Disturbances a placement
    fan: Span | None = None  # Distance in mm of fans held up from the pile's middle
    arm: bool = False  # Whether arms swing beside the pile
    curl: float = 0.6  # Standard deviation of the cards' bend in mm
    tilt: Span = (0.0, 28.0)  # Of the camera, in degrees from straight above
    card: Span = (0.22, 0.32)  # Height of a card as a share of the picture's
    place: float = 1.0  # Size of the pile's marked place against the usual one
    objects: int = 2  # Things that lie on the table
    plaid: bool = False  # A chequered cloth
    placements: float = 1.0  # Cards laid against the usual number
    webcam: Webcam = field(default_factory=Webcam)


def tidy(rng: Rng) -> Condition:
    """Return the ordinary case: a quiet table in fair light."""
    webcam = Webcam(
        rate=float(rng.choice([15.0, 25.0, 30.0])),
        level=float(rng.uniform(0.8, 1.1)),
        tint=_tint(rng, 0.04),
        vignette=float(rng.uniform(0, 0.25)),
        noise=float(rng.uniform(1.2, 2.6)),
        soft=float(rng.choice([0.0, 0.5])),
    )
    return Condition(webcam=webcam)


def _tint(rng: Rng, much: float) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in rng.normal(1, much, 3))
    return blue, green, red


def _with(seen: Callable[[Rng], dict[str, Any]], **made: Any) -> Callable[[Rng], Condition]:
    """Return the ordinary case with another webcam, and made otherwise."""

    def condition(rng: Rng) -> Condition:
        usual = tidy(rng)
        return replace(usual, webcam=replace(usual.webcam, **seen(rng)), **made)

    return condition


def _made(**made: Any) -> Callable[[Rng], Condition]:
    return _with(lambda _: {}, **made)


def _evening(rng: Rng) -> dict[str, Any]:
    return {
        "level": float(rng.uniform(0.42, 0.6)),
        "tint": (float(rng.uniform(0.5, 0.68)), 0.92, float(rng.uniform(1.1, 1.25))),
        "noise": float(rng.uniform(4, 7)),
        "vignette": 0.5,
        "rate": 20.0,
        "shutter": 0.6,
    }


def _dark(rng: Rng) -> dict[str, Any]:
    return {
        "rate": 30.0,
        "dark_rate": 8.0,
        "dim_after": float(rng.uniform(6, 15)),
        "noise": float(rng.uniform(4, 6)),
        "level": 1.05,
    }


def _several(rng: Rng) -> dict[str, Any]:
    return {
        "tremble": float(rng.uniform(0.3, 0.8)),
        "quality": int(rng.integers(60, 81)),
        "exposure": 0.7,
        "balance": 0.5,
        "readout": 0.02,
        "glare": 60.0,
    }


CONDITIONS: dict[str, Callable[[Rng], Condition]] = {
    "tidy": tidy,
    "evening": _with(_evening),
    "exposure": _with(lambda rng: {"exposure": float(rng.uniform(0.8, 1.5))}),
    "white-balance": _with(lambda rng: {"balance": float(rng.uniform(0.8, 1.6))}),
    "autofocus": _with(lambda rng: {"focus": float(rng.uniform(1.5, 4.0))}),
    "plaid": _made(plaid=True),
    "45-degrees": _made(tilt=(42.0, 48.0)),
    "curled": _made(curl=5.0),
    "arm-swinging": _made(arm=True),
    "fast": _made(pace=(1.5, 2.2), pause=(0.05, 0.5), rest=(0.02, 0.12)),
    "untidy": _made(spread=15.0),
    "glare": _with(lambda rng: {"glare": float(rng.uniform(110, 200))}),
    "messy": _made(objects=14, card=(0.16, 0.21), spread=10.0, place=1.3),
    "resting-hand": _made(rest=(0.35, 0.8), pause=(0.1, 0.9)),
    "fan-over": _made(fan=(0.0, 60.0)),
    "fan-beside": _made(fan=(140.0, 230.0)),
    "trembling": _with(
        lambda rng: {"tremble": float(np.exp(rng.uniform(np.log(0.3), np.log(2.0))))}
    ),
    "rolling-shutter": _with(
        lambda rng: {"readout": float(rng.uniform(0.018, 0.033)), "tremble": 0.25}
    ),
    "mjpeg": _with(lambda rng: {"quality": int(rng.integers(60, 81))}),
    "dark-8fps": _with(_dark),
    "long": _made(placements=2.3, pause=(0.6, 1.8)),
    "several": _with(
        _several, rest=(0.2, 0.8), spread=10.0, fan=(120.0, 230.0), curl=2.5, objects=6
    ),
}
"""Conditions by name, each a function of what is drawn for one film."""
