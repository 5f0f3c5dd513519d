"""The tracked pile after cards were laid, lifted and moved."""

import numpy as np

from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.view.top_cards import Shift, TopHistory
from tests.hardware.camera.track.drawn import LIMITS, SIZE, at, laid, still, table, top


def built(*cards: str) -> TrackedPile:
    pile = TrackedPile(LIMITS)
    pile.clear()
    pile.remember(still(table()))
    view = table()
    for n, card in enumerate(cards):
        view = laid(view, card, at(3.0 * n))
        pile.lay(top(card, at(3.0 * n), view))
        pile.remember(still(view))
    return pile


def test_what_was_on_top_lies_below() -> None:
    pile = built("red-5", "green-8", "blue-1")
    assert pile.top is not None
    assert pile.top.card == "blue-1"
    assert [one.card for one in pile.history.latest_first()] == ["green-8", "red-5"]
    assert pile.history.complete
    assert len(pile.outlines) == 3
    assert pile.empty_view is not None


def test_a_lift_goes_back_to_what_shows() -> None:
    pile = built("red-5", "green-8", "blue-1")
    earlier = pile.history.latest_first()[1]
    pile.lift(top("red-5", at(), table()), earlier)
    assert pile.top is not None
    assert pile.top.card == "red-5"
    assert pile.history.latest_first() == []
    assert pile.history.complete


def test_a_lift_to_what_was_never_seen_leaves_what_lies_below_open() -> None:
    pile = built("red-5", "green-8")
    pile.lift(top("yellow-7", at(), table()), None)
    assert pile.history.latest_first() == []
    assert not pile.history.complete


def test_a_pushed_pile_takes_what_is_known_along() -> None:
    pile = built("red-5", "green-8")
    move = np.array([[1.0, 0, 7], [0, 1, -4], [0, 0, 1]])
    pile.move_top(at(10, -4), Shift(move, 0.0, 0.05))
    (below,) = pile.history.latest_first()
    assert np.allclose(below.corners, at(7, -4))
    assert below.fresh
    pile.mark_disturbed()
    assert not pile.history.latest_first()[0].fresh


def test_a_moved_camera_sees_all_elsewhere() -> None:
    pile = built("red-5", "green-8")
    pile.follow_camera(np.array([[1.0, 0, 5], [0, 1, 6], [0, 0, 1]]))
    assert pile.top is not None
    assert np.allclose(pile.top.corners, at(8, 6))
    assert np.allclose(pile.history.latest_first()[0].corners, at(5, 6))


def test_what_a_hand_hides_stays_known() -> None:
    pile = built("red-5")
    reach = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    reach[200:] = 1
    hidden = laid(table(), "red-5", at())
    hidden[200:] = 90
    assert pile.last_view is not None
    known = pile.last_view.view
    pile.remember(still(hidden), reach)
    assert pile.last_view is not None
    assert np.array_equal(pile.last_view.view[210:], known[210:])


def test_a_second_reading_counts_if_it_is_surer() -> None:
    pile = built("red-6")
    pile.improve_reading({"red-6": 0.6, "red-9": 0.3}, at(1))
    assert pile.top is not None
    assert pile.top.probabilities == {"red-6": 0.97}
    pile.improve_reading({"red-6": 0.99}, at(1))
    assert pile.top.probabilities == {"red-6": 0.99}
    assert np.allclose(pile.top.corners, at(1))


def test_only_so_many_earlier_tops_are_remembered() -> None:
    history = TopHistory(2)
    history.clear()
    for card in ("red-1", "red-2", "red-3"):
        assert history.complete
        history.add(top(card, at(), table()))
    assert [one.card for one in history.latest_first()] == ["red-3", "red-2"]
    assert not history.complete
