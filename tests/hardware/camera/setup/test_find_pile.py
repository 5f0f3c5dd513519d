"""The pile is found by itself: by a card that lies still, where somebody points, or by the mat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.geometry import overlap
from hardware.camera.setup.find_pile import LOOKS, SEARCH_EVERY, PileFinder, Pointer, place_around
from hardware.camera.setup.follow import PilePosition
from hardware.camera.source import Frame
from hardware.camera.types import Corners, Detection, Picture
from tests.hardware.camera.piles import PLACE, SIZE, Plain, film, frames, noisy, table
from tests.hardware.camera.setup.scenes import Shot

GROUND = table(np.random.default_rng(3))
RNG = np.random.default_rng(4)


def outline(x: float, y: float, height: float = 120.0) -> Corners:
    width = height * 56 / 87
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    return (box + np.array([x, y])).astype(np.float32)


@dataclass
class Shown:
    """Recognises what the test says."""

    cards: list[tuple[Corners, float]] = field(default_factory=list)
    asked: int = 0

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        self.asked += 1
        return [Detection(corners, {"red-7": chance}) for corners, chance in self.cards]


def looked(finder: PileFinder, times: Sequence[float]) -> list[PilePosition]:
    return [finder.update(noisy(GROUND, RNG), at) for at in times]


def every(count: int, since: float = 0.0) -> list[float]:
    return [since + number * SEARCH_EVERY for number in range(count)]


def test_a_card_that_lies_still_is_the_pile() -> None:
    shown = Shown([(outline(330, 180), 0.9)])
    finder = PileFinder(shown)
    positions = looked(finder, every(LOOKS + 2))
    assert [one.state for one in positions] == ["searching"] * (LOOKS - 1) + ["still"] * 3
    assert [one.anew for one in positions] == [False] * (LOOKS - 1) + [True, False, False]
    place = positions[-1].pile
    assert place is not None
    assert overlap(place, place_around(outline(330, 180))) > 0.95
    # Found, it is searched for no more.
    asked = shown.asked
    looked(finder, every(5, 10.0))
    assert shown.asked == asked


@pytest.mark.parametrize("degrees", [0.0, 33.0, 180.0, 290.0])
def test_a_card_at_any_angle_leaves_directions_the_pictures(degrees: float) -> None:
    card = outline(330, 180)
    middle = card.mean(axis=0)
    turn = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), -degrees, 1.0)
    turned = cv2.transform(card[np.newaxis], turn)[0].astype(np.float32)
    positions = looked(PileFinder(Shown([(turned, 0.9)])), every(LOOKS + 3))
    assert positions[0].turned == 0.0
    # To be added to directions within the place.
    assert [one.turned for one in positions[-3:]] == pytest.approx([degrees] * 3, abs=0.1)


def test_a_card_on_its_way_is_not() -> None:
    shown = Shown()
    finder = PileFinder(shown)
    for number, at in enumerate(every(8)):
        shown.cards = [(outline(200 + 30 * number, 180), 0.9)]
        assert looked(finder, [at])[0].pile is None


def test_between_looks_nothing_is_searched() -> None:
    shown = Shown([(outline(330, 180), 0.9)])
    looked(PileFinder(shown), [number / 100 for number in range(30)])
    assert shown.asked == 1


@pytest.mark.parametrize(
    "card",
    [(outline(330, 180), 0.3), (outline(20, 180), 0.9), (outline(330, 350), 0.9)],
)
def test_what_may_be_no_card_or_lies_at_the_rim_is_not_the_pile(
    card: tuple[Corners, float],
) -> None:
    assert looked(PileFinder(Shown([card])), every(6))[-1].pile is None


def test_of_several_the_one_nearest_to_the_middle_is_the_pile() -> None:
    shown = Shown([(outline(120, 180), 0.99), (outline(350, 170), 0.8), (outline(520, 200), 0.99)])
    place = looked(PileFinder(shown), every(5))[-1].pile
    assert place is not None
    assert np.allclose(place.mean(axis=0), (350, 170), atol=3)


def test_the_pile_is_where_somebody_points() -> None:
    shown, pointer = Shown([(outline(350, 170), 0.99), (outline(150, 180), 0.99)]), Pointer()
    finder = PileFinder(shown, pointer)
    looked(finder, every(5))
    pointer.point(160 / SIZE[0], 200 / SIZE[1])
    found = looked(finder, [4.0])[0]
    assert (found.state, found.anew) == ("still", True)
    assert found.pile is not None
    assert np.allclose(found.pile.mean(axis=0), (150, 180), atol=1)
    # Where no card is seen, it is as large as one would be.
    pointer.point(0.8, 0.5)
    empty = looked(finder, [5.0])[0].pile
    assert empty is not None
    assert np.allclose(empty.mean(axis=0), (0.8 * SIZE[0], 0.5 * SIZE[1]), atol=1)
    assert np.isclose(cv2.contourArea(empty), cv2.contourArea(found.pile), rtol=0.1)


def test_a_phone_that_is_turned_searches_anew() -> None:
    shown = Shown([(outline(330, 180), 0.9)])
    finder = PileFinder(shown)
    looked(finder, every(5))
    shown.cards = [(outline(180, 330), 0.9)]
    turned = [
        finder.update(noisy(GROUND, RNG).transpose(1, 0, 2).copy(), at) for at in every(5, 5.0)
    ]
    assert turned[0].pile is None
    assert turned[-1].pile is not None
    assert np.allclose(turned[-1].pile.mean(axis=0), (180, 330), atol=3)


def test_a_phone_that_is_put_elsewhere_finds_the_pile_again() -> None:
    shown = Shown([(outline(330, 180), 0.9)])
    finder = PileFinder(shown)
    looked(finder, every(5))
    other = table(np.random.default_rng(77))
    shown.cards = [(outline(200, 150), 0.9)]
    positions = [finder.update(noisy(other, RNG), 5.0 + number / 4) for number in range(30)]
    anew = [one for one in positions if one.anew]
    assert len(anew) == 1
    assert np.allclose(positions[-1].pile.mean(axis=0), (200, 150), atol=3)  # type: ignore[union-attr]


def test_surroundings_that_changed_move_no_pile() -> None:
    shown = Shown([(outline(330, 180), 0.9)])
    finder = PileFinder(shown)
    before = looked(finder, every(5))[-1].pile
    other = table(np.random.default_rng(78))
    shown.cards = [(outline(336, 184), 0.9)]
    positions = [finder.update(noisy(other, RNG), 5.0 + number / 4) for number in range(30)]
    assert not any(one.anew for one in positions)
    assert positions[-1].state == "still"
    assert np.array_equal(positions[-1].pile, before)  # type: ignore[arg-type]


def test_the_mat_is_better_than_a_card() -> None:
    scene = Shot().take()
    shown = Shown([(outline(400, 300), 0.99)])
    finder = PileFinder(shown)
    positions = [finder.update(scene, at) for at in (0.0, 0.3, 0.6)]
    assert finder.mat is not None
    assert positions[0].anew
    assert positions[-1].draw is not None
    assert shown.asked == 0


def test_cards_are_told_without_anything_marked() -> None:
    pipeline = Pipeline(Plain(), PileFinder(Plain()), live=False)
    events = []
    for frame in frames(film(["red-7", "blue-3", "green-5"], rest=60)):
        events += pipeline.take(frame)
    assert [(one.kind, next(iter(one.probabilities))) for one in events] == [
        ("found", "red-7"),
        ("placed", "blue-3"),
        ("placed", "green-5"),
    ]
    assert pipeline.pile is not None
    assert overlap(pipeline.pile, PLACE) > 0.6


def test_a_turned_phone_tells_the_top_again() -> None:
    pipeline = Pipeline(Plain(), PileFinder(Plain()), live=False)
    upright = list(film(["red-7"], rest=60))
    events = []
    for number, picture in enumerate(upright):
        events += pipeline.take(Frame(picture, number / 30, number))
    for number, picture in enumerate(upright, len(upright)):
        turned = np.ascontiguousarray(picture.transpose(1, 0, 2)[:, ::-1])
        events += pipeline.take(Frame(turned, number / 30, number))
    assert [one.kind for one in events] == ["found", "found"]
