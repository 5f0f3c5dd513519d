"""How many faces, scenes and crops a core draws in a second."""

import time
from collections.abc import Callable

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import random_style
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.scene import random_scene

Drawer = Callable[[np.random.Generator, AssetCache], object]


def measure(count: int, warm: int, seed: int = 1) -> dict[str, float]:
    """Return pictures a second on one core, by sort, after ``warm`` pictures that fill the bank."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        rates = {"faces": _faces(min(count, 200), seed)}
        for name, draw in (
            ("scenes", random_scene),
            ("crops", random_crop),
            ("corners", random_corner_crop),
        ):
            rates[name] = _rate(draw, count, warm, seed)
    finally:
        cv2.setNumThreads(threads)
    return rates


def _faces(count: int, seed: int) -> float:
    cards = [card.id for card in RULESETS["classic-112"]]
    start = time.perf_counter()
    for k in range(count):
        render_face(cards[k % len(cards)], random_style(seed + k // len(cards)), 224)
    return count / (time.perf_counter() - start)


def _rate(draw: Drawer, count: int, warm: int, seed: int) -> float:
    assets, rng = AssetCache(seed), np.random.default_rng(seed)
    for _ in range(warm):
        draw(rng, assets)
    start = time.perf_counter()
    for _ in range(count):
        draw(rng, assets)
    return count / (time.perf_counter() - start)
