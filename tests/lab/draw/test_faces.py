import cv2
import numpy as np
import pytest

from hardware.camera.decks import RULESETS, all_cards
from lab.draw.faces import render_face
from lab.draw.print_style import CENTRES, PrintStyle, random_style

USUAL = PrintStyle(flipped=0.0, wear=0.0)
# The sign alone on white: an ellipse that covers the whole field.
OPEN = PrintStyle(flipped=0.0, centre_size=(150.0, 190.0), lean=0.0)


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


def test_faces_follow_from_the_seed():
    assert random_style(11) == random_style(11)
    assert random_style(11) != random_style(12)
    assert np.array_equal(
        render_face("red-7", random_style(11)), render_face("red-7", random_style(11))
    )
    assert not np.array_equal(
        render_face("red-7", random_style(11)), render_face("red-7", random_style(12))
    )


def test_size_and_round_corners():
    face = body("blue-3", height=261)
    assert face.shape == (261, 168, 4)
    assert face[0, 0, 3] == 0
    assert face[130, 84, 3] == 255


def test_an_unknown_card_is_refused():
    with pytest.raises(KeyError):
        render_face("purple-7", USUAL)


def centre(card_id, style=OPEN):
    """Return a mask of the coloured part of the sign in the middle."""
    face = body(card_id, style, 348)[..., :3]
    part = face[80:268, 40:184]
    hsv = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2HSV)
    return (hsv[..., 1] > 120) & (hsv[..., 2] > 120)


def test_six_and_nine_differ_by_their_bar_only():
    six, nine = centre("red-6"), centre("red-9")
    # Turned over, a nine looks like a six but for the bar, which lies above it then.
    both = six & nine[::-1, ::-1]
    assert both.sum() > 0.8 * six.sum()
    rows_six, rows_nine = np.flatnonzero(six.any(axis=1)), np.flatnonzero(nine.any(axis=1))
    middle = six.shape[0] / 2
    assert rows_six.max() - middle > middle - rows_six.min() + 8
    assert rows_nine.max() - middle > middle - rows_nine.min() + 8


def test_the_reverse_arrow_that_points_up_lies_on_the_left():
    sign = centre("blue-reverse").astype(np.uint8)
    # Turned back by its lean the first arrow points straight up, left of the middle line.
    height, width = sign.shape
    upright = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), USUAL.arrows.lean, 1)
    sign = cv2.warpAffine(sign, upright, (width, height))
    columns = np.arange(width) - (width - 1) / 2
    rows = np.flatnonzero(sign.any(axis=1))
    top, bottom = sign[rows[0] + 3], sign[rows[-1] - 3]
    assert columns[top > 0].mean() < -3
    assert columns[bottom > 0].mean() > 3


def test_the_reverse_sign_is_alike_from_both_ends():
    sign = centre("green-reverse")
    assert (sign & sign[::-1, ::-1]).sum() > 0.93 * sign.sum()
    assert (sign & sign[:, ::-1]).sum() < 0.75 * sign.sum()


def test_the_slash_of_skip_rises_to_the_right():
    sign = centre("red-skip")
    height, width = sign.shape
    step = int(0.12 * width)
    y, x = height // 2, width // 2
    assert sign[y - step, x + step]
    assert sign[y + step, x - step]
    assert not sign[y - step, x - step]


def test_a_flipped_centre_is_upside_down_to_its_corner():
    flipped = PrintStyle(**{**vars(OPEN), "flipped": 1.0})
    turned = centre("red-7", flipped)[::-1, ::-1]
    assert (turned ^ centre("red-7")).mean() < 0.02
    assert (centre("red-7", flipped) ^ centre("red-7")).mean() > 0.05
    corner = (slice(8, 36), slice(6, 34))
    assert np.array_equal(body("red-7", flipped)[corner], body("red-7", OPEN)[corner])


def test_both_corners_carry_the_sign():
    face = body("green-4")[..., :3].astype(np.int16)
    one, two = face[6:36, 5:30], face[::-1, ::-1][6:36, 5:30]
    assert (np.abs(one - two).max(axis=2) > 60).mean() < 0.06


def test_ink_stays_within_the_hues_of_its_colour():
    hues = {"red": (345, 15), "yellow": (40, 60), "green": (85, 174), "blue": (191, 250)}
    for seed in range(60):
        for suit, (low, high) in hues.items():
            pixel = np.array([[random_style(seed).colours[suit]]], np.float32) / 255
            hue = cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0, 0]
            inside = low - 1 <= hue <= high + 1
            assert inside or (low > high and (hue >= low - 1 or hue <= high + 1)), (seed, suit)


def test_print_runs_vary():
    styles = [random_style(seed) for seed in range(80)]
    assert {style.centre for style in styles} == set(CENTRES)
    assert {style.wild_word for style in styles} == {False, True}
    assert {style.coloured for style in styles} == {False, True}
    assert any(style.border == 0 for style in styles)
    assert len({style.wild_order for style in styles}) > 10


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_a_drawn_run_prints_a_whole_deck(ruleset):
    for card in RULESETS[ruleset][::7]:
        face = render_face(card.id, random_style(5), 87)
        assert face.shape == (87, 56, 4)
        assert face[..., :3].std() > 15
