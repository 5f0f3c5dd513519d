"""Composes pictures of a stage: photographed cards on a photographed table, hands above."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from hardware.camera.types import Picture
from lab.clips.camera import ClipCamera
from lab.clips.layers import over
from lab.clips.pose import Matrix, Pose
from lab.draw.scenes.projection import project_points
from lab.films.stage import Stage, StageCard, StageHand

SHADE = 6
"""Downscaling of the picture in which shadows are drawn."""
CORNER = 3.6
"""Radius of a card's corners in mm."""


@dataclass(frozen=True)
class Scenery:
    """What does not move.

    ``table`` is its picture, (height, width, 3), ``scale`` pixels a millimetre, with the pile's
    middle at its own; ``face`` returns a copy of a card, (height, width, 4).
    """

    camera: ClipCamera
    table: Picture
    scale: float
    face: Callable[[str, int], Picture]
    # Where the shadow of something 100 mm high falls, in mm, and how dark it is.
    shadow: tuple[float, float] = (-40.0, -30.0)
    depth: float = 0.4
    gloss: float = 0.0  # Strength of highlights on cards


class Compositor:
    """Composes the frames of one stage."""

    def __init__(self, scenery: Scenery) -> None:
        self.scenery = scenery
        camera = scenery.camera
        tall, wide = scenery.table.shape[:2]
        mm = 1 / scenery.scale
        flat = np.array([[mm, 0, -wide * mm / 2], [0, mm, -tall * mm / 2], [0, 0, 1.0]])
        self._bare = cv2.warpPerspective(
            scenery.table, camera.view @ flat, camera.size, borderMode=cv2.BORDER_REFLECT
        )
        self._pile: list[StageCard] = []
        self._still = self._bare

    def compose(self, stage: Stage, open_for: float, readout: float = 0.0) -> Picture:
        """Return the scene, (height, width, 3).

        The shutter is open for ``open_for`` seconds; the last row is read ``readout`` seconds
        after the first one.
        """
        self._settle(stage.pile)
        if not stage.above:
            return self._still.copy()
        picture = self._still.copy()
        for hand in stage.above:
            self._shadow(picture, hand)
        for hand in sorted(stage.above, key=lambda one: one.pose.height):
            self._draw(picture, hand, stage.step, open_for, readout)
        return picture

    def cards(self, stage: Stage) -> npt.NDArray[np.uint8]:
        """Return a mask of the cards on the pile, (height, width)."""
        mask = np.zeros(self._bare.shape[:2], np.uint8)
        for card in stage.pile[-6:]:
            cv2.fillConvexPoly(
                mask, np.round(self.scenery.camera.corners(card.pose)).astype(int), 255
            )
        return mask

    def _settle(self, pile: list[StageCard]) -> None:
        """Bring the picture of table and pile up to date."""
        if pile == self._pile:
            return
        known = len(self._pile)
        if not 0 < known < len(pile) or pile[:known] != self._pile:
            self._still, known = self._bare, 0
        still = self._still.copy()
        for card in pile[known:]:
            self._contact(still, card.pose)
            self._card(still, card, card.pose, np.zeros(2), np.eye(3))
        self._still, self._pile = still, list(pile)

    def _card(
        self, picture: Picture, card: StageCard, pose: Pose, blur: Picture, skew: Matrix
    ) -> None:
        face = self.scenery.face(card.card, card.copy)
        quad = self.scenery.camera.corners(pose)
        tall = max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])))
        while face.shape[0] > 1.7 * tall:
            face = cv2.resize(face, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        rows, columns = face.shape[:2]
        flat = np.array(
            [
                [WIDTH / columns, 0, -WIDTH / 2],
                [0, HEIGHT / rows, -HEIGHT / 2],
                [0, 0, 1.0],
            ]
        )
        over(picture, face, skew @ self.scenery.camera.seen(pose) @ flat, blur)

    def _contact(self, picture: Picture, pose: Pose) -> None:
        """Darken the rim of what lies below a card."""
        sx, sy = np.array(self.scenery.shadow) * 0.02
        quad = self.scenery.camera.corners(pose.moved(float(sx), float(sy)))
        low = np.maximum(0, quad.min(axis=0) - 8).astype(int)
        high = np.minimum(picture.shape[1::-1], quad.max(axis=0) + 9).astype(int)
        if (high - low < 2).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillConvexPoly(mask, np.round((quad - low) * 16).astype(int), 1.0, cv2.LINE_AA, 4)
        dark = 1 - 0.8 * self.scenery.depth * cv2.GaussianBlur(mask, (0, 0), 1.8)
        part = picture[low[1] : high[1], low[0] : high[0]]
        part[:] = cv2.multiply(part, cv2.merge([dark] * 3), dtype=cv2.CV_8U)

    def _shadow(self, picture: Picture, hand: StageHand) -> None:
        """Darken the table below a hand and what it holds."""
        scenery = self.scenery
        small = picture.shape[1] // SHADE, picture.shape[0] // SHADE
        mask = np.zeros(small[::-1], np.uint8)
        height = hand.pose.height + 12
        sx, sy = np.array(scenery.shadow) * height / 100
        fallen = hand.pose.moved(float(sx), float(sy)).raised(0)
        shrink = np.diag([1 / SHADE, 1 / SHADE, 1.0])
        view = shrink @ scenery.camera.seen(fallen) @ hand.hand.to_mm
        for layer in (hand.hand.under, hand.hand.over):
            mask = np.maximum(mask, cv2.warpPerspective(layer[..., 3], view, small))
        for card in hand.held:
            quad = scenery.camera.corners(fallen.after(card.pose).raised(0)) / SHADE
            cv2.fillConvexPoly(mask, np.round(quad).astype(int), 255)
        soft = (0.6 + height * scenery.camera.scale / 9) / SHADE
        shade = cv2.GaussianBlur(mask, (0, 0), max(0.6, soft)).astype(np.float32) / 255
        depth = scenery.depth / (1 + height / 150)
        x, y, wide, tall = cv2.boundingRect((shade > 0.01).astype(np.uint8))
        if not wide:
            return
        dark = cv2.resize(1 - depth * shade[y : y + tall, x : x + wide], None, fx=SHADE, fy=SHADE)
        part = picture[y * SHADE : (y + tall) * SHADE, x * SHADE : (x + wide) * SHADE]
        dark = dark[: part.shape[0], : part.shape[1]]
        part[:] = cv2.multiply(part, cv2.merge([dark] * 3), dtype=cv2.CV_8U)

    def _draw(
        self, picture: Picture, hand: StageHand, step: float, open_for: float, readout: float
    ) -> None:
        camera = self.scenery.camera
        then, now = (
            project_points(camera.seen(pose), np.zeros((1, 2)))[0]
            for pose in (hand.before, hand.pose)
        )
        speed = (now - then) / step
        # Rows read later show what moves farther on.
        lean = speed * readout / picture.shape[0]
        skew = np.array([[1, lean[0], 0], [0, 1 + lean[1], 0], [0, 0, 1.0]])
        skew[:2, 2] = -lean * now[1]
        blur = speed * open_for
        view = skew @ camera.seen(hand.pose)
        over(picture, hand.hand.under, view @ hand.hand.to_mm, blur)
        for card in hand.held:
            self._card(picture, card, hand.pose.after(card.pose), blur, skew)
        over(picture, hand.hand.over, view @ hand.hand.to_mm, blur)


def card_layer(face: Picture) -> Picture:
    """Return a face, (height, width, 3), with round corners, (height, width, 4)."""
    height, width = face.shape[:2]
    big = 4
    mask = np.zeros((height * big, width * big), np.uint8)
    radius = round(CORNER * height * big / HEIGHT)
    cv2.rectangle(mask, (radius, 0), (width * big - radius, height * big), 255, -1)
    cv2.rectangle(mask, (0, radius), (width * big, height * big - radius), 255, -1)
    for x in (radius, width * big - radius - 1):
        for y in (radius, height * big - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    alpha = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    layer = np.dstack([face, alpha])
    layer[alpha == 0] = 0
    return layer


def curled(layer: Picture, bend: float, along: bool) -> Picture:
    """Return a card that is bent by a few mm, along its long side or across it.

    Its middle or its edges come up: they look larger, and the light falls on it unevenly.
    """
    height, width = layer.shape[:2]
    room = round(0.05 * height)
    wide = cv2.copyMakeBorder(layer, room, room, room, room, cv2.BORDER_CONSTANT)
    rows, columns = wide.shape[:2]
    ys, xs = np.mgrid[:rows, :columns].astype(np.float32)
    u, v = (xs - columns / 2) / (width / 2), (ys - rows / 2) / (height / 2)
    raised = bend * ((v if along else u) ** 2 - 0.4)
    # A millimetre nearer to a camera 600 mm away looks a six-hundredth larger.
    grown = 1 + raised / 600
    bowed = 0.006 * raised * (1 if along else -1)
    x = columns / 2 + (u / grown + (bowed * u if along else 0)) * width / 2
    y = rows / 2 + (v / grown + (0 if along else bowed * v)) * height / 2
    out = cv2.remap(wide, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    lit = 1 + 0.02 * bend * (v if along else u)
    out[..., :3] = np.clip(out[..., :3] * lit[..., None], 0, 255)
    trimmed = out[room:-room, room:-room]
    return np.ascontiguousarray(trimmed)
