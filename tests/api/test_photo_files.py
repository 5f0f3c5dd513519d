"""Photos as phones send them: from the bytes of a request to a revealed hand."""

import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest
from flask import Flask
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from hardware.camera import server
from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import ModelError
from hardware.camera.types import Detection, Picture
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import PrintStyle
from referee.camera import card_reader
from tests.api.conftest import Seat, open_table
from tests.api.test_writes import problem
from tests.hardware.camera.pictures import (
    blocks,
    encoded,
    jpeg_claiming,
)

HAND = ("red-5", "red-1", "wild", "green-3", "blue-skip", "yellow-2")
CARD = (120, 186)


@cache
def spread(cards: tuple[str, ...]) -> tuple[Picture, list[np.ndarray]]:
    """Draw cards side by side; return the picture and the cards' corners."""
    rng = np.random.default_rng(2)
    step = CARD[0] + 30
    table = rng.normal(110, 4, (400, step * len(cards) + 90, 3)).clip(0, 255).astype(np.uint8)
    corners = []
    for number, card in enumerate(cards):
        face = cv2.resize(render_face(card, PrintStyle()), CARD, interpolation=cv2.INTER_AREA)
        left, top = 60 + number * step, 107
        place = table[top : top + CARD[1], left : left + CARD[0]]
        share = face[:, :, 3:].astype(np.float32) / 255
        place[:] = (face[:, :, :3] * share + place * (1 - share)).astype(np.uint8)
        right, bottom = left + CARD[0], top + CARD[1]
        corners.append(
            np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        )
    return table, corners


class Knowing:
    """Stands in for the recogniser; unsure of the third card."""

    asked: ClassVar[list[tuple[int, ...]]] = []
    decks: ClassVar[list[int]] = []
    missed = False

    def __init__(
        self, deck: Sequence[Any] = (), models: Path | None = None, faces: object = None
    ) -> None:
        del models, faces
        self.decks.append(len(deck))

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        del parts
        self.asked.append(picture.shape)
        if picture.shape[0] != 400:
            return []
        _, corners = spread(HAND)
        found = [
            Detection(places, {card: 0.99, "red-7": 0.001})
            for card, places in zip(HAND, corners, strict=True)
        ]
        found[2] = Detection(corners[2], {"wild-draw-four": 0.5, "wild": 0.45})
        return found[::-1]

    def leaves_out(self, picture: Picture, found: Sequence[Detection]) -> bool:
        del picture, found
        return self.missed


