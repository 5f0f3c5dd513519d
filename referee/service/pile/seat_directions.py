"""Which seat a hand belongs to, learnt from the directions that hands come from.

A camera reports the direction, in degrees. Each card that was ruled on shows where its player sits.
Once every seat has been seen, a hand's direction is evidence for one seat and against the others: a
card out of turn, or a turn that nobody reported, is noticed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.service.pile.layers import Pile, Reading
from referee.service.pile.thresholds import COUNTS, ELSEWHERE, EXACT, KEPT, ONE_SIDE, SPREAD

Arms = Mapping[str, Sequence[float]]


def learn_direction(pile: Pile, seat: int, reading: Reading | None) -> Pile:
    """Return the pile with a seat's direction learnt from a card that was certainly this seat's."""
    if reading is None or reading.arm is None:
        return pile
    x, y, weight = pile.arms.get(str(seat), (0.0, 0.0, 0.0))
    angle = math.radians(reading.arm)
    sums = [KEPT * x + math.cos(angle), KEPT * y + math.sin(angle), KEPT * weight + 1]
    return replace(pile, arms={**pile.arms, str(seat): [round(part, 4) for part in sums]})


def arms_after(arms: Arms, before: Sequence[int], after: Sequence[int]) -> Arms:
    """Return the directions still valid when seats have come, gone or changed places."""
    stayed = [seat for seat in before if seat in after]
    again = [seat for seat in after if seat in before]
    if again and again[again.index(stayed[0]) :] + again[: again.index(stayed[0])] != stayed:
        return {}
    return {seat: arm for seat, arm in arms.items() if int(seat) in again}


def with_origin(pile: Pile, reading: Reading, seats: Sequence[int]) -> Reading:
    """Return the reading with seats' probabilities by direction, if all ``seats`` are known."""
    if reading.origin or reading.arm is None:
        return reading
    narrow = _narrow(pile.arms)
    likely: dict[str, float] = {}
    for seat in seats:
        x, y, weight = pile.arms.get(str(seat), (0.0, 0.0, 0.0))
        if not weight or math.hypot(x, y) < ONE_SIDE * weight:
            return reading
        # A side known from few hands is uncertain too.
        narrow_of = narrow / (1 + 1 / weight)
        likely[str(seat)] = _density(reading.arm, math.atan2(y, x), narrow_of)
    whole = sum(likely.values())
    return replace(reading, origin={seat: share / whole for seat, share in likely.items()})


def _narrow(arms: Arms) -> float:
    """Return the concentration (von Mises) of hands around their seat's direction."""
    # A mean direction falls short of length 1 by half the variance, if that is small; one hand of
    # each seat is spent on the direction itself.
    lacking = sum(weight - math.hypot(x, y) for x, y, weight in arms.values())
    hands = sum(weight - 1 for _, _, weight in arms.values())
    return min(EXACT, (hands + COUNTS) / (2 * (lacking + COUNTS * SPREAD)))


def _density(arm: float, mean: float, narrow: float) -> float:
    """Return the density of a seat's hands in a direction; 1 is uniform."""
    near = math.exp(narrow * math.cos(math.radians(arm) - mean)) / _around(narrow)
    return ELSEWHERE + (1 - ELSEWHERE) * near


def _around(narrow: float) -> float:
    """Return the mean of exp(narrow cos x) around the circle: the Bessel function of order 0."""
    term = whole = 1.0
    for k in range(1, 60):
        term *= (narrow / 2 / k) ** 2
        whole += term
    return whole
