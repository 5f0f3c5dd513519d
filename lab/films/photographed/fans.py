"""Photos of fans held closely together, composed of cut-out cards: mostly indices show."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.reading.geometry import HEIGHT, INDEX, WIDTH
from hardware.camera.types import Array, Corners, Picture
from lab.draw.scenes.projection import Matrix, project_points
from lab.films.photographed.compositor import card_layer
from lab.films.photographed.cutouts import CutOut
from lab.films.photographed.layers import over

SIZE = (1280, 960)
"""Width and height of a photo, in pixels."""
TALL = (250, 420)
"""Height of a card, in pixels."""
STEP = (3.5, 10.0)
"""Angle between neighbouring cards, in degrees."""
PIVOT = (1.1, 1.9)
"""Distance of the cards' middles from the fan's pivot, in card heights."""
TILT = 25.0
"""Standard deviation of the photo's corners when the camera tilts, in pixels."""
INDEX_BOX = (0.2, 0.17)
"""Size of an index, as shares of the card's width and height."""
OUTLINE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


@dataclass(frozen=True, slots=True)
class FanCard:
    """A card of a fan, its corners (4, 2) in pixels as ``hardware.camera.types`` has them.

    ``shown`` is the visible share of its first index, from 0 to 1.
    """

    card: str
    corners: Corners
    shown: float


def compose_fan(
    rng: np.random.Generator, cards: Sequence[CutOut], table: Picture
) -> tuple[Picture, list[FanCard]]:
    """Lay cards as a fan on a table, (960, 1280, 3), each one on the one to its left."""
    picture, places = table.copy(), _places(rng, len(cards))
    covers = [
        _laid(picture, cut.face, place, rng) for cut, place in zip(cards, places, strict=True)
    ]
    fan = []
    above: Array = np.zeros(picture.shape[:2], bool)
    for cut, place, cover in list(zip(cards, places, covers, strict=True))[::-1]:
        fan.append(FanCard(cut.card, _corners(place), _index_shown(place, above)))
        above |= cover > 0.5
    return _photographed(rng, picture), fan[::-1]


def _places(rng: np.random.Generator, count: int) -> list[Matrix]:
    """Return the maps from shares of a card to pixels, the lowest card's first."""
    tall, step = float(rng.uniform(*TALL)), np.radians(rng.uniform(*STEP))
    arm, lean = float(rng.uniform(*PIVOT)) * tall, float(rng.normal(0, 0.25))
    pivot = np.array([SIZE[0] / 2 + rng.normal(0, 40), SIZE[1] / 2 + 0.9 * arm])
    frame = OUTLINE.astype(np.float32) * np.array(SIZE, np.float32)
    moved = frame + rng.normal(0, TILT, (4, 2)).astype(np.float32)
    tilt = np.asarray(cv2.getPerspectiveTransform(frame, moved), np.float64)
    maps = []
    for number in range(count):
        turn = lean + (number - (count - 1) / 2) * step + float(rng.normal(0, 0.02))
        c, s = np.cos(turn), np.sin(turn)
        middle = pivot + arm * np.array([s, -c])
        size = np.diag([tall * WIDTH / HEIGHT, tall])
        around = np.array([[c, -s], [s, c]]) @ size
        matrix: Matrix = np.eye(3)
        matrix[:2, :2] = around
        matrix[:2, 2] = middle - around @ np.array([0.5, 0.5])
        maps.append(np.asarray(tilt @ matrix))
    return maps


def _laid(picture: Picture, face: Picture, place: Matrix, rng: np.random.Generator) -> Array:
    """Lay a card on the picture in place; return where it is, 0 to 1."""
    height, width = face.shape[:2]
    layer, matrix = card_layer(face), place @ np.diag([1 / width, 1 / height, 1.0])
    seen = cv2.warpPerspective(layer[..., 3], matrix, picture.shape[1::-1])
    cover: Array = seen.astype(np.float32) / 255
    shadow = cv2.GaussianBlur(np.roll(cover, (4, 3), (0, 1)), (0, 0), 4)
    picture[:] = picture * (1 - float(rng.uniform(0.2, 0.45)) * shadow[..., None])
    over(picture, layer, matrix, np.zeros(2))
    return cover


def _corners(place: Matrix) -> Corners:
    return project_points(place, OUTLINE).astype(np.float32)


def _index_shown(place: Matrix, above: Array) -> float:
    """Return the share of the first index that no card hides and the photo holds."""
    box = (OUTLINE - 0.5) * np.array(INDEX_BOX) + np.array(INDEX)
    at = project_points(place, box)
    if at.min() < 0 or (at > np.array(above.shape[::-1]) - 1).any():
        return 0.0
    mask = np.zeros(above.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(at).astype(np.int32), (1,))
    inside = mask > 0
    return float(1 - above[inside].mean()) if inside.any() else 0.0


def _photographed(rng: np.random.Generator, picture: Picture) -> Picture:
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.5, 1.0)))
    light = soft * float(rng.uniform(0.75, 1.1)) + rng.normal(0, 2, soft.shape)
    quality = int(rng.integers(80, 93))
    packed = cv2.imencode(
        ".jpg", np.clip(light, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
