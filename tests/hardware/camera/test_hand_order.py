"""Cards are sorted in the order of the hand."""

import itertools
import math

import numpy as np
import pytest

from hardware.camera.reading.hand_order import in_hand_order
from hardware.camera.types import Detection


def card(name: str, x: float, y: float, turn: float = 0.0, size: float = 40.0) -> Detection:
    """A card around (x, y), rotated by degrees clockwise."""
    half = np.array([(-size, -1.5 * size), (size, -1.5 * size), (size, 1.5 * size)])
    corners = np.vstack([half, (-size, 1.5 * size)])
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    turned = corners @ np.array([(c, s), (-s, c)]) + (x, y)
    return Detection(turned.astype(np.float32), {name: 1.0})


def names(found: list[Detection]) -> str:
    return "".join(one.best or "?" for one in found)


def fan(turn: float, step: float = 12.0) -> list[Detection]:
    """Seven cards fanned about a point below them, the fan rotated."""
    out = []
    for number, name in enumerate("abcdefg"):
        angle = turn + (number - 3) * step
        x = 500 + 200 * math.sin(math.radians(angle))
        y = 500 - 200 * math.cos(math.radians(angle))
        # Whether the upper end was told from the lower one makes no difference.
        out.append(card(name, x, y, angle + 180 * (number % 2)))
    return out


@pytest.mark.parametrize("turn", [0, 30, -40, 25])
@pytest.mark.parametrize("step", [5, 12, 20])
def test_a_fan_goes_from_left_to_right(turn: float, step: float) -> None:
    cards = fan(turn, step)
    assert names(in_hand_order(cards[::-1])) == "abcdefg"
    assert names(in_hand_order(cards[3:] + cards[:3])) == "abcdefg"


def test_a_fan_on_its_side_goes_down() -> None:
    assert names(in_hand_order(fan(90)[::-1])) == "abcdefg"


@pytest.mark.parametrize("seed", range(5))
def test_a_spread_goes_row_by_row(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = itertools.product((100, 240, 380), (100, 200, 300, 400))
    cards = [
        card(name, x + rng.normal(0, 4), y + rng.normal(0, 4), rng.normal(0, 5))
        for name, (y, x) in zip("abcdefghijkl", places, strict=True)
    ]
    assert names(in_hand_order([cards[at] for at in rng.permutation(12)])) == "abcdefghijkl"


def test_two_fans_above_one_another() -> None:
    upper = [card(name, 100 + 30 * at, 100) for at, name in enumerate("abcd")]
    lower = [card(name, 400 - 30 * at, 400) for at, name in enumerate("hgfe")]
    assert names(in_hand_order([*lower, *upper])) == "abcdefgh"


def test_few_cards_and_an_outline_that_is_none() -> None:
    assert in_hand_order([]) == []
    crossed = card("b", 300, 100)
    crossed.corners[[0, 1]] = crossed.corners[[1, 0]]
    assert names(in_hand_order([crossed, card("a", 100, 100)])) == "ab"
