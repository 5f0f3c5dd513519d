"""Which of two overlapping cards is judged to be on top: ``python -m lab.measure order``.

Uses drawn films, with a small error added to the outlines.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from hardware.camera.track.reading.sightings import lies_on
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.window import fill, project, window_of
from lab.films.drawn import DrawnFilms
from lab.films.film import FilmOptions
from lab.measure.track import SIZE

OFF = 0.8
"""Standard deviation of the outlines' error, in pixels of the view."""
STILL, UPPER, LOWER, OVERLAP = 0.01, 0.6, 0.25, 500
"""Cards compared: greatest speed, least visible share of each, least overlap in pixels."""
EVERY = 15
"""Frames from one comparison to the next."""


def compare(seed: int, placements: int) -> Counter[str]:
    """Count overlapping pairs of the film that a seed selects as right, wrong or not told."""
    counts: Counter[str] = Counter()
    limits = Thresholds()
    film = DrawnFilms(FilmOptions(SIZE, placements=placements)).film("play", seed)
    rng = np.random.default_rng([seed, 61])
    for number, frame in enumerate(film.frames):
        if number % EVERY:
            continue
        window = window_of(frame.region, SIZE[::-1], limits)
        view = window.view_of(frame.picture)
        lying = [card for card in frame.cards if card.speed < STILL]
        for upper, lower in combinations(lying, 2):
            if upper.visible < UPPER or lower.visible < LOWER:
                continue
            high, low = (
                project(window.to_view, card.corners) + rng.normal(0, OFF, (4, 2))
                for card in (upper, lower)
            )
            both = fill(window.size, high) & fill(window.size, low)
            if np.count_nonzero(both) >= OVERLAP:
                right, wrong = lies_on(high, low, view, limits), lies_on(low, high, view, limits)
                counts["right" if right else "wrong" if wrong else "not told"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser("python -m lab.measure order", description=__doc__)
    parser.add_argument("--films", type=int, default=8, help="number of films (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first film (%(default)s)")
    parser.add_argument("--placements", type=int, default=9, help="in each (%(default)s)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.films):
        total += compare(seed, args.placements)
    sys.stdout.writelines(f"{told:8} {count:6}\n" for told, count in sorted(total.items()))
    return 0
