"""The file of enrolled faces: a zip with a manifest, descriptors, and pictures on request.

``manifest.json`` names the format's version, the ruleset, the network and the card of each face;
``descriptors`` holds a row of ``SIZE`` little-endian half floats per face; ``looks/N.png`` is the
crop of face N. The file may come from a stranger, so every size is checked before it is unpacked.
"""

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.enrol.matcher import SIZE
from hardware.camera.reading.geometry import CARD_CROP
from hardware.camera.source import PictureError, read_picture
from hardware.camera.types import Array, Picture
from hardware.paths import default_file, write_whole

FORMAT, VERSION = "enrolled-faces", 1
MOST_FACES = 512
MOST_BYTES = 64_000_000
_MOST_MANIFEST = 256_000
_MOST_PICTURE = 200_000
_MANIFEST, _DESCRIPTORS = "manifest.json", "descriptors"
# Errors that unpacking a malicious file may raise, with any compression method.
_UNREADABLE = (
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
# Fixed, so that equal decks give equal files.
_DATE = (1980, 1, 1, 0, 0, 0)
SUFFIX = ".faces"


class DeckFileError(Exception):
    """A file of enrolled faces is unusable; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledFace:
    """An enrolled face of a card: ``SIZE`` numbers, and its crop (``CARD_CROP``) if it was kept."""

    card: str
    descriptor: Array
    crop: Picture | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledDeck:
    """The enrolled faces of a ruleset's deck; a card may have several.

    ``model`` identifies the networks that described them (``Matcher.mark``).
    """

    ruleset: str
    model: str
    faces: tuple[EnrolledFace, ...] = ()

    @property
    def cards(self) -> frozenset[str]:
        """Ids of the enrolled cards."""
        return frozenset(face.card for face in self.faces)

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """Return the wanted cards that are not enrolled, in their order."""
        return [card for card in wanted if card not in self.cards]


def faces_file(environ: Mapping[str, str], ruleset: str) -> Path:
    """Return the default file of a ruleset's enrolled faces."""
    return default_file(environ).parent / "faces" / f"{ruleset}{SUFFIX}"


def save_deck(file: Path, deck: EnrolledDeck, *, pictures: bool = False) -> None:
    """Write a deck atomically. Raises DeckFileError."""
    data = pack(deck, pictures=pictures)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, data)
    except OSError as error:
        raise DeckFileError(f"{file} cannot be written: {error.strerror or error}") from None


def pack(deck: EnrolledDeck, *, pictures: bool = False) -> bytes:
    """Return a deck as the bytes of a file."""
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": deck.ruleset,
        "model": deck.model,
        "cards": [face.card for face in deck.faces],
    }
    rows = np.array([face.descriptor for face in deck.faces], "<f2").reshape(-1, SIZE)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        _put(packed, _MANIFEST, json.dumps(manifest, indent=1).encode())
        _put(packed, _DESCRIPTORS, rows.tobytes())
        for number, face in enumerate(deck.faces):
            if pictures and face.crop is not None:
                _put(packed, _picture(number), cv2.imencode(".png", face.crop)[1].tobytes())
    return out.getvalue()


def load_deck(file: Path) -> EnrolledDeck:
    """Read a deck. Raises DeckFileError."""
    try:
        with file.open("rb") as handle:
            data = handle.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise DeckFileError(
            f"there is no {file}; enrol the deck's faces with 'referee-table enroll'"
        ) from None
    except OSError as error:
        raise DeckFileError(f"{file} cannot be read: {error.strerror}") from None
    try:
        return unpack(data)
    except DeckFileError as error:
        raise DeckFileError(f"{file} {error}") from None


def unpack(data: bytes) -> EnrolledDeck:
    """Parse a file's bytes. Raises DeckFileError, its text to be put after the file's name."""
    if len(data) > MOST_BYTES:
        raise DeckFileError(
            f"is larger than {MOST_BYTES // 1_000_000} MB, too large for enrolled faces"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _unpacked(packed)
    except _UNREADABLE:
        raise DeckFileError("contains no enrolled faces, or is damaged; get it again") from None


def _unpacked(packed: zipfile.ZipFile) -> EnrolledDeck:
    members = {info.filename: info for info in packed.infolist()}
    ruleset, model, cards = _manifest(_member(packed, members, _MANIFEST, _MOST_MANIFEST))
    size = 2 * SIZE * len(cards)
    raw = _member(packed, members, _DESCRIPTORS, size)
    if len(raw) != size:
        raise DeckFileError("is damaged: it lists more cards than it describes; get it again")
    rows = np.frombuffer(raw, "<f2").astype(np.float32).reshape(-1, SIZE)
    if not (np.isfinite(rows).all() and (np.abs(rows).sum(axis=1) > 0).all()):
        raise DeckFileError("is damaged: some descriptors are empty; get it again")
    faces = [
        EnrolledFace(card, rows[number], _crop(packed, members, number))
        for number, card in enumerate(cards)
    ]
    return EnrolledDeck(ruleset, model, tuple(faces))


def _manifest(data: bytes) -> tuple[str, str, list[str]]:
    try:
        document = json.loads(data)
        if document["format"] != FORMAT:
            raise ValueError
        version, ruleset, model = document["version"], document["ruleset"], document["model"]
        cards = document["cards"]
        if not isinstance(cards, list):
            raise TypeError
        if not all(isinstance(text, str) for text in (ruleset, model, *cards)):
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DeckFileError("contains no enrolled faces") from None
    if version != VERSION:
        raise DeckFileError(
            f"has version {version!r:.20}; this program reads only version {VERSION}"
        )
    if ruleset not in RULESETS:
        raise DeckFileError(f"is for a ruleset {ruleset!r:.40} that this program does not know")
    if not 0 < len(cards) <= MOST_FACES:
        raise DeckFileError(f"has {len(cards)} faces; 1 to {MOST_FACES} are accepted")
    unknown = set(cards) - {card.id for card in RULESETS[ruleset]}
    if unknown:
        raise DeckFileError(f"lists a card {min(unknown)!r:.40} that {ruleset} does not have")
    return ruleset, model, cards


def _member(
    packed: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], name: str, most: int
) -> bytes:
    """Unpack a member, up to ``most`` bytes whatever its header claims."""
    if name not in members:
        raise DeckFileError("contains no enrolled faces")
    if members[name].file_size > most:
        raise DeckFileError(f"is refused: its part {name} is too large")
    with packed.open(members[name]) as part:
        return part.read(most + 1)[:most]


def _crop(
    packed: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], number: int
) -> Picture | None:
    name = _picture(number)
    if name not in members:
        return None
    try:
        crop = read_picture(_member(packed, members, name, _MOST_PICTURE))
    except PictureError as error:
        raise DeckFileError(f"is damaged: {name}: {error}") from None
    if (crop.shape[1], crop.shape[0]) != CARD_CROP:
        raise DeckFileError(f"is refused: {name} does not have a card's size")
    return crop


def _picture(number: int) -> str:
    return f"looks/{number}.png"


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    about = zipfile.ZipInfo(name, _DATE)
    about.compress_type = zipfile.ZIP_DEFLATED
    about.external_attr = 0o644 << 16
    packed.writestr(about, data)
