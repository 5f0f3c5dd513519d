"""What a film is: frames of a pile with the truth about it, whoever made them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from hardware.camera.setup.follow import Follower
from hardware.camera.types import Corners, Picture
from lab.films.ground_truth import TrueEvent, VisibleCard


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A picture, (height, width, 3) in BGR, and when it was taken, in seconds.

    Drawn ones tell what they show: ``cards``, topmost first, and ``region``, where the corners of
    the pile's place are, (4, 2) in pixels.
    """

    picture: Picture
    time: float
    number: int = 0
    cards: tuple[VisibleCard, ...] = ()
    region: Corners = field(default_factory=lambda: np.zeros((0, 2), np.float32))


@dataclass
class Film:
    """A film of a pile.

    ``frames`` can be iterated over once. ``happened`` holds the true events so far: all of them
    once the frames were taken. ``follower`` tells where the pile lies, if that is known; otherwise
    its surroundings are followed. ``ruleset`` is the deck, if known.
    """

    condition: str  # The condition it was made under, such as "tidy"
    region: Corners  # Corners of the pile's place in the first frame, (4, 2) in pixels
    frames: Iterable[FilmFrame]
    happened: list[TrueEvent]
    follower: Follower | None = None
    ruleset: str | None = None


@dataclass(frozen=True)
class FilmOptions:
    """What makers of films are told."""

    size: tuple[int, int] = (1280, 720)  # Width and height of the frames
    folder: Path | None = None  # Photographed cards, or recorded films, for makers that need them
    placements: int = 20  # Cards laid in a film, roughly


class FilmMaker(Protocol):
    """Makes films of one kind; one is made of ``FilmOptions`` in every process.

    ``conditions`` are those it knows, in the order of their report.
    """

    @property
    def conditions(self) -> Sequence[str]:
        """The conditions."""

    def film(self, condition: str, seed: int) -> Film:
        """Return a film; a seed always gives the same one. Raises KeyError for a condition."""
