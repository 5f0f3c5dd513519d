"""Enrolling a deck, face by face: what is there, what is missing, and what looks alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.enrol.capture import Capture
from hardware.camera.enrol.deckfile import MOST_LOOKS, DeckFileError, EnrolledDeck, Look
from hardware.camera.enrol.match import Faces
from hardware.camera.enrol.matcher import Compares, Matcher

ALIKE = 0.15
"""Two faces are alike if, one being shown, the other would be believed in so much."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two cards that cannot be told apart, or hardly."""

    card: str
    other: str
    chance: float

    def __str__(self) -> str:
        return f"{self.card} and {self.other} look alike to the camera"


class Enrolment:
    """A deck in the making.

    Args:
        deck: What is enrolled already; empty to begin with.
        matcher: Tells which faces look alike.
    """

    def __init__(self, deck: EnrolledDeck, matcher: Compares) -> None:
        self.deck = deck
        self._matcher = matcher

    def add(self, card: str, capture: Capture, *, further: bool = False) -> list[Alike]:
        """Enrol a face; with ``further`` as one more look of its card, else instead of the others.

        Returns the cards it looks like. Raises DeckFileError when there is no room for more.
        """
        kept = tuple(look for look in self.deck.looks if further or look.card != card)
        if len(kept) == MOST_LOOKS:
            raise DeckFileError(f"has {MOST_LOOKS} looks already; no more are taken")
        look = Look(card, capture.descriptor, capture.crop)
        self.deck = replace(self.deck, looks=(*kept, look))
        return self.like(look)

    def drop(self, card: str) -> None:
        """Forget a card's looks."""
        kept = tuple(look for look in self.deck.looks if look.card != card)
        self.deck = replace(self.deck, looks=kept)

    def like(self, look: Look) -> list[Alike]:
        """The other cards that a look may be taken for, the likest first."""
        others = tuple(one for one in self.deck.looks if one.card != look.card)
        if not others:
            return []
        own = (*others, replace(look, card=""))
        faces = Faces(replace(self.deck, looks=own), self._matcher)
        chances = dict(zip(faces.cards, faces.match(look.descriptor[None]).chances, strict=True))
        del chances[""]
        alike = [Alike(look.card, card, float(c)) for card, c in chances.items() if c >= ALIKE]
        return sorted(alike, key=lambda one: -one.chance)

    def alike(self) -> list[Alike]:
        """All pairs of cards that look alike, each pair once."""
        pairs: dict[frozenset[str], Alike] = {}
        for look in self.deck.looks:
            for one in self.like(look):
                pairs.setdefault(frozenset((one.card, one.other)), one)
        return list(pairs.values())


def cards_wanted(ruleset: str, only: Sequence[str] = ()) -> list[str]:
    """The cards of a deck that are to be enrolled, in the deck's order. Raises DeckFileError."""
    ids = [card.id for card in RULESETS[ruleset]]
    strange = [card for card in only if card not in ids]
    if strange:
        raise DeckFileError(f"{ruleset} has no card {strange[0]}; it has {shortened(ids)}")
    return [card for card in ids if not only or card in only]


def shortened(cards: Iterable[str], most: int = 12) -> str:
    """A list of cards for people: the first of them, and how many more there are."""
    listed = list(cards)
    if len(listed) <= most:
        return ", ".join(listed)
    return f"{', '.join(listed[:most])} and {len(listed) - most} more"


def refreshed(deck: EnrolledDeck, matcher: Matcher) -> EnrolledDeck:
    """The deck as this network describes it.

    What another network described is described anew if its pictures were kept. Raises
    DeckFileError if they were not.
    """
    mark = matcher.mark()
    if deck.model == mark:
        return deck
    if any(look.crop is None for look in deck.looks):
        raise DeckFileError(
            "was enrolled for another version of the program and holds no pictures to go by; "
            "enrol the faces again ('--keep-pictures' spares that the next time)"
        )
    crops = [look.crop for look in deck.looks if look.crop is not None]
    rows = np.concatenate([matcher.describe([crop]) for crop in crops])
    looks = [replace(look, descriptor=row) for look, row in zip(deck.looks, rows, strict=True)]
    return replace(deck, model=mark, looks=tuple(looks))
