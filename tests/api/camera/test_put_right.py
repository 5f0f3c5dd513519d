"""Cards laid or read wrongly before a camera are put right by moving them."""

from tests.api.camera import Camera, kinds, moves, wrong
from tests.api.conftest import Seat


def test_a_wrong_card_is_lifted_off_one_that_lies_there_twice(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("placed", "red-7")
    assert camera.sees("placed", "blue-9")["meaning"] == "illegal"
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"
    assert wrong(game) == []
    assert game.get("/questions").get_json()["items"] == []


def test_a_card_below_one_like_it_is_taken_back_alone(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("placed", "red-7")
    camera.sees("placed", "red-9")
    assert camera.sees("lifted", "red-7")["meaning"] == "taken-back"
    assert kinds(game)[-1] == "corrected"
    assert game.state()["hands"] == [7, 6, 6]


def test_several_cards_taken_back_at_once_are_asked_about(game: Seat, camera: Camera) -> None:
    for card in ("red-3", "red-8", "red-9", "red-5"):
        camera.sees("placed", card)
    assert camera.sees("lifted", "red-3")["meaning"] == "asked"


def test_a_card_misread_and_undone_is_the_one_that_is_said_next(game: Seat, camera: Camera) -> None:
    camera.sees("placed", cards={"red-9": 0.995, "red-6": 0.004})
    assert moves(game) == ["2 play red-9 device"]
    game.post("/corrections", {"kind": "undo"})
    assert wrong(game) == [("take-back", "red-9", "red-7")]
    game.post("/moves", {"move": "play", "seat": 2, "card": "red-6"})
    assert wrong(game) == []
    assert game.state()["top"] == "red-6"


def test_a_play_undone_is_still_there_when_another_card_is_said(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-9")
    game.post("/corrections", {"kind": "undo"})
    game.post("/moves", {"move": "play", "seat": 2, "card": "red-1"})
    assert ("take-back", "red-9", "red-1") in wrong(game)


def test_a_wrong_card_like_the_one_below_it_is_lifted(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("placed", "red-3")
    game.post("/corrections", {"kind": "undo"})
    assert wrong(game) == [("take-back", "red-3", "red-3")]
    assert camera.sees("lifted", "red-3")["meaning"] == "put-right"
    assert wrong(game) == []


def test_a_lift_that_looks_like_a_card_laid_is_a_lift(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "blue-9")
    assert camera.sees("placed", "red-7")["meaning"] == "put-right"
    assert wrong(game) == []
    assert camera.sees("placed", "red-7")["meaning"] == "settled"
