"""Cards as thin sheets in space, flat or curled: where they are seen, and how they are drawn."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.eye import Eye
from lab.films.rendered.layers import Layer, box_around
from lab.films.rendered.prints import PRINTS, TALL, draw_back, draw_face
from lab.films.rendered.signs import HIGH, WIDE

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]

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
        return self.space(_CORNERS)

    def strips(self) -> list[Array]:
        """Return the parts it is drawn as, each four points of the sheet, (4, 2)."""
        if abs(self.curl) < 0.4:
            return [_CORNERS]
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


_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([WIDE, HIGH]) / 2
_EDGE = np.concatenate(
    [
        a + (b - a) * np.arange(6)[:, None] / 6
        for a, b in zip(_CORNERS, np.roll(_CORNERS, -1, axis=0), strict=True)
    ]
)


def normal_of(corners: Array) -> Array:
    """Return the upward unit normal of four points in space, (4, 3)."""
    way = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    way = way if way[2] > 0 else -way
    return np.asarray(way / np.linalg.norm(way))


class FaceStore:
    """Faces of one print in several sizes, drawn on first use; colours are premultiplied."""

    def __init__(self, style: int) -> None:
        self._style = PRINTS[style % len(PRINTS)]
        self._sizes: dict[str, list[Picture]] = {}

    def face(self, card: str, high: float) -> Picture:
        """Return the face, BGR with alpha, at least ``high`` pixels high if there is one."""
        if card not in self._sizes:
            self._sizes[card] = self._drawn(card)
        for one in self._sizes[card]:
            if one.shape[0] >= high:
                return one
        return self._sizes[card][-1]

    def _drawn(self, card: str) -> list[Picture]:
        whole = draw_back(self._style) if card == BACK else draw_face(card, self._style)
        whole[..., :3] = whole[..., :3] * (whole[..., 3:] / 255.0)
        sizes = []
        for high in (72, 100, 140, 200, 290, TALL):
            wide = round(high * WIDE / HIGH)
            sizes.append(np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA)))
        return sizes


def drawn(sheet: Sheet, eye: Eye, faces: FaceStore, light: Array) -> Layer | None:
    """Return how a sheet looks; None if it is outside the picture.

    ``light`` is the unit vector towards the lamp, by which bent parts are shaded.
    """
    edge = eye.pixels(sheet.outline())
    box = box_around(edge, eye.size)
    if box is None:
        return None
    x, y, wide, high = box
    corners = eye.pixels(sheet.corners())
    tall = max(np.hypot(*(corners[3] - corners[0])), np.hypot(*(corners[2] - corners[1])))
    face = faces.face(sheet.card, float(tall))
    scale = np.array([face.shape[1] / WIDE, face.shape[0] / HIGH])
    whole: Picture = np.zeros((high, wide, 4), np.uint8)
    for part in sheet.strips():
        space = sheet.space(part)
        shade = shading(normal_of(space), light)
        there = (eye.pixels(space) - (x, y)).astype(np.float32)
        flat = ((part - _CORNERS[0]) * scale).astype(np.float32)
        one = _warped(face, flat, there - np.float32(0.5), (wide, high), whole=part is _CORNERS)
        one[..., :3] = cv2.convertScaleAbs(one[..., :3], alpha=shade)
        whole = one if part is _CORNERS else np.maximum(whole, one)
    return Layer(x, y, np.ascontiguousarray(whole[..., :3]), np.ascontiguousarray(whole[..., 3]))


def shading(normal: Array, light: Array) -> float:
    """Return the factor of brightness of a surface against a level one."""
    return float(np.clip(0.45 + 0.55 * (normal @ light) / max(light[2], 0.3), 0.35, 1.3))


def _warped(
    face: Picture, flat: Array, there: Array, size: tuple[int, int], whole: bool
) -> Picture:
    matrix = cv2.getPerspectiveTransform(flat, there)
    picture = np.asarray(cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR))
    if whole:
        return picture
    # Neighbouring strips overlap by a hair, so that no gap shows between them.
    mask: Picture = np.zeros(size[::-1], np.uint8)
    grown = there + (there - there.mean(axis=0)) * 0.03
    cv2.fillConvexPoly(mask, np.round(grown * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return np.asarray(cv2.bitwise_and(picture, picture, mask=mask))
