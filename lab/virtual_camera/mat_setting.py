"""The virtual camera's view: the printed mat on a table, with the pile in its place."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.setup.mat import MATS, project
from hardware.camera.types import Picture
from lab.draw.cards.asset_cache import Mipmap
from lab.draw.shapes.printed_mat import mat_pixels
from lab.films.drawn import DeckFaces, ground, restless_sensor
from lab.films.staging.eye import Eye
from lab.films.staging.films import draw_pile
from lab.films.staging.lighting import Lighting
from lab.films.staging.sensor import Sensor
from lab.films.staging.sheet import Sheet

PAPER = "a3"
"""Paper size; its place for the pile holds casually laid cards."""
MAT_SCALE = 4.0
_PLACES = MATS[PAPER].places
DRAW_PILE = tuple(
    a - b for a, b in zip(_PLACES["draw"].centre, _PLACES["discard"].centre, strict=True)
)
"""Where the draw pile lies, from the discard pile's middle."""
PILE_AREA = (92.0, 121.0)
"""Width and height in mm of the area in which cards of the pile lie."""
# Reflectance of paper and ink.
WHITE, INK = 0.92, 0.1


@dataclass(frozen=True)
class TableSetting:
    """Table, light and camera."""

    eye: Eye
    table: Picture  # As the eye sees it, (height, width, 3)
    faces: Mapping[str, Mipmap]  # The cards' faces by id
    lighting: Lighting
    sensor: Sensor
    beside: tuple[Sheet, ...] = ()  # The draw pile
    pile: tuple[str, ...] = ()  # Cards already on the pile, the lowest first
    rate: float = 30.0  # Frames a second
    seed: int = 0  # Seeds everything random


def random_mat_setting(
    seed: int, size: tuple[int, int], rate: float, restless: float = 0.5, paper: bool = True
) -> TableSetting:
    """Return a random table, with a mat and a draw pile if ``paper``, and a camera above it.

    ``restless`` is how much the light changes, 0 for not at all.
    """
    rng = np.random.default_rng([seed, 31])
    # Keeps all of the mat in the picture: the pile is at its upper right.
    eye = Eye(
        size,
        tilt=float(rng.uniform(0, 18)),
        around=float(rng.uniform(70, 110)),
        distance=float(rng.uniform(550, 800)),
        card=float(rng.uniform(0.215, 0.235)),
        middle=(float(rng.uniform(0.58, 0.66)), float(rng.uniform(0.29, 0.32))),
    )
    table = ground(rng, size)
    return TableSetting(
        eye,
        _with_mat(table, eye) if paper else table,
        DeckFaces(seed),
        Lighting(gloss=0.0).times(float(rng.uniform(0.6, 1.1))),
        restless_sensor(rng, restless),
        draw_pile(rng, *DRAW_PILE) if paper else (),
        rate=rate,
        seed=seed,
    )


def _with_mat(table: Picture, eye: Eye) -> Picture:
    """Draw the mat with its place for the pile below the pile."""
    mat = MATS[PAPER]
    x, y = mat.places["discard"].centre
    to_table = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])
    to_picture = eye.plane() @ to_table
    # Supersampled, for clean edges of the tags.
    twice = np.diag([2.0, 2.0, 1.0])
    large = (2 * eye.size[0], 2 * eye.size[1])
    printed = mat_pixels(PAPER, MAT_SCALE).astype(np.float32) / 255
    inked = (255 * (INK + (WHITE - INK) * printed)).astype(np.uint8)
    scaled = twice @ to_picture @ np.diag([1 / MAT_SCALE, 1 / MAT_SCALE, 1.0])
    seen = cv2.warpPerspective(inked, scaled, large)
    seen = cv2.resize(seen, eye.size, interpolation=cv2.INTER_AREA)
    there = np.zeros(eye.size[::-1], np.uint8)
    corners = np.round(project(to_picture, mat.sheet.corners) * 16).astype(np.int32)
    cv2.fillConvexPoly(there, corners, 255, cv2.LINE_AA, 4)
    share = (there.astype(np.float32) / 255)[..., None]
    return np.asarray(table * (1 - share) + seen[..., None] * share, np.uint8)
