"""One phone as the camera: what its view tells."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from hardware.camera.pipeline import WATCHING
from hardware.camera.source import Frame
from hardware.camera.types import Picture
from hardware.frames import phone
from hardware.frames.phone import PhoneView

PIPELINE = cast(
    "Any",
    SimpleNamespace(
        busy=False,
        other_decks=[],
        sight=WATCHING,
        position=None,
        pile=None,
        card="red-7",
        chance=0.9,
    ),
)
UPKEEP = cast("Any", SimpleNamespace(warnings=()))


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """The pictures whose light and distance are measured; all are too dark."""
    pictures: list[Picture] = []

    def measure(_: PhoneView, picture: Picture, __: Any) -> list[str]:
        pictures.append(picture)
        return ["dark"]

    monkeypatch.setattr(PhoneView, "_measure", measure)
    return pictures


def test_a_trouble_is_told_once_two_pictures_show_it(measured: list[Picture]) -> None:
    view = PhoneView()
    first, second = (np.full((90, 160, 3), level, np.uint8) for level in (3, 4))
    told = []
    for number, picture in enumerate((first, first, first, second)):
        view.shown(PIPELINE, UPKEEP, Frame(picture, number * phone.MEASURE_EVERY, number))
        told.append(view.newest(0)["advice"])
    assert told == [[], [], [], ["dark"]]
    assert [id(one) for one in measured] == [id(first), id(second)]
    assert (view.newest(0)["card"], view.newest(0)["chance"]) == ("red-7", 0.9)
