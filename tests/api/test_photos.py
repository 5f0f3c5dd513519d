"""Photos of cards are read for players, and change nothing."""

from dataclasses import replace

import pytest
from flask import Flask

from referee.config import NO_LIMITS, Guard
from referee.service.records.photos import LARGEST_PHOTO, PhotoError, ReadCard
from tests.api.conftest import JPEG, MakeApp, Reader, Seat, open_table
from tests.api.test_writes import problem

CORNERS = ((1.0, 2.0), (11.0, 2.0), (11.0, 17.04), (1.0, 17.0))
pytestmark = pytest.mark.usefixtures("reader")


def test_the_cards_on_a_photo_are_answered_and_nothing_happens(host: Seat, reader: Reader) -> None:
    reader.cards = [
        ReadCard(CORNERS, {"red-7": 0.98765, "red-1": 0.01}, True),
        ReadCard(CORNERS, {"wild": 0.6, "wild-draw-four": 0.3}, False),
    ]
    version = host.get().get_json()["version"]
    answer = host.seats[2].photo()
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["hand"] == ["red-7", "wild"]
    assert body["points"] == 57
    assert body["sure"] is False
    first, second = body["items"]
    assert first["corners"][2] == [11.0, 17.0]
    assert (first["card"], first["probability"], first["sure"]) == ("red-7", 0.9877, True)
    assert second["alternatives"] == [{"card": "wild-draw-four", "probability": 0.3}]
    assert reader.photo == JPEG
    assert {"red-7", "wild"} <= set(reader.deck)
    assert "wild-tales" not in reader.deck
    assert host.get().get_json()["version"] == version


def test_an_empty_table_top_is_an_empty_hand(host: Seat) -> None:
    body = host.photo().get_json()
    assert (body["items"], body["hand"], body["points"], body["sure"]) == ([], [], 0, True)


def test_what_is_wrong_with_a_photo_is_said(host: Seat, reader: Reader) -> None:
    reader.trouble = PhotoError("unreadable", "the picture is cut short")
    answer = problem(host.photo(), 422, "unreadable-photo")
    assert answer["detail"] == "the picture is cut short"
    reader.trouble = PhotoError("too-large", "the picture has 400 million pixels")
    problem(host.photo(), 413, "too-large")
    problem(host.photo(mimetype="image/gif"), 415, "unsupported-media-type")
    problem(host.photo(b"0" * (LARGEST_PHOTO + 1)), 413, "too-large")
    reader.trouble = None
    assert host.photo(b"0" * LARGEST_PHOTO).status_code == 200


def test_a_photo_counts_as_twenty_requests(make_app: MakeApp, reader: Reader) -> None:
    app = make_app(Guard(limits=replace(NO_LIMITS, token="45/minute")))
    app.extensions["referee-card-reader"] = reader
    seat = open_table(app.test_client()).seats[1]
    assert [seat.photo().status_code for _ in range(3)] == [200, 200, 429]
    # The four that are left are enough for something else.
    assert seat.get().status_code == 200


def test_a_server_without_a_reader_says_so(
    host: Seat, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.extensions, "referee-card-reader", None)
    problem(host.photo(), 501, "no-reader")
