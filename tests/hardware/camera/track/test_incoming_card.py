"""An equal card seen in a hand is not the top, unless that was pushed or put back."""

import numpy as np
import pytest

from hardware.camera.track.change import comparable, halved
from hardware.camera.track.incoming_card import saw_incoming_card
from hardware.camera.track.lookback import KeptFrame
from hardware.camera.track.sightings import CardSighting
from hardware.camera.track.top_cards import Quad, TopCard
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, table

OLD, NOW = TopCard({"red-5": 1.0}, at(0, 0), table()), TopCard({"red-5": 1.0}, at(10, 4), table())
STEP = 0.1
"""Seconds between frames."""


def hand_frames(count: int) -> list[KeptFrame]:
    """A hand that hides half of the place and stays; each picture shows its number."""
    reach = np.zeros((160, 135), np.uint8)
    reach[80:, 40:95] = 1
    small = comparable(halved(table()), LIMITS)
    return [
        KeptFrame(STEP * n, table(), small, np.full((2, 2, 3), n, np.uint8), reach)
        for n in range(count)
    ]


def seen_incoming(
    places: list[Quad], card: str = "red-5", chance: float = 1.0, below: tuple[TopCard, ...] = ()
) -> bool:
    """Return the result for a card seen in these places, one per frame."""

    def look_up(picture: Picture) -> list[CardSighting]:
        return [CardSighting(0.0, {card: chance}, places[int(picture[0, 0, 0])])]

    return saw_incoming_card(hand_frames(len(places)), OLD, NOW, below, LIMITS, look_up)


def test_a_card_seen_aside_before_the_top_can_be_in_the_hand_is_another() -> None:
    assert seen_incoming([at(0, 0), at(30, 20), NOW.corners])
    assert not seen_incoming([at(0, 0), at(30, 20), NOW.corners], card="red-6")
    assert not seen_incoming([at(0, 0), at(30, 20), NOW.corners], chance=0.6)


@pytest.mark.parametrize("inexact", [-4, 0, 4])
def test_a_card_that_goes_straight_there_was_pushed(inexact: int) -> None:
    assert not seen_incoming([at(0, 0), at(3 + inexact, 1), at(7, 3 - inexact), NOW.corners])


def test_a_card_that_is_taken_up_some_time_after_the_hand_came_is_put_back() -> None:
    assert not seen_incoming([at(0, 0)] * 3 + [at(30, 20), at(60, 40), NOW.corners])


def test_an_equal_card_further_down_is_not_in_the_hand() -> None:
    further = TopCard({"red-5": 1.0}, at(28, 22), table())
    assert not seen_incoming([at(30, 20), NOW.corners], below=(further,))
    assert seen_incoming(
        [at(30, 20), NOW.corners], below=(TopCard({"red-6": 1.0}, at(28, 22), table()),)
    )


def test_without_a_hand_nothing_comes() -> None:
    assert not saw_incoming_card([], OLD, NOW, (), LIMITS, lambda _: [])
