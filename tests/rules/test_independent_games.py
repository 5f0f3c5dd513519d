"""The engine rules as an independent referee does, on every move of whole games."""

from referee.rules.record import parse_record, replay
from tests.rules.independent_games import independent_games

MOVES = 9_000


def test_every_ruling_is_that_of_an_independent_referee() -> None:
    moves = 0
    for name, record in independent_games().items():
        for step in replay(parse_record(record)):
            moves += step.action is not None
            assert not step.mismatches, f"{name}, round {step.round}, move {step.move}"
    assert moves > MOVES
