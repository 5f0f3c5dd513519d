"""Films composed of photographed cards on photographed tables."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from zlib import crc32

import numpy as np

from hardware.camera.types import Picture
from lab.draw.cards.backs import back
from lab.draw.cards.print_style import random_style
from lab.films.film import FilmOptions
from lab.films.photographed.compositor import Compositor, Scenery, card_layer, curled, seen_from
from lab.films.photographed.cutouts import CutOuts, Surface, by_card, cut_outs
from lab.films.photographed.hands import Hand, make_hand
from lab.films.photographed.held import real_hand
from lab.films.photographed.tables import lay_objects, plaid, table_of
from lab.films.staging.conditions import Condition
from lab.films.staging.eye import Array, Eye
from lab.films.staging.films import StagedFilms
from lab.films.staging.moment import Guest
from lab.films.staging.people import Person
from lab.films.staging.script import Rng
from lab.films.staging.sheet import BACK, Sheet

TABLE = (1000, 760)
"""Width and height in mm of a table's picture."""
REAL_HANDS = 0.5
"""Share of people who lay cards with hands from photos."""


class PhotographedFilms(StagedFilms):
    """Films of cards cut out of photos."""

    salt = 41

    def __init__(self, options: FilmOptions, given: CutOuts | None = None) -> None:
        super().__init__(options)
        self._given = given

    @cached_property
    def _cut(self) -> CutOuts:
        if self._given is not None:
            return self._given
        if self._options.folder is None:
            raise ValueError("photographed films need a folder of labelled photos: --cards FOLDER")
        return cut_outs(self._options.folder)

    @property
    def cards(self) -> Sequence[str]:
        """The cards that were cut out."""
        return tuple(by_card(self._cut.cards))

    def person(self, rng: Rng) -> Person:
        """Return somebody; hands from photos hold cards as they did there."""
        somebody, photos = super().person(rng), self._cut.hands
        if not photos or rng.random() > REAL_HANDS:
            return somebody
        number = int(rng.integers(len(photos)))
        card = photos[number].card
        return replace(somebody, hold=Sheet("", number, card.x, -card.y, 2.0, card.turn))

    def stage(
        self, condition: Condition, eye: Eye, region: Array, seed: int, rng: Rng
    ) -> Compositor:
        """Return a stage with a random table."""
        cut, known = self._cut, by_card(self._cut.cards)
        cloths = [surface.picture for surface in cut.surfaces if surface.picture.std() > 6]
        table, depth = self._table(condition, eye.scale, rng), float(rng.uniform(0.25, 0.55))

        @cache
        def bent(card: str, copy: int, curl: float, across: bool) -> Picture:
            if card == BACK:
                layer = back(random_style(seed), np.random.default_rng([seed, 42]), 224)
            else:
                layer = card_layer(known[card][copy].face)
            return curled(layer, curl, along=not across) if curl else layer

        def face(sheet: Sheet) -> Picture:
            copy = sheet.number % len(known.get(sheet.card, [sheet]))
            return bent(sheet.card, copy, sheet.curl, sheet.across)

        @cache
        def hand_of(person: Person, brings: int) -> Hand:
            own = np.random.default_rng([seed, 43, crc32(repr(person).encode())])
            if person.hold is not None and brings == 1:
                return real_hand(cut.hands[person.hold.number], own, cloths)
            return make_hand(own, cloths, "pinch" if brings > 1 else None)

        def hand(guest: Guest) -> Hand:
            return hand_of(guest.person, min(guest.brings, 2))

        return Compositor(Scenery(eye, region, seen_from(eye, table), face, hand, depth))

    def _table(self, condition: Condition, scale: float, rng: Rng) -> Picture:
        size = round(TABLE[0] * scale), round(TABLE[1] * scale)
        surfaces = self._cut.surfaces
        if condition.tables == ("plaid",):
            table = plaid(size, scale, rng)
        else:
            table = table_of(_chosen(surfaces, rng), size, scale, rng)
        faces = [card_layer(cut.face) for cut in self._cut.cards]
        lay_objects(table, scale, condition.objects, surfaces, faces, rng)
        return table


def _chosen(surfaces: Sequence[Surface], rng: Rng) -> Surface:
    """Return a surface; bright, grey and dark ones come equally often, structured ones more."""
    brightness = np.array([surface.picture.mean() for surface in surfaces])
    kinds = np.digitize(brightness, (45, 110, 165))
    weights = np.array([1 / np.sum(kinds == kind) for kind in kinds])
    weights *= [1.0 if surface.picture.std() > 8 else 0.4 for surface in surfaces]
    return surfaces[int(rng.choice(len(surfaces), p=weights / weights.sum()))]
