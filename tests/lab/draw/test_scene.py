import cv2
import numpy as np
import pytest

from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.print_style import PrintStyle
from lab.draw.scenes.compositing import Canvas, composite, mark_owner
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.projection import (
    CARD_CORNERS,
    card_corners,
    placement,
    tilted_view,
    zoomed_view,
)
from lab.draw.scenes.scene import card_truth, random_scene

QUIET = {
    "distractors": 0.0,
    "fingers": 0.0,
    "passing": 0.0,
    "glare": 0.0,
    "shadows": 0.0,
    "cast": 0.0,
    "dark": 0.0,
    "washed": 0.0,
    "blurred": 0.0,
    "webcam": 0.0,
    "noisy": 0.0,
    "jpeg": 0.0,
    "empty": 0.0,
    "bent": 0.0,
    "cut_out": 0.0,
}


@pytest.fixture(scope="module")
def assets():
    return AssetCache(3, styles=2, renew=0)


def test_corners_run_clockwise_from_the_cards_own_upper_left(assets):
    rng = np.random.default_rng(5)
    for _ in range(60):
        for card in random_scene(rng, assets).cards:
            if np.abs(card.corners).max() < 2000:
                # With y downwards a positive area means clockwise.
                assert cv2.contourArea(card.corners, oriented=True) > 0


def test_the_first_corner_is_the_one_the_face_has_there():
    # A face whose upper left quarter alone is white shows which corner comes first.
    face = np.zeros((174, 112, 4), np.uint8)
    face[..., 3] = 255
    face[:87, :56, :3] = 255
    for turn in (0, 40, 130, 250):
        canvas = Canvas(np.full((200, 200, 3), 90, np.uint8))
        seen_from = tilted_view(35, 20, 400) @ placement(0, 0, turn)
        view = zoomed_view(seen_from, CARD_CORNERS, (100, 100), (150, 150))
        quad = card_corners(view, placement(0, 0, 0))
        composite(canvas, (face,), view, quad)
        inside = quad.mean(axis=0) + 0.6 * (quad - quad.mean(axis=0))
        levels = [canvas.image[int(y), int(x)].mean() for x, y in inside]
        assert levels[0] > 200
        assert max(levels[1:]) < 60


def test_truth_lies_where_the_card_was_drawn():
    plain = PrintStyle(
        seed=1, colours=dict.fromkeys(("red", "yellow", "green", "blue"), (0, 0, 255))
    )
    own = AssetCache(1, fixed=(plain,))
    params = SceneParams(
        kinds={"single": 1.0}, distances={"usual": 1.0}, rare=0.0, icons=0.0, **QUIET
    )
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(40):
        scene = random_scene(rng, own, params)
        if not scene.cards or scene.cards[0].card.startswith("wild"):
            continue
        card = scene.cards[0]
        mask = np.zeros(scene.image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(card.corners).astype(np.int32), 1)
        image = scene.image.astype(int)
        red = (image[..., 2] > 1.7 * image[..., 1]) & (image[..., 2] > 1.7 * image[..., 0])
        if red[mask == 0].mean() < 0.01:
            found += 1
            assert red[mask == 1].mean() > 0.2
    assert found > 15


def test_visible_shares_follow_what_lies_on_top(assets):
    canvas = Canvas(np.zeros((200, 200, 3), np.uint8))
    view = np.array([[1.0, 0, 100], [0, 1.0, 100], [0, 0, 1]])
    below, above = placement(0, 0, 0), placement(28, 0, 0)
    mark_owner(canvas, card_corners(view, below), 1)
    mark_owner(canvas, card_corners(view, above), 2)
    hidden = card_truth(canvas, view @ below, "red-1", 1)
    assert hidden.visible == pytest.approx(0.5, abs=0.03)
    assert hidden.indices[0] == 1.0
    assert hidden.indices[1] == 0.0
    assert card_truth(canvas, view @ above, "red-2", 2).visible == pytest.approx(1.0, abs=0.03)


def test_what_lies_outside_the_picture_is_not_visible():
    canvas = Canvas(np.zeros((100, 100, 3), np.uint8))
    view = np.array([[1.0, 0, 50], [0, 1.0, 0], [0, 0, 1]])
    mark_owner(canvas, card_corners(view, placement(0, 0, 0)), 1)
    cut = card_truth(canvas, view, "red-1", 1)
    assert cut.visible == pytest.approx(0.5, abs=0.03)
    assert cut.indices == (0.0, 1.0)
