"""Places above the table, and paths between them."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the table: millimetres from the pile's middle (x right, y towards the viewer).

    ``turn`` is in degrees clockwise, ``height`` in millimetres above the table.
    """

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    height: float = 0.0

    @property
    def matrix(self) -> Matrix:
        """Transform from the object's millimetres to the table's, 3 by 3."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.array([[c, -s, self.x], [s, c, self.y], [0.0, 0.0, 1.0]])

    def moved(self, x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> "Pose":
        """Return the pose shifted along the table's axes and turned about its middle."""
        return replace(self, x=self.x + x, y=self.y + y, turn=self.turn + turn)

    def raised(self, height: float) -> "Pose":
        """Return the pose at another height."""
        return replace(self, height=height)

    def after(self, inner: "Pose") -> "Pose":
        """Return the pose on the table of ``inner``, given in this pose's millimetres."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return Pose(
            self.x + c * inner.x - s * inner.y,
            self.y + s * inner.x + c * inner.y,
            self.turn + inner.turn,
            self.height + inner.height,
        )

    def within(self, outer: "Pose") -> "Pose":
        """Return this pose in the millimetres of ``outer``; inverse of ``outer.after``."""
        c, s = math.cos(math.radians(outer.turn)), math.sin(math.radians(outer.turn))
        dx, dy = self.x - outer.x, self.y - outer.y
        turn = self.turn - outer.turn
        return Pose(c * dx + s * dy, -s * dx + c * dy, turn, self.height - outer.height)


def between(start: Pose, end: Pose, share: float) -> Pose:
    """Return a pose on the way from one to another, as hands move: slow, fast, slow.

    ``share`` is the share of the time passed, 0 to 1.
    """
    u = min(1.0, max(0.0, share))
    # Minimum jerk, as in human reaching.
    eased = u * u * u * (10 + u * (6 * u - 15))
    pairs = ((start.x, end.x), (start.y, end.y), (start.turn, end.turn), (start.height, end.height))
    return Pose(*(a + (b - a) * eased for a, b in pairs))
