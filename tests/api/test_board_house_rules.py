"""Towers on a sensor board at a table with house rules."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.camera import add_camera, moves
from tests.api.conftest import Seat, open_table
from tests.api.test_devices import IN_THE_TRAY, Board, add_board, wrong


def table(client: FlaskClient, **rules: Any) -> tuple[Seat, Board]:
    """Power Grab with these house rules; Ann dealt and Bo begins on a red 7."""
    game = open_table(client, "power-grab", **rules)
    board = add_board(game)
    board.sees(IN_THE_TRAY)
    return game, board


def give_n_to_cy(game: Seat, board: Board) -> None:
    game.move(2, "play", card="red-3")
    game.move(3, "play", card="red-4:N")
    board.sees({"N": 3})
    assert wrong(game) == {}


@pytest.mark.parametrize(("last", "hit"), [("red-draw-two", False), ("wild-draw-four", True)])
def test_a_tower_keeps_off_the_stack_whose_last_card_it_stops(
    client: FlaskClient, last: str, hit: bool
) -> None:
    game, board = table(client, stacking="any", wild_draw_four="free")
    camera = add_camera(game)
    give_n_to_cy(game, board)
    game.move(1, "play", card="red-draw-one")
    game.move(2, "play", card=last, **({"color": "red"} if hit else {}))
    state = game.state()
    assert (state["turn"], state["stack"]) == (3, 5 if hit else 0)
    # The camera sees all three, and then Cy's own card or, after the draw, Ann's.
    for card in ("red-3", "red-4:N", "red-draw-one", last):
        assert camera.sees("placed", card)["meaning"] == "agrees"
    assert camera.sees("placed", "red-9")["meaning"] == "settled"
    told = ["3 accept device", "1 play red-9 device"] if hit else ["3 play red-9 device"]
    assert moves(game)[-len(told) :] == told
    assert wrong(game) == {}


@pytest.mark.parametrize("card", ["red-7", "red-0"])
def test_towers_stay_with_the_players_when_hands_move(client: FlaskClient, card: str) -> None:
    game, board = table(client, seven_zero="on", opening=("red-1",))
    give_n_to_cy(game, board)
    game.move(1, "play", card=card)
    if card == "red-7":
        game.move(1, "swap", **{"with": 3})
    assert game.state()["powers"]["N"] == 3
    assert wrong(game) == {}
    assert board.sees({"N": 3})["meaning"] == "agrees"


def test_who_jumps_in_takes_the_tower_of_the_icon(client: FlaskClient) -> None:
    game, board = table(client, jump_in="on")
    game.move(2, "play", card="red-3")
    game.move(1, "play", card="red-3:U")
    assert wrong(game) == {"U": ("to-move", 0, 1)}
    assert board.sees({"U": 1})["meaning"] == "agrees"
    assert wrong(game) == {}
