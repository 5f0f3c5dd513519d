"""Cards as thin sheets in space, flat or curled."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WIDE, HIGH = 56.0, 87.0
"""A card in mm."""
THICK = 0.34
"""A card's thickness in mm, with the air under it."""
STRIPS = 9
"""Strips of which a curled card is made."""
BACK = "back"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A card somewhere above the table; lengths in mm, angles in degrees."""

    card: str  # Its id, or BACK
    number: int  # Distinguishes equal cards
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    turn: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)  # About its long and its short axis
    curl: float = 0.0  # How far its ends stand up; negative: its middle
    across: bool = False  # Whether the short axis is bent instead of the long one

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> "Sheet":
        """Return it shifted and turned about its middle."""
        return replace(self, x=self.x + dx, y=self.y + dy, turn=self.turn + turn)

    def space(self, points: Array) -> Array:
        """Return points of the sheet (n, 2), mm from its middle, as points in space (n, 3)."""
        u, v = np.asarray(points, np.float64).T
        bend = u / (WIDE / 2) if self.across else v / (HIGH / 2)
        up = self.curl * (bend**2 if self.curl > 0 else bend**2 - 1)
        roll, pitch = (math.radians(angle) for angle in self.lean)
        # The lean lifts one side; the other stays where it was.
        lift = up + u * math.sin(roll) + v * math.sin(pitch)
        if self.z < 30:
            lift = lift + abs(math.sin(roll)) * WIDE / 2 + abs(math.sin(pitch)) * HIGH / 2
        u, v = u * math.cos(roll), v * math.cos(pitch)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.stack([self.x + c * u - s * v, self.y + s * u + c * v, self.z + lift], axis=1)

    def corners(self) -> Array:
        """Return its corners in space, (4, 3), from its own upper left, clockwise."""
        return self.space(CORNERS)

    def strips(self) -> list[Array]:
        """Return the parts it is drawn as, each four points of the sheet, (4, 2)."""
        if abs(self.curl) < 0.4:
            return [CORNERS]
        side = WIDE if self.across else HIGH
        cuts = np.linspace(-side / 2, side / 2, STRIPS + 1)
        parts = []
        for low, high in pairwise(cuts):
            a, b = -WIDE / 2, WIDE / 2
            c, d = -HIGH / 2, HIGH / 2
            if self.across:
                a, b = low, high
            else:
                c, d = low, high
            parts.append(np.array([(a, c), (b, c), (b, d), (a, d)]))
        return parts

    def outline(self) -> Array:
        """Return points of its edge in space, (n, 3)."""
        return self.space(_EDGE)


CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([WIDE, HIGH]) / 2
_EDGE = np.concatenate(
    [
        a + (b - a) * np.arange(6)[:, None] / 6
        for a, b in zip(CORNERS, np.roll(CORNERS, -1, axis=0), strict=True)
    ]
)
