"""The standings: points, then wins, then game points, then the strength of the opponents.

In a knockout the round that a player has reached comes before all that, then the place in it. Who
is left alone has reached one more.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from referee.tournaments.model import Round, SeatedTable, Tournament
from referee.tournaments.scoring import counting, places, players_points

Key = tuple[Fraction | int, ...]


@dataclass(slots=True)
class Standing:
    """A player's standing; ``reached`` is the last round they were in, ``place`` that in it."""

    player: int
    rank: int = 0
    points: Fraction = Fraction(0)
    wins: int = 0
    game_points: int = 0
    opponents: Fraction = Fraction(0)
    played: int = 0
    byes: int = 0
    reached: int = 0
    place: int = 1
    met: list[int] = field(default_factory=list)


def standings(state: Tournament, upto: int | None = None) -> list[Standing]:
    """Return the standings, the best first, after the first ``upto`` rounds or after all."""
    rows = _rows(state, state.rounds[:upto])
    alone = left_alone(state) if upto is None else None
    for row in rows:
        row.reached += row.player == alone
    ordered = sorted(rows, key=lambda row: (_key(state, row), row.player))
    for place, row in enumerate(ordered, 1):
        before = ordered[place - 2] if place > 1 else None
        same = before is not None and _key(state, before) == _key(state, row)
        row.rank = before.rank if before is not None and same else place
    return ordered


def _rows(state: Tournament, rounds: Sequence[Round]) -> list[Standing]:
    rows = {number: Standing(number) for number in state.players}
    for each_round in rounds:
        for player, points in players_points(each_round, state.settings).items():
            rows[player].points += points
        if each_round.state == "over":
            for player in each_round.byes:
                rows[player].byes += 1
        for player in each_round.players() if each_round.started is not None else ():
            rows[player].reached, rows[player].place = each_round.number, 1
        for table, result in counting(each_round):
            place_of = places(result, state.settings.low)
            for seat, player in enumerate(table.players):
                row = rows[player]
                row.played += 1
                row.place = place_of[seat]
                row.wins += place_of[seat] == 1
                row.game_points += result.scores[seat]
                row.met += [other for other in table.players if other != player]
    for row in rows.values():
        if row.met:
            row.opponents = sum((rows[n].points for n in row.met), Fraction(0)) / len(row.met)
    return list(rows.values())


def _key(state: Tournament, row: Standing) -> Key:
    game = row.game_points if state.settings.low else -row.game_points
    got = (-row.reached, row.place) if state.settings.format == "knockout" else ()
    return (*got, -row.points, -row.wins, game, -row.opponents)


def is_final(last: Round) -> bool:
    """Return whether everybody who was left in a knockout was seated at one table."""
    return len(last.tables) == 1 and not last.byes


def survivors(state: Tournament) -> list[int]:
    """Return who may still win a knockout after its newest round."""
    present = state.present
    going = list(state.players) if present is None else advancing(state, present)
    return [player for player in going if state.players[player].status != "out"]


def is_decided(state: Tournament) -> bool:
    """Return whether a knockout's final is played, or nobody is left to play against."""
    present = state.present
    if present is None or present.state != "over":
        return False
    return is_final(present) or len(survivors(state)) < 2


def left_alone(state: Tournament) -> int | None:
    """Return who wins a knockout without a final, for all others have dropped out."""
    present = state.present
    if state.settings.format != "knockout" or present is None:
        return None
    if present.state != "over" or is_final(present):
        return None
    left = survivors(state)
    return left[0] if len(left) == 1 else None


def advancing(state: Tournament, current: Round) -> list[int]:
    """Return who goes on from a round of a knockout: the best of each table, and the byes."""
    going = list(current.byes)
    for table in current.tables:
        going += cut(state, current, table).through
    return going


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on from a table of a knockout; ``lots`` are the equals among whom a lot decided."""

    through: list[int]
    lots: list[int]


def cut(state: Tournament, current: Round, table: SeatedTable) -> Cut:
    """Return who goes on from a table; all but one at most.

    The place decides, then the score, then the standings before the round, then a lot.
    """
    result, low = table.result, state.settings.low
    if result is None or not result.counts:
        return Cut([], [])
    count = min(state.settings.advance, len(table.players) - 1)
    scored = [score if low else -score for score in result.scores]
    key = dict(zip(table.players, zip(places(result, low), scored, strict=True), strict=True))
    order = sorted(table.players, key=lambda player: key[player])
    if key[order[count - 1]] < key[order[count]]:
        return Cut(order[:count], [])
    rank = {row.player: row.rank for row in standings(state, current.number - 1)}
    lot = {player: lot_of(state.settings.seed, player, current.number) for player in table.players}
    order.sort(key=lambda player: (key[player], rank[player], lot[player]))
    last, out = order[count - 1], order[count]
    if (key[last], rank[last]) < (key[out], rank[out]):
        return Cut(order[:count], [])
    equal = [p for p in table.players if (key[p], rank[p]) == (key[last], rank[last])]
    return Cut(order[:count], equal)


def lot_of(seed: str, player: int, round_number: int | None = None) -> bytes:
    """Return a player's lot, for a round or for the whole tournament."""
    drawn = f"{seed}:{player}" if round_number is None else f"{seed}:{round_number}:{player}"
    return hashlib.sha256(drawn.encode()).digest()
