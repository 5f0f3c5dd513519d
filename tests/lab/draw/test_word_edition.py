import numpy as np

from lab.draw.cards.word_edition import WordAssets, WordStyle
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import random_scene


def test_scenes_are_drawn_with_the_edition():
    style = WordStyle.random(4)
    assets = WordAssets(1, style)
    assert assets.face("red-9", style.inks) is WordAssets.face(assets, "red-9", style.inks)
    params = SceneParams(kinds={"single": 1.0}, deck=("red-9",), empty=0.0, cut_out=0.0)
    scene = random_scene(np.random.default_rng(3), assets, params)
    assert {card.card for card in scene.cards} <= {"red-9"}
    assert scene.image.ndim == 3
