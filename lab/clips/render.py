"""Renders the table, and computes the visible share of each card."""

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import HEIGHT
from lab.clips.camera import ClipCamera
from lab.clips.ground_truth import VisibleCard
from lab.clips.layers import over
from lab.clips.pose import Matrix, Pose
from lab.clips.tabletop import MovingHand, PlacedCard, Tabletop
from lab.draw.cards.asset_cache import Mipmap
from lab.draw.scenes.compositing import Canvas, composite
from lab.draw.scenes.projection import project_points

Picture = npt.NDArray[Any]

SHUTTER = 0.35
"""Share of the frame time for which the shutter is open."""
COARSE = 4
"""Downscaling of the picture in which visible pixels are counted."""
HAND = 255


class Renderer:
    """Renders a tabletop; ``ground`` is the table's surface, any size, (height, width, 3)."""

    def __init__(self, camera: ClipCamera, ground: Picture, faces: Mapping[str, Mipmap]) -> None:
        self._camera = camera
        self._faces = faces
        width, height = camera.size
        self._table: Picture = np.asarray(
            cv2.resize(ground, (width, height), interpolation=cv2.INTER_CUBIC)
        )
        self._pile: tuple[PlacedCard, ...] = ()
        self._drawn: Picture = self._table
        self._hands: dict[int, tuple[Mipmap, Mipmap]] = {}

    def picture(self, tabletop: Tabletop) -> Picture:
        """Render the table without noise, (height, width, 3)."""
        picture = self._with_pile(tabletop.pile)
        if tabletop.hands:
            picture = picture.copy()
            for hand in tabletop.hands:
                self._shade(picture, hand)
            for hand in tabletop.hands:
                self._draw(picture, hand)
        if tabletop.glare:
            picture = self._glaring(picture, tabletop.glare)
        if not np.array_equal(tabletop.shake, np.eye(3)):
            size = self._camera.size
            picture = cv2.warpAffine(
                picture, tabletop.shake[:2], size, borderMode=cv2.BORDER_REFLECT
            )
        return np.asarray(picture)

    def _with_pile(self, pile: list[PlacedCard]) -> Picture:
        wanted = tuple(pile)
        if wanted != self._pile:
            more = wanted[: len(self._pile)] == self._pile
            canvas = Canvas(self._drawn.copy() if more else self._table.copy())
            for laid in wanted[len(self._pile) if more else 0 :]:
                self._lay(canvas, laid.card, laid.pose)
            self._pile, self._drawn = wanted, canvas.image
        return self._drawn

    def _lay(self, canvas: Canvas, card: str, pose: Pose) -> None:
        quad = self._camera.corners(pose).astype(np.float32)
        composite(canvas, self._faces[card], self._camera.seen(pose), quad, shade=0.4)

    def _shade(self, picture: Picture, hand: MovingHand) -> None:
        """Draw a hand's shadow, farther away and softer the higher the hand."""
        high = max(2.0, hand.pose.height)
        cast = Pose(hand.pose.x + 0.35 * high, hand.pose.y + 0.25 * high, hand.pose.turn)
        small = (picture.shape[1] // COARSE, picture.shape[0] // COARSE)
        matrix = _shrunk(self._camera.seen(cast) @ hand.sprite.to_mm)
        alpha = cv2.warpPerspective(hand.sprite.under[..., 3], matrix, small)
        soft = cv2.GaussianBlur(alpha, (0, 0), 0.5 + self._camera.scale * high * 0.12 / COARSE)
        if not soft.any():
            return
        full = cv2.resize(soft, (picture.shape[1], picture.shape[0]))
        factor = 255 - (full // np.uint8(3))
        cv2.multiply(picture, cv2.merge([factor] * 3), picture, scale=1 / 255)

    def _draw(self, picture: Picture, hand: MovingHand) -> None:
        blur = self._blur(hand)
        view = self._camera.seen(hand.pose)
        over(picture, hand.sprite.under, view @ hand.sprite.to_mm, blur)
        for laid in hand.held:
            pose = hand.pose.after(laid.pose)
            levels = self._faces[laid.card]
            quad = self._camera.corners(pose)
            tall = float(np.hypot(*(quad[3] - quad[0])))
            face = min(levels, key=lambda level: abs(level.shape[0] - 1.2 * tall))
            scale = HEIGHT / face.shape[0]
            flat = np.array([[scale, 0, -28.0], [0, scale, -HEIGHT / 2], [0, 0, 1.0]])
            over(picture, face, self._camera.seen(pose) @ flat, blur)
        over(picture, hand.sprite.over, view @ hand.sprite.to_mm, blur)

    def _blur(self, hand: MovingHand) -> npt.NDArray[np.float64]:
        if hand.before is None:
            return np.zeros(2)
        ways = [
            project_points(self._camera.seen(pose), np.zeros((1, 2)))[0]
            for pose in (hand.before, hand.pose)
        ]
        return np.asarray((ways[1] - ways[0]) * SHUTTER)

    def _glaring(self, picture: Picture, glare: tuple[float, float, float]) -> Picture:
        x, y, radius = glare
        spot: Picture = np.zeros(picture.shape[:2], np.float32)
        (at,) = project_points(self._camera.view, np.array([[x, y]]))
        size = radius * self._camera.scale
        cv2.circle(spot, (round(at[0]), round(at[1])), round(size), 235.0, -1)
        spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), 0.25 * size))
        return np.asarray(cv2.add(picture, cv2.merge([spot] * 3), dtype=cv2.CV_8U))

    def cards(self, tabletop: Tabletop) -> tuple[tuple[VisibleCard, ...], bool]:
        """Return the visible cards, topmost first, and whether no hand is over the pile."""
        width, height = self._camera.size
        owner = np.zeros((height // COARSE, width // COARSE), np.uint8)
        shown: list[tuple[PlacedCard, npt.NDArray[np.float64], bool, float]] = []
        for laid in tabletop.pile:
            shown.append((laid, self._camera.corners(laid.pose), False, 0.0))
            _claim(owner, shown[-1][1], len(shown))
        for hand in tabletop.hands:
            self._cover(owner, hand, hand.sprite.under[..., 3])
            speed = float(np.hypot(*self._blur(hand))) / SHUTTER * tabletop.rate
            speed /= HEIGHT * self._camera.scale
            for one in hand.held:
                corners = self._camera.corners(hand.pose.after(one.pose))
                shown.append((one, corners, True, speed))
                _claim(owner, corners, len(shown))
            self._cover(owner, hand, hand.sprite.over[..., 3])
        counts = np.bincount(owner.ravel(), minlength=256)
        seen = []
        for number, (laid, corners, held, speed) in enumerate(shown, start=1):
            whole = max(1.0, float(cv2.contourArea((corners / COARSE).astype(np.float32))))
            visible = min(1.0, float(counts[number]) / whole)
            if visible > 0.02:
                shaken = project_points(tabletop.shake, corners)
                seen.append(VisibleCard(laid.card, shaken, visible, speed, held, laid.number))
        place = np.zeros_like(owner)
        _claim(place, self._camera.region, 1)
        free = not bool(((owner == HAND) & (place > 0)).any())
        return tuple(reversed(seen)), free

    def _cover(self, owner: Picture, hand: MovingHand, alpha: Picture) -> None:
        matrix = _shrunk(self._camera.seen(hand.pose) @ hand.sprite.to_mm)
        size = (owner.shape[1], owner.shape[0])
        owner[cv2.warpPerspective(alpha, matrix, size) > 128] = HAND


def _claim(owner: Picture, corners: npt.NDArray[np.float64], number: int) -> None:
    points = np.round((corners / COARSE - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(owner, points, number, cv2.LINE_8, 4)


def _shrunk(matrix: Matrix) -> Matrix:
    return np.asarray(np.diag([1 / COARSE, 1 / COARSE, 1.0]) @ matrix)
