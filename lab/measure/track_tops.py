"""How the card on top of drawn piles is read from one frame each, deck by deck.

``python -m lab.measure tops`` prints it. Half of the cards have the colour of
the one below, as in play; every table has a print, a light and a ground of its own.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.deck import cards_of
from hardware.camera.decks import RULESETS
from hardware.camera.recognise import MODELS, CardRecogniser
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, card_height
from hardware.camera.track.window import window_of
from hardware.camera.types import Found, Picture, Recogniser
from lab.clips.actions import random_spot
from lab.clips.simulation import TableSimulation
from lab.virtual_camera.mat_setting import random_mat_setting

SIZE, RATE = (1280, 720), 15.0
PAUSE = 7
"""So many frames go by from card to card: the light changes."""
FOLLOWS = 0.5
CERTAIN = 0.95
"""What is read as surely as this the referee goes by without a question."""
NEAR = 0.25
"""A card whose middle is seen so near to the top's, by its height, is taken for it."""
UNWRITTEN = "custom"
"""Cards whose faces somebody writes on have to be shown once first."""


def growing_pile(ruleset: str, seed: int, cards: int) -> Iterator[tuple[str, Picture, Quad]]:
    """A pile that grows: the card on top, what a watcher would read, and its corners there."""
    simulation = TableSimulation(random_mat_setting(seed, SIZE, RATE))
    rng = np.random.default_rng([seed, 73])
    deck = [card for card in RULESETS[ruleset] if UNWRITTEN not in card.id]
    last = deck[int(rng.integers(len(deck)))]
    for _ in range(cards):
        follow = rng.random() < FOLLOWS
        some = [card for card in deck if card.colour == last.colour] if follow else deck
        last = some[int(rng.integers(len(some)))]
        simulation.tabletop.put(simulation.tabletop.new(last.id, random_spot(simulation.tabletop)))
        for _ in range(PAUSE):
            simulation.tick()
        frame = simulation.take()
        rows, columns = window_of(frame.region, frame.picture.shape[:2], Thresholds()).crop
        corners = frame.cards[0].corners - (columns.start, rows.start)
        yield last.id, frame.picture[rows, columns], corners


def verdict(card: str, corners: Quad, found: Sequence[Found]) -> str:
    """What the readings of a picture are worth: "right", "in doubt", "wrong" or "not found"."""
    reach = NEAR * card_height(corners)
    there = [
        one
        for one in found
        if np.linalg.norm(one.corners.mean(axis=0) - corners.mean(axis=0)) < reach
    ]
    chances = [pair for one in there for pair in one.probabilities.items()]
    if not chances:
        return "not found"
    likeliest, chance = max(chances, key=lambda pair: pair[1])
    if chance < CERTAIN:
        return "in doubt"
    return "right" if likeliest == card else "wrong"


def read_tops(ruleset: str, seed: int, cards: int, recogniser: Recogniser) -> Counter[str]:
    """How the tops of a table's pile are read."""
    return Counter(
        verdict(card, corners, recogniser.recognise(picture, parts=False))
        for card, picture, corners in growing_pile(ruleset, seed, cards)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Read, and print what came of it."""
    parser = argparse.ArgumentParser("python -m lab.measure tops", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="of each deck (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's (%(default)s)")
    parser.add_argument("--cards", type=int, default=14, help="on each (%(default)s)")
    parser.add_argument("--models", type=Path, default=MODELS, help="the networks' folder")
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
        said = ", ".join(f"{what} {many}" for what, many in count.most_common())
        sys.stdout.write(f"{ruleset:14} {said}\n")
    return 0
