"""Readings of a still pile decide once enough of them agree."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from hardware.camera.track.reading.sightings import (
    CardSighting,
    fuse,
    in_same_place,
    topmost,
    without_covered,
)
from hardware.camera.track.reading.top_reader import TopVote
from hardware.camera.track.view.top_cards import Quad, TopCard, estimate_shift
from hardware.camera.track.view.window import fill, project, window_of
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, laid, noisy, still, table

NOW = still(table())
SURE, WRONG = {"red-5": 0.95}, {"red-6": 0.95}
DOUBTFUL = {"red-6": 0.5, "red-9": 0.4}


def reading(*chances: Mapping[str, float] | None) -> TopVote:
    one = TopVote(LIMITS, 0.0)
    for n, chance in enumerate(chances):
        top = None if chance is None else CardSighting(n / 30, chance, at())
        one.add(top, NOW, n / 30)
    return one


def card(one: TopVote) -> str | None:
    answer = one.answer()
    return None if answer is None else next(iter(answer[0]))


@pytest.mark.parametrize(
    ("readings", "decided"),
    [
        ([SURE], None),
        ([SURE, SURE], "red-5"),
        ([WRONG, SURE, SURE], None),
        ([WRONG, SURE, SURE, SURE, SURE], "red-5"),
        ([DOUBTFUL] * 5, None),
    ],
    ids=["one", "two", "a wrong one among them", "which is outvoted", "doubtful ones"],
)
def test_readings_that_agree_decide(
    readings: list[Mapping[str, float]], decided: str | None
) -> None:
    assert card(reading(*readings)) == decided


def test_one_is_enough_when_there_will_be_no_more() -> None:
    answer = reading(SURE).answer(hurry=True)
    assert answer is not None
    assert next(iter(answer[0])) == "red-5"


def test_a_frame_that_shows_the_same_is_not_read_again() -> None:
    certain, zone = {"red-5": 0.995}, fill((270, 320), at(), 20)
    one = reading(certain)
    same = still(noisy(table(), 4))
    assert one.would_repeat(same, zone)
    one.repeat(1 / 30)
    assert card(one) == "red-5"
    # A card that still moved a little, or was read less surely, is read again.
    other = still(laid(table(), "green-8", at()))
    assert not one.would_repeat(other, zone)
    assert not reading(SURE).would_repeat(same, zone)
    assert not reading(None).would_repeat(same, zone)


def test_doubtful_readings_stay_doubtful() -> None:
    answer = reading(*[DOUBTFUL] * 6).answer()
    assert answer is not None
    assert answer[0] == pytest.approx(DOUBTFUL)


def test_a_place_that_shows_no_card_is_blank() -> None:
    assert reading(None, None, None).blank
    assert not reading(None, SURE, None).blank


def test_people_are_asked_in_the_end() -> None:
    one = reading(None)
    assert not one.timed_out(LIMITS.reading.unread_after - 0.1)
    assert one.timed_out(LIMITS.reading.unread_after)


def test_what_still_moved_is_left_out() -> None:
    moving = [CardSighting(n / 30, SURE, at(40 - n * 20)) for n in range(3)]
    last = CardSighting(0.1, SURE, at(0.5))
    assert [one.time for one in in_same_place([*moving, last], LIMITS)] == [moving[-1].time, 0.1]
    assert in_same_place([], LIMITS) == []


def test_readings_from_either_end_are_one() -> None:
    chances, corners = fuse(
        [
            CardSighting(0.0, {"red-5": 0.9}, at()),
            CardSighting(0.1, {"red-5": 0.7}, np.roll(at(), 2, 0)),
        ]
    )
    assert chances == pytest.approx({"red-5": 0.8})
    assert np.allclose(corners, np.roll(at(), 2, 0))


def test_what_is_new_lies_on_top() -> None:
    region = np.array([(60, 70), (210, 70), (210, 250), (60, 250)], np.float32)
    window = window_of(region, (320, 270), LIMITS)
    middle = window.zone.mean(axis=0)
    low, high = (
        CardSighting(0.0, {name: sure}, at(dx, 0, 0, tuple(middle)))
        for name, sure, dx in (("red-5", 0.99, -25.0), ("green-8", 0.9, 25.0))
    )
    outside = CardSighting(0.0, {"blue-1": 1.0}, at(0, 0, 0, (5.0, 5.0)))
    news = fill(window.size, high.corners)
    # Nothing of an edge is seen.
    view = np.full((window.size[1], window.size[0], 3), 90, np.uint8)
    assert topmost([low, high, outside], view, window, news, LIMITS) is high
    assert topmost([low, high, outside], view, window, None, LIMITS) is low
    assert topmost([outside], view, window, None, LIMITS) is None
    # One of three that look alike.
    alike = CardSighting(0.0, {f"wild-custom-{n}": 0.33 for n in (1, 2, 3)}, high.corners)
    assert topmost([low, alike], view, window, news, LIMITS) is alike


@pytest.mark.parametrize(("beyond", "whole", "counts"), [(55, 1, 1), (75, 1, 0), (55, 0, 0)])
def test_a_card_mostly_beyond_a_tight_place_is_still_the_top(
    beyond: float, whole: bool, counts: bool
) -> None:
    window = window_of(at().astype(np.float32), (320, 270), LIMITS)
    middle = window.zone.mean(axis=0)
    wide = float(np.ptp(window.zone[:, 0])) / 90
    place = at(beyond, 0, 0, (0.0, 0.0)) * wide + middle
    card = CardSighting(0.0, {"red-5": 0.99}, place, bool(whole))
    view = np.full((window.size[1], window.size[0], 3), 90, np.uint8)
    assert topmost([card], view, window, None, LIMITS) is (card if counts else None)


def test_a_card_whose_edge_is_seen_on_another_is_on_top_whatever_is_new() -> None:
    low, high = (
        seen(name, at(dx, 0, turn)) for name, dx, turn in (("red-5", -25, 20), ("green-8", 25, 5))
    )
    view = noisy(initial_pile(("red-5", low.corners), ("green-8", high.corners)), 5)
    zone = at(0, 0) * 1.4 - 0.4 * np.array((135.0, 160.0))
    window = window_of(zone.astype(np.float32), (320, 270), LIMITS)
    shown = window.view_of(view)
    there = [replace(one, corners=project(window.to_view, one.corners)) for one in (low, high)]
    news = fill(window.size, there[0].corners)
    assert topmost(there, shown, window, news, LIMITS) is there[1]
    # Of a card that lies below, or in a fan, the middle may not show; of the top it does.
    assert (
        topmost([there[0], replace(there[1], whole=False)], shown, window, news, LIMITS) is there[0]
    )
    # And an outline that is hardly read as any card may be that of two, and covers none.
    shares = {"green-1": 0.4, "green-7": 0.3, "green-3": 0.2, "green-2": 0.1}
    hardly = replace(there[1], probabilities=shares)
    assert topmost([there[0], hardly], shown, window, None, LIMITS) is there[0]


def initial_pile(*cards: tuple[str, Quad]) -> Picture:
    """Draw cards that were laid in this order."""
    view = table()
    for name, corners in cards:
        view = laid(view, name, corners)
    return view


def seen(name: str, corners: Quad) -> CardSighting:
    return CardSighting(1.0, {name: 0.99}, corners)


def test_a_card_that_sticks_out_below_the_top_is_not_on_top() -> None:
    low, high = at(-14, 6, 20), at(8, -4, 80)
    before = initial_pile(("red-7", low), ("green-3", high))
    # Both were pushed, and more of the lower one is seen now.
    low_now, high_now = at(-20, 9, 26), at(16, -1, 84)
    both = [seen("red-7", low_now), seen("green-3", high_now)]
    tops = [TopCard({"green-3": 1.0}, high, before)]
    now = noisy(initial_pile(("red-7", low_now), ("green-3", high_now)), 5)
    assert without_covered(both, tops, now, LIMITS) == both[1:]
    assert without_covered(both, [], now, LIMITS) == both
    # Once the top is gone, the card below it is the top.
    bare = initial_pile(("red-7", low_now))
    assert without_covered(both[:1], tops, bare, LIMITS) == both[:1]


def test_a_card_laid_on_the_top_is_on_top_though_that_is_still_read() -> None:
    high = at(8, -4, 80)
    before = initial_pile(("green-3", high))
    tops = [TopCard({"green-3": 1.0}, high, before)]
    new = at(-20, 30, 95)
    both = [seen("green-3", high), seen("red-7", new)]
    now = noisy(initial_pile(("green-3", high), ("red-7", new)), 5)
    assert without_covered(both, tops, now, LIMITS) == both
    # And though nothing else is, if only its corner shows.
    middle = at(-10, 10, 85)
    now = noisy(initial_pile(("green-3", high), ("red-7", middle)), 5)
    assert without_covered([replace(both[0], whole=False)], tops, now, LIMITS) == []
    # A card equal to it that lies there the other way round is on top.
    now = noisy(initial_pile(("green-3", high), ("green-3", np.roll(high, 2, 0))), 5)
    again = [seen("green-3", np.roll(high, 2, 0))]
    assert without_covered(again, tops, now, LIMITS) == again


def test_a_top_that_was_lit_too_brightly_is_not_covered_when_the_light_goes_out() -> None:
    low, high = at(-14, 6, 20), at(8, -4, 80)
    now = noisy(initial_pile(("red-7", low), ("blue-3", high)), 5)
    dazzling = np.clip(now * 2.8, 0, 255).astype(np.uint8)
    tops = [TopCard({"blue-3": 1.0}, high, dazzling)]
    both = [seen("blue-3", high), seen("red-7", low)]
    assert estimate_shift(dazzling, high, now, high, LIMITS).differs > LIMITS.reading.covered
    assert without_covered(both, tops, now, LIMITS) == both
    # Nor is one that was tidied up meanwhile; but what only a corner is seen of may be.
    tidied = at(30, 20, -10)
    now = noisy(initial_pile(("blue-3", tidied)), 5)
    alone = [seen("blue-3", tidied)]
    assert estimate_shift(dazzling, high, now, tidied, LIMITS).differs > LIMITS.reading.covered
    assert without_covered(alone, tops, now, LIMITS) == alone
    assert without_covered([replace(alone[0], whole=False)], tops, now, LIMITS) == []


def test_a_card_laid_beside_the_top_is_not_below_it() -> None:
    high, new = at(-70, 0), at(70, 0)
    before = initial_pile(("green-3", high))
    both = [seen("green-3", high), seen("red-7", new)]
    now = noisy(initial_pile(("green-3", high), ("red-7", new)), 5)
    assert without_covered(both, [TopCard({"green-3": 1.0}, high, before)], now, LIMITS) == both


def test_a_top_equal_to_a_card_below_it_is_told_apart_by_what_is_seen_of_it() -> None:
    low, middle, high = at(-30, 0), at(20, 0, 10), at(0, 0, 4)
    before = initial_pile(("red-7", low), ("red-8", middle), ("red-7", high))
    top = TopCard({"red-7": 1.0}, high, before)
    # The top was lifted: what is seen of the equal one is covered by what lay between.
    both = [seen("red-7", low), seen("red-8", middle)]
    now = noisy(initial_pile(("red-7", low), ("red-8", middle)), 5)
    assert without_covered(both, [top], now, LIMITS) == both
    # What was known to lie on it is on top now, however much more of the other has come to be seen.
    between = TopCard({"red-8": 1.0}, middle, initial_pile(("red-7", low), ("red-8", middle)))
    below = TopCard({"red-7": 1.0}, low, initial_pile(("red-7", low)))
    assert without_covered(both, [top, between, below], now, LIMITS) == both[1:]
