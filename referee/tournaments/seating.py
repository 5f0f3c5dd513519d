"""Seat players at tables so that as few as possible meet again: a tabu search over swaps.

Known as the social golfer problem. The work is bounded by counting, not by time, so that the same
input always gives the same seating.
"""

from collections.abc import Mapping, Sequence
from math import ceil
from random import Random

Weights = Sequence[Sequence[int]]
# Swaps that are weighed at most: a second or less for 200 players.
MOST_WEIGHED = 250_000
# Rounds of swaps for which a player who has moved stays.
SHORTEST_STAY, LONGEST_STAY = 2, 9
MOVERS = 12


def table_sizes(players: int, most: int, fewest: int) -> tuple[list[int], int]:
    """Return the sizes of the tables, which differ by one at most, and how many sit out.

    As few as possible sit out: only those without whom no table has fewer than ``fewest``.
    """
    for byes in range(players):
        tables = ceil((players - byes) / most)
        least, larger = divmod(players - byes, tables)
        if least >= fewest:
            return [least + 1] * larger + [least] * (tables - larger), byes
    return [], players


def seat_players(start: Sequence[Sequence[int]], weights: Weights, random: Random) -> list[int]:
    """Improve a seating by swaps; return the table of each player.

    Players are numbered from 0. ``start`` lists the players of each table, and ``weights`` says how
    bad it is that two meet.
    """
    search = _Search(start, weights)
    left, best, best_cost = MOST_WEIGHED, list(search.table), search.cost
    stays = [0] * len(weights)
    turn = 0
    while best_cost and left > 0:
        turn += 1
        swap, weighed = search.best_swap(random, stays, turn, best_cost)
        left -= weighed
        if swap is None:
            continue
        search.swap(*swap)
        for player in swap:
            stays[player] = turn + random.randint(SHORTEST_STAY, LONGEST_STAY)
        if search.cost < best_cost:
            best, best_cost = list(search.table), search.cost
    return best


def seating_cost(tables: Sequence[Sequence[int]], weights: Weights) -> int:
    """Return the sum of the weights of all pairs that sit together."""
    return sum(weights[a][b] for table in tables for a in table for b in table if a < b)


def even_out(tables: Sequence[Sequence[int]], weights: Weights) -> list[list[int]]:
    """Move players from large tables to small ones until sizes differ by one at most."""
    seated = [list(table) for table in tables]
    while True:
        large, small = max(seated, key=len), min(seated, key=len)
        if len(large) - len(small) <= 1:
            return seated
        moved = min(large, key=lambda p: sum(weights[p][q] for q in small))
        large.remove(moved)
        small.append(moved)


class _Search:
    """A seating in the making; ``near[p][t]`` is what p would cost at table t, p not counted."""

    def __init__(self, start: Sequence[Sequence[int]], weights: Weights) -> None:
        self._weights = weights
        self.table = [0] * len(weights)
        for number, players in enumerate(start):
            for player in players:
                self.table[player] = number
        self._near = [[sum(row[q] for q in players) for players in start] for row in weights]
        self.cost = sum(near[t] for near, t in zip(self._near, self.table, strict=True)) // 2

    def best_swap(
        self, random: Random, stays: Sequence[int], turn: int, best: int
    ) -> tuple[tuple[int, int] | None, int]:
        """Return the best swap among the worst seated players, and how many swaps were weighed.

        A player who has just moved stays, unless the swap gives the best seating so far.
        """
        table, near = self.table, self._near
        bad = [p for p, t in enumerate(table) if near[p][t]]
        if len(bad) > MOVERS:
            bad = random.sample(bad, MOVERS)
        swap, swap_gain, weighed = None, None, 0
        for p in bad:
            own, row, weights_of_p = table[p], near[p], self._weights[p]
            stay = row[own]
            waits = stays[p] > turn
            for q, other in enumerate(table):
                if other == own:
                    continue
                gain = row[other] - stay + near[q][own] - near[q][other] - 2 * weights_of_p[q]
                if swap_gain is not None and gain >= swap_gain:
                    continue
                if (waits or stays[q] > turn) and self.cost + gain >= best:
                    continue
                swap, swap_gain = (p, q), gain
            weighed += len(table)
        return swap, weighed or 1

    def swap(self, p: int, q: int) -> None:
        """Let two players change places."""
        a, b = self.table[p], self.table[q]
        near, weights = self._near, self._weights
        twice = 2 * weights[p][q]
        self.cost += near[p][b] - near[p][a] + near[q][a] - near[q][b] - twice
        for row, of_p, of_q in zip(near, weights[p], weights[q], strict=True):
            row[a] += of_q - of_p
            row[b] += of_p - of_q
        self.table[p], self.table[q] = b, a


def meetings(tables: Sequence[Sequence[int]]) -> Mapping[tuple[int, int], int]:
    """Count how often each two players have sat together; the lower number comes first."""
    met: dict[tuple[int, int], int] = {}
    for table in tables:
        for a in table:
            for b in table:
                if a < b:
                    met[a, b] = met.get((a, b), 0) + 1
    return met
