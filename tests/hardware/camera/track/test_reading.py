"""k of n: when readings of a still pile agree."""

from collections.abc import Mapping

import numpy as np
import pytest

from hardware.camera.track.reading import Reading
from hardware.camera.track.sightings import Sighting, agreeing, fused, topmost, uncovered
from hardware.camera.track.tops import Top
from hardware.camera.track.window import fill, window_of
from tests.hardware.camera.track.drawn import LIMITS, at, still, table

NOW = still(table())
SURE = {"red-5": 0.95}
DOUBTFUL = {"red-6": 0.5, "red-9": 0.4}


def reading(*chances: Mapping[str, float] | None) -> Reading:
    one = Reading(LIMITS, 0.0)
    for n, chance in enumerate(chances):
        top = None if chance is None else Sighting(n / 30, chance, at())
        one.add(top, NOW, n / 30)
    return one


def card(one: Reading) -> str | None:
    answer = one.answer()
    return None if answer is None else next(iter(answer[0]))


def test_two_sure_readings_decide() -> None:
    assert card(reading(SURE)) is None
    assert card(reading(SURE, SURE)) == "red-5"


def test_a_single_wrong_one_has_to_be_outvoted() -> None:
    wrong = {"red-6": 0.95}
    assert card(reading(wrong, SURE, SURE)) is None
    assert card(reading(wrong, SURE, SURE, SURE, SURE)) == "red-5"


def test_one_is_enough_when_there_will_be_no_more() -> None:
    answer = reading(SURE).answer(hurry=True)
    assert answer is not None
    assert next(iter(answer[0])) == "red-5"


def test_doubtful_readings_stay_doubtful() -> None:
    assert card(reading(*[DOUBTFUL] * 5)) is None
    answer = reading(*[DOUBTFUL] * 6).answer()
    assert answer is not None
    assert answer[0] == pytest.approx(DOUBTFUL)


def test_a_place_that_shows_no_card_is_blank() -> None:
    assert reading(None, None, None).blank
    assert not reading(None, SURE, None).blank


def test_people_are_asked_in_the_end() -> None:
    one = reading(None)
    assert not one.timed_out(LIMITS.unread_after - 0.1)
    assert one.timed_out(LIMITS.unread_after)


def test_what_still_moved_is_left_out() -> None:
    moving = [Sighting(n / 30, SURE, at(40 - n * 20)) for n in range(3)]
    last = Sighting(0.1, SURE, at(0.5))
    assert [one.time for one in agreeing([*moving, last])] == [moving[-1].time, 0.1]
    assert agreeing([]) == []


def test_readings_from_either_end_are_one() -> None:
    chances, corners = fused(
        [Sighting(0.0, {"red-5": 0.9}, at()), Sighting(0.1, {"red-5": 0.7}, np.roll(at(), 2, 0))]
    )
    assert chances == pytest.approx({"red-5": 0.8})
    assert np.allclose(corners, np.roll(at(), 2, 0))


def test_what_is_new_lies_on_top() -> None:
    region = np.array([(60, 70), (210, 70), (210, 250), (60, 250)], np.float32)
    window = window_of(region, (320, 270), LIMITS)
    middle = window.zone.mean(axis=0)
    low, high = (
        Sighting(0.0, {name: sure}, at(dx, 0, 0, tuple(middle)))
        for name, sure, dx in (("red-5", 0.99, -25.0), ("green-8", 0.9, 25.0))
    )
    outside = Sighting(0.0, {"blue-1": 1.0}, at(0, 0, 0, (5.0, 5.0)))
    news = fill(window.size, high.corners)
    assert topmost([low, high, outside], window, news) is high
    assert topmost([low, high, outside], window, None) is low
    assert topmost([outside], window, None) is None


def test_a_card_that_sticks_out_below_the_top_is_not_on_top() -> None:
    view = table()
    low = Top({"red-7": 1.0}, at(-14, 6, 20), view)
    top = Top({"green-3": 1.0}, at(8, -4, 80), view)
    seen_low = Sighting(1.0, {"red-7": 0.999}, at(-14, 7, 20))
    pushed = Sighting(1.0, {"green-3": 0.99}, at(16, -1, 84))
    new = Sighting(1.0, {"blue-1": 0.99}, at(0, 0, 40))
    assert uncovered([seen_low, pushed], top, [low]) == [pushed]
    assert uncovered([seen_low, pushed, new], top, [low]) == [pushed, new]
    # Once the top is gone, the card below it is the top.
    assert uncovered([seen_low], top, [low]) == [seen_low]
    assert uncovered([seen_low, pushed], None, [low]) == [seen_low, pushed]


def test_a_top_equal_to_a_card_below_it_is_told_apart_by_its_place() -> None:
    view = table()
    low, middle = (Top({card: 1.0}, at(x, 0), view) for card, x in (("red-7", -30), ("red-8", 20)))
    top = Top({"red-7": 1.0}, at(0, 0), view)
    seen = [Sighting(1.0, {"red-7": 0.99}, at(-30, 0)), Sighting(1.0, {"red-8": 0.99}, at(20, 0))]
    assert uncovered(seen, top, [middle, low]) == seen
