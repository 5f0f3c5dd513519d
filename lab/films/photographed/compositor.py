"""Composes pictures of what is staged: pictures of cards on that of a table, hands above."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import HEIGHT
from hardware.camera.types import Array, Picture
from lab.films.ground_truth import VisibleCard
from lab.films.photographed.hands import Hand
from lab.films.photographed.layers import over
from lab.films.photographed.pose import Matrix, Pose
from lab.films.staging.eye import Eye, enlarged, ground_of
from lab.films.staging.lighting import Lighting, reflections
from lab.films.staging.moment import Guest, Look, Moment, Optics
from lab.films.staging.sheet import BACK, HIGH, Sheet

SHADE = 6
"""Downscaling of the picture in which shadows and what hides the pile are drawn."""
CORNER = 3.6
"""Radius of a card's corners in mm."""
DEPTH = 24
"""Most cards drawn of a pile; those below are hidden."""
TABLE_GLOSS = 0.15
"""How much a table reflects, of what a card does."""
HIDDEN = 0.03
"""Share of the top card from which it counts as hidden."""
LEAST = 0.02
"""Share of a card that shows, from which it counts as visible."""
SOLID, HAND = 100, 255
"""Opacity from which a hand hides what is below, and its mark where it does."""


@dataclass(frozen=True)
class Scenery:
    """What does not move.

    ``table`` is how the eye sees it, (height, width, 3); ``region`` has the corners of the pile's
    place in the picture, (4, 2).
    """

    eye: Eye
    region: Array
    table: Picture
    face: Callable[[Sheet], Picture]  # How a card looks from above, (height, width, 4)
    hand: Callable[[Guest], Hand]
    depth: float = 0.4  # How dark shadows are


