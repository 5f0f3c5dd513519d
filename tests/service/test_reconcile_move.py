"""A phone's word beside the camera's card: the same card is never counted twice."""

from dataclasses import replace
from typing import Any

import pytest

from referee.rules.actions import CallUno, Catch, Discard, Draw, Pass, Play
from referee.service.access import Principal
from referee.service.reconcile.reconcile_move import (
    claimed_layer,
    comes_early,
    discarded_layer,
    explanation_before,
    seen_play,
)
from tests.service.situations import laid, position, reading, situation, waiting, watched

SEAT = Principal("bo", "table", "seat", 3)
# The camera saw seat 1's red 7, which lies there now; seat 2 is to play.
SEEN = laid("red-7", 12, 1, reading=reading(red_7=0.98, red_1=0.02))


@pytest.mark.parametrize(
    ("layer", "action", "version", "same"),
    [
        (SEEN, Play(1, "red-7"), None, True),
        (SEEN, Play(1, "red-7"), 11, True),
        (SEEN, Play(1, "red-7"), 12, False),
        (SEEN, Play(1, "red-1"), None, True),
        (SEEN, Play(1, "green-1"), None, False),
        (replace(SEEN, said=True), Play(1, "red-7"), None, False),
        (replace(SEEN, presumed=True), Play(3, "red-7"), None, True),
        (replace(SEEN, presumed=True), Play(2, "red-7"), None, False),
        (SEEN, Play(3, "red-7"), None, False),
        (replace(SEEN, standing="wrong"), Play(1, "red-1"), None, False),
    ],
)
def test_a_play_that_the_camera_saw(layer: Any, action: Any, version: Any, same: bool) -> None:
    state = position()
    pile = replace(watched(state), layers=(layer,))
    assert seen_play(pile, state, action, version) == (0 if same else None)


@pytest.mark.parametrize(
    ("layer", "action", "claimed"),
    [
        (waiting(reading(red_6=0.95, red_9=0.01)), Play(2, "red-9"), True),
        (waiting(reading(red_6=0.95)), Play(2, "red-9"), False),
        (waiting(reading(red_6=0.6)), Play(2, "red-9"), True),
        (waiting(reading(red_6=0.6)), Play(3, "red-9"), False),
        (waiting(reading("lifted", red_9=0.9)), Play(2, "red-9"), False),
        (replace(laid("red-9", 0, 2, "wrong"), reading=reading(red_9=0.9)), Play(2, "red-9"), True),
        (waiting(reading(red_9=0.9)), Draw(2), False),
    ],
)
def test_a_card_that_waits_is_the_one_reported(layer: Any, action: Any, claimed: bool) -> None:
    state = position()
    assert claimed_layer(watched(state, layer), state, action) == (1 if claimed else None)


@pytest.mark.parametrize(("card", "at"), [("red-9", 1), ("blue-9", None)])
def test_a_card_that_waits_is_the_one_discarded(card: str, at: int | None) -> None:
    pile = watched(position(), waiting(reading(red_9=0.9)))
    assert discarded_layer(pile, Discard(2, (card,))) == at


@pytest.mark.parametrize(
    ("sight", "action", "legal", "early"),
    [
        ("watching", CallUno(2), True, True),
        ("blind", CallUno(2), True, False),
        ("watching", Catch(1, 2), False, True),
        ("watching", Catch(1, 2), True, False),
        ("watching", Draw(2), True, False),
    ],
)
def test_a_call_may_be_ahead_of_the_camera(sight: Any, action: Any, legal: Any, early: Any) -> None:
    state = position()
    now = situation(state, replace(watched(state), sight=sight))
    assert comes_early(now, action, legal) is early


def test_who_goes_on_explains_the_card_that_waits() -> None:
    state = position()
    now = situation(state, watched(state, waiting(reading(red_6=0.5, red_9=0.49))))
    explained = explanation_before(now, SEAT, Draw(3))
    assert explained.moves == (Play(2, "red-6"),)
    assert explanation_before(now, SEAT, Pass(1)) is None
