"""Hands bring and take cards, recognised by their colours."""

import numpy as np
import pytest

from hardware.camera.track.outcome.hand_visits import HandVisit
from hardware.camera.track.view.change import changed, comparable, edge_connected, halved, share
from hardware.camera.track.view.window import fill
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, SIZE, at, hand, laid, noisy, table

PLACE = fill((SIZE[0] // 2, SIZE[1] // 2), at() / 2)


BEFORE = laid(table(), "green-8", at())
LAID = at(0, -20)


def visited(before: Picture, after: Picture, held: tuple[str | None, str | None]) -> HandVisit:
    """A hand comes from below in half a second and leaves, each way with or without a card."""
    visit = HandVisit(LIMITS)
    low = comparable(halved(before), LIMITS)
    way = [(150.0, 400.0 - 20 * n) for n in range(13)]
    frame = 0
    for card, lying, steps in ((held[0], before, way), (held[1], after, way[::-1])):
        for x, y in steps:
            view = lying if card is None else laid(lying, card, at(0, 0, 0, (x, y - 30)))
            small = comparable(halved(lit(hand(view, (x, y)), frame)), LIMITS)
            reach = edge_connected(changed(low, small))
            over = share(reach, PLACE) > LIMITS.motion.over_pile
            visit.add(frame / 26, small.view, reach, over=over)
            frame += 1
    return visit


def lit(view: Picture, frame: int) -> Picture:
    """The view in flickering light."""
    bright = 0.93 if frame % 2 else 1.0
    return np.clip(noisy(view, frame) * bright, 0, 255).astype(np.uint8)


SOME, NOTHING = 0.1, 0.03
"""Areas, in areas of a card, that a card in a hand and an empty hand show."""


def brought(coming: str | None, going: str | None) -> float:
    """Return the area brought of a yellow 5, which stays if it came and did not leave."""
    lies = laid(BEFORE, "yellow-5", LAID)
    before = lies if going and not coming else BEFORE
    after = lies if coming and not going else BEFORE
    return visited(before, after, (coming, going)).brought(lies, LAID, [at()], after)


def test_a_card_that_came_and_stayed_was_brought() -> None:
    assert brought("yellow-5", None) >= SOME


def test_a_card_that_went_and_had_not_come_was_taken() -> None:
    assert brought(None, "yellow-5") <= -SOME


def test_a_card_carried_through_was_not_brought() -> None:
    assert abs(brought("yellow-5", "yellow-5")) < SOME


def test_an_empty_hand_brought_nothing() -> None:
    assert abs(brought(None, None)) < NOTHING


def test_what_a_hand_takes_up_and_puts_back_was_not_brought() -> None:
    visit, there = HandVisit(LIMITS), at(6, 4)
    below = laid(table(), "red-1", at())
    after = laid(below, "green-8", there)
    taken = [laid(below, "green-8", at(0, 3.0 * n)) for n in range(10)]
    put = [laid(below, "green-8", at(6, 4 + 3.0 * n)) for n in range(10)][::-1]
    way = [(150.0, 400.0 - 20 * n) for n in range(12)]
    views = [hand(BEFORE, reached) for reached in way]
    views += [hand(view, way[-1]) for view in [BEFORE] * 4 + taken + put + [after]]
    # It goes away faster than it came.
    views += [hand(after, reached) for reached in way[::-3]]
    low = comparable(halved(BEFORE), LIMITS)
    for frame, view in enumerate(views):
        small = comparable(halved(lit(view, frame)), LIMITS)
        visit.add(frame / 15, small.view, edge_connected(changed(low, small)), over=True)
    assert abs(visit.brought(after, there, [at()], after)) < NOTHING


def test_a_hand_that_was_over_the_pile_was_noticed() -> None:
    assert visited(BEFORE, BEFORE, (None, None)).over
    assert not HandVisit(LIMITS).over


def test_a_hand_that_was_never_seen_brought_nothing() -> None:
    assert HandVisit(LIMITS).brought(table(), at(), [at()], table()) == 0.0


@pytest.mark.parametrize("beside", [-25, 0, 25])
@pytest.mark.parametrize(("turn", "side"), [(0, 180), (1, 270), (2, 0), (3, 90)])
def test_an_arm_comes_from_its_side(turn: int, side: int, beside: int) -> None:
    visit = HandVisit(LIMITS)
    reach = np.zeros((120, 120), np.uint8)
    reach[50:, 52 + beside : 68 + beside] = 1
    for _ in range(4):
        visit.add(0.0, table(), np.ascontiguousarray(np.rot90(reach, -turn)), over=True)
    arm = visit.arm_direction()
    assert arm is not None
    assert abs((arm - side + 180) % 360 - 180) < 5


def test_two_arms_are_of_nobody() -> None:
    visit = HandVisit(LIMITS)
    reach = np.zeros((120, 120), np.uint8)
    reach[50:, 52:68] = reach[52:68, :50] = reach[:50, 52:68] = 1
    visit.add(0.0, table(), reach, over=True)
    assert visit.arm_direction() is None


def test_a_hand_beside_the_pile_is_no_arm_over_it() -> None:
    visit = HandVisit(LIMITS)
    reach = np.zeros((120, 120), np.uint8)
    reach[100:] = 1
    visit.add(0.0, table(), reach, over=False)
    assert visit.arm_direction() is None
    assert HandVisit(LIMITS).arm_direction() is None
