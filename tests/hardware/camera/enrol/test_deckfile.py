"""Files of enrolled faces: saved, shared, damaged and malicious."""

import io
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.enrol.deckfile import (
    DeckFileError,
    EnrolledDeck,
    EnrolledFace,
    load_deck,
    pack,
    save_deck,
    unpack,
)
from hardware.camera.enrol.matcher import SIZE


def deck(*cards: str, crop: bool = False) -> EnrolledDeck:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (144, 96, 3), np.uint8) if crop else None
    looks = (
        EnrolledFace(card, rng.normal(size=SIZE).astype(np.float32), picture) for card in cards
    )
    return EnrolledDeck("moomin", "abc", tuple(looks))


def packed(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return out.getvalue()


def manifest(**changes: object) -> bytes:
    document = {"format": "enrolled-faces", "version": 1, "ruleset": "moomin", "model": "abc"}
    return json.dumps({**document, "cards": ["red-7"], **changes}).encode()


ROW = np.ones(SIZE, "<f2").tobytes()


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    before = deck("red-7", "wild-tales", "red-7", crop=True)
    save_deck(tmp_path / "new" / "a.faces", before, pictures=True)
    after = load_deck(tmp_path / "new" / "a.faces")
    assert [look.card for look in after.faces] == ["red-7", "wild-tales", "red-7"]
    assert (after.ruleset, after.model) == ("moomin", "abc")
    for face, other in zip(before.faces, after.faces, strict=True):
        np.testing.assert_allclose(face.descriptor, other.descriptor, atol=2e-3)
        assert other.crop is not None
        np.testing.assert_array_equal(face.crop, other.crop)
    assert after.missing(["red-7", "blue-1"]) == ["blue-1"]


def test_pictures_stay_at_home_unless_asked_for() -> None:
    before = deck("red-7", crop=True)
    with zipfile.ZipFile(io.BytesIO(pack(before))) as archive:
        assert archive.namelist() == ["manifest.json", "descriptors"]
    assert unpack(pack(before)).faces[0].crop is None


def test_equal_decks_give_equal_files() -> None:
    assert pack(deck("red-7")) == pack(deck("red-7"))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no enrolled faces"),
        (b"PK\x03\x04 not really", "no enrolled faces"),
        (pack(deck("red-7"))[:-40], "no enrolled faces"),
        (packed(other=b"x"), "no enrolled faces"),
        (packed(manifest_json=b"[]", descriptors=ROW), "no enrolled faces"),
        (packed(manifest_json=b"{" * 5000, descriptors=ROW), "no enrolled faces"),
        (packed(manifest_json=manifest(format="x"), descriptors=ROW), "no enrolled faces"),
        (packed(manifest_json=manifest(version=2), descriptors=ROW), "version 2"),
        (packed(manifest_json=manifest(ruleset="chess"), descriptors=ROW), "'chess'"),
        (packed(manifest_json=manifest(cards=["king"]), descriptors=ROW), "'king'"),
        (packed(manifest_json=manifest(cards=[]), descriptors=b""), "has 0 faces"),
        (packed(manifest_json=manifest(cards=["red-7"] * 600), descriptors=ROW), "600 faces"),
        (packed(manifest_json=manifest(cards=["red-7"] * 2), descriptors=ROW), "more cards than"),
        (
            packed(manifest_json=manifest(cards="red-7"), descriptors=ROW),
            "no enrolled faces",
        ),
        (packed(manifest_json=manifest(), descriptors=ROW * 9), "too large"),
        (
            packed(manifest_json=manifest(), descriptors=bytes(2 * SIZE)),
            "descriptors are empty",
        ),
        (
            packed(manifest_json=manifest(), descriptors=np.full(SIZE, np.nan, "<f2").tobytes()),
            "descriptors are empty",
        ),
        (packed(manifest_json=b" " * 300_000, descriptors=ROW), "too large"),
        (
            packed(manifest_json=manifest(), descriptors=ROW, looks__0=b""),
            "",
        ),
    ],
)
def test_a_file_that_means_no_good_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    if not why:
        assert unpack(data).faces[0].crop is None  # parts that nobody knows are left alone
        return
    with pytest.raises(DeckFileError, match=why):
        unpack(data)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_file_that_was_damaged_is_refused_or_read(method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("manifest.json", manifest())
        archive.writestr("descriptors", ROW)
    whole, refused = out.getvalue(), 0
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        try:
            unpack(bytes(damaged))
        except DeckFileError:
            refused += 1
    assert refused > len(whole) / 6


def test_pictures_of_another_size_are_refused() -> None:
    small = cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes()
    parts = {"manifest_json": manifest(), "descriptors": ROW, "looks__0.png": small}
    with pytest.raises(DeckFileError, match="does not have a card's size"):
        unpack(packed(**parts))
    with pytest.raises(DeckFileError, match=r"looks/0\.png"):
        unpack(packed(**{**parts, "looks__0.png": b"no picture"}))


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DeckFileError, match="referee-table enroll"):
        load_deck(tmp_path / "none.faces")
