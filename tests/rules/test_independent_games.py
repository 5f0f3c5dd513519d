"""The engine rules as an independent referee does, on every move of whole games."""

from referee.rules.records.record import Mismatch, parse_record, replay
from tests.rules.independent_games import independent_games

MOVES = 9_000
# Rulings that are younger than those games decide otherwise here: R56, whenever in a turn UNO is
# called, and R57, what a gift explains. What follows in such a game is another game.
YOUNGER = {
    ("g-2001-0012-moomin.json", 2, 32): Mismatch("uno", [], [1]),
    ("g-2001-0026-classic-112.json", 5, 43): Mismatch("uno", [], [7]),
    ("g-2002-0003-power-grab.json", 4, 44): Mismatch("uno", [], [2]),
    ("g-2002-0019-color-powers.json", 2, 109): Mismatch(
        "evidence", [], [{"seat": 6, "move": 70, "rule": "card.wild-draw-four"}]
    ),
}


def test_every_ruling_is_that_of_an_independent_referee() -> None:
    moves, otherwise = 0, {}
    for name, record in independent_games().items():
        for step in replay(parse_record(record)):
            moves += step.action is not None
            if step.mismatches:
                (otherwise[name, step.round, step.move],) = step.mismatches
                break
    assert otherwise == YOUNGER
    assert moves > MOVES
