import numpy as np
import pytest

from hardware.camera.decks import RULESETS
from lab.draw.cards.word_edition import LAYOUTS, WordAssets, WordStyle, word_face
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import random_scene


@pytest.mark.parametrize("layout", LAYOUTS)
def test_faces_of_an_edition_differ(layout):
    style = WordStyle.random(4, layout)
    cards = [card.id for card in RULESETS["classic-108"] if card.colour in ("red", "none")]
    faces = [word_face(card, style, 144).astype(int) for card in cards]
    for number, face in enumerate(faces):
        assert face.shape == (144, 93, 4)
        for other in faces[:number]:
            assert (np.abs(face - other).max(axis=2) > 60).mean() > 0.003


def test_scenes_are_drawn_with_the_edition():
    style = WordStyle.random(4)
    assets = WordAssets(1, style)
    assert assets.face("red-9", style.inks) is WordAssets.face(assets, "red-9", style.inks)
    params = SceneParams(kinds={"single": 1.0}, deck=("red-9",), empty=0.0, cut_out=0.0)
    scene = random_scene(np.random.default_rng(3), assets, params)
    assert {card.card for card in scene.cards} <= {"red-9"}
    assert scene.image.ndim == 3
