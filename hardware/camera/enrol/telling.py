"""Where an enrolled face differs from those that look most like it.

Two cards that differ in a small icon only agree nearly everywhere; which of the two lies on the
table is decided where they do not.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.enrol.matcher import PLACE, PLACES, REACH

NEAREST = 3
"""So many faces that look most like one are those it has to be told from."""
SHARPNESS = 20.0
"""How much more the face that looks most like it counts than the others."""
Array = npt.NDArray[Any]


def telling(looks: Array, cards: Array) -> Array:
    """How much each place of each face tells, 0 to 2, looks x 18 x 12; 0 if there is one card only.

    Args:
        looks: Descriptions, looks x ``SIZE``.
        cards: Which card each look is of: looks of one card need not be told apart.
    """
    told = np.zeros((len(looks), *PLACES), np.float32)
    plain = np.where(cards[:, None] == cards[None], -np.inf, looks @ looks.T / np.prod(PLACES))
    places = looks.reshape(-1, PLACE, *PLACES)
    for look, row in enumerate(plain):
        near = np.argsort(-row)[:NEAREST]
        near = near[np.isfinite(row[near])]
        if not len(near):
            continue
        weights = np.exp(SHARPNESS * (row[near] - row[near].max()))
        told[look] = np.tensordot(weights / weights.sum(), differ(places[look], places[near]), 1)
    return told


def differ(one: Array, others: Array) -> Array:
    """How little of a description is found near the same place of others, others x 18 x 12."""
    high, wide = PLACES
    padded = np.pad(others, ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH)))
    alike = [
        (one[None] * padded[:, :, down : down + high, across : across + wide]).sum(1)
        for down in range(2 * REACH + 1)
        for across in range(2 * REACH + 1)
    ]
    return np.asarray(1 - np.max(alike, axis=0))
