"""Cards known by enrolled faces, and how that goes together with what is read as usual."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.camera.decks import Card
from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.match import Array, Faces
from hardware.camera.enrol.matcher import Matcher
from hardware.camera.enrol.session import refreshed
from hardware.camera.layout import CARD_CROP
from hardware.camera.read import Reading, cut_out
from hardware.camera.types import Corners, Picture

TURNS = 4
MISTAKEN = 0.1
"""How often a face that has to be enrolled is taken to be read for certain as another card of the
deck, as one that is printed like those is nearly always. Chosen, not measured by a command."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What enrolled faces say of an outline.

    Attributes:
        corners: The outline from the likeliest face's own top left.
        places: Which cards of the deck are enrolled.
        chances: Of each of these.
    """

    corners: Corners
    places: Array
    chances: Array

    def joined(self, usual: Reading) -> Reading:
        """One answer over all the deck's cards.

        An enrolled card is known by its face. What is likely none of the faces is read as usual; if
        it is then taken for a card that is enrolled, it is left in doubt. That it reads as another
        card speaks against the faces.
        """
        face = float(self.chances.sum())
        chances = usual.probabilities * (1 - face)
        chances[self.places] = 0.0
        other = float(usual.probabilities.sum() - usual.probabilities[self.places].sum())
        heard = self.chances * (1 - other * (1 - MISTAKEN))
        whole = float(heard.sum()) + 1 - face
        chances[self.places] = heard
        corners = self.corners if heard.sum() > 0.5 * whole else usual.corners
        return Reading(corners, chances / whole, max(usual.valid, face))


class KnownFaces:
    """Looks at outlines with an enrolled deck in mind.

    Args:
        matcher: The networks that compare.
        enrolled: The faces.
        deck: The cards there can be; enrolled ones that are not among them are let alone.

    Raises:
        DeckFileError: The faces were enrolled for another network, and cannot be used.
    """

    def __init__(self, matcher: Matcher, enrolled: EnrolledDeck, deck: Sequence[Card]) -> None:
        self._matcher = matcher
        self._faces = Faces(refreshed(enrolled, matcher), matcher)
        ids = [card.id for card in deck]
        held = [(k, ids.index(card)) for k, card in enumerate(self._faces.cards) if card in ids]
        self._of_faces, self._places = np.array(held, np.int64).reshape(-1, 2).T

    def look(self, picture: Picture, outlines: Sequence[Corners]) -> list[Sight]:
        """What the faces say of outlines; each is tried with every corner as the top left one."""
        turned = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in range(TURNS)]
        described = self._matcher.describe(
            [cut_out(picture, corners, CARD_CROP) for corners in turned]
        )
        sights = []
        for first in range(0, len(turned), TURNS):
            match = self._faces.match(described[first : first + TURNS])
            chances = match.chances[self._of_faces]
            sights.append(Sight(turned[first + match.turn], self._places, chances))
        return sights
