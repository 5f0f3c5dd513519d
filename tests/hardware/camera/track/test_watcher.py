"""Reports of the watcher, also when hands or the camera do unusual things."""

import numpy as np
import pytest

from hardware.camera.track.view.top_cards import Quad
from tests.hardware.camera.track.desk import SIZE, Desk, begun, spot


def assert_next_card_is_reported(desk: Desk) -> None:
    desk.lay("red-5", spot(8, 5, 12))
    desk.pause(0.6)
    assert desk.reported == [("placed", "red-5")]


def test_a_card_laid_is_reported_once() -> None:
    desk = begun()
    desk.lay("red-5", spot(8, 5, 12))
    desk.pause(1.0)
    assert desk.reported == [("placed", "red-5")]
    (event,) = desk.events
    assert event.sure
    assert event.readings == ()
    assert event.corners is not None
    # Either end may be taken for the upper one.
    middle = event.corners.mean(axis=0)
    assert np.allclose(middle, spot(8, 5).mean(axis=0), atol=2)


@pytest.mark.parametrize(
    ("card", "place"),
    [("red-2", spot(4, -2, -5)), ("blue-2", spot(10, 9, 8))],
    ids=["the same number in another colour", "a card equal to the top"],
)
def test_a_card_much_like_the_top_is_reported_too(card: str, place: Quad) -> None:
    desk = begun()
    desk.lay(card, place)
    desk.pause(0.6)
    assert desk.reported == [("placed", card)]


def test_a_card_that_is_certain_is_read_once_and_what_lies_below_it_is_not() -> None:
    desk = begun()
    desk.chance = 0.999
    desk.asked.clear()
    assert_next_card_is_reported(desk)
    assert desk.asked == [False]


def test_a_card_that_is_less_certain_is_read_again_with_all_that_shows() -> None:
    desk = begun()
    desk.asked.clear()
    assert_next_card_is_reported(desk)
    assert desk.asked.count(True) == 2


def test_a_pushed_pile_is_nothing() -> None:
    desk = begun()
    desk.push(9, -7)
    desk.pause(0.6)
    assert desk.reported == []
    assert desk.watcher.top is not None
    assert desk.watcher.top.card == "blue-2"


def test_a_card_that_sticks_out_of_a_place_marked_tightly() -> None:
    desk = Desk(place=spot().astype(np.float32), cards=[("blue-2", spot(2, -4, -6))])
    desk.pause(0.8)
    desk.lay("red-5", spot(56, 5, 12))
    desk.pause(0.6)
    assert desk.reported == [("found", "blue-2"), ("placed", "red-5")]


def test_a_card_that_reaches_the_views_edge_is_no_hand() -> None:
    desk = Desk(place=spot().astype(np.float32), cards=[("blue-2", spot(2, -4, -6))])
    desk.pause(0.8)
    for card, place in (
        ("red-5", spot(55, 4, 45)),
        ("yellow-7", spot(-55, -3, 40)),
        ("green-1", spot(4, 3)),
    ):
        desk.lay(card, place)
        desk.pause(1.2)
    assert [card for _, card in desk.reported] == ["blue-2", "red-5", "yellow-7", "green-1"]


def test_the_first_card_on_an_empty_place_may_stick_out_of_it_too() -> None:
    desk = Desk(place=spot().astype(np.float32))
    desk.pause(0.8)
    for number, card in enumerate(("red-5", "yellow-7")):
        desk.lay(card, spot(50 - 60 * number, 4, 45))
        desk.pause(1.2)
    assert desk.reported == [("placed", "red-5"), ("placed", "yellow-7")]


WIDE = np.array([(70, 90), (330, 90), (330, 330), (70, 330)], np.float32)


def test_a_hand_that_rests_beside_the_pile_hides_nothing() -> None:
    desk = Desk(place=WIDE, cards=[("blue-2", spot(2, -4, -6))])
    desk.pause(0.5)
    desk.resting = (80, 235)
    desk.pause(1)
    for card in ("red-5", "yellow-7", "green-1"):
        desk.lay(card, spot(8, 5, 3 * len(desk.cards)))
        desk.pause(1)
    assert not desk.watcher.covered
    desk.resting = None
    desk.pause(1)
    assert [card for _, card in desk.reported] == ["blue-2", "red-5", "yellow-7", "green-1"]


def test_the_pile_is_found_while_neighbours_move_beside_it() -> None:
    desk = Desk(cards=[("blue-2", spot(2, -4, -6))])
    for number in range(60):
        desk.arm = (340.0 + 6 * (number % 3), 250.0)
        desk.step()
    assert desk.reported == [("found", "blue-2")]
    assert desk.watcher.knows_pile


