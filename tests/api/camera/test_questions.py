"""Unclear observations become questions, answered by players or by later facts."""

from tests.api.camera import Camera, kinds, moves, options, question
from tests.api.conftest import Seat
from tests.api.test_writes import problem


def test_what_cannot_be_told_is_asked_and_any_seat_answers(game: Seat, camera: Camera) -> None:
    seen = camera.sees("placed", "red-6", "red-9", chance=0.99)
    assert seen["meaning"] == "asked"
    assert options(game) == ["play 2 play red-6", "play 2 play red-9", "nothing"]
    assert question(game)["options"][1]["text"] == "Bo plays a red 9."
    assert moves(game) == []
    answer = game.seats[1].post(f"/questions/{question(game)['id']}/answers", {"option": 2})
    assert answer.status_code == 201
    assert moves(game) == ["2 play red-9 seat"]
    assert game.get("/questions").get_json()["items"] == []
    assert kinds(game)[-2:] == ["answered", "moved"]


def test_copies_that_lie_on_the_pile_already_are_not_laid_again(game: Seat, camera: Camera) -> None:
    for card in ("red-0", "red-3"):
        camera.sees("placed", card)
    # There is one red 0 in the deck.
    assert camera.sees("placed", "red-0", "red-8", chance=0.99)["meaning"] == "settled"
    assert moves(game)[-1] == "1 play red-8 device"


def test_a_later_card_answers_the_question(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    camera.sees("placed", "blue-6")
    camera.sees("placed", "blue-1")
    assert moves(game) == ["2 play red-6 device", "3 play blue-6 device", "1 play blue-1 device"]
    assert "lapsed" in kinds(game)
    assert game.get("/questions").get_json()["items"] == []


def test_who_names_the_card_laid_means_that_one(game: Seat, camera: Camera) -> None:
    """A question about a hand taken for a card goes once a card is laid."""
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    camera.sees("placed", "red-1")
    answer = {"card": "red-1", "seat": 2}
    assert game.post(f"/questions/{question(game)['id']}/answers", answer).status_code == 201
    assert moves(game) == ["2 play red-1 device"]
    assert game.get("/questions").get_json()["items"] == []


def test_who_names_a_card_that_was_doubtful_means_the_one_asked_about(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    camera.sees("placed", "red-9", "red-6", chance=0.99)
    answer = {"card": "red-9", "seat": 2}
    assert game.post(f"/questions/{question(game)['id']}/answers", answer).status_code == 201
    assert moves(game)[0] == "2 play red-9 host"


def test_a_question_that_nobody_answers_blocks_nothing(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    for card in ("red-1", "red-2", "red-3"):
        camera.sees("placed", card)
    assert moves(game)[0] == "2 play red-6 device"
    assert len(moves(game)) == 4
    items = game.get("/events?limit=200").get_json()["items"]
    (lapsed,) = [item for item in items if item["kind"] == "lapsed"]
    assert lapsed["why"] == "presumed"
    assert lapsed["announcements"][0].startswith("Nobody has answered")


def test_a_question_without_a_likely_answer_lapses_with_nothing_entered(
    game: Seat, camera: Camera
) -> None:
    alike = dict.fromkeys(("red-1", "red-2", "red-4", "red-5", "red-6", "red-8"), 0.16)
    for _ in range(3):
        camera.sees("placed", cards=alike)
    assert moves(game) == []
    items = game.get("/events?limit=200").get_json()["items"]
    lapsed = next(item for item in items if item["kind"] == "lapsed")
    assert lapsed["why"] == "unanswered"
    assert lapsed["announcements"][0].endswith("nothing was entered. The host can add it.")


def test_a_late_answer_is_told_so(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    asked = question(game)["id"]
    game.move(2, "play", card="red-9")
    problem(game.post(f"/questions/{asked}/answers", {"option": 1}), 409, "conflict")


def test_who_may_answer(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    path = f"/questions/{question(game)['id']}/answers"
    problem(camera.post(path, {"option": 1}), 403, "forbidden")
    problem(game.post(path, {"option": 9}), 422, "invalid-request")
    problem(game.post(path, {"card": "pink-1"}), 422, "invalid-request")
    problem(game.post(path, {}), 422, "invalid-request")
    assert game.post(path, {"card": "red-1"}).status_code == 201
    assert moves(game) == ["2 play red-1 host"]


def test_nothing_was_laid(game: Seat, camera: Camera) -> None:
    camera.sees("unsure", "red-7", readings=["same", "placed"])
    camera.sees("unsure", "red-4", "red-1", readings=["placed", "same"], chance=0.99)
    last = len(question(game)["options"])
    game.post(f"/questions/{question(game)['id']}/answers", {"option": last})
    assert moves(game) == []
    assert game.state()["turn"] == 2


def test_an_unread_card_is_asked_about_and_read_later(game: Seat, camera: Camera) -> None:
    seen = camera.sees("unread")
    assert seen["meaning"] == "asked"
    assert camera.sees("placed", "red-4", resolves=camera.number)["meaning"] == "agrees"
    assert moves(game) == ["2 play red-4 device"]
    assert game.get("/questions").get_json()["items"] == []
