"""Draw a round: who plays, who sits it out, and who sits where."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from random import Random

from referee.tournaments.model import Tournament
from referee.tournaments.seating import (
    even_out,
    meetings,
    seat_players,
    seating_cost,
    table_sizes,
)
from referee.tournaments.standings import advancing, lot_of, standings

# Polynomials of GF(2^e) that cannot be divided, as bits.
IRREDUCIBLE = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011}
Times = Callable[[int, int], int]


def planned_rounds(tables: int, size: int) -> list[list[list[int]]]:
    """Return rounds without repeated meetings, each a list of tables of places 0 to m·size - 1.

    Empty if there is no such plan for this number of tables.
    """
    field = _field(tables)
    if field is None or tables < size:
        return []
    plus, times = field
    rounds = []
    for r in range(tables):
        seated: list[list[int]] = [[] for _ in range(tables)]
        for column in range(size):
            for row in range(tables):
                seated[plus(row, times(column, r))].append(column * tables + row)
        rounds.append(seated)
    if tables % size == 0:
        places = range(tables * size)
        rounds.append([list(places[i : i + size]) for i in places[::size]])
    return rounds


def _field(m: int) -> tuple[Times, Times] | None:
    """Return plus and times of the field with m elements; None if it is not known here."""
    if m in IRREDUCIBLE:
        return lambda a, b: a ^ b, lambda a, b: _times_of_bits(a, b, m, IRREDUCIBLE[m])
    if _is_prime(m):
        return lambda a, b: (a + b) % m, lambda a, b: a * b % m
    root = isqrt(m)
    if root * root == m and _is_prime(root):
        return _squared_field(root)
    return None


def _squared_field(p: int) -> tuple[Times, Times]:
    """Return plus and times of pairs, where x·x is a number that has no root modulo p."""
    squares = {n * n % p for n in range(p)}
    square = next(n for n in range(p) if n not in squares)

    def plus(a: int, b: int) -> int:
        return (a // p + b // p) % p * p + (a + b) % p

    def times(a: int, b: int) -> int:
        (a1, a0), (b1, b0) = divmod(a, p), divmod(b, p)
        return (a1 * b0 + a0 * b1) % p * p + (a0 * b0 + square * a1 * b1) % p

    return plus, times


def _times_of_bits(a: int, b: int, m: int, polynomial: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & m:
            a ^= polynomial
        b >>= 1
    return product


def _is_prime(m: int) -> bool:
    return m > 1 and all(m % n for n in range(2, isqrt(m) + 1))


def filled(plan: Sequence[Sequence[int]], cells: Sequence[int | None]) -> list[list[int]]:
    """Return a planned round with the players in its places; places may be empty."""
    return [
        [player for place in table if place < len(cells) and (player := cells[place]) is not None]
        for table in plan
    ]


# Another meeting is worse than all differences of rank together: those of 200 players at tables of
# ten come to less than 900 pairs · 200².
MEETING = 10**9


@dataclass(frozen=True, slots=True)
class Draw:
    """The tables of a round, players by seat, and those who sit it out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


def draw_round(state: Tournament) -> Draw:
    """Draw the next round; the same tournament always gives the same draw.

    It has no table if too few players take part. Seat 1 goes to whoever has had it least often.
    """
    settings = state.settings
    players = candidates(state)
    fewest = settings.smallest_table
    if settings.format == "knockout" and len(players) <= settings.table_size:
        fewest = 2  # a final is played by whoever is left
    sizes, byes = table_sizes(len(players), settings.table_size, fewest)
    if not sizes:
        return Draw((), ())
    random = Random(f"{settings.seed}:{len(state.rounds) + 1}")  # noqa: S311 - a lot, not a secret
    out = _sitting_out(state, players, byes, random)
    playing = [player for player in players if player not in out]
    tables = _seated(state, playing, sizes, random)
    first = Counter(table.players[0] for past in state.rounds for table in past.tables)
    for seats in tables:
        random.shuffle(seats)
        seats.sort(key=lambda player: first[player])
    return Draw(tuple(tuple(seats) for seats in tables), tuple(sorted(out)))


def candidates(state: Tournament) -> list[int]:
    """Return who may play the next round: those who are in, and in a knockout have got through."""
    players = [player.number for player in state.players.values() if player.status == "in"]
    if state.settings.format == "knockout" and state.present is not None:
        through = set(advancing(state, state.present))
        return [player for player in players if player in through]
    return players


def sat_out(state: Tournament) -> Counter[int]:
    """Count how often each player has sat out."""
    return Counter(player for each_round in state.rounds for player in each_round.byes)


def met_before(state: Tournament) -> Mapping[tuple[int, int], int]:
    """Count how often each two players have been drawn together; the lower number comes first."""
    return meetings([table.players for each_round in state.rounds for table in each_round.tables])