@pytest.mark.parametrize(
    ("overlooked", "blind", "event"),
    [
        (set(), set(), ("placed", "red-5")),
        ({"red-5"}, set(), ("placed", "red-5")),
        ({"red-5"}, {"red-5"}, ("unsure", None)),
    ],
)
def test_a_card_laid_beside_the_top_is_not_passed_over(
    overlooked: set[str], blind: set[str], event: tuple[str, str | None]
) -> None:
    desk = begun()
    desk.chance, desk.overlooked, desk.blind = 0.999, overlooked, blind
    desk.lay("red-5", spot(-84, -30, 0), rest=0.5)
    desk.pause(0.8)
    assert desk.reported == [event]


def test_a_card_lifted_off_again() -> None:
    desk = begun()
    desk.lay("red-5", spot(8, 5, 12))
    desk.pause(0.6)
    desk.take()
    desk.pause(0.6)
    assert desk.reported == [("placed", "red-5"), ("lifted", "blue-2")]


def test_a_pile_cleared_for_a_new_round() -> None:
    desk = begun()
    desk.take(2)
    desk.pause(1.0)
    assert desk.reported == [("cleared", None)]
    assert desk.watcher.top is None
    desk.lay("yellow-7", spot(0, 0, 3))
    desk.pause(0.6)
    desk.lay("yellow-7", spot(9, -8, 10))
    desk.pause(0.6)
    assert desk.reported[1:] == [("placed", "yellow-7"), ("placed", "yellow-7")]


def test_two_cards_within_a_second() -> None:
    desk = begun()
    desk.lay("red-5", spot(9, 4, 10), 0.2)
    desk.lay("yellow-7", spot(-7, -6, -14), 0.2)
    desk.pause(0.8)
    assert desk.reported == [("placed", "red-5"), ("placed", "yellow-7")]
    assert desk.events[0].seen < desk.events[1].at


@pytest.mark.parametrize(
    ("trembling", "seconds"),
    [(1.2, 8), (0.0, 8), *(pytest.param(much, 60, marks=pytest.mark.soak) for much in (1.2, 0.0))],
)
def test_a_hand_that_rests_on_the_pile(trembling: float, seconds: int) -> None:
    desk = begun(rate=6.0)
    desk.reach((200.0, 230.0), 1.0)
    lots = np.random.default_rng(4)
    for _ in range(round(seconds * desk.rate)):
        dx, dy = lots.normal(0, trembling, 2) if trembling else (0.0, 0.0)
        desk.arm = (200.0 + dx, 230.0 + dy)
        desk.step()
    desk.leave(1.0)
    desk.pause(2.0)
    assert desk.reported == []
    desk.lay("red-5", spot(8, 5, 12), 1.0)
    desk.pause(2.0)
    assert desk.reported == [("placed", "red-5")]


@pytest.mark.parametrize("rest", [0.5, 3.0])
def test_a_hand_that_rests_on_the_card_it_laid_is_waited_for(rest: float) -> None:
    desk = begun(rate=12.0)
    laid = (("red-5", spot(8, 5, 12)), ("yellow-7", spot(-6, 4, -20)), ("green-2", spot(3, -8, 70)))
    for number, (card, place) in enumerate(laid, 1):
        desk.lay(card, place, rest=rest)
        # No longer than a moment after the hand has gone.
        desk.pause(0.4)
        assert len(desk.reported) == number
    assert desk.reported == [("placed", card) for card, _ in laid]


def test_cards_held_over_the_pile_are_none_of_it_however_still() -> None:
    desk = begun()
    pile = desk.cards
    desk.reach((230, 290))
    desk.found = 2
    desk.cards = [*pile, ("red-5", spot(20, 30, -20)), ("yellow-7", spot(35, 35, 8))]
    desk.pause(20)
    assert desk.reported == []
    assert desk.watcher.covered
    desk.cards = [*pile, ("blue-9", spot(1, 5, 4))]
    desk.leave()
    desk.pause(1)
    assert desk.reported == [("placed", "blue-9")]


def test_a_card_that_was_held_there_before_is_not_laid_when_another_is() -> None:
    desk = begun()
    desk.blind, desk.found = {"red-5", "yellow-7"}, 2
    desk.resting = (262, 330)
    desk.cards = [*desk.cards, ("red-5", spot(60, 78, -4))]
    desk.pause(8)
    assert not desk.watcher.busy
    # Somebody lays a card that cannot be read; that in the hand can.
    desk.blind = {"yellow-7"}
    desk.lay("yellow-7", spot(-30, -55, 2))
    desk.pause(3)
    assert desk.reported == [("unread", None)]


