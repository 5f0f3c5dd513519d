"""From a table's result to tournament points."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from referee.tournaments.model import Result, Round, SeatedTable, Settings


def best_of(scores: Sequence[int], low: bool) -> tuple[int, ...]:
    """Return the seats with the best score."""
    best = (min if low else max)(scores)
    return tuple(seat for seat, score in enumerate(scores, 1) if score == best)


def places(result: Result, low: bool) -> list[int]:
    """Return the place of each seat: winners are first, then the better score; equal ones share."""
    keys = [
        (seat not in result.winners, score if low else -score)
        for seat, score in enumerate(result.scores, 1)
    ]
    # At a game that only names a winner the scores are equal.
    keys = [(False, 0) if not lost else (True, score) for lost, score in keys]
    return [1 + sum(other < key for other in keys) for key in keys]


def points_of(result: Result, settings: Settings) -> list[Fraction]:
    """Return the tournament points of each seat."""
    if settings.points == "game":
        return [Fraction(-score if settings.low else score) for score in result.scores]
    placings = places(result, settings.low)
    return [_for_place(place, placings.count(place), settings) for place in placings]


def _for_place(place: int, sharing: int, settings: Settings) -> Fraction:
    """Return the points for a place; whoever shares it gets the mean, or the best, of the places.

    Places beyond the list get nothing.
    """
    worth = [
        Fraction(settings.placing[n] if n < len(settings.placing) else 0)
        for n in range(place - 1, place - 1 + sharing)
    ]
    return worth[0] if settings.ties == "best" else sum(worth, Fraction(0)) / sharing


def counting(concerned: Round) -> list[tuple[SeatedTable, Result]]:
    """Return the tables of a round whose results count."""
    return [(t, t.result) for t in concerned.tables if t.result is not None and t.result.counts]


def bye_points(concerned: Round, settings: Settings) -> Fraction:
    """Return the points for sitting a finished round out: as set, or the mean of those who played.

    With whole or exact fractions, so that equal is equal.
    """
    if settings.bye is not None:
        return Fraction(settings.bye)
    earned = [p for _, result in counting(concerned) for p in points_of(result, settings)]
    return sum(earned, Fraction(0)) / len(earned) if earned else Fraction(0)


def players_points(concerned: Round, settings: Settings) -> Mapping[int, Fraction]:
    """Return the points that players got in a round, byes included once it is over."""
    points = {
        player: earned
        for table, result in counting(concerned)
        for player, earned in zip(table.players, points_of(result, settings), strict=True)
    }
    if concerned.state == "over":
        points |= dict.fromkeys(concerned.byes, bye_points(concerned, settings))
    return points
