"""Enrolled faces as one file: a zip with a manifest, descriptors, and pictures if asked for.

``manifest.json`` names the format's version, the ruleset, the network and the card of each look;
``descriptors`` holds as many rows of ``SIZE`` little endian half floats; ``looks/N.png`` the crop
of look N. Such a file may come from anybody: nothing in it is run, and everything is measured
before it is taken in.
"""

import io
import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.decks import RULESETS
from hardware.camera.enrol.matcher import SIZE
from hardware.camera.layout import CARD_CROP
from hardware.camera.source import PictureError, read_picture
from hardware.camera.types import Picture

FORMAT, VERSION = "enrolled-faces", 1
MOST_LOOKS = 512
MOST_BYTES = 64_000_000
_MOST_MANIFEST = 256_000
_MOST_PICTURE = 200_000
_MANIFEST, _DESCRIPTORS = "manifest.json", "descriptors"
# What unpacking may end with, whoever has packed it, and by whichever method.
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
# A fixed date: equal decks give equal files.
_DATE = (1980, 1, 1, 0, 0, 0)
Array = npt.NDArray[Any]


class DeckFileError(Exception):
    """A file of enrolled faces that cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A card as it was enrolled.

    Attributes:
        card: Its id.
        descriptor: What the network says of it, ``SIZE`` numbers.
        crop: The picture itself, as high and wide as ``CARD_CROP``, if it is kept.
    """

    card: str
    descriptor: Array
    crop: Picture | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledDeck:
    """The enrolled faces of a ruleset's deck; a card may have several looks.

    Attributes:
        ruleset: Whose cards they are.
        model: Which network described them (``Matcher.mark``).
        looks: The faces.
    """

    ruleset: str
    model: str
    looks: tuple[Look, ...] = ()

    @property
    def cards(self) -> frozenset[str]:
        """The ids of the cards that are enrolled."""
        return frozenset(look.card for look in self.looks)

    def missing(self, wanted: Iterable[str]) -> list[str]:
        """Those of some cards that are not enrolled, in their order."""
        return [card for card in wanted if card not in self.cards]


def save_deck(file: Path, deck: EnrolledDeck, *, pictures: bool = False) -> None:
    """Write it, whole or not at all. Raises DeckFileError."""
    data = pack(deck, pictures=pictures)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise DeckFileError(f"{file} cannot be written: {error.strerror or error}") from None


def pack(deck: EnrolledDeck, *, pictures: bool = False) -> bytes:
    """The file's bytes."""
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": deck.ruleset,
        "model": deck.model,
        "cards": [look.card for look in deck.looks],
    }
    rows = np.array([look.descriptor for look in deck.looks], "<f2").reshape(-1, SIZE)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        _put(packed, _MANIFEST, json.dumps(manifest, indent=1).encode())
        _put(packed, _DESCRIPTORS, rows.tobytes())
        for number, look in enumerate(deck.looks):
            if pictures and look.crop is not None:
                _put(packed, _picture(number), cv2.imencode(".png", look.crop)[1].tobytes())
    return out.getvalue()


def load_deck(file: Path) -> EnrolledDeck:
    """Read it. Raises DeckFileError."""
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
    """What a file's bytes hold. Raises DeckFileError, whose text goes on after the file's name."""
    if len(data) > MOST_BYTES:
        raise DeckFileError(f"is larger than {MOST_BYTES // 1_000_000} MB, too large to be faces")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _unpacked(packed)
    except _UNREADABLE:
        raise DeckFileError("holds no enrolled faces, or is damaged; get it again") from None


def _unpacked(packed: zipfile.ZipFile) -> EnrolledDeck:
    held = {info.filename: info for info in packed.infolist()}
    ruleset, model, cards = _manifest(_member(packed, held, _MANIFEST, _MOST_MANIFEST))
    size = 2 * SIZE * len(cards)
    raw = _member(packed, held, _DESCRIPTORS, size)
    if len(raw) != size:
        raise DeckFileError("is damaged: it tells of more cards than it describes; get it again")
    rows = np.frombuffer(raw, "<f2").astype(np.float32).reshape(-1, SIZE)
    if not (np.isfinite(rows).all() and (np.abs(rows).sum(axis=1) > 0).all()):
        raise DeckFileError("is damaged: some cards are described by no numbers; get it again")
    looks = [
        Look(card, rows[number], _crop(packed, held, number)) for number, card in enumerate(cards)
    ]
    return EnrolledDeck(ruleset, model, tuple(looks))


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
        raise DeckFileError("holds no enrolled faces") from None
    if version != VERSION:
        raise DeckFileError(f"is of version {version!r:.20}; only version {VERSION} is known here")
    if ruleset not in RULESETS:
        raise DeckFileError(f"is of a ruleset {ruleset!r:.40} that is not known here")
    if not 0 < len(cards) <= MOST_LOOKS:
        raise DeckFileError(f"tells of {len(cards)} looks; from 1 to {MOST_LOOKS} are taken")
    strange = set(cards) - {card.id for card in RULESETS[ruleset]}
    if strange:
        raise DeckFileError(f"tells of a card {min(strange)!r:.40} that {ruleset} does not have")
    return ruleset, model, cards


def _member(
    packed: zipfile.ZipFile, held: Mapping[str, zipfile.ZipInfo], name: str, most: int
) -> bytes:
    """A part of the file; no more of it is unpacked than it may have."""
    if name not in held:
        raise DeckFileError("holds no enrolled faces")
    if held[name].file_size > most:
        raise DeckFileError(f"is not taken: its part {name} is larger than it can be")
    with packed.open(held[name]) as part:
        return part.read(most + 1)[:most]


def _crop(
    packed: zipfile.ZipFile, held: Mapping[str, zipfile.ZipInfo], number: int
) -> Picture | None:
    name = _picture(number)
    if name not in held:
        return None
    try:
        crop = read_picture(_member(packed, held, name, _MOST_PICTURE))
    except PictureError as error:
        raise DeckFileError(f"is damaged: {name}: {error}") from None
    if (crop.shape[1], crop.shape[0]) != CARD_CROP:
        raise DeckFileError(f"is not taken: {name} is not of a card's size")
    return crop


def _picture(number: int) -> str:
    return f"looks/{number}.png"


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    about = zipfile.ZipInfo(name, _DATE)
    about.compress_type = zipfile.ZIP_DEFLATED
    about.external_attr = 0o644 << 16
    packed.writestr(about, data)
