"""Training data has the shares of icons that the readers assume."""

import numpy as np
import pytest

from hardware.camera.decks import all_cards
from hardware.camera.reading import read
from lab.draw.scenes.params import CropParams
from lab.draw.scenes.random_card import random_card
from lab.train.samples import ICONS


def plain(icons: float) -> float:
    """Return the share of number cards dealt without an icon."""
    rng, without = np.random.default_rng(3), []
    for seed in range(20_000):
        card = all_cards()[random_card(rng, CropParams().rare, icons, seed)]
        if card.symbol in "123456789":
            without.append(card.icon == "none")
    return float(np.mean(without))


def test_number_cards_without_an_icon_are_as_many_as_is_counted_on():
    usual, last = plain(CropParams().icons), plain(ICONS)
    assert usual == pytest.approx(read.CORNER_PLAIN, abs=0.02)
    assert (usual + last) / 2 == pytest.approx(read.READER_PLAIN, abs=0.02)
