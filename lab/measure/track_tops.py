"""How well the top card of a drawn pile is read from one frame: ``python -m lab.measure tops``.

Half of the cards have the colour of the card below, as in play. Every table has its own print
style, light and background.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.top_cards import Quad, card_height
from hardware.camera.track.view.window import window_of
from hardware.camera.types import Detection, Picture, Recogniser
from lab.films.staging.deeds import Writer
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting

SIZE, RATE = (1280, 720), 15.0
PAUSE = 7
"""Frames from card to card; the light changes meanwhile."""
FOLLOWS = 0.5
"""Share of cards with the colour of the card below."""
CERTAIN = 0.95
"""Probability from which the referee does not ask."""
NEAR = 0.25
"""Greatest distance of a reading's middle from the top card's, in card heights."""
UNWRITTEN = "custom"
"""Prefix of custom cards, which must be enrolled first."""


def growing_pile(ruleset: str, seed: int, cards: int) -> Iterator[tuple[str, Picture, Quad]]:
    """Yield for each card laid: its id, the picture the tracker reads, and its corners there."""
    camera = VirtualCamera(random_mat_setting(seed, SIZE, RATE))
    rng = np.random.default_rng([seed, 73])
    deck = [card for card in RULESETS[ruleset] if UNWRITTEN not in card.id]
    last = deck[int(rng.integers(len(deck)))]
    for _ in range(cards):
        follow = rng.random() < FOLLOWS
        some = [card for card in deck if card.colour == last.colour] if follow else deck
        last = some[int(rng.integers(len(some)))]
        camera.do(partial(Writer.stack, card=last.id), at_once=True)
        for _ in range(PAUSE):
            camera.next(draw=False)
        frame = camera.shooting.take()
        rows, columns = window_of(frame.region, frame.picture.shape[:2], Thresholds()).crop
        corners = frame.cards[0].corners - (columns.start, rows.start)
        yield last.id, frame.picture[rows, columns], corners


def verdict(card: str, corners: Quad, detections: Sequence[Detection]) -> str:
    """Judge the readings of a picture: "right", "in doubt", "wrong" or "not found"."""
    reach = NEAR * card_height(corners)
    there = [
        detection
        for detection in detections
        if np.linalg.norm(detection.corners.mean(axis=0) - corners.mean(axis=0)) < reach
    ]
    chances = [pair for detection in there for pair in detection.probabilities.items()]
    if not chances:
        return "not found"
    likeliest, chance = max(chances, key=lambda pair: pair[1])
    if chance < CERTAIN:
        return "in doubt"
    return "right" if likeliest == card else "wrong"


def read_tops(ruleset: str, seed: int, cards: int, recogniser: Recogniser) -> Counter[str]:
    """Count verdicts for one table."""
    return Counter(
        verdict(card, corners, recogniser.recognise(picture, parts=False))
        for card, picture, corners in growing_pile(ruleset, seed, cards)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser("python -m lab.measure tops", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="per deck (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first table (%(default)s)")
    parser.add_argument("--cards", type=int, default=14, help="per table (%(default)s)")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for place, ruleset in enumerate(RULESETS):
        recogniser = CardRecogniser(cards_of(ruleset), args.models)
        for number in range(args.tables):
            seed = args.seed + place + number * len(RULESETS)
            counts[ruleset] += read_tops(ruleset, seed, args.cards, recogniser)
            sys.stderr.write(f"\r{ruleset} {number + 1} of {args.tables} ")
    sys.stderr.write("\n")
    for ruleset, count in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        tally = ", ".join(f"{what} {many}" for what, many in count.most_common())
        sys.stdout.write(f"{ruleset:14} {tally}\n")
    return 0
