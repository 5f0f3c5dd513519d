"""A folder of drawn, labelled photos, for measuring where there are no real ones.

For each deck it has ordinary pictures of single cards, hard ones (steep, blurred, dark, in glare),
and spreads and hands, with an ``index.csv`` (see ``lab.labelled_photos``). Equal seeds give
equal pictures.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.types import Picture
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import CardTruth, random_scene

ORDINARY = SceneParams(
    kinds={"single": 1.0},
    distances={"usual": 1.0},
    tilt=(5.0, 40.0),
    fingers=0.2,
    passing=0.0,
    glare=0.15,
    cast=0.4,
    dark=0.0,
    washed=0.02,
    blurred=0.0,
    webcam=0.05,
    empty=0.0,
    cut_out=0.0,
)
HANDS = replace(
    ORDINARY,
    kinds={"fan": 0.4, "row": 0.25, "spread": 0.35},
    fill={"usual": (0.6, 0.95)},
    distractors=0.2,
)
HARD = replace(SceneParams(), kinds={"single": 1.0}, empty=0.0, cut_out=0.0)
SHOWN, COVERED, WHOLE = 0.6, 0.1, 0.85
"""Share of an index from which a card is labelled, share up to which it counts as covered (pictures
in between are discarded), and the share of its face that a single card must show."""
QUALITY = 85


def write_drawn_photos(
    folder: Path,
    singles: int,
    hard: int,
    hands: int,
    seed: int,
    long_side: int = 800,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Draw ``singles``, ``hard`` and ``hands`` pictures of each deck; return the total.

    ``progress`` is called with the number of pictures after each.
    """
    rng, assets = np.random.default_rng(seed), AssetCache(seed)
    rows: list[tuple[str, ...]] = []
    for ruleset, deck in RULESETS.items():
        ids = tuple(card.id for card in deck)
        for suffix, params, count in (
            ("", ORDINARY, singles),
            ("-hard", HARD, hard),
            ("-hands", HANDS, hands),
        ):
            known = replace(params, long_side=long_side, deck=ids)
            source, kind = ruleset + suffix, "hand" if params is HANDS else "single"
            (folder / source).mkdir(parents=True, exist_ok=True)
            for number in range(count):
                image, cards = _drawn(rng, assets, known, kind)
                file = f"{source}/{number:04}.jpg"
                cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                rows.append((file, source, kind, ";".join(cards), ruleset))
                progress(len(rows))
    with (folder / "index.csv").open("w", newline="", encoding="utf-8") as handle:
        out = csv.writer(handle)
        out.writerow(("file", "source", "kind", "label", "deck"))
        out.writerows(rows)
    return len(rows)


def _drawn(
    rng: np.random.Generator, assets: AssetCache, params: SceneParams, kind: str
) -> tuple[Picture, Sequence[str]]:
    """Draw a picture on which every card is clearly readable or clearly not."""
    while True:
        scene = random_scene(rng, assets, params)
        shown = [_shown(card) for card in scene.cards]
        if None in shown or not any(shown):
            continue
        if kind == "single" and (len(shown) != 1 or scene.cards[0].visible < WHOLE):
            continue
        cards = [card.card for card, clear in zip(scene.cards, shown, strict=True) if clear]
        return scene.image, cards


def _shown(card: CardTruth) -> bool | None:
    """Return whether a card is readable; None in doubtful cases."""
    if max(card.indices) >= SHOWN:
        return True
    return False if max(card.indices) <= COVERED and card.visible < COVERED * 2 else None
