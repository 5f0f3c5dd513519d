"""What hands bring and take, told by colours."""

import numpy as np
import pytest

from hardware.camera.cards import Picture
from hardware.camera.track.change import changed, look, reaching, share
from hardware.camera.track.episode import halved
from hardware.camera.track.tops import Quad
from hardware.camera.track.visits import Carried, Visit
from hardware.camera.track.window import fill
from tests.hardware.camera.track.drawn import LIMITS, SIZE, at, hand, laid, noisy, table

PLACE = fill((SIZE[0] // 2, SIZE[1] // 2), at() / 2)


def visited(before: Picture, coming: str | None, going: str | None, gain: float = 1.0) -> Visit:
    """A hand comes from below and goes again, each way with a card or without."""
    visit = Visit()
    low = look(halved(before), LIMITS)
    way = [(150.0, 400.0 - 20 * n) for n in range(13)]
    for held, steps in ((coming, way), (going, way[::-1])):
        for n, (x, y) in enumerate(steps):
            view = before
            if held is not None:
                view = laid(view, held, at(0, 0, 0, (x, y - 30)))
            bright = gain if n % 2 else 1.0
            lit = np.clip(noisy(hand(view, (x, y)), n) * bright, 0, 255).astype(np.uint8)
            small = look(halved(lit), LIMITS)
            reach = reaching(changed(low, small))
            visit.note(small.view, reach, over=share(reach, PLACE) > LIMITS.over_pile)
    return visit


def carried(coming: str | None, going: str | None, gain: float = 1.0) -> Carried:
    before = laid(table(), "green-8", at())
    seen: tuple[Picture, Quad] = (laid(table(), "yellow-5", at(0, -20)), at(0, -20))
    return visited(before, coming, going, gain).carried(*seen, at())


def test_a_card_that_came_and_stayed_was_brought() -> None:
    seen = carried("yellow-5", None)
    assert seen.brought >= LIMITS.brought
    assert seen.watched


def test_a_card_that_went_and_had_not_come_was_taken() -> None:
    assert carried(None, "yellow-5").brought <= -LIMITS.brought


@pytest.mark.parametrize("gain", [1.0, 0.93])
def test_a_card_carried_through_was_not_brought(gain: float) -> None:
    assert abs(carried("yellow-5", "yellow-5", gain).brought) < LIMITS.brought


def test_an_empty_hand_brought_nothing() -> None:
    seen = carried(None, None)
    assert abs(seen.brought) < LIMITS.nothing_brought
    assert seen.watched


def test_a_hand_that_was_over_the_pile_was_noticed() -> None:
    assert visited(table(), None, None).over
    assert not Visit().over


def test_a_hand_that_was_never_seen_coming_was_not_watched() -> None:
    assert not Visit().carried(table(), at(), at()).watched


@pytest.mark.parametrize("beside", [-25, 0, 25])
@pytest.mark.parametrize(("turn", "side"), [(0, 180), (1, 270), (2, 0), (3, 90)])
def test_an_arm_comes_from_its_side(turn: int, side: int, beside: int) -> None:
    visit = Visit()
    reach = np.zeros((120, 120), np.uint8)
    reach[50:, 52 + beside : 68 + beside] = 1
    for _ in range(4):
        visit.note(table(), np.ascontiguousarray(np.rot90(reach, -turn)), over=True)
    arm = visit.arm()
    assert arm is not None
    assert abs((arm - side + 180) % 360 - 180) < 5


def test_two_arms_are_of_nobody() -> None:
    visit = Visit()
    reach = np.zeros((120, 120), np.uint8)
    reach[50:, 52:68] = reach[52:68, :50] = reach[:50, 52:68] = 1
    visit.note(table(), reach, over=True)
    assert visit.arm() is None


def test_a_hand_beside_the_pile_is_no_arm_over_it() -> None:
    visit = Visit()
    reach = np.zeros((120, 120), np.uint8)
    reach[100:] = 1
    visit.note(table(), reach, over=False)
    assert visit.arm() is None
    assert Visit().arm() is None
