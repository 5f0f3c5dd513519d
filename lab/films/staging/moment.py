"""What stands before the camera at one moment, and what a picture of it is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from lab.films.ground_truth import VisibleCard
from lab.films.staging.lighting import Lighting
from lab.films.staging.people import Person, Reach
from lab.films.staging.sheet import Sheet

Picture = npt.NDArray[Any]


@dataclass(frozen=True)
class Guest:
    """A hand over the table at one moment, and the sheets it holds, the lowest first."""

    person: Person
    reach: Reach
    held: tuple[Sheet, ...] = ()
    speed: tuple[float, float] = (0.0, 0.0)  # In the picture, pixels a second
    brings: int = 0  # Sheets that the hand holds for some time of its visit


@dataclass(frozen=True)
class Moment:
    """What the table looks like at one moment; ``pile`` has the lowest sheet first."""

    pile: tuple[Sheet, ...]
    guests: tuple[Guest, ...]
    lighting: Lighting
    beside: tuple[Sheet, ...] = ()  # Other cards on the table


@dataclass(frozen=True)
class Look:
    """What is before the sensor, and what of it is free."""

    draw: Callable[[], Picture]
    clear: bool  # Whether all of the top card shows, or of an empty place
    gone: bool  # Whether nothing is held over the pile's place
    cards: tuple[VisibleCard, ...] = ()  # Those in view, topmost first, where a stage tells them


@dataclass(frozen=True)
class Optics:
    """How moving and raised things are blurred in one picture."""

    exposure: float = 0.012  # Seconds
    readout: float = 0.0  # Seconds from the first row to the last
    depth: float = 0.4  # Pixels of blur for things 100 mm above the table
