"""The faces of cards in several sizes, and how sheets with them look."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.layers import Layer, box_around
from lab.films.rendered.prints import PRINTS, TALL, draw_back, draw_face
from lab.films.staging.eye import Eye
from lab.films.staging.sheet import BACK, CORNERS, HIGH, WIDE, Sheet

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]


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
        for face in self._sizes[card]:
            if face.shape[0] >= high:
                return face
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
        flat = ((part - CORNERS[0]) * scale).astype(np.float32)
        strip = _warped(face, flat, there - np.float32(0.5), (wide, high), whole=part is CORNERS)
        strip[..., :3] = cv2.convertScaleAbs(strip[..., :3], alpha=shade)
        whole = strip if part is CORNERS else np.maximum(whole, strip)
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
