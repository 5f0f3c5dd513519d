"""The virtual camera's view: the printed mat on a table, with the pile in its place."""

import cv2
import numpy as np

from hardware.camera.setup.mat import MATS, project
from lab.clips.camera import ClipCamera
from lab.clips.faces import DeckFaces
from lab.clips.light import random_light
from lab.clips.pose import Pose
from lab.clips.render import Picture
from lab.clips.simulation import ClipSetting
from lab.draw.cards.backgrounds import black, cloth, pattern, plain, wood
from lab.draw.shapes.printed_mat import mat_pixels

PAPER = "a3"
"""Paper size; its place for the pile holds casually laid cards."""
MAT_SCALE = 4.0
_PLACES = MATS[PAPER].places
DRAW_PILE = Pose(
    *(a - b for a, b in zip(_PLACES["draw"].centre, _PLACES["discard"].centre, strict=True))
)
"""Where the draw pile lies, from the discard pile's middle."""
# Reflectance of paper and ink.
WHITE, INK = 0.92, 0.1
GROUNDS = (plain, black, wood, cloth, pattern)


def random_mat_setting(
    seed: int, size: tuple[int, int], rate: float, restless: float = 0.5, paper: bool = True
) -> ClipSetting:
    """Return a random table, with a mat if ``paper``, and a camera above it.

    ``restless`` is how much the light changes, 0 for not at all.
    """
    rng = np.random.default_rng([seed, 31])
    # Keeps all of the mat in the picture: the pile is at its upper right.
    camera = ClipCamera(
        size,
        tilt=float(rng.uniform(0, 18)),
        around=float(rng.uniform(70, 110)),
        distance=float(rng.uniform(550, 800)),
        card=float(rng.uniform(0.215, 0.235)),
        middle=(float(rng.uniform(0.58, 0.66)), float(rng.uniform(0.29, 0.32))),
    )
    ground = GROUNDS[int(rng.integers(len(GROUNDS)))](rng)
    ground = np.asarray(cv2.resize(ground, size, interpolation=cv2.INTER_CUBIC))
    if paper:
        ground = _with_mat(ground, camera)
    return ClipSetting(
        camera, random_light(rng, restless), ground, DeckFaces(seed), rate=rate, seed=seed
    )


def _with_mat(ground: Picture, camera: ClipCamera) -> Picture:
    """Draw the mat with its place for the pile below the pile."""
    mat = MATS[PAPER]
    x, y = mat.places["discard"].centre
    to_table = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])
    to_picture = camera.view @ to_table
    # Supersampled, for clean edges of the tags.
    twice = np.diag([2.0, 2.0, 1.0])
    large = (2 * camera.size[0], 2 * camera.size[1])
    printed = mat_pixels(PAPER, MAT_SCALE).astype(np.float32) / 255
    inked = (255 * (INK + (WHITE - INK) * printed)).astype(np.uint8)
    scaled = twice @ to_picture @ np.diag([1 / MAT_SCALE, 1 / MAT_SCALE, 1.0])
    seen = cv2.warpPerspective(inked, scaled, large)
    seen = cv2.resize(seen, camera.size, interpolation=cv2.INTER_AREA)
    there = np.zeros(camera.size[::-1], np.uint8)
    corners = np.round(project(to_picture, mat.sheet.corners) * 16).astype(np.int32)
    cv2.fillConvexPoly(there, corners, 255, cv2.LINE_AA, 4)
    share = (there.astype(np.float32) / 255)[..., None]
    return np.asarray(ground * (1 - share) + seen[..., None] * share, np.uint8)
