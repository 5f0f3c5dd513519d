"""Evenings without a server: draws, and results that follow from a seed."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

from referee.tournaments.draw import Draw, draw_round, met_before
from referee.tournaments.fold import create, evolve
from referee.tournaments.model import Tournament
from referee.tournaments.scoring import best_of

AT = "2026-11-23T18:00:00+00:00"


def open_evening(players: int, **settings: Any) -> Tournament:
    """A tournament before its first round."""
    chosen = {
        "name": "Club",
        "ruleset": "classic-108",
        "options": {},
        "mode": "score",
        "low": False,
        "seed": "seed",
        "placing": [4, 2, 1, 0],
        **settings,
    }
    names = [f"Player {n}" for n in range(1, players + 1)]
    return create({"by": {"token": "t"}, "settings": chosen, "players": names})


def after(state: Tournament, kind: str, **body: Any) -> Tournament:
    """The tournament after an entry."""
    return evolve(state, 1, kind, AT, body)


def play(state: Tournament, drawn: Draw, scores: Sequence[Sequence[int]] = ()) -> Tournament:
    """The tournament after a round with these results, by default drawn from a seed."""
    number = len(state.rounds) + 1
    random = Random(number)
    state = after(
        state, "round-drawn", round=number, tables=drawn.tables, byes=drawn.byes, manual=False
    )
    ids = [f"table-{n}" for n in range(len(drawn.tables))]
    state = after(state, "round-started", round=number, tables=ids, minutes=None)
    for n, table in enumerate(drawn.tables, 1):
        got = scores[n - 1] if scores else [random.randrange(300) for _ in table]
        place = {"round": number, "table": n}
        winners = best_of(got, state.settings.low)
        state = after(
            state, "result-reported", **place, scores=got, winners=winners, source="organiser"
        )
        state = after(state, "result-confirmed", **place, seats=[], decided=True)
    return state


def repeats(state: Tournament, drawn: Draw) -> int:
    """How many pairs of a draw have met before."""
    met = met_before(state)
    return sum((a, b) in met for table in drawn.tables for a, b in combinations(sorted(table), 2))


def whole_evening(rounds: int, players: int, **settings: Any) -> list[int]:
    """The repeated meetings in each round of an evening."""
    state, found = open_evening(players, **settings), []
    for _ in range(rounds):
        drawn = draw_round(state)
        found.append(repeats(state, drawn))
        state = play(state, drawn)
    return found
