"""Doubtful tops are read again in the rotated picture."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from hardware.camera.track import window_of
from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.reading.top_reader import (
    combine_readings,
    is_doubtful,
    looks_different,
    recognise_rotated,
)
from hardware.camera.track.view.top_cards import TopCard
from hardware.camera.types import Detection, Picture
from tests.hardware.camera.track.desk import SIZE, Desk, is_turned, spot
from tests.hardware.camera.track.drawn import LIMITS, at, laid, noisy, table


@dataclass
class FooledDesk(Desk):
    """A desk whose reader takes the card below for the top, except in the rotated picture."""

    chance: float = 0.999
    rotated: int = 0
    misses: bool = False

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        found = super().recognise(picture, parts=parts)
        rows, columns = window_of(self.region, (SIZE[1], SIZE[0]), LIMITS).crop
        if is_turned(picture, rows, columns):
            self.rotated += 1
            return found
        if len(self.cards) < 2 or not found:
            return found
        below, corners = self.cards[-2]
        seen = Detection(corners - (columns.start, rows.start), {below: 0.999})
        return [] if self.misses else [seen]


@pytest.mark.parametrize("misses", [False, True])
def test_the_card_on_top_is_found_in_the_turned_picture(misses: bool) -> None:
    desk = FooledDesk(misses=misses)
    desk.cards = [("blue-2", spot())]
    desk.pause(1.0)
    desk.lay("blue-4", spot(5, 3, 65))
    desk.pause(1.0)
    assert desk.reported == [("found", "blue-2"), ("placed", "blue-4")]
    assert desk.rotated > 0
    event = desk.events[-1]
    assert event.corners is not None
    assert np.allclose(event.corners.mean(axis=0), spot(5, 3).mean(axis=0), atol=2)


def test_a_pile_that_was_only_pushed_is_not_looked_at_twice() -> None:
    desk = FooledDesk()
    desk.cards = [("blue-2", spot())]
    desk.pause(1.0)
    desk.push(9, -7)
    desk.pause(1.0)
    assert desk.reported == [("found", "blue-2")]
    assert desk.rotated == 0


def test_a_card_that_reads_as_the_last_one_may_look_different() -> None:
    before = laid(table(), "blue-2", at())
    now = noisy(laid(before, "blue-4", at(5, 3, 65)), 5)
    top = TopCard({"blue-2": 1.0}, at(), before)
    there = CardSighting(1.0, {"blue-2": 0.99}, at())
    assert looks_different(there, top, now, LIMITS)
    assert not looks_different(None, top, now, LIMITS)
    assert not looks_different(there, None, now, LIMITS)
    assert not looks_different(there, top, noisy(before, 5), LIMITS)
    assert not looks_different(replace(there, probabilities={"blue-4": 0.99}), top, now, LIMITS)
    assert not looks_different(replace(there, corners=at(60, 20)), top, now, LIMITS)


def test_what_is_in_doubt() -> None:
    clear = CardSighting(1.0, {"blue-2": 0.99}, at())
    assert not is_doubtful(clear, LIMITS)
    assert is_doubtful(None, LIMITS)
    assert is_doubtful(replace(clear, whole=False), LIMITS)
    assert is_doubtful(replace(clear, probabilities={"blue-2": 0.97}), LIMITS)


def looks(
    *chances: float, name: str = "red-4:N", whole: bool = True, x: float = 0.0
) -> CardSighting:
    chances_of = dict(zip((name, "red-4"), chances, strict=False))
    return CardSighting(
        1.0, dict(sorted(chances_of.items(), key=lambda pair: -pair[1])), at(x), whole
    )


def test_two_looks_that_agree_are_as_sure_as_the_surer() -> None:
    one, other = looks(0.9), looks(0.97)
    assert combine_readings(one, other, LIMITS, different=False) is other
    assert combine_readings(other, one, LIMITS, different=False) is other


def test_two_looks_that_differ_leave_it_in_doubt() -> None:
    one = looks(0.1, 0.9)
    joined = combine_readings(one, looks(0.98, 0.02), LIMITS, different=False)
    assert joined is not None
    assert joined.probabilities == pytest.approx({"red-4:N": 0.54, "red-4": 0.46})
    # What lies elsewhere is another card.
    assert combine_readings(one, looks(0.98, x=60), LIMITS, different=False) is one


def test_a_whole_card_is_taken_for_a_part_of_one_and_for_none() -> None:
    part, sure, unsure = looks(0.9, name="blue-6", whole=False), looks(0.98), looks(0.5)
    assert combine_readings(part, sure, LIMITS, different=False) is sure
    assert combine_readings(part, unsure, LIMITS, different=False) is part
    assert combine_readings(None, sure, LIMITS, different=False) is sure
    assert combine_readings(None, unsure, LIMITS, different=False) is None
    assert combine_readings(unsure, None, LIMITS, different=False) is unsure
    assert combine_readings(unsure, part, LIMITS, different=False) is unsure
    assert combine_readings(None, None, LIMITS, different=False) is None


def test_what_cannot_be_right_is_right_if_the_second_look_agrees() -> None:
    one, another = looks(0.99), looks(0.9, name="blue-6")
    assert combine_readings(one, looks(0.999), LIMITS, different=True) is one
    assert combine_readings(one, another, LIMITS, different=True) is another


def test_corners_found_in_the_turned_picture_are_the_pictures() -> None:
    class Eye:
        def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
            assert picture.shape == (60, 40, 3)
            y, x = (int(v) for v in np.argwhere(picture[..., 2] == 255)[0])
            return [Detection(np.array([(x, y)] * 4), {"red-1": 1.0})]

    picture = np.zeros((40, 60, 3), np.uint8)
    picture[7, 11, 2] = 255
    (found,) = recognise_rotated(Eye(), picture)
    assert found.corners.tolist() == [[11, 7]] * 4
