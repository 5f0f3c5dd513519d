"""The camera as the server uses it: photos in, cards out, from any thread."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.camera.draw.cards import all_cards
from hardware.camera.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.source import Fault, PictureError, read_picture
from hardware.camera.source_picture import Limits

LIMITS = Limits(bytes=16 * 1024 * 1024, pixels=64_000_000)

MOST_DECKS = 8


class ReaderMissingError(Exception):
    """There is nothing to read cards with."""


class PhotoFault(Exception):  # noqa: N818 - what is wrong is the photo, not the program
    """A photo that cannot be read; ``too_large`` or otherwise unreadable."""

    def __init__(self, text: str, *, too_large: bool) -> None:
        super().__init__(text)
        self.too_large = too_large


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """A card on a photo: corners in pixels, probabilities likeliest first."""

    corners: Sequence[tuple[float, float]]
    probabilities: Mapping[str, float]
    sure: bool


class PhotoReader:
    """Reads photos with the project's networks. Raises ReaderMissingError without them."""

    def __init__(self, models: Path = MODELS) -> None:
        self._models = models
        self._lock = threading.Lock()
        self._of_decks: OrderedDict[frozenset[str], CardRecogniser] = OrderedDict()
        try:
            CardRecogniser(models=models)
        except ModelError as error:
            raise ReaderMissingError(str(error)) from None

    def read(self, photo: bytes, deck: frozenset[str]) -> list[PhotoCard]:
        """The cards on a picture, of those ids only. Raises PhotoFault."""
        try:
            picture = read_picture(photo, LIMITS)
        except PictureError as error:
            raise PhotoFault(str(error), too_large=error.fault is Fault.TOO_LARGE) from None
        # One at a time: a network holds its answer until it has been read.
        with self._lock:
            recogniser = self._recogniser(deck)
            found = recogniser.recognise(picture) if recogniser else []
        return [
            PhotoCard([(float(x), float(y)) for x, y in one.corners], one.probabilities, one.sure)
            for one in found
            if one.probabilities
        ]

    def _recogniser(self, deck: frozenset[str]) -> CardRecogniser | None:
        """For those of the cards that the camera knows; None if it knows none of them."""
        if deck not in self._of_decks:
            cards = [card for name, card in all_cards().items() if name in deck]
            if not cards:
                return None
            self._of_decks[deck] = CardRecogniser(cards, self._models)
            if len(self._of_decks) > MOST_DECKS:
                self._of_decks.popitem(last=False)
        self._of_decks.move_to_end(deck)
        return self._of_decks[deck]
