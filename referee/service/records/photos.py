"""Photos of cards: reading them changes nothing until somebody confirms the cards.

A ``CardReader`` is passed in where the camera's packages are installed (``referee.camera``).

Photos are stored at their sender's request, for the table's host alone, and not in the log. They
are deleted by the host, or with their table. Only the picture is kept: what a phone adds to it says
where and when it was taken.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sqlalchemy import RowMapping, delete, insert
from sqlalchemy.exc import IntegrityError

from referee.rules.message import Message
from referee.rules.position.state import Game
from referee.service.access import Principal
from referee.service.log.entries import now
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import check_open
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem
from referee.store.schema import photos
from referee.store.writer import Job

# Limits, since anybody who may create tables could fill the disk.
MOST_PHOTOS = 20
MOST_MB = 32
ID_DIGITS = 20
MEDIA_TYPE = "image/jpeg"
SHOWN = ("id", "at", "media_type", "size")
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


def keep_photo(
    log: EventLog, table: TableProjection, principal: Principal, reader: CardReader, sent: bytes
) -> str:
    """Store a photo once, and return its id. Raises Problem."""
    photo = picture_alone(reader, sent)
    photo_id = hashlib.sha256(photo).hexdigest()[:ID_DIGITS]
    row = {
        "table_id": table.id,
        "id": photo_id,
        "at": now(),
        "token_id": principal.id,
        "media_type": MEDIA_TYPE,
        "size": len(photo),
        "data": photo,
    }
    # Another process may have closed it.
    table = log.fresh(table.id)
    with table.lock:
        check_open(table, principal)
        kept = {stored["id"]: stored["size"] for stored in log.reader.photos_of(table.id)}
        if photo_id in kept:
            return photo_id
        if len(kept) >= MOST_PHOTOS:
            raise Problem(
                "conflict",
                Message("A table keeps {most} photos at most: delete one.", most=MOST_PHOTOS),
            )
        if sum(kept.values()) + len(photo) > MOST_MB * 1_000_000:
            raise Problem(
                "conflict",
                Message("A table keeps {most} MB of photos at most: delete one.", most=MOST_MB),
            )
        try:
            log.writer.write(Job(before=[(insert(photos), row)]))
        except IntegrityError:
            # Another process was first, or the table is gone.
            find_photo(log, table, photo_id)
    return photo_id


def list_photos(log: EventLog, table: TableProjection) -> list[dict[str, Any]]:
    """Return the photos kept at a table, oldest first, without the pictures."""
    return [
        {"by": row["token_id"], **{name: row[name] for name in SHOWN}}
        for row in log.reader.photos_of(table.id)
    ]


def delete_photo(log: EventLog, table: TableProjection, photo_id: str) -> None:
    """Delete a photo, of a closed table too. Raises Problem."""
    find_photo(log, table, photo_id)
    this_one = (photos.c.table_id == table.id) & (photos.c.id == photo_id)
    log.writer.write(Job(before=[(delete(photos).where(this_one), {})]))


def find_photo(log: EventLog, table: TableProjection, photo_id: str) -> RowMapping:
    """Return a photo: ``media_type`` and ``data``. Raises Problem."""
    photo = log.reader.photo(table.id, photo_id)
    if photo is None:
        raise Problem("not-found", "There is no such photo at this table.")
    return photo
