"""How well each stage works by itself: ``python -m lab.measure stages``.

Drawn scenes test the locator alone and drawn crops the readers alone, to find the stage behind the
errors that ``evaluate`` counts.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hardware.camera.decks import all_cards
from hardware.camera.reading import read
from hardware.camera.reading.geometry import index_places, width_of
from hardware.camera.reading.locate import Candidate, Locator
from hardware.camera.reading.read import CardClassifier
from hardware.camera.reading.recognise import MODELS
from hardware.camera.thresholds import SURE
from hardware.camera.types import Corners
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.crops import Crop, random_corner_crop, random_crop
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import CardTruth, random_scene

NEAR = 0.2
"""Greatest distance of a candidate from a card's middle or index, in card widths."""
BINS = 10
"""Bins of the calibration error."""


@dataclass(slots=True)
class LocatorStats:
    """The locator's results for one kind of scene; errors are in card widths."""

    cards: int = 0
    found: int = 0
    idle: int = 0
    errors: list[float] = field(default_factory=list)


def measure_locator(locator: Locator, scenes: int, seed: int) -> dict[str, LocatorStats]:
    """Measure the locator, by kind of scene."""
    rng, assets = np.random.default_rng(seed), AssetCache(seed)
    kinds: dict[str, LocatorStats] = defaultdict(LocatorStats)
    for _ in range(scenes):
        scene = random_scene(rng, assets, SceneParams(long_side=512))
        tally = kinds[scene.kind]
        candidates = locator.locate(scene.image, 512 if len(scene.cards) > 4 else 256)
        for card in scene.cards:
            if max(card.indices) > 0.6 or card.visible > 0.6:
                tally.cards += 1
                own = [candidate for candidate in candidates if _matches(candidate, card)]
                tally.found += bool(own)
                if own:
                    best = max(own, key=lambda candidate: candidate.heat)
                    again = locator.closer(scene.image, best)
                    tally.errors.append(_error(again.corners, card.corners))
        tally.idle += sum(not any(_matches(c, card) for card in scene.cards) for c in candidates)
    return dict(sorted(kinds.items()))


def _matches(candidate: Candidate, card: CardTruth) -> bool:
    places = index_places(card.corners) if candidate.index else card.corners.mean(axis=0)[None]
    far = np.linalg.norm(places - candidate.anchor, axis=1).min()
    return bool(far < NEAR * width_of(card.corners))


def _error(corners: Corners, truth: Corners) -> float:
    """Return the mean corner distance in card widths, either way up."""
    ways = [np.linalg.norm(np.roll(corners, turn, axis=0) - truth, axis=1) for turn in (0, 2)]
    return float(min(way.mean() for way in ways)) / width_of(truth)


@dataclass(slots=True)
class ReaderStats:
    """A reader's results: probability and correctness of its best answers to readable crops."""

    chances: list[float] = field(default_factory=list)
    rights: list[bool] = field(default_factory=list)
    blank: int = 0
    blank_read: int = 0

    @property
    def calibration_error(self) -> float:
        """The expected calibration error."""
        chances, rights = np.array(self.chances), np.array(self.rights)
        bins = np.minimum((chances * BINS).astype(int), BINS - 1)
        gaps = [
            abs(chances[bins == b].mean() - rights[bins == b].mean()) * np.mean(bins == b)
            for b in range(BINS)
            if np.any(bins == b)
        ]
        return float(sum(gaps))


def measure_reader(
    faces: CardClassifier,
    draw: Callable[[np.random.Generator, AssetCache], Crop],
    count: int,
    seed: int,
) -> ReaderStats:
    """Measure a reader on random crops."""
    rng, assets, tally = np.random.default_rng(seed), AssetCache(seed), ReaderStats()
    ids = list(all_cards())
    for _ in range(count):
        crop = draw(rng, assets)
        (chances,), _ = faces.read([crop.image])
        best = int(chances.argmax())
        if crop.valid:
            same = all_cards()[ids[best]].classes == all_cards()[crop.card].classes
            tally.chances.append(float(chances[best]))
            tally.rights.append(same)
        else:
            tally.blank += 1
            tally.blank_read += bool(chances[best] >= SURE)
    return tally


def _format(name: str, tally: ReaderStats) -> str:
    chances, rights = np.array(tally.chances), np.array(tally.rights)
    sure = chances >= SURE
    return (
        f"{name:8} {len(rights)} crops: right {rights.mean():.1%}, "
        f"sure {sure.mean():.1%}, sure and wrong {np.mean(sure & ~rights):.2%}, "
        f"calibration error {tally.calibration_error:.3f}; "
        f"of {tally.blank} without a face {tally.blank_read} were read"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.measure stages", description=__doc__)
    parser.add_argument("--scenes", type=int, default=400, help="for the locator (%(default)s)")
    parser.add_argument("--crops", type=int, default=3000, help="for each reader (%(default)s)")
    parser.add_argument("--seed", type=int, default=9, help="(%(default)s)")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="folder of the networks"
    )
    args = parser.parse_args(argv)
    located = measure_locator(Locator(args.models / "locator.onnx"), args.scenes, args.seed)
    for kind, stats in located.items():
        if stats.cards:
            errors = np.percentile(stats.errors or [0], (50, 95))
            sys.stdout.write(
                f"locate {kind:8} {stats.cards} cards: found {stats.found / stats.cards:.1%}, "
                f"corners off by {errors[0]:.1%} of its width (p95 {errors[1]:.1%}), "
                f"{stats.idle} false candidates\n"
            )
    deck = tuple(all_cards().values())
    for name, draw, plain in (
        ("reader", random_crop, read.READER_PLAIN),
        ("corners", random_corner_crop, read.CORNER_PLAIN),
    ):
        faces = CardClassifier(args.models / f"{name}.onnx", deck, plain)
        sys.stdout.write(_format(name, measure_reader(faces, draw, args.crops, args.seed)) + "\n")
    return 0