@pytest.fixture
def app(app: Flask, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Flask:
    """The server with the real card reader, over ``Knowing`` or over the networks."""
    if getattr(request, "param", "knowing") == "knowing":
        monkeypatch.setattr(server, "CardRecogniser", Knowing)
        monkeypatch.setattr(Knowing, "asked", [])
        monkeypatch.setattr(Knowing, "decks", [])
    reader = card_reader()
    if reader is None:
        pytest.skip("the networks are not there")
    monkeypatch.setitem(app.extensions, "referee-card-reader", reader)
    return app


@pytest.mark.parametrize(
    ("ending", "mimetype"), [(".jpg", "image/jpeg"), (".png", "image/png"), (".webp", "image/webp")]
)
def test_a_hand_is_photographed_confirmed_and_revealed(
    host: Seat, ending: str, mimetype: str
) -> None:
    """Seat 2 plays a wild-draw-four, is challenged and shows its hand."""
    host.move(2, "play", card="wild-draw-four", color="green")
    host.move(3, "challenge")
    version = host.get().get_json()["version"]
    own = host.seats[2]
    photo, corners = spread(HAND)
    answer = own.photo(encoded(photo, ending), mimetype)
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert host.get().get_json()["version"] == version
    # The order of the hand; the doubtful card is marked, and its other reading offered.
    assert body["hand"] == [*HAND[:2], "wild-draw-four", *HAND[3:]]
    assert body["sure"] is False
    doubtful = body["items"][2]
    assert doubtful["alternatives"] == [{"card": "wild", "probability": 0.45}]
    assert body["items"][0]["alternatives"] == []
    for item, places in zip(body["items"], corners, strict=True):
        assert np.abs(np.array(item["corners"]) - places).max() <= 0.1
    # A person looks at it and corrects the third one.
    confirmed = [*body["hand"]]
    confirmed[2] = doubtful["alternatives"][0]["card"]
    ruled = own.create("/moves", {"seat": 2, "move": "reveal", "hand": confirmed})
    assert ruled["ruling"]["verdict"] == "legal"
    assert ruled["move"]["hand"] == list(HAND)


@pytest.mark.parametrize("app", ["networks"], indirect=True)
def test_the_same_with_the_networks(host: Seat) -> None:
    photo, corners = spread(HAND)
    answer = host.photo(encoded(photo, ".jpg"))
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert body["hand"] == list(HAND)
    assert body["points"] == 5 + 1 + 50 + 3 + 20 + 2
    for item, places in zip(body["items"], corners, strict=True):
        turned = np.array([np.roll(item["corners"], turn, axis=0) for turn in (0, 2)])
        assert np.abs(turned - places).max(axis=(1, 2)).min() < 8


@pytest.mark.parametrize(
    ("photo", "status", "kind", "words"),
    [
        (lambda: b"", 422, "unreadable-photo", "empty"),
        (lambda: encoded(spread(HAND)[0])[:-900], 422, "unreadable-photo", "cut short"),
        (lambda: jpeg_claiming(20000, 20000), 413, "too-large", "20000 × 20000 pixels"),
    ],
    ids=["empty", "cut", "huge"],
)
def test_pictures_that_are_none(
    host: Seat, photo: Callable[[], bytes], status: int, kind: str, words: str
) -> None:
    answer = problem(host.photo(photo()), status, kind)
    assert words in answer["detail"]
    assert Knowing.asked == []


def test_a_photo_that_may_leave_out_a_card_is_not_sure(
    host: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.photo(encoded(blocks())).get_json()["sure"] is True
    monkeypatch.setattr(Knowing, "missed", True)
    assert host.photo(encoded(blocks())).get_json()["sure"] is False


def test_a_deck_is_the_tables(app: Flask) -> None:
    table = open_table(app.test_client(), "power-grab", opening=None)
    assert table.photo(encoded(blocks())).status_code == 200
    assert Knowing.decks[-1] == len(cards_of("power-grab"))


def test_a_deck_that_the_reader_does_not_know(
    host: Seat, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "all_cards", dict)
    answer = problem(host.photo(encoded(blocks())), 501, "no-reader")
    assert "does not know the cards of this deck" in answer["detail"]
    assert Knowing.asked == []


def test_a_server_whose_networks_are_missing_has_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModelError("the network is not there")

    monkeypatch.setattr(server, "CardRecogniser", missing)
    assert card_reader() is None


def test_a_photo_is_not_kept(app: Flask, host: Seat) -> None:
    photo = encoded(spread(HAND)[0], ".png")
    assert host.photo(photo, "image/png").status_code == 200
    folder = Path(app.extensions["referee"].engine.url.database).parent
    kept = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    assert photo[-200:-100] not in kept


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_kept_photo_says_neither_where_nor_with_what_it_was_taken(host: Seat, kind: str) -> None:
    picture = Image.fromarray(np.ascontiguousarray(spread(HAND)[0][:, :, ::-1]))
    told = picture.getexif()
    told[0x0112] = 6
    told[0x010F] = "SECRET-MAKER"
    told.get_ifd(0x8825).update({1: "N", 2: (59.0, 19.0, 55.0), 29: "SECRET-DAY"})
    file = io.BytesIO()
    notes = PngInfo()
    notes.add_itxt("Comment", "SECRET-NOTE")
    more = {"pnginfo": notes} if kind == "PNG" else {"xmp": b"<x:xmpmeta>SECRET-XMP</x:xmpmeta>"}
    picture.save(file, kind, exif=told.tobytes(), quality=95, **more)
    sent = file.getvalue() + (b"SECRET-VIDEO" if kind == "JPEG" else b"")
    assert sent.count(b"SECRET") >= 3
    answer = host.photo(sent, f"image/{kind.lower()}", query="?keep=true")
    assert answer.status_code == 200, answer.text
    kept = host.get(f"/photos/{answer.get_json()['kept']}")
    assert kept.content_type == "image/jpeg"
    assert b"SECRET" not in kept.data
    alone = Image.open(io.BytesIO(kept.data))
    assert not alone.getexif()
    assert not set(alone.info) - {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    # It was taken with the phone turned, and is kept upright.
    upright = picture.transpose(Image.Transpose.ROTATE_270)
    assert alone.size == upright.size
    apart = np.abs(np.asarray(alone, np.int16) - np.asarray(upright, np.int16))
    assert apart.mean() < 6
