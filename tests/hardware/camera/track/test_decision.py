"""A card seen for a moment under a hand: one laid and covered at once, or one that was known."""

import pytest

from hardware.camera.track.change import look
from hardware.camera.track.decision import Read, is_known
from hardware.camera.track.pile import Pile
from hardware.camera.track.sightings import Sighting
from hardware.camera.track.tops import Quad, Top
from tests.hardware.camera.track.drawn import LIMITS, at, laid, table

OLD, TOP, NEW = at(-14, 6, 20), at(8, -4, 80), at(2, 3, 5)


@pytest.fixture
def pile() -> Pile:
    """A red 7, and a green 3 on it."""
    found = Pile(LIMITS)
    for card, corners in (("red-7", OLD), ("green-3", TOP)):
        view = laid(table(), card, corners)
        found.lay(Top({card: 0.999}, corners, view))
        found.still(look(view, LIMITS))
    return found


def known(pile: Pile, corners: Quad, **chances: float) -> bool:
    now = look(laid(table(), "green-9", NEW), LIMITS)
    read = Read({"green-9": 1.0}, NEW, now)
    one = {card.replace("_", "-"): chance for card, chance in chances.items()}
    return is_known(pile, Sighting(0.0, one, corners), read)


def test_a_card_further_down_that_shows_under_the_hand_was_not_laid(pile: Pile) -> None:
    assert known(pile, OLD, red_7=0.99)
    # Half of it is hidden, and it is taken for another.
    assert known(pile, OLD, blue_1=0.9)


def test_a_blurred_card_that_may_be_the_one_now_on_top_is_no_other(pile: Pile) -> None:
    assert known(pile, at(-5, -20, 60), green_6=0.93, green_9=0.004)
    assert known(pile, at(-5, -20, 60), green_8=0.93, green_3=0.004)


def test_another_card_elsewhere_on_the_pile_was_laid(pile: Pile) -> None:
    assert not known(pile, at(-5, -20, 60), blue_1=0.99)
