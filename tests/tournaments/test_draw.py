"""Draws: who meets whom, who sits out, and whether they are the same every time."""

from collections import Counter
from typing import Any

import pytest

from referee.tournaments.draw import Draw, candidates, draw_round, planned_rounds, sat_out
from referee.tournaments.seating import table_sizes
from referee.tournaments.standings import cut, is_decided, standings
from tests.tournaments.evenings import after, open_evening, play, repeats, whole_evening


@pytest.mark.parametrize(
    ("players", "most", "fewest", "sizes", "byes"),
    [
        (32, 4, 2, [4] * 8, 0),
        (33, 4, 2, [4] * 6 + [3] * 3, 0),
        (33, 4, 4, [4] * 8, 1),
        (5, 4, 2, [3, 2], 0),
        (5, 2, 2, [2, 2], 1),
        (7, 10, 2, [7], 0),
        (1, 4, 2, [], 1),
        (0, 4, 2, [], 0),
    ],
)
def test_tables_differ_by_one_at_most(
    players: int, most: int, fewest: int, sizes: list[int], byes: int
) -> None:
    assert table_sizes(players, most, fewest) == (sizes, byes)


@pytest.mark.parametrize(
    ("rounds", "players", "settings"),
    [
        # As many rounds as there are without a repeated meeting (16), or one fewer (32).
        (5, 16, {"format": "free"}),
        (9, 32, {"format": "free"}),
        (8, 30, {"format": "free"}),
        (9, 36, {"format": "free"}),
        (7, 21, {"format": "free", "table_size": 3}),
        (5, 24, {"format": "free"}),
        (6, 32, {"format": "swiss"}),
        (6, 33, {"format": "swiss"}),
        (5, 5, {"format": "swiss", "table_size": 2}),
        (3, 200, {"format": "swiss"}),
        # Points of any size weigh less than another meeting.
        (5, 32, {"points": "game"}),
        (5, 31, {"points": "game", "seed": "other"}),
        (5, 32, {"placing": [1000, 500, 250, 0]}),
    ],
)
def test_nobody_meets_twice(rounds: int, players: int, settings: dict[str, Any]) -> None:
    assert whole_evening(rounds, players, **settings) == [0] * rounds


@pytest.mark.parametrize(("tables", "size"), [(4, 4), (8, 4), (9, 3), (5, 5), (16, 4)])
def test_planned_rounds_seat_everybody_once(tables: int, size: int) -> None:
    for one in planned_rounds(tables, size):
        assert [len(table) for table in one] == [size] * tables
        assert sorted(place for table in one for place in table) == list(range(tables * size))


def test_a_swiss_seats_equals_together() -> None:
    state = open_evening(16)
    state = play(state, draw_round(state))
    points = {row.player: row.points for row in standings(state)}
    second = draw_round(state)
    assert repeats(state, second) == 0
    spread = [
        max(points[p] for p in table) - min(points[p] for p in table) for table in second.tables
    ]
    assert spread == [0, 0, 0, 0]
    assert [points[one[0]] for one in second.tables] == [4, 2, 1, 0]


def test_the_same_tournament_gives_the_same_draw() -> None:
    state = open_evening(30)
    state = play(state, draw_round(state))
    assert draw_round(state) == draw_round(state)
    assert draw_round(open_evening(30, seed="other")) != draw_round(open_evening(30))


@pytest.mark.parametrize("form", ["swiss", "free"])
def test_nobody_sits_out_twice_before_everybody_has(form: str) -> None:
    state = open_evening(9, table_size=4, smallest_table=4, format=form)
    for number in range(1, 11):
        state = play(state, draw_round(state))
        often = Counter(dict.fromkeys(state.players, 0)) + sat_out(state)
        assert sum(often.values()) == number
        assert max(often.values()) - min(often[p] for p in state.players) <= 1


def test_who_comes_late_and_who_goes_in_a_free_tournament() -> None:
    state = open_evening(32, format="free")
    for number in range(6):
        drawn = draw_round(state)
        assert repeats(state, drawn) == 0, number
        state = play(state, drawn)
        state = after(state, "players-joined", players=[f"Late {number}"])
        state = after(state, "player-changed", player=number + 1, change={"status": "out"})
    playing = {player for table in draw_round(state).tables for player in table}
    assert playing == set(range(7, 39))


