"""One phone as the camera: what its view tells."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from hardware.camera.pipeline import WATCHING
from hardware.camera.setup.follow import PilePosition
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


def place(size: float) -> Any:
    """A square place in the middle of a picture of 640 by 480."""
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size / 2
    return np.add(half, (320, 240)).astype(np.float32)


@pytest.mark.parametrize(
    ("size", "told"), [(60.0, {"far"}), (200.0, set()), (420.0, {"near"}), (None, set())]
)
def test_a_place_found_by_a_card_is_too_small_or_leaves_no_room(
    size: float | None, told: set[str]
) -> None:
    noise = np.random.default_rng(3).integers(60, 200, (480, 640, 3), np.uint8)
    found = None if size is None else place(size)
    pipeline = cast(
        "Any",
        SimpleNamespace(
            **{**vars(PIPELINE), "pile": found, "position": PilePosition(found, "still")}
        ),
    )
    view = PhoneView()
    for number in range(2):
        picture = noise + np.uint8(number)
        view.shown(pipeline, UPKEEP, Frame(picture, number * phone.MEASURE_EVERY, number))
    newest = view.newest(0)
    assert {"far", "near"} & set(newest["advice"]) == told
    if size is None:
        assert newest["pile"] is None
    else:
        shares = [[round(x / 640, 4), round(y / 480, 4)] for x, y in place(size).tolist()]
        assert newest["pile"] == shares
    # Where no picture comes, the place stays.
    view.shown(pipeline, UPKEEP, None)
    assert view.newest(0)["pile"] == newest["pile"]
