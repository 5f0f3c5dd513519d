"""The faces of a deck, drawn on first use."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hardware.camera.decks import all_cards
from lab.draw.cards.asset_cache import Mipmap, mipmap
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import random_style

HEIGHT = 320


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