def test_the_best_of_each_table_go_on_in_a_knockout() -> None:
    state = open_evening(32, format="knockout")
    left = []
    while not state.present or len(state.present.tables) > 1:
        state = play(state, draw_round(state))
        left.append(len(candidates(state)))
    assert left == [16, 8, 4, 2]
    final = state.rounds[-1].tables[0]
    champion = final.players[final.result.winners[0] - 1]
    assert standings(state)[0].player == champion


@pytest.mark.parametrize(
    ("players", "settings", "tables"),
    [
        # The bye of the second round plays the final, and does not win without it.
        (6, {"table_size": 3, "smallest_table": 3}, [[3, 3], [3], [3]]),
        # A final may be smaller than other tables.
        (12, {"advance": 1, "smallest_table": 4}, [[4, 4, 4], [3]]),
        (27, {"advance": 1, "smallest_table": 4}, [[4] * 6, [4, 4], [3]]),
        (24, {"advance": 1, "smallest_table": 3}, [[4] * 6, [3, 3], [2]]),
        (12, {"advance": 3}, [[4, 4, 4], [3, 3, 3], [3, 3], [4]]),
    ],
)
def test_a_knockout_ends_with_all_who_are_left_at_one_table(
    players: int, settings: dict[str, Any], tables: list[list[int]]
) -> None:
    state, found = open_evening(players, format="knockout", **settings), []
    while not is_decided(state):
        drawn = draw_round(state)
        found.append([len(table) for table in drawn.tables])
        state = play(state, drawn)
    assert found == tables
    final = state.rounds[-1].tables[0]
    assert standings(state)[0].player == final.players[final.result.winners[0] - 1]


def test_who_is_left_alone_wins_a_knockout() -> None:
    state = open_evening(8, format="knockout")
    state = play(state, draw_round(state))
    first, *others = [row.player for row in standings(state)][3::-1]
    for player in others[:2]:
        state = after(state, "player-changed", player=player, change={"status": "out"})
    assert [len(table) for table in draw_round(state).tables] == [2]
    assert not is_decided(state)
    state = after(state, "player-changed", player=others[2], change={"status": "out"})
    assert is_decided(state)
    assert standings(state)[0].player == first


def test_what_decides_who_goes_on() -> None:
    state = open_evening(12, format="knockout", advance=2)
    first = Draw(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)), ())
    state = play(state, first, [(9, 5, 5, 5), (7, 7, 7, 7), (0, 1, 2, 3)])
    cuts = [cut(state, state.rounds[0], table) for table in state.rounds[0].tables]
    assert [one.lots for one in cuts] == [[2, 3, 4], [5, 6, 7, 8], []]
    assert cuts[0].through[0] == 1
    assert cuts[2].through == [12, 11]
    assert candidates(state) == sorted(p for one in cuts for p in one.through)
    # With the same score at the table, the rounds before decide.
    one, two = cuts[0].through[1], cuts[1].through[0]
    state = play(state, Draw(((one, two, 12, 11),), ()), [(1, 1, 9, 0)])
    found = cut(state, state.rounds[1], state.rounds[1].tables[0])
    assert (found.through, found.lots) == ([12, two], [])


def test_other_seeds_draw_other_lots() -> None:
    found = set()
    for seed in "abcdefgh":
        state = open_evening(4, format="knockout", advance=1, seed=seed)
        state = play(state, Draw(((1, 2, 3, 4),), ()), [(5, 5, 5, 5)])
        found |= set(cut(state, state.rounds[0], state.rounds[0].tables[0]).through)
    assert len(found) > 1


def test_seat_one_goes_round() -> None:
    state = open_evening(12, format="free")
    for _ in range(4):
        state = play(state, draw_round(state))
    often = Counter(table.players[0] for one in state.rounds for table in one.tables)
    assert max(often.values()) <= 2
    for number, one in enumerate(state.rounds):
        had = Counter(t.players[0] for before in state.rounds[:number] for t in before.tables)
        for table in one.tables:
            assert had[table.players[0]] == min(had[player] for player in table.players)
