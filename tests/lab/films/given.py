"""Drawn cards and tables in the place of photographed ones."""

from functools import cache

import numpy as np

from hardware.camera.decks import cards_of
from lab.draw.cards.backgrounds import wood
from lab.films.drawn import DeckFaces
from lab.films.photographed.cutouts import CutOut, CutOuts, Surface

CARDS = (
    *("red-1", "blue-7", "green-4", "yellow-9", "wild", "red-skip"),
    *("blue-0", "green-reverse", "yellow-5", "red-draw-two", "blue-2", "green-8"),
)


DECK = tuple(card.id for card in cards_of("classic-108"))


@cache
def drawn_cut_outs() -> CutOuts:
    """Return what would have been cut out of photos: with few cards, each would come again soon."""
    faces = DeckFaces(5)
    cards = tuple(CutOut(card, np.ascontiguousarray(faces[card][0][..., :3])) for card in DECK)
    board = wood(np.random.default_rng(4))
    return CutOuts(cards, (Surface(np.ascontiguousarray(board[:240, :240]), 2.0),))
