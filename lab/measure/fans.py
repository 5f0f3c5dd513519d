"""Read fans in which mostly indices show: ``python -m lab.measure fans FOLDER``."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.types import Detection, Picture
from lab.films.photographed.cutouts import CutOut, Surface, cut_outs
from lab.films.photographed.fans import SIZE, FanCard, compose_fan
from lab.films.photographed.tables import table_of
from lab.labelled_photos import IndexFileError

SHOWN = 0.9
"""Visible share of an index from which its card counts."""
NEAR = 0.12
"""Distance of corners, in card heights, within which a card found is one of the fan's."""


def drawn_cut_outs(seed: int) -> tuple[CutOut, ...]:
    """Return drawn faces of one print in place of photographed ones."""
    from lab.draw.cards.faces import render_face
    from lab.draw.cards.print_style import random_style

    style = random_style(seed)
    ids = [card.id for card in RULESETS["classic-108"]]
    return tuple(CutOut(card, render_face(card, style, 372)[..., :3]) for card in ids)


def matched(
    cards: Sequence[FanCard], detections: Sequence[Detection]
) -> tuple[list[Detection | None], list[Detection]]:
    """Return what was found of each card of a fan, and what belongs to none.

    A card of which only an index was found is known by its first corner. Of two equal cards, the
    one whose index shows was found.
    """
    pairs = []
    for number, detection in enumerate(detections):
        for place, card in enumerate(cards):
            tall = float(np.linalg.norm(card.corners[3] - card.corners[0]))
            apart = np.linalg.norm(detection.corners[:, None] - card.corners[None], axis=2)
            off = float(apart.min(axis=1).mean() if detection.whole else apart[0, [0, 2]].min())
            if off < NEAR * tall:
                named = detection.best != card.card, card.shown < SHOWN
                pairs.append((named, off, place, number))
    given: list[Detection | None] = [None] * len(cards)
    used: set[int] = set()
    for _, _, place, number in sorted(pairs, key=lambda pair: pair[:2]):
        if given[place] is None and number not in used:
            given[place] = detections[number]
            used.add(number)
    return given, [detection for number, detection in enumerate(detections) if number not in used]


def judge_fan(cards: Sequence[FanCard], detections: Sequence[Detection]) -> Counter[str]:
    """Count the fan's cards whose index shows: right, wrong, asked or missed; and invented ones."""
    given, invented = matched(cards, detections)
    counts: Counter[str] = Counter(invented=len(invented))
    counts["invented surely"] = sum(detection.sure for detection in invented)
    for card, detection in zip(cards, given, strict=True):
        if card.shown < SHOWN:
            continue
        counts["cards"] += 1
        if detection is None:
            counts["missed"] += 1
        elif not detection.sure:
            counts["asked"] += 1
        else:
            counts["right" if detection.best == card.card else "wrong"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.measure fans", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", help="labelled photos to cut the cards from (drawn ones)"
    )
    parser.add_argument("--deck", choices=sorted(RULESETS), default="classic-112")
    parser.add_argument("--fans", type=int, default=60, help="(%(default)s)")
    parser.add_argument("--cards", type=int, help="in each fan (5 to 9)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    try:
        recogniser = CardRecogniser(cards_of(args.deck), args.models)
        cut = cut_outs(args.folder) if args.folder else None
    except (IndexFileError, ModelError, ValueError) as error:
        sys.stderr.write(f"fans: {error}\n")
        return 2
    rng = np.random.default_rng([args.seed, 77])
    total: Counter[str] = Counter()
    spent = []
    for number in range(args.fans):
        faces = cut.cards if cut else drawn_cut_outs(args.seed * 1000 + number)
        count = args.cards or int(rng.integers(5, 10))
        chosen = [faces[i] for i in rng.integers(0, len(faces), count)]
        picture, cards = compose_fan(rng, chosen, _table(rng, cut.surfaces if cut else ()))
        begun = time.thread_time()
        detections = recogniser.recognise(picture)
        spent.append(1000 * (time.thread_time() - begun))
        total += judge_fan(cards, detections)
    sys.stdout.write(_report(total, spent) + "\n")
    return 0


def _table(rng: np.random.Generator, surfaces: Sequence[Surface]) -> Picture:
    if surfaces:
        return table_of(surfaces[int(rng.integers(len(surfaces)))], SIZE, 3.5, rng)
    plain = np.full((SIZE[1], SIZE[0], 3), rng.integers(30, 225, 3), np.float32)
    grain = cv2.resize(rng.normal(0, 8, (120, 160)).astype(np.float32), SIZE)
    return np.asarray(np.clip(plain + grain[..., None], 0, 255), np.uint8)


def _report(total: Counter[str], spent: Sequence[float]) -> str:
    cards = max(total["cards"], 1)
    detected = cards - total["missed"]
    p50, p95 = np.percentile(spent, (50, 95))
    return "\n".join(
        [
            f"{len(spent)} fans, {total['cards']} cards whose index shows",
            f"found     {detected / cards:7.1%}",
            *(f"{name:9} {total[name] / cards:7.1%}" for name in ("right", "asked", "wrong")),
            f"invented  {total['invented'] / cards:7.1%}, surely {total['invented surely']}",
            f"time of a core, ms: p50 {p50:.0f}, p95 {p95:.0f}",
        ]
    )
