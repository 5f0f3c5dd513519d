"""The clip's camera: projects millimetres to pixels, with parallax for raised objects."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import HEIGHT
from lab.clips.pose import Matrix, Pose
from lab.draw.scenes.projection import CARD_CORNERS, project_points, tilted_view, zoomed_view

Points = npt.NDArray[np.float64]

PILE_AREA = (92.0, 121.0)
"""Width and height in mm of the area in which cards of the pile lie."""


@dataclass(frozen=True)
class ClipCamera:
    """A camera above the pile."""

    size: tuple[int, int] = (1280, 720)  # Width and height of its pictures in pixels
    tilt: float = 0.0  # Degrees from straight above
    around: float = 90.0  # Direction of the tilt in degrees
    distance: float = 600.0  # Distance in mm
    card: float = 0.27  # A card's height as a share of the picture's
    # Place of the pile's middle, as shares of width and height.
    middle: tuple[float, float] = (0.5, 0.5)
    view: Matrix = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        width, height = self.size
        extent = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * HEIGHT / 2
        at = (width * self.middle[0], height * self.middle[1])
        side = self.card * height
        seen = tilted_view(self.tilt, self.around, self.distance)
        object.__setattr__(self, "view", zoomed_view(seen, extent, at, (side, side)))

    def seen(self, pose: Pose) -> Matrix:
        """Return the 3 by 3 projection from an object's millimetres to pixels."""
        # Raised objects look larger, around the point below the camera.
        near = self.distance / (self.distance - pose.height)
        return np.asarray(self.view @ np.diag([near, near, 1.0]) @ pose.matrix)

    def corners(self, pose: Pose) -> Points:
        """Return a card's corners in pixels, (4, 2), clockwise from its upper left."""
        return project_points(self.seen(pose), CARD_CORNERS)

    @property
    def region(self) -> Points:
        """Corners of the pile's area in pixels, (4, 2), clockwise."""
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(PILE_AREA) / 2
        return project_points(self.view, box)

    @property
    def scale(self) -> float:
        """Pixels per millimetre at the pile's middle."""
        one = project_points(self.view, np.array([[0.0, 0.0], [1.0, 0.0]]))
        return float(np.hypot(*(one[1] - one[0])))


def random_camera(rng: np.random.Generator, size: tuple[int, int] = (1280, 720)) -> ClipCamera:
    """Return a camera as people mount one: roughly above the pile."""
    return ClipCamera(
        size,
        tilt=float(rng.uniform(0, 32)),
        around=float(rng.uniform(60, 120)),
        distance=float(rng.uniform(450, 900)),
        card=float(rng.uniform(0.22, 0.33)),
        middle=(float(rng.uniform(0.42, 0.58)), float(rng.uniform(0.46, 0.56))),
    )
