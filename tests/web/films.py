"""Films for the browser's fake camera, drawn: a table with its mat, cards and hands."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.types import Picture
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.scene import random_scene
from lab.measure.drawn_photos import HANDS
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import parse_step

SIZE = (1280, 720)
# Frames a second as drawn. Chromium plays Motion JPEG at thirty.
DRAWN, PLAYED = 10, 30
QUALITY = 75
STILLS = 7
# The share of a corner's sign that has to be seen.
CLEAR = 0.9


def write_film(
    path: Path,
    steps: Sequence[tuple[float, str]],
    *,
    pile: Sequence[str] = (),
    rest: float = 20.0,
    seed: int = 5,
) -> Path:
    """Write a film of the pile as Motion JPEG; return its path.

    ``steps`` are the virtual camera's, each with the seconds of rest before it. After another
    ``rest`` the browser would begin anew.
    """
    setting = random_mat_setting(seed, SIZE, DRAWN, 0.0)
    camera = VirtualCamera(replace(setting, pile=tuple(pile)))
    with path.open("wb") as film:
        for still, words in steps:
            _rest(film, camera, still)
            parse_step(words.split())(camera)
            _act(film, camera)
        _rest(film, camera, rest)
    return path


def _act(film: BinaryIO, camera: VirtualCamera) -> None:
    while True:
        film.write(_next(camera) * (PLAYED // DRAWN))
        if not camera.busy:
            return


def _rest(film: BinaryIO, camera: VirtualCamera, seconds: float) -> None:
    """Write pictures of what lies still: a few in turn, as equal ones are a camera that hangs."""
    stills = [_next(camera) * (PLAYED // DRAWN) for _ in range(STILLS)]
    for number in range(round(seconds * DRAWN)):
        film.write(stills[number % STILLS])


def _next(camera: VirtualCamera) -> bytes:
    frame = camera.next()
    return _jpeg(frame.picture)


def write_hand(path: Path, cards: int, *, deck: str = "classic-108", seed: int = 1) -> list[str]:
    """Write a film of so many cards spread on a table, which lie still; return them."""
    rng, assets = np.random.default_rng(seed), AssetCache(seed)
    known = tuple(card.id for card in RULESETS[deck])
    params = replace(HANDS, kinds={"row": 1.0}, long_side=SIZE[0], deck=known, distractors=0.0)
    while True:
        scene = random_scene(rng, assets, params)
        height, width = scene.image.shape[:2]
        clear = all(max(card.indices) > CLEAR for card in scene.cards)
        if len(scene.cards) == cards and clear and width > height and not scene.backs:
            break
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    scale = min(SIZE[0] / width, SIZE[1] / height)
    inner = cv2.resize(scene.image, (round(width * scale), round(height * scale)))
    picture[: inner.shape[0], : inner.shape[1]] = inner
    path.write_bytes(_jpeg(picture) * PLAYED)
    return [card.card for card in scene.cards]


def _jpeg(picture: Picture) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return data.tobytes()
