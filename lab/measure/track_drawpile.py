"""Which cards are said to come from the draw pile, where drawn hands lay, draw and turn up cards.

``python -m lab.measure.track_drawpile`` prints it.
"""

import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np

from hardware.camera.types import Recogniser
from lab.clips import actions
from lab.measure.track_table import SIDES, Counts, WatchedTable, measure
from lab.virtual_camera.mat_setting import DRAW_PILE

CARDS = ("blue-3", "green-7", "yellow-2", "red-9")


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
    return measure("evaluate_drawpile", __doc__, "color-powers", handle, argv)


if __name__ == "__main__":
    sys.exit(main())
