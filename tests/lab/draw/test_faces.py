import numpy as np
import pytest

from hardware.camera.decks import all_cards
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import PrintStyle, random_style

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
