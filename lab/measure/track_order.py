"""Which of two cards is said to lie on the other, in drawn clips of whose cards that is known.

``python -m lab.measure order`` prints it. Outlines are a little off.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from hardware.camera.track.occlusion import lies_on
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import fill, project, window_of
from lab.clips.clip import Clip, random_setting
from lab.clips.random_scripts import play_script, starting_pile
from lab.measure.track import ClipSpec

OFF = 0.8
"""So many pixels of the view outlines are off, one standard deviation."""
STILL, UPPER, LOWER, OVERLAP = 0.01, 0.6, 0.25, 500
"""Cards that are compared: how fast they move at most, how much of each is seen, and pixels that
both cover."""
EVERY = 15
"""One frame of so many is looked at."""


def compare(film: ClipSpec) -> Counter[str]:
    """Pairs of overlapping cards in a clip: told right, told wrong, not told."""
    counts: Counter[str] = Counter()
    place = random_setting(film.seed, film.size, starting_pile(film.seed), film.restless)
    rng = np.random.default_rng([film.seed, 61])
    for number, frame in enumerate(Clip(place, play_script(film.seed, film.seconds))):
        if number % EVERY:
            continue
        window = window_of(frame.region, film.size[::-1], Thresholds())
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
                right, wrong = lies_on(high, low, view), lies_on(low, high, view)
                counts["right" if right else "wrong" if wrong else "not told"] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser("python -m lab.measure order", description=__doc__)
    parser.add_argument("--clips", type=int, default=8, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's (%(default)s)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each (%(default)g)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.clips):
        total += compare(ClipSpec(seed, args.seconds))
    sys.stdout.writelines(f"{told:8} {count:6}\n" for told, count in sorted(total.items()))
    return 0
