"""Draws of whole evenings: how long the slowest takes, and how often players meet again."""

import time

from bench.report import ResultTable
from referee.tournaments.draw import draw_round
from tests.tournaments.evenings import open_evening, play, repeats

# Players, players at a table, rounds, format.
EVENINGS = (
    *((16, 4, 5, "free"), (32, 4, 9, "free"), (24, 4, 6, "free"), (200, 4, 6, "free")),
    *((16, 4, 4, "swiss"), (32, 4, 6, "swiss"), (33, 4, 6, "swiss"), (200, 4, 6, "swiss")),
    *((200, 2, 6, "swiss"), (200, 10, 4, "swiss")),
)


def run() -> list[ResultTable]:
    """Draw each evening."""
    table = ResultTable(
        "Draws of a club evening",
        ("format", "players", "at a table", "rounds", "meetings again, by round", "slowest, s"),
    )
    for players, size, rounds, form in EVENINGS:
        state, again, slowest = open_evening(players, table_size=size, format=form), [], 0.0
        for _ in range(rounds):
            began = time.perf_counter()
            drawn = draw_round(state)
            slowest = max(slowest, time.perf_counter() - began)
            again.append(str(repeats(state, drawn)))
            state = play(state, drawn)
        table.rows.append((form, players, size, rounds, " ".join(again), slowest))
    return [table]
