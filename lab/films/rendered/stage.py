"""Draws what stands before the camera at one moment, as it is before the sensor."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.faces import FaceStore, drawn, normal_of
from lab.films.rendered.layers import Layer, box_around, smeared
from lab.films.rendered.limbs import Capsule, capsules_of
from lab.films.rendered.shadows import Blocker, shadows
from lab.films.rendered.skin import draw_limbs
from lab.films.rendered.textures import PIXELS, REACH
from lab.films.staging.eye import Eye, enlarged, ground_of
from lab.films.staging.lighting import Lighting, reflections
from lab.films.staging.moment import Guest, Look, Moment, Optics
from lab.films.staging.people import Person
from lab.films.staging.sheet import THICK, Sheet

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]

COARSE = 4
"""Pixels of the picture a pixel of the light's maps."""


@dataclass
class _Still:
    """The table and pile without hands, kept while nothing of it moves."""

    pile: tuple[Sheet, ...]
    albedo: Picture
    tilts: Picture
    gloss: Picture
    shine: tuple[Lighting, Picture | None] | None = None


@dataclass
class RenderedStage:
    """Draws moments as one camera sees them; remembers what did not change."""

    eye: Eye
    texture: Picture  # The table, PIXELS by PIXELS
    faces: FaceStore
    region: Array  # Corners of the pile's place in the picture, (4, 2)
    table_gloss: float = 0.15
    seed: int = 0
    _still: _Still | None = field(default=None, init=False)
    _lamp: tuple[Lighting, Picture] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._ground = ground_of(self.eye, COARSE)
        shift = np.array([[1.0, 0, -REACH], [0, 1.0, -REACH], [0, 0, 1.0]])
        scale = np.diag([2 * REACH / PIXELS, 2 * REACH / PIXELS, 1.0])
        matrix = self.eye.plane() @ shift @ scale
        mode = cv2.BORDER_REFLECT_101
        flags = cv2.INTER_AREA if self.eye.scale < 1.2 else cv2.INTER_LINEAR
        self._table = np.asarray(
            cv2.warpPerspective(self.texture, matrix, self.eye.size, flags=flags, borderMode=mode)
        )
        rng = np.random.default_rng([self.seed, 81])
        wide, high = self.eye.size
        small = rng.standard_normal((high // 5, wide // 5), np.float32)
        self._grain = np.asarray(cv2.resize(small, (wide, high), interpolation=cv2.INTER_CUBIC))
        place: Picture = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(place, [np.round(self.region).astype(np.int32)], 255)
        self._place = place

    def look(self, moment: Moment, optics: Optics) -> Look:
        """Return what is seen of a moment."""
        still = self._standing(moment)
        level = THICK * len(moment.pile)
        layers: list[Layer] = []
        blockers: list[Blocker] = []
        for guest in moment.guests:
            layers += self._layers_of(guest, moment.lighting, optics, blockers)

        def draw() -> Picture:
            picture = self._lit(still, moment.lighting, blockers, level)
            for layer in layers:
                layer.onto(picture)
            return picture

        top = moment.pile[-1] if moment.pile else None
        return Look(draw, *self._free(top, layers))

    # -- the table and the pile --

    def _standing(self, moment: Moment) -> _Still:
        old, pile = self._still, moment.beside + moment.pile
        if old is not None and old.pile == pile:
            return old
        if old is not None and pile and old.pile == pile[:-1]:
            # A card was laid on what stood there.
            done, fresh = old, pile[-1:]
        else:
            high, wide = self._ground.spots.shape[:2]
            tilts: Picture = np.zeros((high, wide, 2), np.float32)
            gloss: Picture = np.full((high, wide), self.table_gloss, np.float32)
            done, fresh = _Still((), self._table.copy(), tilts, gloss), pile
        for sheet in fresh:
            self._lay(done, sheet, moment.lighting)
        done.pile, done.shine = pile, None
        self._still = done
        return done

    def _lay(self, still: _Still, sheet: Sheet, lighting: Lighting) -> None:
        self._contact(still.albedo, sheet, lighting)
        layer = drawn(sheet, self.eye, self.faces, lighting.towards)
        if layer is None:
            return
        layer.onto(still.albedo)
        high, wide = still.gloss.shape
        own: Picture = np.zeros((high, wide, 3), np.float32)
        for part in sheet.strips():
            space = sheet.space(part)
            normal = normal_of(space)
            slope = (float(normal[0] / normal[2]), float(normal[1] / normal[2]), 1.0)
            at = np.round(self.eye.pixels(space) / COARSE * 16).astype(np.int32)
            cv2.fillConvexPoly(own, at, slope, cv2.LINE_8, 4)
        inside = own[..., 2] > 0
        # A bent card's slope changes smoothly from strip to strip.
        soft = cv2.GaussianBlur(own, (0, 0), 2.0) if sheet.curl else own
        still.tilts[inside] = soft[inside][:, :2] / np.maximum(soft[inside][:, 2:], 0.05)
        still.gloss[inside] = 1.0

    def _contact(self, albedo: Picture, sheet: Sheet, lighting: Lighting) -> None:
        """Darken what lies just beside and under a sheet's edge, in place."""
        edge = sheet.outline()
        lamp = np.array(lighting.place)
        base = max(0.0, sheet.z - 2 * THICK)
        above = edge[:, 2] - base + 0.3
        cast = edge.copy()
        cast[:, :2] += (edge[:, :2] - lamp[:2]) * (above / lamp[2])[:, None]
        cast[:, 2] = base
        scale, tallest = self.eye.scale, float(above.max())
        for points, sigma, depth in (
            (cast, 0.35 + lighting.radius / lamp[2] * tallest * scale, 0.30),
            (edge, (0.5 + 0.5 * tallest) * scale, 0.22),
        ):
            at = self.eye.pixels(points)
            box = box_around(at, self.eye.size, room=3 + round(3 * sigma))
            if box is None:
                return
            x, y, wide, high = box
            mask: Picture = np.zeros((high, wide), np.uint8)
            there = np.round((at - (x, y)) * 16).astype(np.int32)
            cv2.fillPoly(mask, [there], 255, cv2.LINE_AA, 4)
            soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, sigma)).astype(np.float32)
            kept = 1 - soft * np.float32(depth / 255)
            part = albedo[y : y + high, x : x + wide]
            albedo[y : y + high, x : x + wide] = cv2.multiply(
                part, cv2.merge([kept] * 3), dtype=cv2.CV_8U
            )

    def _lit(
        self, still: _Still, lighting: Lighting, blockers: Sequence[Blocker], level: float
    ) -> Picture:
        if self._lamp is None or self._lamp[0] != lighting:
            self._lamp = (lighting, lighting.on_table(self._ground))
        if still.shine is None or still.shine[0] != lighting:
            still.shine = (
                lighting,
                reflections(still.tilts, still.gloss, lighting, self._ground),
            )
        around = np.array(lighting.around, np.float32)
        cast = shadows(blockers, lighting, self.eye, self._ground, level)
        shine = still.shine[1]
        if cast is None:
            strength = self._lamp[1] + around
        else:
            strength = self._lamp[1] * cast[0][..., None] + around * cast[1][..., None]
            shine = None if shine is None else shine * (0.25 + 0.75 * cast[1])
        factor = enlarged(np.sqrt(strength), self.eye.size)
        picture = np.asarray(cv2.multiply(still.albedo, factor, dtype=cv2.CV_8U))
        if shine is not None and float(shine.max()) > 2:
            level8 = enlarged(np.clip(shine, 0, 255).astype(np.uint8), self.eye.size)
            picture = np.asarray(cv2.add(picture, cv2.merge([level8] * 3)))
        return picture

    # -- hands --

    def _layers_of(
        self, guest: Guest, lighting: Lighting, optics: Optics, blockers: list[Blocker]
    ) -> list[Layer]:
        """Return a hand and what it holds, the lowest first, and add what throws shadows."""
        parts = capsules_of(guest.reach, guest.person, bool(guest.held))
        under = [part for part in parts if part.under]
        over = [part for part in parts if not part.under]
        layers = [self._limbs(under, guest.person, lighting)]
        for sheet in guest.held:
            layers.append(self._held(sheet, lighting))
            blockers.append(Blocker(sheet.outline()))
        layers.append(self._limbs(over, guest.person, lighting))
        blockers += [Blocker(np.stack([part.start, part.end]), part.radii) for part in parts]
        height, size = guest.reach.z, self.eye.size
        return [smeared(layer, optics, guest.speed, height, size) for layer in layers if layer]

    def _limbs(self, parts: Sequence[Capsule], person: Person, lighting: Lighting) -> Layer | None:
        return draw_limbs(parts, person, self.eye, lighting, self._grain)

    def _held(self, sheet: Sheet, lighting: Lighting) -> Layer | None:
        layer = drawn(sheet, self.eye, self.faces, lighting.towards)
        if layer is None:
            return None
        strength = np.sqrt(np.array(lighting.lamp) + np.array(lighting.around) * 0.95)
        colour = np.clip(layer.colour * strength.astype(np.float32), 0, 255).astype(np.uint8)
        return Layer(layer.x, layer.y, colour, layer.alpha)

    def _free(self, top: Sheet | None, layers: Sequence[Layer]) -> tuple[bool, bool]:
        """Return whether all of the top sheet shows, and whether nothing is over the place."""
        gone = True
        hidden = 0.0
        mask, whole = None, 1.0
        if top is not None:
            mask = np.zeros(self.eye.size[::-1], np.uint8)
            at = np.round(self.eye.pixels(top.outline()) * 16).astype(np.int32)
            cv2.fillPoly(mask, [at], 255, cv2.LINE_8, 4)
            whole = max(1.0, float(cv2.countNonZero(mask)))
        for layer in layers:
            solid = layer.alpha > 100
            gone = gone and not bool((solid & (self._place[layer.part] > 0)).any())
            if mask is not None:
                hidden += float((solid & (mask[layer.part] > 0)).sum())
        clear = gone if mask is None else hidden / whole < 0.03
        return clear, gone
