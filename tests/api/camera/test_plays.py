"""What a camera sees at the pile, and what the game makes of it."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api import create_app
from referee.config import Settings
from tests.api.camera import Camera, add_camera, kinds, moves, options, question, wrong
from tests.api.conftest import Seat, open_table
from tests.api.test_writes import problem

SKIP_ALL = ("Ann", "Bo")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One server for all: every test has a table of its own."""
    folder = tmp_path_factory.mktemp("camera")
    app = create_app(Settings(database=str(folder / "tables.sqlite3"), keep_alive=0.2))
    yield app
    app.extensions["referee"].close()
    app.extensions["referee-lock"].close()


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    """Ann dealt, a red 7 lies there, Bo begins."""
    return open_table(client)


@pytest.fixture
def camera(game: Seat) -> Camera:
    return add_camera(game)


def two_cards_left(game: Seat, *seats: int) -> None:
    for seat in seats:
        game.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 2})


def test_a_card_that_fits_is_the_play_of_whoever_is_on_turn(game: Seat, camera: Camera) -> None:
    seen = camera.sees("placed", "red-3")
    assert (seen["meaning"], seen["discrepancies"]) == ("settled", [])
    assert moves(game) == ["2 play red-3 device"]
    entry = game.get(f"/events?after={seen['id']}").get_json()["items"][0]
    assert entry["cause"] == seen["id"]
    assert entry["presumed"] is True
    assert entry["announcements"] == ["Bo plays red 3.", "It is Cy's turn."]
    assert game.state()["hands"] == [7, 6, 7]
    assert game.get().get_json()["camera"]["sees"] == "red-3"


def test_a_card_that_does_not_fit_is_ruled_illegal_until_it_is_lifted(
    game: Seat, camera: Camera
) -> None:
    seen = camera.sees("placed", "blue-9")
    assert seen["meaning"] == "illegal"
    assert seen["announcements"] == [
        "Take this card back: blue 9. On top of the pile belongs: red 7."
    ]
    assert moves(game) == ["2 play blue-9 device match"]
    assert wrong(game) == [("take-back", "blue-9", "red-7")]
    assert game.state()["turn"] == 2
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"
    assert wrong(game) == []
    camera.sees("placed", "red-9")
    assert moves(game)[1:] == ["2 play red-9 device"]


def test_an_illegal_card_that_stays_below_is_still_to_be_taken_back(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "blue-9")
    assert camera.sees("placed", "red-1")["meaning"] == "settled"
    assert wrong(game) == [("take-back", "blue-9", "red-1")]


