"""The one place where the server meets the camera: it takes its card reader, if that is installed.

Everything else about devices goes over HTTP; a photo that a phone posts has to be read here.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.service.photos import CardReader, PhotoError, PhotoTrouble, ReadCard

if TYPE_CHECKING:
    from hardware.camera.server import PhotoReader


class _Eyes:
    """The camera's reader in the service's words."""

    def __init__(self, photos: "PhotoReader", fault: type[Exception]) -> None:
        self._photos = photos
        self._fault = fault

    def read(self, photo: bytes, deck: Collection[str]) -> Sequence[ReadCard]:
        """See ``CardReader``."""
        try:
            found = self._photos.read(photo, frozenset(deck))
        except self._fault as error:
            kind: PhotoTrouble = getattr(error, "kind", "unreadable")
            raise PhotoError(kind, str(error)) from None
        return [ReadCard(card.corners, card.probabilities, card.sure) for card in found]


def card_reader(faces: Path | None = None) -> CardReader | None:
    """The camera's card reader; None without its packages (the extra ``table``) or its networks.

    Args:
        faces: A folder with files of enrolled faces, by which cards are known as well.
    """
    try:
        from hardware.camera.server import PhotoFault, PhotoReader, ReaderMissingError
    except ImportError:
        return None
    try:
        return _Eyes(PhotoReader(faces=faces), PhotoFault)
    except ReaderMissingError:
        return None
