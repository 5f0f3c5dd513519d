"""Drawn photos with labels are reproducible, and read like any labelled folder."""

from pathlib import Path

from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.source import read_picture
from lab.labelled_photos import read_index
from lab.measure.drawn_photos import write_drawn_photos


def test_each_deck_has_its_single_cards_and_its_hands(tmp_path: Path) -> None:
    told: list[int] = []
    assert write_drawn_photos(tmp_path, 1, 1, 1, 4, 320, told.append) == 3 * len(RULESETS)
    assert told == list(range(1, 16))
    photos = read_index(tmp_path)
    assert len(photos) == 15
    for photo in photos:
        assert photo.deck in RULESETS
        assert set(photo.cards) <= {card.id for card in cards_of(photo.deck)}
        assert photo.single == (not photo.source.endswith("-hands"))
        assert len(photo.cards) == 1 if photo.single else photo.cards
        assert max(read_picture(photo.path).shape) == 320


def test_equal_seeds_give_equal_pictures(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_drawn_photos(tmp_path / name, 1, 0, 0, 7, 200)
    one, other = (
        [(tmp_path / name / photo).read_bytes() for photo in ("classic-108/0000.jpg", "index.csv")]
        for name in ("one", "other")
    )
    assert one == other
