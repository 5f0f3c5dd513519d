"""A card laid across one of its own colour, where the reader draws the outline of the one below."""

from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.cards import Found, Picture
from hardware.camera.track import window_of
from hardware.camera.track.second import looks_otherwise, upside_down
from hardware.camera.track.sightings import Sighting
from hardware.camera.track.tops import Top
from tests.hardware.camera.track.desk import Desk, spot
from tests.hardware.camera.track.drawn import LIMITS, at, laid, noisy, table


@dataclass
class FooledDesk(Desk):
    """Its reader takes the card below for the top, unless it sees the picture upside down."""

    frame: Picture | None = None
    anew: int = 0

    def step(self, picture: Picture | None = None) -> None:
        self.frame = self.picture() if picture is None else picture
        super().step(self.frame)

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Found]:
        found = super().recognise(picture, parts=parts)
        assert self.frame is not None
        rows, columns = window_of(self.region, self.frame.shape[:2], LIMITS).crop
        if np.array_equal(picture, self.frame[rows, columns][::-1, ::-1]):
            self.anew += 1
            last = np.array((picture.shape[1] - 1, picture.shape[0] - 1))
            return [replace(one, corners=last - one.corners) for one in found]
        if len(self.cards) < 2 or not found:
            return found
        below, corners = self.cards[-2]
        return [Found(corners - (columns.start, rows.start), {below: 0.999})]


def test_the_card_on_top_is_found_upside_down() -> None:
    desk = FooledDesk()
    desk.cards = [("blue-2", spot())]
    desk.pause(1.0)
    desk.lay("blue-4", spot(5, 3, 65))
    desk.pause(1.0)
    assert desk.told == [("found", "blue-2"), ("placed", "blue-4")]
    assert desk.anew > 0
    event = desk.events[-1]
    assert event.corners is not None
    assert np.allclose(event.corners.mean(axis=0), spot(5, 3).mean(axis=0), atol=2)


def test_a_pile_that_was_only_pushed_is_not_looked_at_twice() -> None:
    desk = FooledDesk()
    desk.cards = [("blue-2", spot())]
    desk.pause(1.0)
    desk.push(9, -7)
    desk.pause(1.0)
    assert desk.told == [("found", "blue-2")]
    assert desk.anew == 0


def test_what_lies_elsewhere_or_reads_otherwise_may_look_otherwise() -> None:
    before = laid(table(), "blue-2", at())
    now = noisy(laid(before, "blue-4", at(5, 3, 65)), 5)
    top = Top({"blue-2": 1.0}, at(), before)
    there = Sighting(1.0, {"blue-2": 0.99}, at())
    assert looks_otherwise(there, top, now, LIMITS)
    assert not looks_otherwise(there, None, now, LIMITS)
    assert not looks_otherwise(there, top, noisy(before, 5), LIMITS)
    assert not looks_otherwise(replace(there, probabilities={"blue-4": 0.99}), top, now, LIMITS)
    assert not looks_otherwise(replace(there, corners=at(60, 20)), top, now, LIMITS)


def test_corners_found_upside_down_are_the_pictures() -> None:
    class Eye:
        def recognise(self, picture: Picture, *, parts: bool = True) -> list[Found]:
            y, x = (int(v) for v in np.argwhere(picture[..., 2] == 255)[0])
            return [Found(np.array([(x, y)] * 4), {"red-1": 1.0})]

    picture = np.zeros((40, 60, 3), np.uint8)
    picture[7, 11, 2] = 255
    (found,) = upside_down(Eye(), picture)
    assert found.corners.tolist() == [[11, 7]] * 4