@pytest.mark.parametrize("unseen", [("red-5",), ()])
def test_what_was_laid_unseen_while_a_hand_hid_the_pile_is_asked_about(
    unseen: tuple[str, ...],
) -> None:
    desk = begun()
    desk.blind = {*unseen}
    desk.resting = (140, 200)
    for card in (*unseen, "yellow-7"):
        desk.pause(3)
        desk.lay(card, spot(1, 2, 3 * len(desk.cards)))
    desk.pause(2)
    desk.resting = None
    desk.pause(1)
    asked = [("unsure", None)] * len(unseen)
    assert desk.reported == [*asked, ("placed", "yellow-7")]


@pytest.mark.parametrize(("level", "dark"), [(0, False), (9, False), (3, True)])
def test_black_frames_are_neither_an_empty_pile_nor_a_dark_table(level: int, dark: bool) -> None:
    desk = begun(rate=10.0, dark=dark)
    noise = np.random.default_rng(2)
    for _ in range(20):
        desk.step(noise.integers(0, level + 1, (SIZE[1], SIZE[0], 3)).astype(np.uint8))
    assert desk.reported == []
    desk.pause(0.8)
    assert desk.reported == []
    assert_next_card_is_reported(desk)


def test_a_dark_table_without_cards_is_an_empty_pile() -> None:
    desk = begun(dark=True)
    desk.take(2)
    desk.pause(1.0)
    assert desk.reported == [("cleared", None)]
    desk.lay("red-5", spot(8, 5, 12))
    desk.pause(0.6)
    assert desk.reported == [("cleared", None), ("placed", "red-5")]


def test_a_frozen_camera_has_seen_nothing_until_it_goes_on() -> None:
    desk = begun(rate=10.0)
    frozen = desk.picture()
    for _ in range(30):
        desk.step(frozen)
    desk.cards = [*desk.cards, ("red-5", spot(8, 5, 12))]
    for _ in range(10):
        desk.step(frozen)
    assert desk.reported == []
    desk.pause(1.0)
    assert desk.reported == [("placed", "red-5")]


def test_frames_that_got_lost() -> None:
    desk = begun()
    # A picture every quarter of a second, then none for three.
    desk.rate = 4.0
    desk.lay("red-5", spot(8, 5, 12), 0.5)
    desk.pause(1.5)
    assert desk.reported == [("placed", "red-5")]
    desk.now += 3.0
    desk.cards = [*desk.cards, ("yellow-7", spot(-7, -6, -14))]
    desk.rate = 30.0
    desk.pause(1.0)
    assert desk.reported == [("placed", "red-5"), ("placed", "yellow-7")]


@pytest.mark.parametrize("scale", [1.5, 0.75])
def test_frames_of_another_size(scale: float) -> None:
    desk = begun()
    desk.scale = scale
    desk.pause(0.8)
    assert desk.reported == []
    assert_next_card_is_reported(desk)


@pytest.mark.parametrize("followed", [True, False])
def test_a_camera_that_was_knocked(followed: bool) -> None:
    desk = begun()
    desk.followed = followed
    for n in range(1, 7):
        desk.aside = (1.5 * n, -1.0 * n)
        desk.step()
    desk.pause(1.0)
    assert desk.reported == []
    desk.followed = True
    desk.pause(0.5)
    assert desk.reported == []
    assert_next_card_is_reported(desk)


def test_light_that_is_switched_is_nothing() -> None:
    desk = begun(rate=10.0)
    for light in (0.6, 0.95, 0.5, 1.0):
        desk.light = light
        desk.pause(0.6)
    assert desk.reported == []


def test_a_card_that_cannot_be_read_is_asked_about_once_and_resolved() -> None:
    desk = begun()
    desk.blind = {"red-5"}
    desk.lay("red-5", spot(8, 5, 12))
    desk.pause(3.5)
    assert [one.kind for one in desk.events] == ["unread"]
    assert not desk.events[0].sure
    desk.blind = set()
    desk.pause(1.5)
    assert desk.reported[1:] == [("placed", "red-5")]
    assert desk.events[1].resolves == desk.events[0].number


def test_what_was_forgotten_is_found_again() -> None:
    desk = begun()
    desk.watcher.forget()
    desk.pause(0.5)
    assert desk.reported == [("found", "blue-2")]


def test_a_place_that_cannot_be_watched_is_an_error() -> None:
    desk = Desk()
    with pytest.raises(ValueError, match="outside the picture"):
        desk.watcher.watch(desk.picture(), 0.0, desk.region + 5000)
