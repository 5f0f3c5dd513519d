"""Pictures are cut to the pile, whoever else is in them."""

import numpy as np

from hardware.camera.setup.follow import PilePosition
from hardware.gateway.recording.tape import RIM, Cutter

PICTURE = np.arange(720 * 1280, dtype=np.uint32).reshape(720, 1280)


def pile(x: float, y: float, width: float = 90.0, height: float = 120.0) -> PilePosition:
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return PilePosition(np.array(corners, np.float32), "still")


def test_nothing_is_kept_while_the_pile_is_unknown() -> None:
    assert Cutter().cut(PICTURE, PilePosition(None, "searching")) is None


def test_only_a_rim_around_the_pile_is_kept() -> None:
    cutter = Cutter()
    part = cutter.cut(PICTURE, pile(600, 300))
    assert part is not None
    x, y = cutter.corner
    assert part[0, 0] == PICTURE[y, x]
    rim = RIM * 120
    assert 600 - rim - 16 <= x <= 600 - rim
    assert 300 - rim - 16 <= y <= 300 - rim
    assert part.shape[1] <= 90 + 2 * rim + 32
    assert part.shape[0] <= 120 + 2 * rim + 32
    assert cutter.fields(pile(600, 300))["pile"][0] == [600 - x, 300 - y]


def test_a_nudge_changes_no_cut_and_a_move_does() -> None:
    cutter = Cutter()
    cutter.cut(PICTURE, pile(600, 300))
    before = cutter.corner
    cutter.cut(PICTURE, pile(610, 305))
    assert cutter.corner == before
    cutter.cut(PICTURE, pile(800, 300))
    assert cutter.corner != before


def test_it_goes_on_where_it_was_while_the_pile_is_hidden_or_moved() -> None:
    cutter = Cutter()
    whole = cutter.cut(PICTURE, pile(600, 300))
    hidden = cutter.cut(PICTURE, PilePosition(None, "searching"))
    assert hidden is not None
    assert whole is not None
    assert (hidden == whole).all()
    moving = PilePosition(pile(0, 0).pile, "moving")
    assert (cutter.cut(PICTURE, moving) == whole).all()


def test_the_picture_is_large_enough_at_its_edge() -> None:
    part = Cutter().cut(PICTURE, pile(-20, -20))
    assert part[0, 0] == PICTURE[0, 0]


def test_whole_pictures_on_request() -> None:
    part = Cutter(whole=True).cut(PICTURE, PilePosition(None, "searching"))
    assert part is PICTURE
