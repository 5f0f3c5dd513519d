"""The strip of pictures: the rare rulings first, the rest evenly, as one picture."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.demo.http.client import DemoError
from referee.demo.players.captions import Caption
from referee.demo.show.live_table import RulingPicture
from referee.demo.show.picture_strip import COLUMNS, GAP, ROWS, WIDTH, chosen, write_strip


def shot(number: int, kind: str = "board") -> RulingPicture:
    _, jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), number % 256, np.uint8))
    text = "Bo plays a card, and this sentence is so long that it goes over several lines. " * 2
    return RulingPicture(jpeg.tobytes(), Caption(kind, 1, number, text, "match", "S0"))


def test_rare_rulings_have_a_place_and_all_stay_in_order() -> None:
    kinds = ["opened", *["board"] * 20, "illegal", *["board"] * 5, "illegal", "illegal", "won"]
    shots = [shot(number, kind) for number, kind in enumerate(kinds)]
    kept = chosen(shots, ROWS * COLUMNS)
    assert len(kept) == ROWS * COLUMNS
    assert [one.caption.kind for one in kept if one.caption.kind != "board"] == [
        "opened",
        "illegal",
        "illegal",
    ]
    assert [one.caption.number for one in kept] == sorted(one.caption.number for one in kept)


def test_a_short_game_has_a_short_strip(tmp_path: Path) -> None:
    file = tmp_path / "strip.png"
    write_strip(file, [shot(number) for number in range(2)])
    height, width = cv2.imread(str(file)).shape[:2]
    assert width == COLUMNS * (WIDTH + GAP) + GAP
    assert height < width / 2


def test_a_game_without_pictures_has_none(tmp_path: Path) -> None:
    with pytest.raises(DemoError):
        write_strip(tmp_path / "strip.png", [])