def _sitting_out(
    state: Tournament, players: Sequence[int], count: int, random: Random
) -> frozenset[int]:
    """Choose who sits out: nobody again before everybody has; then the last of the standings.

    In a knockout sitting out means getting through, so it is the first of the standings. In a free
    tournament, and in the first round, it is drawn by lot.
    """
    often = sat_out(state)
    lots = {player: random.random() for player in players}
    place = {row.player: row.rank for row in standings(state)}
    sign = {"swiss": -1, "knockout": 1, "free": 0}[state.settings.format]
    order = sorted(players, key=lambda p: (often[p], sign * place[p], lots[p]))
    return frozenset(order[:count])


def _seated(
    state: Tournament, players: list[int], sizes: list[int], random: Random
) -> list[list[int]]:
    random.shuffle(players)
    by_points = state.settings.format != "free"
    points = {row.player: row.points for row in standings(state)}
    if by_points and state.settings.format == "swiss":
        players.sort(key=lambda player: -points[player])
    index = {player: i for i, player in enumerate(players)}
    weights = _weights(state, players, points)
    start = _dealt(players, sizes)
    if not by_points:
        planned = _planned(state, index, sizes, weights)
        start = planned or start
    numbered = [[index[player] for player in table] for table in start]
    seating = _searched(numbered, weights, random)
    tables: list[list[int]] = [[] for _ in sizes]
    for i, table in enumerate(seating):
        tables[table].append(players[i])
    # The first table is that of the leaders.
    return sorted(tables, key=lambda table: -sum(points[p] for p in table) / len(table))


def _searched(numbered: list[list[int]], weights: list[list[int]], random: Random) -> list[int]:
    """Return the table of each player: as few meet again as possible, then the nearest by rank.

    Where the search for both leaves repeated meetings, one for those alone comes in between.
    """
    seating = seat_players(numbered, weights, random)
    again = [[weight // MEETING for weight in row] for row in weights]
    left = seating_cost(_grouped(seating, len(numbered)), again)
    if not left:
        return seating
    fewer = seat_players(_grouped(seating, len(numbered)), again, random)
    if seating_cost(_grouped(fewer, len(numbered)), again) == left:
        return seating
    return seat_players(_grouped(fewer, len(numbered)), weights, random)


def _grouped(table_of: Sequence[int], tables: int) -> list[list[int]]:
    grouped: list[list[int]] = [[] for _ in range(tables)]
    for player, table in enumerate(table_of):
        grouped[table].append(player)
    return grouped


def _weights(
    state: Tournament, players: Sequence[int], points: Mapping[int, Fraction]
) -> list[list[int]]:
    """Return how bad each meeting is: repeated ones, and in a Swiss those of unequal ranks.

    Ranks, not points, so that it is the same for points of any size.
    """
    met = met_before(state)
    ranks = [0] * len(players)
    if state.settings.format == "swiss":
        earned = sorted(-points[player] for player in players)
        ranks = [bisect_left(earned, -points[player]) for player in players]
    weights = [[0] * len(players) for _ in players]
    for i, a in enumerate(players):
        for j in range(i):
            b = players[j]
            often = met.get((min(a, b), max(a, b)), 0)
            weight = MEETING * often * often + (ranks[i] - ranks[j]) ** 2
            weights[i][j] = weights[j][i] = weight
    return weights


def _dealt(players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    left = iter(players)
    return [[next(left) for _ in range(size)] for size in sizes]


def _planned(
    state: Tournament, index: Mapping[int, int], sizes: Sequence[int], weights: list[list[int]]
) -> list[list[int]] | None:
    """Return the best round of the plan for this number of tables, if there is a plan."""
    plan = planned_rounds(len(sizes), max(sizes))
    cells = _cells(state, index, len(sizes) * max(sizes))
    best, best_cost = None, 0
    for table_plan in plan:
        numbered = [[index[player] for player in table] for table in filled(table_plan, cells)]
        even = even_out(numbered, weights)
        cost = seating_cost(even, weights)
        if best is None or cost < best_cost:
            best, best_cost = even, cost
    if best is None:
        return None
    players = list(index)
    return [[players[i] for i in table] for table in sorted(best, key=len, reverse=True)]


def _cells(state: Tournament, playing: Mapping[int, int], most: int) -> list[int | None]:
    """Give each player a place in the plan, the same one in every round as far as possible.

    Players who come later take the places of those who have gone.
    """
    first = state.rounds[0].players() if state.rounds else list(playing)
    by_lot = sorted(first, key=lambda player: lot_of(state.settings.seed, player))
    cells: list[int | None] = [player if player in playing else None for player in by_lot]
    later = [player for player in sorted(playing) if player not in by_lot]
    for player in later:
        if None in cells:
            cells[cells.index(None)] = player
        else:
            cells.append(player)
    if len(cells) > most:
        return [player for player in cells if player is not None]
    return cells
