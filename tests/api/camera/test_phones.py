"""A phone's moves and the camera's observations are reconciled."""

from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera, moves, question, wrong
from tests.api.conftest import Seat, open_table
from tests.api.test_writes import problem


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
    game = open_table(client, names=("Ann", "Bo"))
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
    game.count_hands(2, 2)
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


def test_a_card_laid_out_of_turn_is_claimed_by_whoever_laid_it(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    claim = game.seats[1].post("/moves", {"move": "play", "card": "red-3"}).get_json()
    assert (claim["kind"], claim["ruling"]["rule"]) == ("confirmed", "turn.order")
    state = game.state()
    assert (state["turn"], state["top"], state["hands"]) == (2, "red-7", [7, 7, 7])
    assert wrong(game) == [("take-back", "red-3", "red-7")]
    assert camera.sees("lifted", "red-7")["meaning"] == "put-right"


def test_an_equal_card_of_whoever_is_next_is_another_one(game: Seat, camera: Camera) -> None:
    camera.sees("placed", "red-3")
    assert game.seats[3].post("/moves", {"move": "play", "card": "red-3"}).status_code == 201
    camera.sees("placed", "red-3")
    assert [move for move in moves(game) if "play" in move] == [
        "2 play red-3 device",
        "3 play red-3 seat",
    ]
    assert game.state()["hands"] == [7, 6, 6]


def test_a_card_that_the_deck_lacks_out_of_turn(game: Seat, camera: Camera) -> None:
    said = game.move(3, "play", card="purple-3")
    assert said["ruling"]["rule"] == "turn.order"
    assert camera.sees("placed", "red-3")["meaning"] == "settled"
    assert game.state()["top"] == "red-3"
