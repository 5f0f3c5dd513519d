"""People at the table: how their hands and arms differ, and where a hand is."""

from dataclasses import dataclass

import numpy as np

from lab.films.staging.sheet import Sheet


@dataclass(frozen=True)
class Person:
    """How somebody's hands look; colours are BGR, 0 to 255."""

    skin: tuple[float, float, float] = (140.0, 170.0, 215.0)
    sleeve: tuple[float, float, float] | None = (90.0, 60.0, 50.0)
    stripes: float = 0.0  # Period of the sleeve's stripes in mm, 0 for none
    bare: float = 60.0  # Bare arm from the wrist in mm
    loose: float = 7.0  # How much wider than the arm the sleeve is
    size: float = 1.0
    slim: float = 1.0
    left: bool = False  # Left-handed
    band: bool = False  # Wears a watch
    hold: Sheet | None = None  # How a card lies in the hand; in any way if None


SKINS = (
    (165.0, 190.0, 228.0),
    (140.0, 172.0, 218.0),
    (115.0, 150.0, 205.0),
    (85.0, 120.0, 175.0),
    (62.0, 88.0, 135.0),
    (48.0, 66.0, 100.0),
)


def random_person(rng: np.random.Generator) -> Person:
    """Return somebody."""
    bare = bool(rng.random() < 0.25)
    dark = float(rng.choice([40.0, 90.0, 180.0]))
    b, g, r = (float(v) for v in np.clip(rng.normal(dark, 45, 3), 18, 240))
    return Person(
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=None if bare else (b, g, r),
        stripes=float(rng.choice([0.0, 0.0, 9.0, 22.0])),
        bare=float(rng.choice([5.0, 25.0, 60.0, 150.0])),
        loose=float(rng.uniform(3, 12)),
        size=float(rng.uniform(0.82, 1.08)),
        slim=float(rng.uniform(0.85, 1.1)),
        left=bool(rng.random() < 0.2),
        band=bool(rng.random() < 0.2),
    )


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand is: its thumb's tip, in mm; ``turn`` is the way it points, in degrees.

    ``flat`` is 0 while it pinches a card and 1 while its fingers lie spread.
    """

    x: float
    y: float
    z: float
    turn: float
    flat: float = 0.0
