"""The first card turned up opens a round."""

import pytest
from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera, end_round, moves, options, question
from tests.api.conftest import Seat, open_table


def test_the_card_turned_up_opens_the_round_once_the_dealer_is_known(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    assert camera.sees("placed", "red-7")["meaning"] == "asked"
    assert question(game)["text"] == "Which card opens the round, and who deals?"
    assert [option["dealer"] for option in question(game)["options"][:3]] == [1, 2, 3]
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 2})
    table = game.get().get_json()
    assert (table["round"], table["dealer"], table["state"]["turn"]) == (1, 2, 3)
    camera.sees("placed", "red-3")
    assert moves(game) == ["3 play red-3 device"]


def test_who_has_drawn_for_the_deal_is_known(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    cards = ("red-3", "red-9", "red-5")
    draws = [{"seat": seat, "card": card} for seat, card in enumerate(cards, 1)]
    game.post("/deal-draws", {"draws": draws})
    assert camera.sees("placed", "blue-7")["meaning"] == "settled"
    assert game.get().get_json()["dealer"] == 2


def test_a_wild_draw_four_does_not_stay_on_top(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    assert camera.sees("placed", "wild-draw-four")["meaning"] == "waiting"
    camera.sees("cleared")
    camera.sees("placed", "red-7")
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["top"] == "red-7"
    assert game.get().get_json()["camera"]["sees"] == "red-7"


def test_cards_that_are_ignored_at_the_opening_lie_below(client: FlaskClient) -> None:
    game = open_table(client, "moomin", opening=None)
    camera = add_camera(game)
    for card in ("red-skip", "wild", "red-7"):
        camera.sees("placed", card)
    game.post(f"/questions/{question(game)['id']}/answers", {"option": 1})
    assert game.state()["discard_pile"] == 3


def test_an_opening_by_phone_and_the_card_are_one(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert camera.sees("placed", "red-7")["meaning"] == "agrees"
    assert game.state()["turn"] == 2
    game = open_table(client, opening=None)
    camera = add_camera(game)
    camera.sees("placed", "red-7")
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert game.get("/questions").get_json()["items"] == []
    assert game.get().get_json()["camera"]["waiting"] == []
    camera.sees("placed", "red-8")
    assert moves(game) == ["2 play red-8 device"]


@pytest.mark.parametrize("event", ["placed", "found"])
@pytest.mark.parametrize("before", [[], ["red-8"]])
def test_an_opening_by_phone_that_was_seen_before_takes_no_later_card(
    client: FlaskClient, event: str, before: list[str]
) -> None:
    """The opening has been seen: an equal card is another one, at once and later."""
    game = open_table(client, opening=None)
    camera = add_camera(game)
    camera.sees(event, "red-7")
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    for card in (*before, "red-7"):
        assert camera.sees("placed", card)["meaning"] == "settled"
    laid = enumerate((*before, "red-7"), 2)
    assert moves(game) == [f"{seat} play {card} device" for seat, card in laid]


def test_an_opening_by_phone_other_than_the_card_seen_is_told_apart(client: FlaskClient) -> None:
    game = open_table(client, opening=None)
    camera = add_camera(game)
    camera.sees("found", "blue-9")
    game.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert game.get().get_json()["camera"]["sees"] != "red-7"


def test_another_card_turned_up_instead(game: Seat, camera: Camera) -> None:
    camera.sees("cleared")
    assert camera.sees("placed", "red-5")["meaning"] == "asked"
    number = options(game).index("opening red-5") + 1
    game.post(f"/questions/{question(game)['id']}/answers", {"option": number})
    assert (game.state()["top"], game.get().get_json()["round"]) == ("red-5", 1)


def test_the_next_round_opens_by_itself(game: Seat, camera: Camera) -> None:
    end_round(game, camera)
    assert camera.sees("placed", "blue-1")["meaning"] == "idle"
    game.move(1, "reveal", hand=["blue-1"])
    game.move(3, "reveal", hand=["blue-2"])
    assert camera.sees("placed", "blue-3")["meaning"] == "idle"
    camera.sees("cleared")
    assert camera.sees("placed", "blue-5")["meaning"] == "settled"
    table = game.get().get_json()
    assert (table["round"], table["dealer"], table["state"]["turn"]) == (2, 2, 3)


def test_a_custom_card_that_was_agreed_on_opens_the_first_round(client: FlaskClient) -> None:
    game = open_table(client, "classic-112", opening=None)
    proposal = {"card": {"text": "Sing.", "effects": []}}
    card = game.seats[2].post("/custom-cards", proposal).get_json()["card_id"]
    camera = add_camera(game)
    assert camera.sees("placed", "wild-custom-1")["meaning"] == "asked"
    assert question(game)["options"][0]["card"] == "wild-custom-1"
    said = {"card": "wild-custom-1"}
    path = f"/questions/{question(game)['id']}/answers"
    # Not all have agreed on it yet.
    assert game.post(path, said).status_code == 409
    for seat in (1, 3):
        game.seats[seat].post(f"/custom-cards/{card}/approvals", {})
    assert game.post(path, {"option": 1}).status_code == 201
    table = game.get().get_json()
    assert (table["round"], table["dealer"], table["state"]["top"]) == (1, 1, "wild-custom-1")
