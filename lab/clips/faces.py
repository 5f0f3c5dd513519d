"""The faces of a deck, drawn when they are first needed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hardware.camera.decks import all_cards
from lab.draw.bank import Levels, levels
from lab.draw.faces import render
from lab.draw.prints import sample

HEIGHT = 320


class Faces(Mapping[str, Levels]):
    """Faces by card, each in several sizes; all of one print run, its custom cards written on.

    Args:
        seed: Which print run.
    """

    def __init__(self, seed: int) -> None:
        self._run = replace(sample(seed), custom_written=True)
        self._drawn: dict[str, Levels] = {}

    def __getitem__(self, card: str) -> Levels:
        """A card's face. Raises KeyError."""
        if card not in self._drawn:
            self._drawn[card] = levels(render(card, self._run, HEIGHT))
        return self._drawn[card]

    def __iter__(self) -> Iterator[str]:
        """All cards that there are."""
        return iter(all_cards())

    def __len__(self) -> int:
        """How many."""
        return len(all_cards())
