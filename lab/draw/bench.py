"""How many faces, scenes and crops a core draws in a second."""

import time
from collections.abc import Callable

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from lab.draw.bank import Bank
from lab.draw.crops import corner, crop
from lab.draw.faces import render
from lab.draw.prints import sample
from lab.draw.scene import compose

Drawer = Callable[[np.random.Generator, Bank], object]


def measure(count: int, warm: int, seed: int = 1) -> dict[str, float]:
    """Pictures a second on one core, after the bank has filled.

    Args:
        count: Pictures to time of each sort.
        warm: Pictures to draw before.
        seed: Of the lot.

    Returns:
        Rates by sort: `faces`, `scenes`, `crops`, `corners`.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        rates = {"faces": _faces(min(count, 200), seed)}
        for name, draw in (("scenes", compose), ("crops", crop), ("corners", corner)):
            rates[name] = _rate(draw, count, warm, seed)
    finally:
        cv2.setNumThreads(threads)
    return rates


def _faces(count: int, seed: int) -> float:
    cards = [card.id for card in RULESETS["classic-112"]]
    start = time.perf_counter()
    for k in range(count):
        render(cards[k % len(cards)], sample(seed + k // len(cards)), 224)
    return count / (time.perf_counter() - start)


def _rate(draw: Drawer, count: int, warm: int, seed: int) -> float:
    bank, rng = Bank(seed), np.random.default_rng(seed)
    for _ in range(warm):
        draw(rng, bank)
    start = time.perf_counter()
    for _ in range(count):
        draw(rng, bank)
    return count / (time.perf_counter() - start)
