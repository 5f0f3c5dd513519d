"""Hands shown to the camera at the end of a round."""

from tests.api.camera import Camera, end_round, kinds, question
from tests.api.conftest import Seat
from tests.api.test_writes import problem


def test_hands_shown_are_read_confirmed_and_scored(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    seen = camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}]})
    assert seen["meaning"] == "asked"
    asked = question(game)
    assert (asked["about"], asked["seat"], asked["count"]) == ("hand", 1, 1)
    assert asked["hand"][0]["card"] == "blue-8"
    assert asked["text"] == "Are these the cards that Ann holds?"
    assert game.state()["scores"] == [0, 0, 0]
    path = f"/questions/{asked['id']}/answers"
    problem(game.seats[2].post(path, {"option": 1}), 403, "forbidden")
    assert game.seats[1].post(path, {"option": 1}).status_code == 201
    camera.posts({"kind": "hand", "shown": [{"wild": 0.6, "wild-draw-four": 0.39}]})
    asked = question(game)
    assert (asked["seat"], asked["hand"][0]["sure"]) == (3, False)
    assert asked["hand"][0]["alternatives"] == ["wild-draw-four"]
    game.post(f"/questions/{asked['id']}/answers", {"hand": ["green-2"]})
    assert game.state()["scores"] == [0, 10, 0]
    assert game.get("/questions").get_json()["items"] == []


def test_a_hand_of_another_size_than_the_tracked_one(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}, {"blue-1": 0.99}]})
    asked = question(game)
    assert (asked["count"], len(asked["hand"])) == (1, 2)
    game.post(f"/questions/{asked['id']}/answers", {"option": 1})
    last = game.get("/events?limit=200").get_json()["items"][-1]
    assert last["ruling"]["rule"] == "hand.count"
    assert game.state()["awaiting"] == [{"seat": s, "need": "reveal"} for s in (1, 3)]


def test_a_hand_shown_again_is_the_one_that_counts(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.99}]})
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-3": 0.99}]})
    assert question(game)["hand"][0]["card"] == "blue-3"
    game.move(1, "reveal", hand=["blue-3"])
    assert game.get("/questions").get_json()["items"] == []
    assert "lapsed" in kinds(game)


def test_two_hands_at_once_are_asked_whose_they_are(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    camera.posts({"kind": "hand", "shown": [{"blue-3": 0.99}]})
    path = f"/questions/{question(game)['id']}/answers"
    problem(game.post(path, {"option": 1}), 422, "invalid-request")
    assert game.post(path, {"option": 1, "seat": 3}).status_code == 201
    assert game.state()["awaiting"] == [{"seat": 1, "need": "reveal"}]


def test_a_hand_cannot_hold_more_copies_than_the_deck_has(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    game.post("/corrections", {"kind": "hand-count", "seat": 1, "count": 2})
    shown = [{"red-9": 0.6, "red-6": 0.39}, {"red-9": 0.9, "red-6": 0.05}]
    # One red 9 was the last card played: only one more can be.
    camera.posts({"kind": "hand", "seat": 1, "shown": shown})
    assert [card["card"] for card in question(game)["hand"]] == ["red-6", "red-9"]


def test_a_hand_shown_in_the_middle_of_a_round_is_not_kept(game: Seat, camera: Camera) -> None:
    seen = camera.posts({"kind": "hand", "seat": 2, "shown": [{"blue-3": 0.99}]})
    assert seen["meaning"] == "unknown"
    assert "blue-3" not in game.get("/events?limit=200").text
    assert game.get("/questions").get_json()["items"] == []