def test_two_quick_cards_keep_their_order(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("placed", "blue-3")
    assert moves(game) == ["2 play red-3 device", "3 play blue-3 device"]


def test_two_equal_cards_in_a_row_are_two_plays(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    camera.sees("placed", "red-3")
    assert moves(game) == ["2 play red-3 device", "3 play red-3 device"]


def test_a_return_to_the_card_before_is_a_take_back(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    seen = camera.sees("lifted", "red-7")
    assert seen["meaning"] == "taken-back"
    assert (game.state()["turn"], game.state()["top"]) == (2, "red-7")
    assert game.state()["hands"] == [7, 7, 7]
    assert "corrected" in kinds(game, seen["id"])
    camera.sees("placed", "red-5")
    assert (game.state()["turn"], game.state()["top"]) == (3, "red-5")


def test_a_wild_taken_back_takes_its_colour_with_it(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "wild")
    game.move(2, "color", color="blue")
    assert camera.sees("lifted", "red-7")["meaning"] == "taken-back"
    state = game.state()
    assert (state["turn"], state["color"], state["hands"]) == (2, "red", [7, 7, 7])


def test_a_take_back_after_others_have_gone_on_is_asked_about(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    game.move(3, "draw")
    assert camera.sees("lifted", "red-7")["meaning"] == "asked"
    assert options(game)[0] == "take-back red-7"
    game.seats[1].post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["turn"] == 2
    assert game.state()["hands"] == [7, 7, 7]


def test_a_wild_waits_for_its_colour_and_the_next_card_for_the_wild(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "wild")
    assert game.state()["awaiting"] == [{"seat": 2, "need": "color"}]
    seen = camera.sees("placed", "blue-4")
    assert seen["meaning"] == "waiting"
    assert game.get().get_json()["camera"]["waiting"] == ["blue-4"]
    assert wrong(game) == []
    game.move(2, "color", color="blue")
    assert moves(game) == ["2 play wild device", "2 color blue seat", "3 play blue-4 device"]


def test_a_card_laid_before_a_wrong_colour_is_named_is_ruled_on_then(
    game: Seat, camera: Camera
) -> None:
    camera.sees("placed", "wild")
    camera.sees("placed", "blue-4")
    game.move(2, "color", color="green")
    assert moves(game)[-1] == "3 play blue-4 device match"


def test_who_takes_four_cards_need_not_say_so(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "wild-draw-four")
    game.move(2, "color", color="blue")
    camera.sees("placed", "blue-4")
    assert moves(game)[2:] == ["3 accept device", "1 play blue-4 device"]
    assert game.state()["hands"] == [6, 6, 11]


def test_what_cannot_be_told_is_asked_and_any_seat_answers(game: Seat, camera: Camera) -> None:
    seen = camera.sees("placed", "red-6", "red-9", chance=0.99)
    assert seen["meaning"] == "asked"
    assert options(game) == ["play 2 play red-6", "play 2 play red-9", "nothing"]
    assert question(game)["options"][1]["text"] == "Bo plays red 9."
    assert moves(game) == []
    answer = game.seats[1].post(f"/questions/{question(game)['id']}/answers", {"option": 2})
    assert answer.status_code == 201
    assert moves(game) == ["2 play red-9 seat"]
    assert game.get("/questions").get_json()["items"] == []
    assert kinds(game)[-2:] == ["answered", "moved"]


def test_the_rules_settle_what_the_camera_cannot(game: Seat, camera: Camera) -> None:
    # A blue 6 would not fit; a red 6 does.
    seen = camera.sees("placed", cards={"red-6": 0.69, "blue-6": 0.3})
    assert seen["meaning"] == "settled"
    assert moves(game) == ["2 play red-6 device"]


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
    assert moves(game) == [
        "2 play red-6 device",
        "3 play blue-6 device",
        "1 play blue-1 device",
    ]
    assert "lapsed" in kinds(game)
    assert game.get("/questions").get_json()["items"] == []


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


def test_a_phone_overtakes_a_question(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    game.move(2, "play", card="red-9")
    assert moves(game) == ["2 play red-9 seat"]
    assert game.get("/questions").get_json()["items"] == []
    camera.sees("placed", "blue-9")
    assert moves(game)[1:] == ["3 play blue-9 device"]


def test_the_next_player_by_phone_overtakes_a_question(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    game.move(3, "play", card="green-9")
    assert moves(game) == ["2 play red-9 device", "3 play green-9 seat"]


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


def test_a_card_moved_may_be_no_card_laid(game: Seat, camera: Camera) -> None:
    # It shows what it showed before: that another red 7 was laid is possible, and less likely.
    assert camera.sees("unsure", "red-7", readings=["same", "placed"])["meaning"] == "agrees"
    assert camera.sees("placed", "red-7", laid=0.2)["meaning"] == "agrees"
    assert moves(game) == []


def test_an_unread_card_is_asked_about_and_read_later(game: Seat, camera: Camera) -> None:
    seen = camera.sees("unread")
    assert seen["meaning"] == "asked"
    assert camera.sees("placed", "red-4", resolves=camera.number)["meaning"] == "agrees"
    assert moves(game) == ["2 play red-4 device"]
    assert game.get("/questions").get_json()["items"] == []


def test_an_unread_card_may_turn_out_to_be_the_old_one(game: Seat, camera: Camera) -> None:
    camera.sees("unread")
    camera.sees("same", "red-7", resolves=camera.number)
    assert moves(game) == []
    assert game.get("/questions").get_json()["items"] == []


def test_a_card_taken_away_before_it_was_explained(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"
    assert moves(game) == []
    assert game.get("/questions").get_json()["items"] == []


def test_a_phone_that_says_what_the_camera_saw_is_of_one_mind(game: Seat, camera: Camera) -> None:
    seen = camera.sees("placed", "red-3")
    said = game.move(2, "play", card="red-3")
    assert (said["kind"], said["cause"]) == ("confirmed", seen["id"] + 1)
    assert said["ruling"]["verdict"] == "legal"
    assert moves(game) == ["2 play red-3 device"]
    assert game.state()["hands"] == [7, 6, 7]
    # Once only: said again, it is another card.
    assert game.move(2, "play", card="red-3")["ruling"]["rule"] == "turn.order"


def test_a_phone_behind_the_camera_is_not_behind_the_times(game: Seat, camera: Camera) -> None:
    version = game.get().get_json()["version"]
    camera.sees("placed", "red-3")
    body = {"seat": 2, "move": "play", "card": "red-3"}
    said = game.seats[2].post("/moves", body, If_Match=f'"{version}"', Idempotency_Key="tap-1")
    assert said.status_code == 201
    assert said.get_json()["kind"] == "confirmed"
    again = game.seats[2].post("/moves", body, If_Match=f'"{version}"', Idempotency_Key="tap-1")
    assert again.get_json() == said.get_json()
    body["card"] = "red-5"
    late = game.seats[2].post("/moves", body, If_Match=f'"{version}"')
    problem(late, 412, "stale-version")


def test_who_knew_of_the_play_means_another(client: FlaskClient) -> None:
    game = open_table(client, names=SKIP_ALL)
    camera = add_camera(game)
    camera.sees("placed", "red-skip")
    version = game.get().get_json()["version"]
    body = {"seat": 2, "move": "play", "card": "red-skip"}
    game.seats[2].post("/moves", body, If_Match=f'"{version}"')
    assert moves(game) == ["2 play red-skip device", "2 play red-skip seat"]
    # And the camera's second one is that one.
    assert camera.sees("placed", "red-skip")["meaning"] == "agrees"
    assert len(moves(game)) == 2


def test_a_phone_says_more_than_the_camera_saw(game: Seat, camera: Camera) -> None:
    two_cards_left(game, 2)
    camera.sees("placed", "wild")
    said = game.move(2, "play", card="wild", color="blue", uno=True)
    assert said["kind"] == "confirmed"
    assert moves(game) == ["2 play wild device", "2 color blue seat", "2 uno seat"]
    assert game.state()["uno"] == [2]


def test_a_camera_that_sees_what_a_phone_has_said(game: Seat, camera: Camera) -> None:
    game.move(2, "play", card="red-3")
    game.move(3, "play", card="red-5")
    assert camera.sees("placed", "red-3")["meaning"] == "agrees"
    assert camera.sees("placed", "red-5")["meaning"] == "agrees"
    assert moves(game) == ["2 play red-3 seat", "3 play red-5 seat"]
    camera.sees("placed", "red-5")
    assert moves(game)[2:] == ["1 play red-5 device"]


def test_an_illegal_card_that_a_phone_has_said(game: Seat, camera: Camera) -> None:
    assert game.move(3, "play", card="red-3")["ruling"]["rule"] == "turn.order"
    assert wrong(game) == []
    assert camera.sees("placed", "red-3")["meaning"] == "discrepancy"
    assert moves(game) == ["3 play red-3 seat turn.order"]
    assert wrong(game) == [("take-back", "red-3", "red-7")]
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"
    assert wrong(game) == []


def test_a_players_word_counts_against_a_reading(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-6", "red-9", chance=0.99)
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["top"] == "red-6"
    camera.sees("placed", cards={"red-8": 0.995, "red-3": 0.003})
    assert game.state()["top"] == "red-8"
    said = game.move(3, "play", card="red-3")
    assert said["kind"] == "confirmed"
    assert said["ruling"]["verdict"] == "legal"
    assert game.state()["top"] == "red-3"
    assert (game.state()["turn"], game.state()["hands"]) == (1, [7, 6, 6])


def test_a_card_out_of_turn_is_noticed_where_the_camera_knows_whose_it_is(
    game: Seat, camera: Camera
) -> None:
    assert camera.sees("placed", "red-3", origin={"1": 0.98})["meaning"] == "asked"
    assert options(game)[:2] == ["illegal 1 play red-3", "play 2 play red-3"]
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert moves(game) == ["1 play red-3 host turn.order"]
    assert wrong(game) == [("take-back", "red-3", "red-7")]


def test_a_draw_that_nobody_said_is_asked_about(game: Seat, camera: Camera) -> None:
    assert camera.sees("placed", "red-3", origin={"3": 0.98})["meaning"] == "asked"
    assert options(game)[0] == "play 2 draw 2 pass 3 play red-3"
    assert question(game)["options"][0]["text"] == "Bo draws 1. Cy plays red 3."
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["hands"] == [7, 8, 6]


def test_a_drawn_card_is_played(game: Seat, camera: Camera) -> None:
    game.move(2, "draw")
    camera.sees("placed", "red-3")
    assert moves(game) == ["2 draw seat", "2 play red-3 device"]
    assert game.state()["hands"] == [7, 7, 7]


def test_a_catch_that_comes_before_the_card_counts_with_it(game: Seat, camera: Camera) -> None:
    two_cards_left(game, 2)
    caught = game.move(3, "catch", accused=2)
    assert caught["ruling"]["verdict"] == "illegal"
    camera.sees("placed", "red-3")
    assert moves(game)[-1] == "3 catch seat"
    assert game.state()["hands"] == [7, 3, 7]


def test_a_call_that_comes_before_the_card_counts_with_it(game: Seat, camera: Camera) -> None:
    two_cards_left(game, 2)
    game.move(2, "uno")
    camera.sees("placed", "red-3")
    assert game.state()["uno"] == [2]
    assert game.move(3, "catch", accused=2)["ruling"]["verdict"] == "illegal"


def test_an_observation_that_comes_again_counts_once(game: Seat, camera: Camera) -> None:
    body = {"kind": "pile", "number": 9, "event": "placed", "cards": {"red-3": 0.999}}
    first = camera.posts(body, Idempotency_Key="box-9")
    assert camera.posts(body, Idempotency_Key="box-9") == first
    assert camera.posts(body)["meaning"] == "repeated"
    assert moves(game) == ["2 play red-3 device"]


def test_what_no_camera_can_have_seen_is_refused(game: Seat, camera: Camera) -> None:
    for body in (
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"pink-1": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"red-1": 0.9, "red-2": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "cards": {"red-1": 1.5}},
        {"kind": "pile", "number": 5, "event": "unsure", "cards": {"red-1": 0.9}},
        {"kind": "pile", "event": "placed", "cards": {"red-1": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "from": {"9": 0.9}},
        {"kind": "pile", "number": 5, "event": "placed", "powers": {}},
        {"kind": "camera"},
        {"kind": "hand", "shown": [{"red-1": 0.9}], "seat": 9},
    ):
        answer = camera.post("/observations", {"at": "2026-11-21T10:00:00.000+00:00", **body})
        problem(answer, 422, "invalid-request")
    assert moves(game) == []
