"""Places above the table."""

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