class Compositor:
    """Composes the pictures of one film; remembers what did not change."""

    def __init__(self, scenery: Scenery) -> None:
        self.scenery, self._eye = scenery, scenery.eye
        self._ground = ground_of(self._eye, SHADE)
        self._pile: tuple[Sheet, ...] = ()
        self._still = scenery.table
        self._shining: tuple[tuple[Sheet, ...], Lighting, Picture] | None = None
        self._place = self._filled([scenery.region])

    def look(self, moment: Moment, optics: Optics) -> Look:
        """Return what is seen of a moment."""
        return Look(partial(self._picture, moment, optics), *self._visible(moment))

    def _picture(self, moment: Moment, optics: Optics) -> Picture:
        lighting = moment.lighting
        picture = self._standing(moment).copy()
        for guest in moment.guests:
            self._shadow(picture, guest, lighting)
        for guest in moment.guests:
            self._draw(picture, guest, optics)
        strength = np.sqrt(np.array(lighting.lamp) + np.array(lighting.around))
        levels = np.clip(np.arange(256)[:, None] * strength, 0, 255).round().astype(np.uint8)
        return np.asarray(cv2.LUT(picture, levels.reshape(1, 256, 3)))

    # -- the table and the pile --

    def _standing(self, moment: Moment) -> Picture:
        """Return the table with its cards and what they reflect."""
        pile = moment.beside + moment.pile[-DEPTH:]
        if self._shining is None or self._shining[:2] != (pile, moment.lighting):
            self._settle(pile, moment.lighting)
            cards = self._filled([self._quad(sheet) for sheet in pile]) > 0
            gloss = np.where(cards, 1.0, TABLE_GLOSS).astype(np.float32)
            level = np.zeros((*gloss.shape, 2), np.float32)
            shine = reflections(level, gloss, moment.lighting, self._ground)
            still = self._still
            if shine is not None:
                bright = enlarged(np.clip(shine, 0, 255).astype(np.uint8), self._eye.size)
                still = np.asarray(cv2.add(still, cv2.merge([bright] * 3)))
            self._shining = (pile, moment.lighting, still)
        return self._shining[2]

    def _settle(self, pile: tuple[Sheet, ...], lighting: Lighting) -> None:
        """Bring the picture of table and pile up to date."""
        known = len(self._pile)
        if pile[:known] != self._pile:
            self._still, known = self.scenery.table, 0
        still = self._still.copy()
        for sheet in pile[known:]:
            self._contact(still, sheet, lighting)
            self._card(still, sheet, np.zeros(2), np.eye(3))
        self._still, self._pile = still, pile

    def _card(self, picture: Picture, sheet: Sheet, blur: Array, skew: Matrix) -> None:
        face, quad = self.scenery.face(sheet), self._quad(sheet)
        tall = max(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])))
        while face.shape[0] > 1.7 * tall:
            face = cv2.resize(face, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        rows, columns = face.shape[:2]
        box = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
        matrix = cv2.getPerspectiveTransform(box, quad.astype(np.float32))
        over(picture, face, skew @ matrix, blur)

    def _quad(self, sheet: Sheet) -> Array:
        """Return the corners of a sheet in the picture; its face shows how it is bent."""
        return self._eye.pixels(replace(sheet, curl=0.0).corners())

    def _contact(self, picture: Picture, sheet: Sheet, lighting: Lighting) -> None:
        """Darken the rim of what lies below a card."""
        quad = self._quad(sheet.moved(*_cast(lighting, 2.0)))
        low = np.maximum(0, quad.min(axis=0) - 8).astype(int)
        high = np.minimum(picture.shape[1::-1], quad.max(axis=0) + 9).astype(int)
        if (high - low < 2).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillConvexPoly(mask, np.round((quad - low) * 16).astype(int), 1.0, cv2.LINE_AA, 4)
        dark = 1 - 0.8 * self.scenery.depth * cv2.GaussianBlur(mask, (0, 0), 1.8)
        part = picture[low[1] : high[1], low[0] : high[0]]
        part[:] = cv2.multiply(part, cv2.merge([dark] * 3), dtype=cv2.CV_8U)

    # -- hands --

    def _shadow(self, picture: Picture, guest: Guest, lighting: Lighting) -> None:
        """Darken the table below a hand and what it holds."""
        height = guest.reach.z + 12
        mask = self._fallen(guest, _cast(lighting, height))
        soft = (0.6 + height * self._eye.scale / 9) / SHADE
        shade = cv2.GaussianBlur(mask, (0, 0), max(0.6, soft)).astype(np.float32) / 255
        depth = self.scenery.depth / (1 + height / 150)
        x, y, wide, tall = cv2.boundingRect((shade > 0.01).astype(np.uint8))
        if not wide:
            return
        dark = cv2.resize(1 - depth * shade[y : y + tall, x : x + wide], None, fx=SHADE, fy=SHADE)
        part = picture[y * SHADE : (y + tall) * SHADE, x * SHADE : (x + wide) * SHADE]
        dark = dark[: part.shape[0], : part.shape[1]]
        part[:] = cv2.multiply(part, cv2.merge([dark] * 3), dtype=cv2.CV_8U)

    def _draw(self, picture: Picture, guest: Guest, optics: Optics) -> None:
        hand, pose, speed = self.scenery.hand(guest), pose_of(guest), np.array(guest.speed)
        view = self._view(pose)
        middle = view[:2, 2] / view[2, 2]
        # Rows read later show what moves farther on.
        lean = speed * optics.readout / picture.shape[0]
        skew = np.array([[1, lean[0], 0], [0, 1 + lean[1], 0], [0, 0, 1.0]])
        skew[:2, 2] = -lean * middle[1]
        blur = speed * optics.exposure
        over(picture, hand.under, skew @ view @ hand.to_mm, blur)
        for sheet in self._held(guest):
            self._card(picture, sheet, blur, skew)
        over(picture, hand.over, skew @ view @ hand.to_mm, blur)

    def _held(self, guest: Guest) -> tuple[Sheet, ...]:
        """Return what a hand holds; one cut out around its card holds another one just so."""
        card = self.scenery.hand(guest).card
        if card is None or len(guest.held) != 1:
            return guest.held
        there = pose_of(guest).after(card)
        return (replace(guest.held[0], x=there.x, y=there.y, turn=there.turn),)

    def _fallen(self, guest: Guest, cast: tuple[float, float]) -> Picture:
        """Return where the shadow of a hand and what it holds falls on the table, so far away.

        As a mask at a ``SHADE``-th of the picture's size.
        """
        lying = [
            self._quad(replace(sheet.moved(*cast), z=0.0, lean=(0.0, 0.0)))
            for sheet in self._held(guest)
        ]
        pose = pose_of(guest).moved(*cast).raised(0)
        under, above = self._masks(self.scenery.hand(guest), pose)
        return np.maximum(np.maximum(self._filled(lying), under), above)

    def _masks(self, hand: Hand, pose: Pose) -> list[Picture]:
        """Return where a hand is below and above what it holds, at a ``SHADE``-th of the size."""
        view = np.diag([1 / SHADE, 1 / SHADE, 1.0]) @ self._view(pose) @ hand.to_mm
        small = self._place.shape[::-1]
        return [
            np.asarray(cv2.warpPerspective(layer[..., 3], view, small))
            for layer in (hand.under, hand.over)
        ]

    def _view(self, pose: Pose) -> Matrix:
        """Return the map of a hand's millimetres to the picture."""
        return np.asarray(self._eye.plane(pose.height) @ pose.matrix)

    def _filled(self, quads: list[Array]) -> npt.NDArray[np.uint8]:
        """Return a mask of places in the picture, at a ``SHADE``-th of its size."""
        mask = np.zeros(self._ground.spots.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad / SHADE).astype(int), 255)
        return mask

    def _visible(self, moment: Moment) -> tuple[bool, bool, tuple[VisibleCard, ...]]:
        """Return whether all of the top sheet shows, whether nothing is over the place, and cards.

        The cards are those in view, topmost first.
        """
        owner = np.zeros_like(self._place)
        shown: list[tuple[Sheet, Array, float, bool]] = []

        def lay(sheet: Sheet, speed: float, held: bool) -> None:
            shown.append((sheet, self._quad(sheet), speed, held))
            owner[self._filled([shown[-1][1]]) > 0] = len(shown)

        for sheet in moment.pile[-DEPTH:]:
            lay(sheet, 0.0, held=False)
        lying = len(shown)
        for guest in moment.guests:
            under, above = self._masks(self.scenery.hand(guest), pose_of(guest))
            speed = float(np.hypot(*guest.speed)) / (HIGH * self._eye.scale)
            owner[under > SOLID] = HAND
            for sheet in self._held(guest):
                lay(sheet, speed, held=True)
            owner[above > SOLID] = HAND
        gone, top = not bool((owner[self._place > 0] > lying).any()), 1.0
        cards = []
        for number, (sheet, quad, speed, held) in enumerate(shown, start=1):
            whole = max(1, int(np.count_nonzero(self._filled([quad]))))
            share = int(np.count_nonzero(owner == number)) / whole
            top = share if number == lying else top
            if share > LEAST and sheet.card != BACK:
                cards.append(VisibleCard(sheet.card, quad, share, speed, held, sheet.number))
        clear = top > 1 - HIDDEN if lying else gone
        return clear, gone, tuple(reversed(cards))


def seen_from(eye: Eye, table: Picture) -> Picture:
    """Return how a table is seen whose picture, of the eye's scale, has the pile in its middle."""
    tall, wide = table.shape[:2]
    mm = 1 / eye.scale
    flat = np.array([[mm, 0, -wide * mm / 2], [0, mm, -tall * mm / 2], [0, 0, 1.0]])
    matrix, mode = eye.plane() @ flat, cv2.BORDER_REFLECT
    return np.asarray(cv2.warpPerspective(table, matrix, eye.size, borderMode=mode))


def pose_of(guest: Guest) -> Pose:
    """Return the place of a guest's hand; a photographed one points away from the viewer."""
    reach = guest.reach
    return Pose(reach.x, reach.y, reach.turn + 90, reach.z)


def _cast(lighting: Lighting, height: float) -> tuple[float, float]:
    """Return how many mm away the lamp throws the shadow of something so high."""
    x, y, z = lighting.place
    share = height / (z - height)
    return -x * share, -y * share


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
