"""Flips, second cards, discards and towers before a camera."""

from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera, moves, options, question, wrong
from tests.api.conftest import Seat, open_table
from tests.api.test_devices import IN_THE_TRAY, add_board

BANNED = {"text": "All others put their wilds away.", "effects": [
    {"effect": "discard_wilds", "who": "others"}]}  # fmt: skip
DOWN_TO_THREE = {"text": "All to three.", "effects": [
    {"effect": "hand_size", "who": "all", "count": 3}]}  # fmt: skip


def power(game: Seat, name: str) -> None:
    """Let Bo take a power with the character card, and play on for one lap."""
    game.move(2, "play", card=f"wild-power-{name}", color="red")
    if name != "blue":
        game.move(3, "play", card="red-1")
    else:
        game.move(2, "pass") if game.get().get_json()["follow_up"] else None
        game.move(3, "play", card="red-1")
    game.move(1, "play", card="red-2")


def answer(game: Seat, number: int) -> None:
    path = f"/questions/{question(game)['id']}/answers"
    assert game.seats[3].post(path, {"option": number}).status_code == 201


def test_a_card_that_does_not_fit_is_a_flip_of_who_holds_green(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    camera = add_camera(game)
    power(game, "green")
    before = game.state()
    for card in ("wild-power-green", "red-1", "red-2"):
        camera.sees("placed", card)
    camera.sees("placed", "blue-9")
    assert moves(game)[-1] == "2 flip blue-9 device"
    assert game.state()["hands"] == before["hands"]
    assert game.state()["draw_pile"] == before["draw_pile"] - 1


def test_whether_a_card_that_fits_was_flipped_is_asked(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    power(game, "green")
    camera = add_camera(game)
    assert camera.sees("placed", "red-9")["meaning"] == "asked"
    assert options(game)[:2] == ["play 2 play red-9", "flip 2 flip red-9"]
    assert question(game)["options"][1]["text"] == "Bo turns up a red 9 from the draw pile."
    answer(game, 2)
    assert moves(game)[-1] == "2 flip red-9 seat"


def test_a_camera_that_sees_where_cards_come_from_need_not_ask(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    power(game, "green")
    camera = add_camera(game)
    camera.sees("placed", "red-9", origin={"draw-pile": 0.99})
    assert moves(game)[-1] == "2 flip red-9 device"
    power_seat = game.state()["turn"]
    camera.sees("placed", "red-3", origin={str(power_seat): 0.99})
    assert moves(game)[-1] == f"{power_seat} play red-3 device"


def test_the_second_card_of_who_holds_blue(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    power(game, "blue")
    camera = add_camera(game)
    camera.sees("placed", "red-3", origin={"2": 0.99})
    assert game.get().get_json()["follow_up"]["seat"] == 2
    # Whose the next one is, nobody can tell from the card.
    assert camera.sees("placed", "red-4")["meaning"] == "asked"
    assert set(options(game)[:2]) == {"play 2 play red-4", "play 3 play red-4"}
    answer(game, options(game).index("play 2 play red-4") + 1)
    assert moves(game)[-1] == "2 play red-4 seat"
    assert game.state()["turn"] == 3


def test_the_second_card_is_told_by_where_it_comes_from(client: FlaskClient) -> None:
    game = open_table(client, "color-powers")
    power(game, "blue")
    camera = add_camera(game)
    camera.sees("placed", "red-3", origin={"2": 0.99})
    camera.sees("placed", "red-4", origin={"2": 0.99})
    assert moves(game)[-2:] == ["2 play red-3 device", "2 play red-4 device"]
    camera.sees("placed", "red-6", origin={"3": 0.99})
    assert moves(game)[-1] == "3 play red-6 device"


def test_an_identical_card_may_be_added(client: FlaskClient) -> None:
    game = open_table(client, identical_cards=True)
    camera = add_camera(game)
    camera.sees("placed", "red-3", origin={"2": 0.99})
    camera.sees("placed", "red-3", origin={"2": 0.99})
    assert moves(game) == ["2 play red-3 device", "2 play red-3 device"]
    assert game.state()["turn"] == 3


def test_discards_for_wild_tales_go_round_and_under(client: FlaskClient) -> None:
    game = open_table(client, "moomin")
    camera = add_camera(game)
    camera.sees("placed", "wild-tales")
    assert camera.sees("placed", "blue-1")["meaning"] == "waiting"
    game.move(2, "color", color="green")
    assert moves(game)[-1] == "2 discard blue-1 device"
    camera.sees("placed", "red-9")
    assert wrong(game) == []
    game.move(1, "pass")
    assert moves(game)[-2:] == ["3 discard red-9 device", "1 pass seat"]
    assert game.state()["top"] == "wild-tales"
    assert wrong(game) == [("not-on-top", "red-9", "wild-tales")]
    # The discards are put under it: it lies on top again.
    assert camera.sees("lifted", "wild-tales")["meaning"] == "put-right"
    assert wrong(game) == []
    camera.sees("placed", "green-4")
    assert moves(game)[-1] == "3 play green-4 device"
    assert game.state()["hands"] == [7, 5, 5]


def discarded(client: FlaskClient) -> tuple[Seat, Camera]:
    """A table where everybody discarded for wild-tales, and the discards cover the pile."""
    game = open_table(client, "moomin")
    camera = add_camera(game)
    camera.sees("placed", "wild-tales")
    game.move(2, "color", color="green")
    for card in ("blue-1", "red-9", "red-8"):
        camera.sees("placed", card)
    return game, camera


def test_wild_tales_put_on_top_again_is_no_second_one(client: FlaskClient) -> None:
    game, camera = discarded(client)
    assert camera.sees("placed", "wild-tales")["meaning"] == "agrees"
    assert wrong(game) == []
    assert game.state()["hands"] == [6, 5, 6]


def test_a_discard_left_on_top_does_not_hide_an_equal_card_for_good(client: FlaskClient) -> None:
    game, camera = discarded(client)
    camera.sees("placed", "green-4")
    assert moves(game)[-1] == "3 play green-4 device"
    camera.sees("placed", "green-4")
    assert moves(game)[-1] == "1 play green-4 device"


def test_discards_of_a_custom_card_wait_until_somebody_says_how_many(client: FlaskClient) -> None:
    game = open_table(client, "classic-112", opening=None, custom_cards=[BANNED])
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    camera = add_camera(game)
    camera.sees("placed", "wild-custom-1")
    game.move(2, "color", color="red")
    assert camera.sees("placed", "wild")["meaning"] == "waiting"
    game.move(3, "discard", cards=["wild"])
    game.move(1, "discard", count=0)
    assert game.state()["hands"] == [7, 6, 6]
    assert wrong(game) == [("not-on-top", "wild", "wild-custom-1")]
    camera.sees("lifted", "wild-custom-1")
    camera.sees("placed", "red-4")
    assert moves(game)[-1] == "3 play red-4 device"


def test_cards_put_away_by_an_effect_are_no_plays(client: FlaskClient) -> None:
    game = open_table(client, "classic-112", opening=None, custom_cards=[DOWN_TO_THREE])
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    camera = add_camera(game)
    camera.sees("placed", "wild-custom-1")
    game.move(2, "color", color="red")
    assert game.state()["hands"] == [3, 3, 3]
    assert camera.sees("placed", "blue-8")["meaning"] == "asked"
    assert set(options(game)[:2]) == {"away blue-8", "illegal 3 play blue-8"}
    answer(game, options(game).index("away blue-8") + 1)
    assert moves(game)[-1] == "2 color red seat"
    assert wrong(game) == [("not-on-top", "blue-8", "wild-custom-1")]
    assert camera.sees("lifted", "wild-custom-1")["meaning"] == "put-right"
    camera.sees("placed", "red-8")
    assert moves(game)[-1] == "3 play red-8 device"


def test_towers_moved_are_taken_when_the_next_card_is_laid(client: FlaskClient) -> None:
    game = open_table(client, "power-grab")
    board, camera = add_board(game), add_camera(game)
    board.sees(IN_THE_TRAY)
    camera.sees("placed", "red-take-two-towers")
    board.sees({"N": 2})
    assert game.state()["awaiting"] == [{"seat": 2, "need": "powers"}]
    camera.sees("placed", "red-9")
    assert moves(game) == [
        "2 play red-take-two-towers device",
        "2 powers device",
        "3 play red-9 device",
    ]
    assert game.state()["powers"]["N"] == 2


def test_cards_that_differ_by_an_icon_only(client: FlaskClient) -> None:
    game = open_table(client, "power-grab")
    camera = add_camera(game)
    camera.sees("placed", cards={"red-3:U": 0.99, "red-3": 0.009})
    assert game.state()["powers"]["U"] == 2
    assert camera.sees("placed", cards={"red-4:N": 0.6, "red-4": 0.39})["meaning"] == "asked"
    game.move(3, "play", card="red-4")
    assert game.state()["powers"]["N"] == 0
