"""A camera that goes blind, comes back or restarts."""

import pytest
from flask import Flask

from tests.api.camera import Camera, add_camera, moves, wrong
from tests.api.conftest import Seat
from tests.api.reloaded import out_of_time, reloaded


def test_a_camera_that_is_lost_says_so_and_the_game_goes_on(game: Seat, camera: Camera) -> None:
    seen = camera.state_is("blind", reason="no-pictures")
    assert seen["meaning"] == "unknown"
    assert seen["announcements"] == ["The camera does not see the pile. Say the cards by phone."]
    assert game.get().get_json()["camera"]["sight"] == "blind"
    game.move(2, "play", card="red-3")
    game.move(3, "play", card="red-5")
    assert camera.state_is("watching")["announcements"] == ["The camera sees the pile."]
    assert camera.sees("found", "red-5")["meaning"] == "agrees"
    assert wrong(game) == []
    camera.sees("placed", "red-6")
    assert moves(game)[2:] == ["1 play red-6 device"]


def test_a_camera_that_is_back_finds_exactly_one_play_missing(game: Seat, camera: Camera) -> None:
    camera.state_is("blind", reason="no-pile")
    game.move(2, "play", card="red-3")
    camera.state_is("watching")
    assert camera.sees("found", "red-5")["meaning"] == "settled"
    assert moves(game) == ["2 play red-3 seat", "3 play red-5 device"]


def test_a_camera_that_is_back_finds_what_nobody_can_explain(game: Seat, camera: Camera) -> None:
    camera.state_is("blind", reason="no-pictures")
    camera.state_is("watching")
    seen = camera.sees("found", "blue-5")
    assert seen["meaning"] == "discrepancy"
    assert wrong(game) == [("not-on-top", "blue-5", "red-7")]
    assert moves(game) == []
    # What was played meanwhile is said, and all is well.
    game.move(2, "play", card="red-5")
    game.move(3, "play", card="blue-5")
    camera.sees("found", "blue-5")
    assert wrong(game) == []


def test_nothing_is_concluded_from_what_no_camera_sees(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "blue-9")
    assert wrong(game) != []
    camera.state_is("blind", reason="no-pictures")
    assert wrong(game) == []


def test_a_revoked_camera_asks_nothing_more(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    game.delete(f"/devices/{camera.id}")
    assert game.get("/questions").get_json()["items"] == []
    assert game.get().get_json()["camera"]["sight"] == "none"
    game.move(2, "play", card="red-9")
    assert game.state()["turn"] == 3


def test_of_two_cameras_the_later_one_counts(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    later = add_camera(game)
    for card in ("red-4", "red-4", "red-5", "red-6"):
        assert later.sees("placed", card)["meaning"] == "settled"
        assert camera.sees("placed", card)["meaning"] == "idle"
    assert later.sees("lifted", "red-5")["meaning"] == "taken-back"
    assert camera.sees("lifted", "red-5")["meaning"] == "idle"
    assert camera.state_is("blind", reason="no-pictures")["meaning"] == "idle"
    laid = ("2 play red-3", "3 play red-4", "1 play red-4", "2 play red-5", "3 play red-6")
    assert moves(game) == [f"{one} device" for one in laid]
    assert (game.state()["turn"], game.state()["top"]) == (3, "red-5")
    assert game.get().get_json()["camera"]["sight"] == "watching"


@pytest.mark.parametrize("why", ["blind", "removed", "silent"])
def test_the_earlier_camera_goes_on_without_the_later(
    app: Flask, game: Seat, camera: Camera, why: str
) -> None:
    later = add_camera(game)
    later.sees("placed", "red-3")
    camera.sees("placed", "red-3")
    if why == "blind":
        later.state_is("blind", reason="no-pictures")
    elif why == "removed":
        assert game.delete(f"/devices/{later.id}").status_code == 200
    else:
        assert later.post("/promises", {"within": 45}).status_code == 200
        out_of_time(app.extensions["referee"])
    assert camera.sees("placed", "red-4")["meaning"] == "settled"
    assert moves(game) == ["2 play red-3 device", "3 play red-4 device"]


def test_the_pile_is_reshuffled_and_its_top_put_back(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("cleared")
    assert wrong(game) == [("not-on-top", None, "red-3")]
    assert camera.sees("placed", "red-3")["meaning"] == "agrees"
    assert wrong(game) == []
    assert moves(game) == ["2 play red-3 device"]
    camera.sees("placed", "red-3")
    assert moves(game)[1:] == ["3 play red-3 device"]


def test_the_pile_survives_a_restart(app: Flask, game: Seat, camera: Camera) -> None:
    camera.sees("placed", "blue-9")
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    reloaded(app, game)


def test_a_table_without_a_camera_knows_of_no_pile(game: Seat) -> None:
    assert game.get().get_json()["camera"] is None
    entry = game.move(2, "play", card="red-3")
    assert "discrepancies" not in entry
