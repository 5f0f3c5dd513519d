"""Whose hand it was: from where each seat reaches over the pile is learnt from the game itself.

A camera only says from which direction, in degrees, a hand came. Each card that was ruled on shows
where its player sits. Once every seat has been seen, the direction of a hand speaks for one seat
and against others, and a card out of turn or a turn that nobody said is noticed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.service.pile.layers import Pile, Reading

# Of what was learnt, so much is kept with each further card: people move their chairs.
KEPT = 0.8
# A seat is known when a card of it was seen, and it always came from about the same side.
ONE_SIDE = 0.8
# How often a hand comes from anywhere, whoever's it is: people reach across now and then.
ELSEWHERE = 0.01
# How narrowly hands come from their seats' sides (von Mises) is learnt as well, of all seats
# together, beginning with a spread of 20 degrees that counts like so many cards; nobody is taken to
# be as exact as a machine.
SPREAD, COUNTS, EXACT = 0.06, 2.0, 20.0

Arms = Mapping[str, Sequence[float]]


def learnt(pile: Pile, seat: int, reading: Reading | None) -> Pile:
    """The pile's arms once it is settled that a card was this seat's."""
    if reading is None or reading.arm is None:
        return pile
    x, y, weight = pile.arms.get(str(seat), (0.0, 0.0, 0.0))
    angle = math.radians(reading.arm)
    now = [KEPT * x + math.cos(angle), KEPT * y + math.sin(angle), KEPT * weight + 1]
    return replace(pile, arms={**pile.arms, str(seat): [round(part, 4) for part in now]})


def with_origin(pile: Pile, reading: Reading, seats: int) -> Reading:
    """The reading with what the hand's direction says of whose it was, if it says anything."""
    if reading.origin or reading.arm is None:
        return reading
    narrow = _narrow(pile.arms)
    likely: dict[str, float] = {}
    for seat in range(1, seats + 1):
        x, y, weight = pile.arms.get(str(seat), (0.0, 0.0, 0.0))
        if not weight or math.hypot(x, y) < ONE_SIDE * weight:
            return reading
        # Of few hands the side is not well known either.
        narrow_of = narrow / (1 + 1 / weight)
        likely[str(seat)] = _density(reading.arm, math.atan2(y, x), narrow_of)
    whole = sum(likely.values())
    return replace(reading, origin={seat: share / whole for seat, share in likely.items()})


def _narrow(arms: Arms) -> float:
    """How narrowly hands come from the side of their seat."""
    # What is lacking to a mean direction's full length is half the variance, if that is small; of
    # so many hands as there are, one is spent on the direction itself.
    lacking = sum(weight - math.hypot(x, y) for x, y, weight in arms.values())
    hands = sum(weight - 1 for _, _, weight in arms.values())
    return min(EXACT, (hands + COUNTS) / (2 * (lacking + COUNTS * SPREAD)))


def _density(arm: float, mean: float, narrow: float) -> float:
    """How likely a hand of a seat comes from there, against one from anywhere (1)."""
    near = math.exp(narrow * math.cos(math.radians(arm) - mean)) / _around(narrow)
    return ELSEWHERE + (1 - ELSEWHERE) * near


def _around(narrow: float) -> float:
    """The mean of exp(narrow cos x) around the circle: the Bessel function of order 0."""
    term = whole = 1.0
    for k in range(1, 60):
        term *= (narrow / 2 / k) ** 2
        whole += term
    return whole
