"""People's hands and arms as chains of capsules: where their bones are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.films.staging.people import Person, Reach

Array = npt.NDArray[Any]

SKIN, NAIL, SLEEVE, CUFF, BAND = range(5)


@dataclass(frozen=True, slots=True)
class Capsule:
    """Two spheres and what lies between them; lengths in mm."""

    start: Array  # (3,)
    end: Array  # (3,)
    radii: tuple[float, float]
    stuff: int = SKIN
    along: float = 0.0  # Length of the limb before it, for patterns
    tip: bool = False  # Whether a limb ends here
    under: bool = False  # Whether it is below a card that the hand holds


# Places in mm from the pinch of thumb and fingers; y points along the fingers.
_PINCH = {
    "index": [(-21, -62, 24), (-23, -34, 22), (-14, -10, 3), (-5, 7, -7)],
    "middle": [(-1, -57, 28), (-1, -28, 24), (4, -6, 2), (9, 7, -8)],
    "ring": [(18, -63, 25), (24, -38, 20), (25, -20, 2), (22, -6, -8)],
    "small": [(34, -76, 20), (40, -54, 16), (39, -38, 2), (34, -26, -6)],
    "thumb": [(-26, -112, 26), (-38, -68, 20), (-24, -30, 17), (-2, 5, 8)],
}
_FLAT = {
    "index": [(-21, -62, 22), (-23, -26, 22), (-22, 2, 13), (-20, 22, 6)],
    "middle": [(-1, -57, 24), (0, -16, 24), (0, 13, 14), (0, 36, 6)],
    "ring": [(18, -63, 23), (22, -24, 22), (22, 4, 13), (21, 26, 6)],
    "small": [(34, -76, 19), (42, -46, 17), (44, -24, 11), (44, -8, 5)],
    "thumb": [(-26, -112, 24), (-50, -72, 16), (-58, -42, 10), (-58, -18, 6)],
}
_RADII = {
    "index": (10.0, 8.8, 8.0, 6.6),
    "middle": (10.2, 9.2, 8.3, 6.8),
    "ring": (9.8, 8.6, 7.8, 6.4),
    "small": (8.6, 7.4, 6.7, 5.5),
    "thumb": (14.0, 11.5, 10.2, 7.8),
}
_WRIST = (4.0, -140.0, 34.0)


def capsules_of(reach: Reach, person: Person, holding: bool) -> list[Capsule]:
    """Return the parts of a hand and arm in space, ``under`` a held card only if ``holding``."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    mirror = -person.size if person.left else person.size

    def place(point: Sequence[float]) -> Array:
        x, y, z = mirror * point[0], person.size * point[1], person.size * point[2]
        return np.array([reach.x - s * x + c * y, reach.y + c * x + s * y, reach.z + z])

    parts: list[Capsule] = []
    wide = person.slim * person.size
    knuckles = []
    for name, pinched in _PINCH.items():
        points = [
            place([u + (v - u) * reach.flat for u, v in zip(a, b, strict=True)])
            for a, b in zip(pinched, _FLAT[name], strict=True)
        ]
        radii = [r * wide for r in _RADII[name]]
        under = holding and name != "thumb"
        parts += [
            Capsule(
                points[k],
                points[k + 1],
                (radii[k], radii[k + 1]),
                along=30.0 * k,
                tip=k == 2,
                under=under and k > 0,
            )
            for k in range(3)
        ]
        if name != "thumb":
            knuckles.append((points[0], radii[0]))
    wrist = place(_WRIST)
    side = place((_WRIST[0] + 13, _WRIST[1], _WRIST[2])) - wrist
    for (knuckle, radius), share in zip(knuckles, (-1.0, -0.35, 0.35, 1.0), strict=True):
        parts.append(Capsule(wrist + share * side, knuckle, (15 * wide, radius * 1.12)))
    thumb = place(_PINCH["thumb"][0])
    parts.append(Capsule(wrist - 0.8 * side, thumb, (15 * wide, 15 * wide)))
    web = place((-18, -72, 20))
    parts.append(Capsule(thumb, web, (14 * wide, 11 * wide)))
    parts += _arm(place, wrist, side, wide, person)
    return parts


def _arm(place: Any, wrist: Array, side: Array, wide: float, person: Person) -> list[Capsule]:
    elbow = place((12.0, -410.0, 82.0))
    way = elbow - wrist
    length = float(np.linalg.norm(way))
    far = elbow + way / length * 600
    # Two beside each other, as an arm is wider than high.
    sides = [-0.55 * side, 0.55 * side]
    parts = [Capsule(wrist + s, elbow + s, (18 * wide, 33 * wide), along=100) for s in sides]
    parts.append(Capsule(elbow, far, (42 * wide, 52 * wide), along=100 + length))
    if person.band:
        at, thick = wrist + way / length * 18, (21 * wide, 22 * wide)
        parts += [Capsule(at + s, at + s + way * 0.06, thick, BAND) for s in sides]
    if person.sleeve is not None:
        begin = wrist + way / length * person.bare
        grown = person.loose
        first = (22 + 15 * person.bare / length) * wide + grown
        for s in sides:
            low, high = begin + s, elbow + s
            parts.append(Capsule(low, high, (first, 36 * wide + grown), SLEEVE, person.bare))
            parts.append(Capsule(low, low + way * 0.03, (first + 1.2,) * 2, CUFF, person.bare))
        parts.append(Capsule(elbow, far, (45 * wide + grown, 56 * wide + grown), SLEEVE, length))
    return parts
