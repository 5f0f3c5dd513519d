"""Points for places, and what decides between equals."""

from fractions import Fraction
from typing import Any

import pytest

from referee.tournaments.draw import Draw
from referee.tournaments.model import Result, Settings
from referee.tournaments.scoring import best_of, places, points_of
from referee.tournaments.standings import standings
from tests.tournaments.evenings import after, open_evening, play


def result(scores: tuple[int, ...], low: bool = False) -> Result:
    return Result(1, scores, best_of(scores, low), "table", "")


def settings(**more: Any) -> Settings:
    return Settings("Club", "classic-108", {}, "score", more.pop("low", False), "seed", **more)


@pytest.mark.parametrize(
    ("scores", "more", "found", "points"),
    [
        ((50, 10, 30, 20), {}, [1, 4, 2, 3], [4, 0, 2, 1]),
        ((50, 50, 30, 20), {}, [1, 1, 3, 4], [3, 3, 1, 0]),
        ((50, 0, 0, 0), {}, [1, 2, 2, 2], [4, 1, 1, 1]),
        ((50, 50, 30, 20), {"ties": "best"}, [1, 1, 3, 4], [4, 4, 1, 0]),
        ((9, 8, 7), {}, [1, 2, 3], [4, 2, 1]),
        ((5, 4, 3, 2, 1), {}, [1, 2, 3, 4, 5], [4, 2, 1, 0, 0]),
        ((50, 10, 30, 20), {"low": True}, [4, 1, 3, 2], [0, 4, 1, 2]),
        ((50, 10, 30, 20), {"points": "game"}, [1, 4, 2, 3], [50, 10, 30, 20]),
    ],
)
def test_points_for_places(
    scores: tuple[int, ...], more: dict[str, Any], found: list[int], points: list[int]
) -> None:
    how = settings(**more)
    one = result(scores, how.low)
    assert places(one, how.low) == found
    assert points_of(one, how) == points


def test_thirds_are_exact() -> None:
    shared = points_of(result((0, 7, 7, 7)), settings(placing=(4, 2, 1)))
    assert shared == [0, *[Fraction(7, 3)] * 3]


def test_a_game_that_only_names_a_winner() -> None:
    one = Result(1, (0, 0, 0), (2,), "table", "")
    assert places(one, False) == [2, 1, 2]


def test_what_decides_between_equals() -> None:
    state = open_evening(8, placing=[2, 1, 0], table_size=2)
    first = Draw(((1, 2), (3, 4), (5, 6), (7, 8)), ())
    state = play(state, first, [(9, 0), (9, 0), (5, 5), (8, 0)])
    rows = {row.player: row for row in standings(state)}
    # Points first; 1 and 3 won by the same score against equals and share the first rank.
    assert [(row.player, row.rank) for row in standings(state)] == [
        *((1, 1), (3, 1), (7, 3), (5, 4), (6, 4)),
        *((2, 6), (4, 6), (8, 6)),
    ]
    assert (rows[5].points, rows[5].wins, rows[5].game_points) == (Fraction(3, 2), 1, 5)
    assert rows[2].opponents == 2


def test_a_bye_is_worth_the_mean_and_counts_when_the_round_is_over() -> None:
    state = open_evening(5, table_size=4, smallest_table=4)
    state = after(state, "round-drawn", round=1, tables=[[1, 2, 3, 4]], byes=[5], manual=False)
    state = after(state, "round-started", round=1, tables=["a"], minutes=None)
    got = {row.player: row.points for row in standings(state)}
    assert got[5] == 0
    place = {"round": 1, "table": 1}
    state = after(
        state, "result-reported", **place, scores=[4, 3, 2, 1], winners=[1], source="organiser"
    )
    state = after(state, "result-confirmed", **place, seats=[], decided=True)
    got = {row.player: row.points for row in standings(state)}
    assert got[5] == Fraction(7, 4)
