"""House rules at a table with a camera: jump-ins, stacks, hands that move."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.camera import Camera, add_camera, moves, options, question
from tests.api.conftest import Seat, open_table

SIDES = {1: 10.0, 2: 130.0, 3: 250.0, 4: 310.0}
SWINGS: Iterator[float] = (9.0 * (number % 2) for number in count())
# Two rounds of the table, Bo first.
LAID = ("red-3", "red-8", "red-9", "red-5", "red-1", "red-2")


def table(client: FlaskClient, *, known: bool = False, **rules: Any) -> tuple[Seat, Camera]:
    """A table with these house rules; ``known``: everybody has laid two cards."""
    game = open_table(client, **rules)
    camera = add_camera(game)
    if known:
        for number, card in enumerate(LAID):
            assert lay(camera, (number + 1) % 3 + 1, card) == "settled"
    return game, camera


def lay(camera: Camera, seat: int, card: str) -> str:
    """Lay a card from the seat's side; return what it meant."""
    return str(camera.sees("placed", card, arm=SIDES[seat] + next(SWINGS))["meaning"])


def answer(game: Seat, option: str) -> None:
    """Let the host choose an option of the only question."""
    number = options(game).index(option) + 1
    game.create(f"/questions/{question(game)['id']}/answers", {"option": number})


def texts(game: Seat) -> list[str]:
    return [question(game)["text"], *(option["text"] for option in question(game)["options"])]


# house.jump-in


def test_a_jump_in_is_no_matter_of_whose_turn_it_was(client: FlaskClient) -> None:
    game, camera = table(client, known=True, jump_in="on")
    lay(camera, 3, "red-2")
    lay(camera, 1, "red-7")
    # Bo had drawn long before, and nobody entered it.
    change = {"kind": "insert", "move": 4, "inserted": {"seat": 2, "move": "draw"}}
    assert game.post("/corrections", change).status_code == 201
    seats = [move.partition(" device")[0] for move in moves(game)][-2:]
    assert seats == ["3 play red-2", "1 play red-7"]


def test_the_table_is_asked_who_laid_it_where_sides_are_not_known(client: FlaskClient) -> None:
    game, camera = table(client, jump_in="on")
    assert camera.sees("placed", "red-7")["meaning"] == "asked"
    assert options(game) == [f"play {seat} play red-7" for seat in (2, 1, 3)] + ["nothing"]
    assert texts(game) == [
        "Who laid the red 7?",
        "Bo plays a red 7.",
        "Ann jumps in. Ann plays a red 7.",
        "Cy jumps in. Cy plays a red 7.",
        "Nothing was laid.",
    ]
    answer(game, "play 3 play red-7")
    assert moves(game) == ["3 play red-7 host"]
    assert game.state()["turn"] == 1


def test_everybody_at_a_large_table_is_offered(client: FlaskClient) -> None:
    names = ("Ann", "Bo", "Cy", "Di", "Eli", "Fay", "Gus")
    game, camera = table(client, names=names, jump_in="on")
    camera.sees("placed", cards={"red-7": 0.93, "red-1": 0.06})
    offered = options(game)
    assert [one for one in offered if one.endswith("play red-7")] == [
        f"play {seat} play red-7" for seat in (2, 1, 3, 4, 5, 6, 7)
    ]


def test_a_jump_in_is_presumed_of_nobody(client: FlaskClient) -> None:
    game, camera = table(client, jump_in="on")
    for card in ("red-7", "red-3", "red-8"):
        camera.sees("placed", card)
    # Unanswered: the game goes on as whose turn it was, which breaks no rule.
    assert moves(game)[0] == "2 play red-7 device"
    assert all("turn.order" not in move for move in moves(game))


# house.stacking


def test_a_stack_is_followed_card_by_card(client: FlaskClient) -> None:
    game, camera = table(client, known=True, stacking="any")
    for seat, card in ((2, "red-draw-two"), (3, "blue-draw-two"), (1, "wild-draw-four")):
        assert lay(camera, seat, card) == "settled"
    game.move(1, "color", color="green")
    state = game.state()
    assert (state["turn"], state["stack"]) == (2, 8)
    # Bo draws them and says nothing; Cy plays on.
    assert lay(camera, 3, "green-4") == "settled"
    assert moves(game)[-2:] == ["2 accept device", "3 play green-4 device"]
    assert game.state()["hands"] == [4, 12, 3]


