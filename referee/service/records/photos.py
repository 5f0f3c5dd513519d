"""Photos of cards: reading them changes nothing until somebody confirms the cards.

A ``CardReader`` is passed in where the camera's packages are installed (``referee.camera``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from referee.rules.position.state import Game
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem

LARGEST_PHOTO = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card on a photo: its four corners in pixels, and its probabilities, likeliest first.

    ``sure``: the first one is likely enough to be offered without asking.
    """

    corners: Sequence[tuple[float, float]]
    probabilities: Mapping[str, float]
    sure: bool


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """The cards on a photo, in the order in which a person would name them.

    ``complete``: nothing else there looks like a part of a card.
    """

    cards: Sequence[ReadCard]
    complete: bool = True


PhotoTrouble = Literal["too-large", "unreadable", "unknown-deck"]
PROBLEMS: Mapping[PhotoTrouble, str] = {
    "too-large": "too-large",
    "unreadable": "unreadable-photo",
    "unknown-deck": "no-reader",
}


class PhotoError(Exception):
    """A photo that cannot be read; the text says why, in English."""

    def __init__(self, kind: PhotoTrouble, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class CardReader(Protocol):
    """Reads cards; called from several threads."""

    def read(self, photo: bytes, deck: Collection[str]) -> ReadPhoto:
        """Return the cards on a JPEG, PNG or WebP picture, of those ids only. Raises PhotoError."""

    def picture_alone(self, photo: bytes) -> bytes:
        """Return the picture as an upright JPEG without place, time, device and thumbnail.

        Raises PhotoError.
        """


def picture_alone(reader: CardReader, photo: bytes) -> bytes:
    """Return a photo as it may be kept. Raises Problem."""
    try:
        return reader.picture_alone(photo)
    except PhotoError as error:
        raise Problem(PROBLEMS[error.kind], str(error)) from None


def read_photo(
    reader: CardReader | None, table: TableProjection, photo: bytes
) -> dict[str, object]:
    """Return the cards on a photo, and their points. Raises Problem."""
    if reader is None:
        raise Problem("no-reader", "This server has no card reader: say the cards instead.")
    game = table.state.game
    try:
        read = reader.read(photo, game.cards.keys())
    except PhotoError as error:
        raise Problem(PROBLEMS[error.kind], str(error)) from None
    items = [_card(card) for card in read.cards]
    hand = [str(item["card"]) for item in items]
    return {
        "items": items,
        "hand": hand,
        "points": points(game, hand),
        "sure": read.complete and all(card.sure for card in read.cards),
    }


def points(game: Game, hand: Sequence[str]) -> int:
    """Return the points of cards at this table."""
    return sum(game.ruleset.points(game.cards[card], game.options) for card in hand)


def _card(card: ReadCard) -> dict[str, object]:
    (likeliest, chance), *others = card.probabilities.items()
    return {
        "card": likeliest,
        "probability": round(chance, 4),
        "sure": card.sure,
        "corners": [[round(x, 1), round(y, 1)] for x, y in card.corners],
        "alternatives": [
            {"card": other, "probability": round(share, 4)} for other, share in others
        ],
    }
