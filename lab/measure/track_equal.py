"""What is told where a card equal to the top one is laid, and where the pile is only disturbed.

``python -m lab.measure.track_equal`` prints it. Where that is left open, the readings
are told, the likeliest first.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from hardware.camera.track.events import PileEvent
from hardware.camera.types import Recogniser
from lab.clips import actions, disturbances
from lab.clips.tabletop import Action
from lab.measure.track_table import SIDES, Counts, WatchedTable, measure

CARDS = ("blue-3", "green-7", "yellow-2", "red-9", "wild", "wild-draw-four", "blue-skip")
DISTURBED: dict[str, Callable[[], Action]] = {
    "pushed": lambda: disturbances.nudge("pile"),
    "top pushed": lambda: disturbances.nudge("top"),
    "tidied": disturbances.tidy,
    "passed": disturbances.pass_through,
    "hovered": lambda: disturbances.hover(0.6),
    "put back": actions.put_back,
}


def handle(seed: int, hands: int, recogniser: Recogniser) -> Counts:
    """What hands did at a table, half of them laying the card on top once more; what was told."""
    counts: Counts = Counter()
    rng = np.random.default_rng([seed, 71])
    table = WatchedTable(seed, recogniser)
    before = ""
    for _ in range(hands):
        card = str(rng.choice([one for one in CARDS if one != before]))
        before = card
        list(table.do(_laid(card, rng)))
        what, action = "laid", _laid(card, rng)
        if rng.random() < 0.5:
            what = str(rng.choice([*DISTURBED]))
            action = DISTURBED[what]()
        counts[what, told(table.do(action))] += 1
    return counts


def _laid(card: str, rng: np.random.Generator) -> Action:
    side, brisk = float(rng.choice(SIDES)), float(rng.uniform(0.9, 1.7))
    return actions.lay(card, brisk=brisk, seat=side)


def told(events: Iterable[PileEvent]) -> str:
    """The events in a word."""
    return " + ".join(" or ".join(one.readings) or one.kind for one in events) or "nothing"


def main(argv: Sequence[str] | None = None) -> int:
    """Let hands do all that, and print what was told."""
    return measure("evaluate_equal", __doc__, "classic-108", handle, argv)


if __name__ == "__main__":
    sys.exit(main())
