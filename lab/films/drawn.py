"""Films drawn by hand: composed like the photographed ones, of drawn cards, tables and hands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import ClassVar
from zlib import crc32

import cv2
import numpy as np

from hardware.camera.decks import RULESETS, all_cards
from hardware.camera.types import Picture
from lab.draw.cards.asset_cache import Mipmap, mipmap
from lab.draw.cards.backgrounds import black, cloth, pattern, plain, white, wood
from lab.draw.cards.backs import back
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import random_style
from lab.films.photographed.compositor import Compositor, Scenery
from lab.films.photographed.hands import Hand, make_hand
from lab.films.staging.conditions import CONDITIONS, USUAL, Condition
from lab.films.staging.eye import Array, Eye
from lab.films.staging.films import StagedFilms
from lab.films.staging.moment import Guest
from lab.films.staging.people import Person
from lab.films.staging.script import Habits, Rng
from lab.films.staging.sensor import Sensor
from lab.films.staging.sheet import BACK, Sheet

CARDS = tuple(card.id for card in RULESETS["classic-108"])
HEIGHT = 320
"""Height of drawn faces in pixels."""
GROUNDS = (plain, white, black, wood, cloth, pattern)
IDLE = {"pass": 0.7, "hover": 0.3}
DRILL = {
    "lay": 0.28,
    "equal": 0.22,
    "quick": 0.04,
    "nudge top": 0.06,
    "nudge pile": 0.08,
    "square up": 0.05,
    "lift": 0.10,
    "put back": 0.05,
    "pass": 0.04,
    "hover": 0.05,
    "knock": 0.02,
    "shuffle": 0.01,
}
"""How often people do what, where what is easily told is rarer."""


class DeckFaces(Mapping[str, Mipmap]):
    """Faces by card id, in the print style that a seed selects, with written custom cards."""

    def __init__(self, seed: int) -> None:
        self._run = replace(random_style(seed), custom_written=True)
        self._drawn: dict[str, Mipmap] = {}

    def __getitem__(self, card: str) -> Mipmap:
        """Return a card's face. Raises KeyError."""
        if card not in self._drawn:
            self._drawn[card] = mipmap(render_face(card, self._run, HEIGHT))
        return self._drawn[card]

    def __iter__(self) -> Iterator[str]:
        """Iterate over all card ids."""
        return iter(all_cards())

    def __len__(self) -> int:
        """Return the number of cards."""
        return len(all_cards())


def restless_sensor(rng: Rng, restless: float = 0.5) -> Sensor:
    """Return a camera in light that changes so much, 0 for not at all."""
    return Sensor(
        noise=float(rng.uniform(1, 5)),
        exposing=1.6 * restless,
        exposure_steps=float(rng.choice([0.0, 4.0, 12.0])) * restless,
        balance_steps=float(rng.choice([0.0, 0.0, 4.0])) * restless,
        bands=float(rng.choice([0.0, 0.0, 0.02, 0.05])) * restless,
        shadow=float(rng.choice([0.0, 0.0, 0.2, 0.35])) * restless,
        quality=0,
    )


def ground(rng: Rng, size: tuple[int, int]) -> Picture:
    """Return a random table as it fills the picture."""
    table = GROUNDS[int(rng.integers(len(GROUNDS)))](rng)
    return np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_CUBIC))


def drawn_stage(
    eye: Eye, region: Array, table: Picture, faces: Mapping[str, Mipmap], seed: int
) -> Compositor:
    """Return a stage of drawn cards and hands; arguments are as of ``Scenery``."""
    other_side = back(random_style(seed), np.random.default_rng([seed, 42]), HEIGHT)

    def face(sheet: Sheet) -> Picture:
        return other_side if sheet.card == BACK else faces[sheet.card][0]

    @cache
    def hand_of(person: Person, several: bool) -> Hand:
        own = np.random.default_rng([seed, 43, crc32(repr(person).encode())])
        return make_hand(own, (), "pinch" if several else None)

    def hand(guest: Guest) -> Hand:
        return hand_of(guest.person, guest.brings > 1)

    return Compositor(Scenery(eye, region, table, face, hand))


class DrawnFilms(StagedFilms):
    """Films of usual play, of tables where nobody plays, and of play that is hard to tell."""

    makers: ClassVar[Mapping[str, Callable[[Rng], Condition]]] = {
        "play": lambda rng: Condition(USUAL, sensor=restless_sensor(rng)),
        "idle": lambda rng: Condition(
            IDLE, Habits(pause=(0.5, 12.0)), restless_sensor(rng), cards=0.0, least=60.0
        ),
        "drill": lambda rng: Condition(DRILL, Habits(pause=(0.35, 0.9)), restless_sensor(rng)),
        "messy": CONDITIONS["messy"],
        "tight": lambda rng: replace(CONDITIONS["untidy"](rng), place=(64.0, 96.0)),
        "fan-over": CONDITIONS["fan-over"],
    }
    salt = 11
    cards: Sequence[str] = CARDS

    def stage(
        self, condition: Condition, eye: Eye, region: Array, seed: int, rng: Rng
    ) -> Compositor:
        """Return a stage with a random table."""
        del condition
        return drawn_stage(eye, region, ground(rng, eye.size), DeckFaces(seed), seed)
