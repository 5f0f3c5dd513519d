"""Drawn cards: faces that differ, what is no face, and what networks are trained on."""

import numpy as np
import pytest

from hardware.camera.decks import all_cards
from hardware.camera.reading import read
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import PrintStyle, random_style
from lab.draw.cards.word_edition import WordAssets, WordStyle
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.params import CropParams, SceneParams
from lab.draw.scenes.random_card import random_card
from lab.draw.scenes.scene import random_scene
from lab.train.samples import FACES, ICONS, STRANGERS, MatcherSamples

USUAL = PrintStyle(flipped=0.0, wear=0.0)


def body(card_id, style=USUAL, height=174):
    return render_face(card_id, style, height)


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(USUAL, id="usual"),
        pytest.param(random_style(3), id="drawn"),
    ],
)
def test_every_card_of_the_five_decks_differs_from_every_other(style):
    style = PrintStyle(**{**vars(style), "custom_written": True})
    names = list(all_cards())
    faces = np.stack([body(name, style, 87)[..., :3].reshape(-1, 3).T for name in names])
    for number, face in enumerate(faces[:-1]):
        others = faces[number + 1 :]
        differences = np.maximum(others, face) - np.minimum(others, face)
        changed = (differences.max(axis=1) > 40).mean(axis=1)
        assert changed.min() > 0.002, (names[number], names[number + 1 + int(changed.argmin())])


def test_an_unknown_card_is_refused():
    with pytest.raises(KeyError):
        render_face("purple-7", USUAL)


def test_scenes_are_drawn_with_the_edition():
    style = WordStyle.random(4)
    assets = WordAssets(1, style)
    assert assets.face("red-9", style.inks) is WordAssets.face(assets, "red-9", style.inks)
    params = SceneParams(kinds={"single": 1.0}, deck=("red-9",), empty=0.0, cut_out=0.0)
    scene = random_scene(np.random.default_rng(3), assets, params)
    assert {card.card for card in scene.cards} <= {"red-9"}
    assert scene.image.ndim == 3


@pytest.mark.parametrize("crop", [random_crop, random_corner_crop])
def test_a_crop_of_another_game_is_no_face(crop) -> None:
    rng, assets = np.random.default_rng(2), AssetCache(5, height=60, styles=1, renew=0)
    params = CropParams(foreign=1.0)
    assert not any(crop(rng, assets, params).valid for _ in range(6))


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


def test_a_sample_shows_enrolled_faces_twice_and_strangers_once() -> None:
    crops, which = MatcherSamples(3)(np.random.default_rng(3))
    assert crops.shape == (2 * FACES + STRANGERS, 144, 96, 3)
    assert len(set(which.tolist())) == FACES + STRANGERS
