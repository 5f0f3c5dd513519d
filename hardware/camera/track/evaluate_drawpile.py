"""Which cards are said to come from the draw pile, where drawn hands lay, draw and turn up cards.

``python -m hardware.camera.track.evaluate_drawpile`` prints it.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.cards import Recogniser
from hardware.camera.deck import cards_of
from hardware.camera.recognise import CardRecogniser
from hardware.camera.track.table import SIDES, WatchedTable
from hardware.sim.camera.place import DRAW_PILE
from hardware.sim.clips import actions

CARDS = ("blue-3", "green-7", "yellow-2", "red-9")
Counts = Counter[tuple[str, str]]


def handle(seed: int, hands: int, recogniser: Recogniser) -> Counts:
    """What hands did at a table, and what was told of the card laid."""
    counts: Counts = Counter()
    rng = np.random.default_rng([seed, 67])
    table = WatchedTable(seed, recogniser)
    list(table.do(actions.lay("red-5")))
    for _ in range(hands):
        card, side = str(rng.choice(CARDS)), float(rng.choice(SIDES))
        brisk = float(rng.uniform(0.9, 1.7))
        done = {
            "laid": actions.lay(card, brisk=brisk, seat=side),
            "turned up": actions.turn_up(card, DRAW_PILE, brisk, side),
            "drawn": actions.draw_one(DRAW_PILE, brisk, side),
        }
        what = str(rng.choice([*done]))
        told = [_said(event.drawn) for event in table.do(done[what]) if event.kind == "placed"]
        counts[what, ", ".join(told) or "no card"] += 1
    return counts


def _said(chance: float | None) -> str:
    if chance is None:
        return "not known"
    return "from the draw pile" if chance > 0.5 else "from the hand"


def main(argv: Sequence[str] | None = None) -> int:
    """Let hands do all that, and print what was told."""
    parser = argparse.ArgumentParser(
        "python -m hardware.camera.track.evaluate_drawpile", description=__doc__
    )
    parser.add_argument("--tables", type=int, default=10, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's (%(default)s)")
    parser.add_argument("--hands", type=int, default=15, help="at each (%(default)s)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    recogniser = CardRecogniser(cards_of("color-powers"))
    total: Counts = Counter()
    for seed in range(args.seed, args.seed + args.tables):
        total += handle(seed, args.hands, recogniser)
    for (what, told), count in sorted(total.items()):
        sys.stdout.write(f"{what:10} told: {told:20} {count:5}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