def test_the_table_is_asked_whether_it_stacks(client: FlaskClient) -> None:
    game, camera = table(client, stacking="same")
    camera.sees("placed", "red-draw-two")
    assert camera.sees("placed", "blue-draw-two")["meaning"] == "asked"
    assert texts(game)[:3] == [
        "Who laid the blue draw two?",
        "Cy plays a blue draw two.",
        "Cy draws 2 cards. Ann plays a blue draw two.",
    ]
    answer(game, "play 3 play blue-draw-two")
    assert (game.state()["turn"], game.state()["stack"]) == (1, 4)
    # The whole sum is said, too.
    camera.sees("placed", "red-draw-two")
    assert "Ann draws 4 cards. Bo plays a red draw two." in texts(game)


# house.seven, house.zero


def test_the_table_is_asked_with_whom_hands_were_swapped(client: FlaskClient) -> None:
    game, camera = table(client, seven_zero="on")
    game.count_hands(2, 1)
    camera.sees("placed", "red-7")
    assert camera.sees("placed", "red-3")["meaning"] == "asked"
    assert texts(game)[:3] == [
        "With whom did Bo swap hands?",
        "Bo and Ann swap hands. Cy plays a red 3.",
        "Bo and Cy swap hands. Cy plays a red 3.",
    ]
    # It is Bo's to say, and it is never guessed.
    assert question(game)["options"][0]["may_answer"] == [2]
    for card in ("red-4", "red-5"):
        assert camera.sees("placed", card)["meaning"] == "waiting"
    game.seats[2].post(f"/questions/{question(game)['id']}/answers", {"option": 2})
    assert [move[:6] for move in moves(game)] == ["2 play", "2 swap", "3 play", "1 play", "2 play"]
    assert game.state()["hands"] == [1, 6, 5]


def test_the_swap_said_by_phone_lets_the_next_card_in(client: FlaskClient) -> None:
    game, camera = table(client, seven_zero="on")
    camera.sees("placed", "red-7")
    camera.sees("placed", "red-3")
    game.move(2, "swap", **{"with": 1})
    assert moves(game)[-1] == "3 play red-3 device"
    assert game.state()["hands"] == [6, 7, 6]


def test_two_players_swap_with_each_other(client: FlaskClient) -> None:
    game, camera = table(client, names=("Ann", "Bo"), seven_zero="on")
    game.count_hands(2, 1)
    camera.sees("placed", "red-7")
    assert camera.sees("placed", "red-3")["meaning"] == "settled"
    assert game.state()["hands"] == [5, 2]


def test_players_stay_where_they_sit_when_hands_move(client: FlaskClient) -> None:
    game, camera = table(client, known=True, seven_zero="on")
    lay(camera, 2, "red-7")
    game.move(2, "swap", **{"with": 1})
    lay(camera, 3, "red-0")
    # Two hands have moved, and each card is still that of whoever reached in.
    for seat, card in ((1, "red-6"), (2, "red-4"), (3, "red-6")):
        assert lay(camera, seat, card) == "settled"
    assert moves(game)[-3:] == [
        "1 play red-6 device",
        "2 play red-4 device",
        "3 play red-6 device",
    ]
    assert lay(camera, 3, "red-8") == "asked"


def test_a_swap_is_undone_with_its_seven(client: FlaskClient) -> None:
    game, camera = table(client, seven_zero="on", opening=("red-1",))
    game.count_hands(2, 1)
    camera.sees("placed", "red-7")
    game.move(2, "swap", **{"with": 1})
    assert game.state()["hands"] == [6, 2, 7]
    assert camera.sees("lifted", "red-1")["meaning"] == "taken-back"
    assert game.state()["hands"] == [2, 7, 7]


# house.draw-until


@pytest.mark.parametrize(("rules", "asked"), [({}, False), ({"draw_until": "playable"}, True)])
def test_who_draws_until_a_card_fits_hardly_keeps_it(
    client: FlaskClient, rules: Any, asked: bool
) -> None:
    game, camera = table(client, known=True, **rules)
    game.move(2, "draw")
    assert lay(camera, 3, "red-7") == ("asked" if asked else "settled")
