"""Reads cards on photos for the server, from any thread."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2

from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import RULESETS, Card, all_cards
from hardware.camera.enrol.deckfile import SUFFIX, DeckFileError, load_deck
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.reading.hand_order import in_hand_order
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.source import PictureError, PictureFault, read_picture
from hardware.camera.source.image import PictureLimits
from hardware.camera.thresholds import WORTH_SHOWING
from hardware.camera.types import Detection, Picture

log = logging.getLogger(__name__)

LIMITS = PictureLimits(bytes=16 * 1024 * 1024, pixels=64_000_000)

MOST_DECKS = 8
# Of a photo that is kept; cards stay as readable as on the photo itself.
KEPT_QUALITY = 92


class ReaderMissingError(Exception):
    """The card-reading networks are unusable."""


PhotoTrouble = Literal["too-large", "unreadable", "unknown-deck"]


class PhotoFault(Exception):  # noqa: N818 - the photo is at fault, not the program
    """A photo cannot be read; ``kind`` says why to programs."""

    def __init__(self, kind: PhotoTrouble, text: str) -> None:
        super().__init__(text)
        self.kind: PhotoTrouble = kind


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """A card on a photo: corners in pixels; probabilities, likeliest first."""

    corners: Sequence[tuple[float, float]]
    probabilities: Mapping[str, float]
    sure: bool


@dataclass(frozen=True, slots=True)
class PhotoCards:
    """The cards on a photo; ``complete`` unless something else there looks like part of a card."""

    cards: Sequence[PhotoCard]
    complete: bool


class PhotoReader:
    """Reads photos with the project's networks and the enrolled decks in the folder ``faces``.

    Raises ReaderMissingError if a network is missing or damaged.
    """

    def __init__(self, faces: Path | None = None) -> None:
        self._faces = faces
        self._lock = threading.Lock()
        self._of_decks: OrderedDict[frozenset[str], CardRecogniser] = OrderedDict()
        try:
            CardRecogniser()
        except ModelError as error:
            raise ReaderMissingError(str(error)) from None

    def read(self, photo: bytes, deck: frozenset[str]) -> PhotoCards:
        """Read the cards of a deck (ids) on a photo, in the order of a hand. Raises PhotoFault."""
        # One photo at a time: networks are not thread-safe, and the largest photo takes 200 MB.
        with self._lock:
            recogniser, picture = self._recogniser(deck), _read(photo)
            cards = [card for card in recogniser.recognise(picture) if card.probabilities]
            complete = not recogniser.leaves_out(picture, cards)
        return PhotoCards([_photo_card(card) for card in in_hand_order(cards)], complete)

    def picture_alone(self, photo: bytes) -> bytes:
        """Return a photo as an upright JPEG without place, time, device and thumbnail.

        Raises PhotoFault.
        """
        with self._lock:
            picture = _read(photo)
            done, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, KEPT_QUALITY])
        if not done:
            raise PhotoFault("unreadable", "The picture cannot be written again.")
        return encoded.tobytes()

    def _recogniser(self, deck: frozenset[str]) -> CardRecogniser:
        """Return a recogniser of the cards that the camera knows. Raises PhotoFault if none."""
        if deck not in self._of_decks:
            cards = [card for name, card in all_cards().items() if name in deck]
            if not cards:
                raise PhotoFault(
                    "unknown-deck", "The card reader does not know the cards of this deck."
                )
            self._of_decks[deck] = CardRecogniser(cards, faces=self._enrolled(cards))
            if len(self._of_decks) > MOST_DECKS:
                self._of_decks.popitem(last=False)
        self._of_decks.move_to_end(deck)
        return self._of_decks[deck]

    def _enrolled(self, cards: Sequence[Card]) -> tuple[FaceRecogniser, ...]:
        """Return the deck's enrolled faces, if there are usable ones."""
        if self._faces is None:
            return ()
        ids = {card.id for card in cards}
        of_decks = sorted(RULESETS, key=lambda name: len(RULESETS[name]))
        for name in of_decks:
            file = self._faces / f"{name}{SUFFIX}"
            if ids <= {card.id for card in RULESETS[name]} and file.is_file():
                try:
                    return (FaceRecogniser(matcher_of(MODELS), load_deck(file), cards),)
                except (DeckFileError, ModelError) as error:
                    log.warning("photos are read without enrolled faces: %s", error)
        return ()


def _read(photo: bytes) -> Picture:
    """Decode a photo. Raises PhotoFault."""
    try:
        return read_picture(photo, LIMITS)
    except PictureError as error:
        kind: PhotoTrouble = "too-large" if error.fault is PictureFault.TOO_LARGE else "unreadable"
        raise PhotoFault(kind, str(error)) from None


def _photo_card(detection: Detection) -> PhotoCard:
    (best, chance), *others = detection.probabilities.items()
    shown = {best: chance, **{card: c for card, c in others if c >= WORTH_SHOWING}}
    return PhotoCard([(float(x), float(y)) for x, y in detection.corners], shown, detection.sure)
