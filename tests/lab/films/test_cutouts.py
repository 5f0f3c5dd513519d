"""Cards, surfaces and hands are cut out of photos; drawn pictures stand in for these."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.types import Corners, Detection, Picture
from lab.films.photographed.cutouts import card_of, clean_face, cut_outs, edges, surface_of
from lab.films.photographed.hands import make_hand
from lab.films.photographed.held import held_hand, real_hand
from lab.labelled_photos import Photo
from tests.lab.films.given import CARDS, drawn_cut_outs

TRUE = np.array([(230, 130), (388, 148), (362, 402), (204, 380)], np.float32)


def photo(card: str = "red-1", ground: int = 70) -> Picture:
    """Return a card on a table with some grain, at ``TRUE``."""
    rng = np.random.default_rng(3)
    picture = np.clip(rng.normal(ground, 3, (480, 640, 3)), 0, 255).astype(np.uint8)
    face = next(one.face for one in drawn_cut_outs().cards if one.card == card)
    height, width = face.shape[:2]
    box = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    layer = np.dstack([face, np.full((height, width), 255, np.uint8)])
    flat = cv2.getPerspectiveTransform(box, TRUE)
    laid = cv2.warpPerspective(layer, flat, (640, 480), flags=cv2.INTER_AREA)
    share = laid[..., 3:] / 255
    return np.asarray(picture * (1 - share) + laid[..., :3] * share, np.uint8)


def test_an_outline_moves_to_the_edge() -> None:
    off = TRUE + np.array([(4, -3), (-3, 4), (3, 3), (-4, -2)], np.float32)
    found = edges(photo(), off)
    assert found is not None
    assert np.abs(found - TRUE).max() < 1.5


def test_a_face_is_cut_out_upright_and_evenly_exposed() -> None:
    dark = (photo() * 0.6).astype(np.uint8)
    face = clean_face(dark, TRUE)
    assert face.shape[0] > 1.4 * face.shape[1]
    assert face[6:12, 40:-40].mean() > 1.15 * dark[150:156, 260:360].mean()


def test_a_covered_or_cut_off_card_is_not_cut_out() -> None:
    covered = photo()
    cv2.circle(covered, (375, 275), 45, (40, 60, 90), -1)
    assert clean_face(covered, TRUE) is None
    assert clean_face(photo()[:390], TRUE) is None
    assert clean_face(cv2.resize(photo(), None, fx=0.3, fy=0.3), TRUE * 0.3) is None


def test_a_surface_is_what_lies_beside_the_card() -> None:
    surface = surface_of(photo(), TRUE)
    assert min(surface.picture.shape[:2]) >= 140
    assert 60 < surface.picture.mean() < 80
    assert surface.scale == pytest.approx(256 / 87, rel=0.05)
    striped = photo()
    striped[:, 400:] = np.repeat(np.arange(240)[None, :, None], 480, axis=0)
    striped[:, :200] = 255 - striped[:, 400:600]
    assert surface_of(striped, TRUE) is None


def test_only_the_labelled_card_counts() -> None:
    shot = Photo(Path("1.jpg"), "drawn", True, ("red-1",))
    one, other = Detection(TRUE, {"red-1": 0.999}), Detection(TRUE, {"red-7": 0.999})
    assert card_of(shot, [one]) is TRUE
    assert card_of(shot, [other]) is None
    assert card_of(shot, [one, other]) is None
    assert card_of(shot, [Detection(TRUE, {"red-1": 0.6})]) is None


class Knows:
    """Finds the card of each photo, as its label says."""

    def __init__(self) -> None:
        self._cards = iter(CARDS)

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the next card."""
        return [Detection(TRUE, {next(self._cards): 0.999})]


def test_what_was_cut_out_is_kept_and_read_again(tmp_path: Path) -> None:
    lines = ["file,source,kind,label"]
    for number, card in enumerate(CARDS):
        cv2.imwrite(str(tmp_path / f"{number}.png"), photo(card))
        lines.append(f"{number}.png,drawn,single,{card}")
    (tmp_path / "index.csv").write_text("\n".join(lines) + "\n")
    first = cut_outs(tmp_path, recogniser=Knows(), scratch=tmp_path)
    assert {one.card for one in first.cards} <= {*CARDS}
    assert len(first.cards) >= 6
    again = cut_outs(tmp_path, scratch=tmp_path)
    assert [one.card for one in again.cards] == [one.card for one in first.cards]
    assert len(again.surfaces) == len(first.surfaces) == len(CARDS)


def hand_photo() -> tuple[Picture, Corners]:
    """Return a drawn hand that holds a card before a bright wall."""
    hand = make_hand(np.random.default_rng(2), [], "pinch")
    under, over = (layer[:560, 60:360] for layer in (hand.under, hand.over))
    picture = np.full((560, 300, 3), 205.0)
    scale = 2.2
    middle = np.array([95.0 * scale - 60, (70 - 33) * scale])
    card = middle + np.array([(-28, -43.5), (28, -43.5), (28, 43.5), (-28, 43.5)]) * scale * 0.8
    for layer in (under, None, over):
        if layer is None:
            cv2.fillConvexPoly(picture, np.round(card).astype(int), (60, 170, 60))
            continue
        share = layer[..., 3:] / 255
        # Skin like that of the photos: brown, in even light.
        tone = np.clip(layer[..., :3].mean(axis=2, keepdims=True) / 110, 0.6, 1.3)
        picture = picture * (1 - share) + tone * np.array([45.0, 62.0, 98.0]) * share
    wall = cv2.copyMakeBorder(picture, 0, 0, 150, 250, cv2.BORDER_CONSTANT, value=(205, 205, 205))
    return wall.astype(np.uint8), (card + np.array([150, 0])).astype(np.float32)


def test_a_hand_is_cut_out_with_its_thumb_over_the_card() -> None:
    picture, card = hand_photo()
    held = held_hand(picture, card)
    middle = held.layer.shape[0] // 2
    assert held.wrist[1] > 60
    assert held.layer[middle, middle, 3] == 0
    assert held.layer[middle + 200, middle - 60 : middle + 60, 3].max() == 255
    hand = real_hand(held, np.random.default_rng(1), [])
    assert abs(hand.card.turn) < 15
    assert hand.over[..., 3].any()
    assert not hand.under[..., 3].any()


def test_no_hand_is_cut_out_where_its_outline_is_not_sure() -> None:
    picture, card = hand_photo()
    assert held_hand(np.minimum(picture, 85), card) is None
    assert held_hand(photo(), TRUE) is None
