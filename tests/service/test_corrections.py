"""Corrections: the game replayed with the change, and the pile as the corrected game has it."""

from typing import Any

import pytest

from referee.rules.actions import Draw, Pass, Play
from referee.rules.engine import new_game
from referee.service.history.corrections import make_correction
from referee.service.log.past_rounds import History, PastMove, PastRound, play_again
from referee.service.reconcile.corrected_pile import correct_pile
from tests.service.situations import BO, laid, watched

START = new_game("classic-108", {}, ["Ann", "Bo", "Cy"])
SEQ = 9


def history() -> History:
    """Bo plays a red 3, Cy a red 5, Ann draws."""
    moves = [PastMove(3, Play(2, "red-3")), PastMove(4, Play(3, "red-5")), PastMove(5, Draw(1))]
    return History(START, [PastRound(1, ("red-7",), moves=moves)])


def corrected(change: dict[str, Any]) -> Any:
    before = list(play_again(history()))[-1].state
    pile = watched(START, laid("red-7", 2, 0), laid("red-3", 3, 2), laid("red-5", 4, 3))
    made = make_correction(before, history(), BO, change, SEQ)
    return made, correct_pile(pile, before, made, change, SEQ)


@pytest.mark.parametrize(
    ("change", "changed", "top", "layers"),
    [
        ({"kind": "undo"}, [], "red-5", [("red-7", "in"), ("red-3", "in"), ("red-5", "in")]),
        (
            {"kind": "undo", "move": 2, "count": 2},
            [],
            "red-3",
            [("red-7", "in"), ("red-3", "in"), ("red-5", "wrong")],
        ),
        (
            {
                "kind": "replace",
                "move": 2,
                "replacement": {"seat": 3, "move": "play", "card": "red-9"},
            },
            [],
            "red-9",
            [("red-7", "in"), ("red-3", "in"), ("red-9", "in")],
        ),
        (
            {
                "kind": "replace",
                "move": 1,
                "replacement": {"seat": 2, "move": "play", "card": "blue-7"},
            },
            [2, 3],
            "blue-7",
            [("red-7", "in"), ("blue-7", "in"), ("red-5", "wrong")],
        ),
    ],
)
def test_the_game_and_the_pile_after_a_correction(
    change: Any, changed: Any, top: str, layers: Any
) -> None:
    made, pile = corrected(change)
    assert made.state.top == top
    assert [one["move"] for one in made.body["changed"]] == changed
    assert [(layer.card, layer.standing) for layer in pile.layers] == layers


def test_a_card_whose_undoing_is_taken_back_is_in_the_game_again() -> None:
    undone, pile = corrected({"kind": "undo", "move": 2, "count": 2})
    assert [layer.standing for layer in pile.layers] == ["in", "in", "wrong"]
    past = history()
    del past.rounds[0].moves[1:]
    past.corrections.append(SEQ)
    change = {"kind": "redo"}
    made = make_correction(undone.state, past, BO, change, SEQ + 1, history())
    pile = correct_pile(pile, undone.state, made, change, SEQ + 1)
    assert [(one.card, one.standing, one.move) for one in pile.layers][2:] == [("red-5", "in", 4)]


def test_a_round_undone_leaves_only_cards_that_wait() -> None:
    past = history()
    past.rounds[0].moves.clear()
    before = list(play_again(past))[-1].state
    made = make_correction(before, past, BO, {"kind": "undo"}, SEQ)
    pile = correct_pile(watched(START, laid("red-7", 2, 0)), before, made, {"kind": "undo"}, SEQ)
    assert (pile.layers, pile.gone) == ((), True)


def test_a_presumed_card_goes_to_whoever_has_the_turn_then() -> None:
    past = history()
    past.rounds[0].moves[:] = [PastMove(3, Play(2, "red-3"), presumed=True)]
    for number, move in enumerate(("draw", "pass"), 1):
        change = {"kind": "insert", "move": number, "inserted": {"seat": 2, "move": move}}
        make_correction(START, past, BO, change, SEQ)
    assert [one.action for one in past.rounds[0].moves] == [Draw(2), Pass(2), Play(3, "red-3")]
