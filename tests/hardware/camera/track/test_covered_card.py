"""A card seen briefly under a hand was laid and covered at once, or was known already."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.camera.track.outcome.covered_card import find_covered_card, is_known
from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.view.change import comparable, halved
from hardware.camera.track.view.lookback import KeptFrame
from hardware.camera.track.view.top_cards import Quad, TopCard
from hardware.camera.track.view.window import window_of
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, at, laid, table

OLD, TOP, NEW = at(-14, 6, 20), at(8, -4, 80), at(2, 3, 5)


@pytest.fixture
def pile() -> TrackedPile:
    """A red 7, and a green 3 on it."""
    found = TrackedPile(LIMITS)
    for card, corners in (("red-7", OLD), ("green-3", TOP)):
        view = laid(table(), card, corners)
        found.lay(TopCard({card: 0.999}, corners, view))
        found.remember(comparable(view, LIMITS))
    return found


def known(pile: TrackedPile, corners: Quad, **chances: float) -> bool:
    now = TopCard({"green-9": 1.0}, NEW, laid(table(), "green-9", NEW))
    one = {card.replace("_", "-"): chance for card, chance in chances.items()}
    return is_known(pile, CardSighting(0.0, one, corners), now, LIMITS)


def test_a_card_further_down_that_shows_under_the_hand_was_not_laid(pile: TrackedPile) -> None:
    assert known(pile, OLD, red_7=0.99)
    # Half of it is hidden, and it is taken for another.
    assert known(pile, OLD, blue_1=0.9)


def test_a_blurred_card_that_may_be_the_one_now_on_top_is_no_other(pile: TrackedPile) -> None:
    assert known(pile, at(-5, -20, 60), green_6=0.93, green_9=0.004)
    assert known(pile, at(-5, -20, 60), green_8=0.93, green_3=0.004)


def test_another_card_elsewhere_on_the_pile_was_laid(pile: TrackedPile) -> None:
    assert not known(pile, at(-5, -20, 60), blue_1=0.99)


REGION = np.array([(0, 0), (269, 0), (269, 319), (0, 319)], np.float32)
FIRST = at(-6, -16, 62)


def episode_with(pile: TrackedPile, *views: Picture) -> Episode:
    """An episode with these views, a tenth of a second apart."""
    window = window_of(REGION, (320, 270), LIMITS)
    full = (slice(0, 320), slice(0, 270))
    episode = Episode(LIMITS, replace(window, size=(270, 320), zone=REGION, crop=full), pile, 0.0)
    for number, view in enumerate(views):
        nobody = np.zeros((160, 135), np.uint8)
        small = comparable(halved(view), LIMITS)
        episode.lookback.keep(KeptFrame(0.1 * number, view, small, view, nobody))
    return episode


@pytest.mark.parametrize(
    ("chance", "rests", "reported"), [(1.0, 2, True), (0.95, 3, True), (0.95, 2, False)]
)
def test_a_card_covered_at_once_is_told_if_seen_clearly_or_twice(
    pile: TrackedPile, chance: float, rests: int, reported: bool
) -> None:
    between = laid(pile.tops()[0].view, "blue-1", FIRST)
    now = TopCard({"green-9": 1.0}, NEW, laid(between, "green-9", NEW))
    looked = [CardSighting(0.0, {"blue-1": chance}, FIRST)]
    episode = episode_with(pile, *[between] * rests, now.view)
    found = find_covered_card(pile, episode, now, LIMITS, lambda _: looked)
    assert (found is not None) == reported
    if found:
        assert (found.sighting.card, found.sure) == ("blue-1", True)


def test_a_card_held_over_what_shows_around_the_new_top_was_not_laid(pile: TrackedPile) -> None:
    between = laid(pile.tops()[0].view, "blue-1", FIRST)
    held = laid(between, "yellow-6", at(-4, -18, 58))
    now = TopCard({"green-9": 1.0}, NEW, laid(between, "green-9", NEW))
    looked = [CardSighting(0.0, {"yellow-6": 1.0}, at(-4, -18, 58))]
    episode = episode_with(pile, held, held, now.view)
    assert find_covered_card(pile, episode, now, LIMITS, lambda _: looked) is None


@pytest.mark.parametrize(("edge", "reported"), [(0, True), (45, False)])
def test_a_card_that_neighbours_hold_beside_the_place_was_not_laid(
    pile: TrackedPile, edge: int, reported: bool
) -> None:
    beside = at(-95, -90)
    held = laid(laid(pile.tops()[0].view, "blue-1", FIRST), "yellow-6", beside)
    now = TopCard({"green-9": 1.0}, NEW, laid(held, "green-9", NEW))
    looked = [CardSighting(0.0, {"yellow-6": 1.0}, beside)]
    episode = episode_with(pile, held, held, now.view)
    episode.half_zone[:, :edge] = 0
    found = find_covered_card(pile, episode, now, LIMITS, lambda _: looked)
    assert (found is not None) == reported


def test_of_a_fan_that_rests_over_the_pile_no_card_was_laid(pile: TrackedPile) -> None:
    fan = {"blue-1": FIRST, "yellow-6": at(8, -10, 70), "red-2": at(20, -4, 80)}
    held = laid(pile.tops()[0].view, "blue-1", FIRST)
    now = TopCard({"green-9": 1.0}, NEW, laid(held, "green-9", NEW))
    looked = [CardSighting(0.0, {card: 1.0}, corners) for card, corners in fan.items()]
    episode = episode_with(pile, held, held, now.view)
    assert find_covered_card(pile, episode, now, LIMITS, lambda _: looked[:1]) is not None
    assert find_covered_card(pile, episode, now, LIMITS, lambda _: looked) is None


def test_where_nothing_changed_around_the_new_top_no_other_card_came(pile: TrackedPile) -> None:
    held = laid(pile.tops()[0].view, "blue-1", FIRST)
    now = TopCard({"green-9": 1.0}, NEW, laid(pile.tops()[0].view, "green-9", NEW))

    def look_up(_: Picture) -> list[CardSighting]:
        raise AssertionError("looked for what cannot be there")

    assert (
        find_covered_card(pile, episode_with(pile, held, held, now.view), now, LIMITS, look_up)
        is None
    )


@pytest.mark.parametrize("seconds", [0.4, 0.8])
def test_a_card_that_another_hides_wholly_is_asked_about_if_there_was_time_to_lay_two(
    pile: TrackedPile, seconds: float
) -> None:
    between = laid(pile.tops()[0].view, "blue-1", NEW)
    now = TopCard({"green-9": 1.0}, NEW, laid(between, "green-9", NEW))
    episode = episode_with(pile, between, between, now.view)
    for time in (0.0, seconds):
        episode.visit.add(time, halved(between), np.ones((160, 135), np.uint8), over=True)
    looked = [CardSighting(0.0, {"blue-1": 1.0}, NEW)]
    found = find_covered_card(pile, episode, now, LIMITS, lambda _: looked)
    assert (found is not None) == (seconds > LIMITS.covered.twice)
    if found:
        assert (found.sighting.card, found.laid) == ("blue-1", 0.5)


def test_a_card_that_sticks_out_from_below_as_before_was_not_laid(pile: TrackedPile) -> None:
    began = TrackedPile(LIMITS)
    # What lies below is unknown to a watcher that has begun just now.
    began.lay(pile.tops()[0])
    began.remember(comparable(pile.tops()[0].view, LIMITS))
    before = pile.tops()[0].view
    now = TopCard({"green-9": 1.0}, NEW, laid(before, "green-9", NEW))
    # Another hand at the rim, gone by now: something changed around the new top.
    passing = laid(before, "blue-1", at(60, 90, 10))
    episode = episode_with(began, passing, passing, now.view)
    for time in (0.0, 0.8):
        episode.visit.add(time, halved(before), np.ones((160, 135), np.uint8), over=True)
    looked = [CardSighting(0.0, {"red-7": 1.0}, OLD)]
    assert find_covered_card(began, episode, now, LIMITS, lambda _: looked) is None
