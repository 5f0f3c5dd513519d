"""The direction of an arm tells whose card it is, once all seats have been seen."""

import pytest

from tests.api.camera import Camera, moves, options, question, wrong
from tests.api.conftest import Seat

SIDES = {1: 10.0, 2: 130.0, 3: 250.0}
# Two rounds of the table, Bo first.
LAID = ("red-3", "red-8", "red-9", "red-5", "red-1", "red-2")


def lay(camera: Camera, seat: int, card: str) -> str:
    seen = camera.sees("placed", card, arm=SIDES[seat] + 9.0 * (camera.number % 2))
    return str(seen["meaning"])


@pytest.fixture
def known(game: Seat, camera: Camera) -> Camera:
    """The camera after everybody laid two cards; it is Bo's turn again."""
    for number, card in enumerate(LAID):
        assert lay(camera, (number + 1) % 3 + 1, card) == "settled"
    return camera


def test_a_card_laid_out_of_turn_is_noticed(game: Seat, known: Camera) -> None:
    assert lay(known, 1, "red-7") == "asked"
    offered = options(game)
    assert "illegal 1 play red-7" in offered
    said = {"option": offered.index("illegal 1 play red-7") + 1}
    game.post(f"/questions/{question(game)['id']}/answers", said)
    assert moves(game)[-1] == "1 play red-7 host turn.order"
    assert wrong(game) == [("take-back", "red-7", "red-2")]


def test_a_draw_that_nobody_said_is_noticed(game: Seat, known: Camera) -> None:
    assert lay(known, 3, "red-7") == "asked"
    assert options(game)[0] == "play 2 draw 2 pass 3 play red-7"


def test_who_has_said_a_draw_need_not_say_a_pass(game: Seat, known: Camera) -> None:
    game.move(2, "draw")
    assert lay(known, 3, "red-7") == "settled"
    assert moves(game)[-2:] == ["2 pass device", "3 play red-7 device"]


def test_an_equal_card_may_be_of_whose_hand_was_there(game: Seat, known: Camera) -> None:
    unsure = {"readings": ["same", "placed"]}
    # Whose turn it is not has hardly laid another one: the pile was pushed.
    assert known.sees("unsure", "red-2", arm=SIDES[1], **unsure)["meaning"] == "agrees"
    assert known.sees("unsure", "red-2", **unsure)["meaning"] == "agrees"
    assert known.sees("unsure", "red-2", arm=SIDES[2], **unsure)["meaning"] == "asked"
    assert options(game)[:2] == ["nothing", "play 2 play red-2"]


def test_the_top_card_put_back_is_no_play_of_whose_hand_does_it(game: Seat, known: Camera) -> None:
    lay(known, 2, "wild-draw-four")
    game.move(2, "color", color="red")
    game.move(3, "accept")
    known.sees("cleared")
    assert known.sees("placed", "wild-draw-four", arm=SIDES[1])["meaning"] == "agrees"
    assert game.state()["turn"] == 1


def test_one_card_of_everybody_shows_where_they_sit(game: Seat, camera: Camera) -> None:
    for number, card in enumerate(LAID[:3]):
        assert lay(camera, (number + 1) % 3 + 1, card) == "settled"
    assert lay(camera, 1, "red-5") == "asked"
    assert "illegal 1 play red-5" in options(game)


def test_nothing_is_concluded_before_every_seat_is_known(game: Seat, camera: Camera) -> None:
    assert lay(camera, 2, "red-3") == "settled"
    assert lay(camera, 1, "red-8") == "settled"
    assert moves(game)[-1] == "3 play red-8 device"


def test_who_lays_from_everywhere_is_not_known(game: Seat, camera: Camera) -> None:
    for number, card in enumerate(LAID):
        assert camera.sees("placed", card, arm=number // 3 * 150.0)["meaning"] == "settled"
    assert camera.sees("placed", "red-7", arm=SIDES[3])["meaning"] == "settled"
    assert moves(game)[-1] == "2 play red-7 device"


def finish(game: Seat, camera: Camera) -> None:
    """Let whoever is on turn go out, and enter the others' hands."""
    for seat in game.get().get_json()["order"]:
        game.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 1})
    camera.sees("placed", "red-6")
    for need in game.state()["awaiting"]:
        game.move(need["seat"], "reveal", hand=["blue-1"])


def test_who_leaves_is_not_looked_for(game: Seat, known: Camera) -> None:
    game.seats[2].delete("/seats/2")
    assert game.state()["turn"] == 3
    assert lay(known, 3, "red-7") == "settled"
    assert lay(known, 3, "red-4") == "asked"
    assert "illegal 3 play red-4" in options(game)


def test_a_newcomer_is_learnt_and_the_others_stay_known(game: Seat, known: Camera) -> None:
    finish(game, known)
    game.create("/seats", {"name": "Di"})
    known.sees("cleared")
    assert known.sees("placed", "yellow-7")["meaning"] == "settled"
    assert game.state()["turn"] == 3
    # Nothing is concluded before Di's first card, and then a card out of turn is noticed at once.
    assert lay(known, 3, "yellow-1") == "settled"
    assert known.sees("placed", "yellow-2", arm=330.0)["meaning"] == "settled"
    assert moves(game)[-1] == "4 play yellow-2 device"
    assert lay(known, 2, "yellow-3") == "asked"
    assert "illegal 2 play yellow-3" in options(game)


def test_who_change_places_are_learnt_anew(game: Seat, known: Camera) -> None:
    finish(game, known)
    path = f"/api/v1/tables/{game.table}/seating"
    assert game.call("PUT", path, {"order": [1, 3, 2], "dealer": 1}).status_code == 200
    known.sees("cleared")
    assert known.sees("placed", "yellow-7")["meaning"] == "settled"
    assert game.state()["turn"] == 3
    assert lay(known, 2, "yellow-1") == "settled"
    assert moves(game)[-1] == "3 play yellow-1 device"
