"""Several readings of one card become one answer."""

from collections.abc import Sequence

import numpy as np

from hardware.camera.read import Array, Reading

WEIGHT = 0.5
"""How much an opinion counts against the first reading: a corner shows the sign small, and what
blurs one corner blurs the other. By this and by ``ASTRAY`` drawn cards are read best."""
LEAST_VALID = 0.3
"""An opinion that hardly sees a face is not asked."""


def pooled(first: Reading, others: Sequence[Reading]) -> Array:
    """The first reading's probabilities once the others have been heard.

    Each opinion counts as far as it sees a face at all, and none can rule a card out: that is what
    keeps one reading from overruling two, however sure it is.
    """
    total = np.log(first.told)
    for other in others:
        if other.valid >= LEAST_VALID:
            total = total + WEIGHT * other.valid * np.log(other.told)
    raised = np.exp(total - total.max())
    shares: Array = raised / raised.sum() * first.valid
    return shares
