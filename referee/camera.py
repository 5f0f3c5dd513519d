"""The camera's card reader for the server, if it is installed.

Devices reach the server over HTTP. Only photos that phones post are read in the server.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from referee.service.records.photos import CardReader, PhotoError, PhotoTrouble, ReadCard, ReadPhoto

if TYPE_CHECKING:
    from hardware.camera.server import PhotoReader


class _PhotoAdapter:
    """Adapts the camera's ``PhotoReader`` to the service's ``CardReader``."""

    def __init__(self, photos: "PhotoReader", fault: type[Exception]) -> None:
        self._photos = photos
        self._fault = fault

    def read(self, photo: bytes, deck: Collection[str]) -> ReadPhoto:
        """See ``CardReader``."""
        with self._faults():
            reading = self._photos.read(photo, frozenset(deck))
        cards = [ReadCard(card.corners, card.probabilities, card.sure) for card in reading.cards]
        return ReadPhoto(cards, reading.complete)

    def picture_alone(self, photo: bytes) -> bytes:
        """See ``CardReader``."""
        with self._faults():
            return self._photos.picture_alone(photo)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except self._fault as error:
            kind: PhotoTrouble = getattr(error, "kind", "unreadable")
            raise PhotoError(kind, str(error)) from None


def can_watch() -> bool:
    """Return whether the packages of the extra ``table`` are installed, without loading them."""
    return all(find_spec(name) is not None for name in ("cv2", "numpy", "PIL"))


def card_reader(faces: Path | None = None) -> CardReader | None:
    """Return the camera's card reader; None without the extra ``table`` or the networks.

    Args:
        faces: A folder of enrolled card faces.
    """
    try:
        from hardware.camera.server import PhotoFault, PhotoReader, ReaderMissingError
    except ImportError:
        return None
    try:
        return _PhotoAdapter(PhotoReader(faces=faces), PhotoFault)
    except ReaderMissingError:
        return None
