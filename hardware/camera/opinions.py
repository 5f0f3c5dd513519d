"""Several readings of one card become one answer."""

from collections.abc import Sequence

import numpy as np

from hardware.camera.read import Array, Reading

ASTRAY = 0.02
"""So often a reading that is sure of itself is wrong altogether: light over a sign, a stain."""
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
    total = np.log(_told(first))
    for other in others:
        if other.valid >= LEAST_VALID:
            total = total + WEIGHT * other.valid * np.log(_told(other))
    raised = np.exp(total - total.max())
    shares: Array = raised / raised.sum() * first.valid
    return shares


def _told(reading: Reading) -> Array:
    """The probabilities given that it is a face, never 0."""
    shares = reading.probabilities / max(float(reading.probabilities.sum()), 1e-9)
    told: Array = (1 - ASTRAY) * shares + ASTRAY / len(shares)
    return told
