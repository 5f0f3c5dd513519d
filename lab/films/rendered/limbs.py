"""A hand and its arm as chains of capsules: where bones are, and how they are drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.eye import Eye
from lab.films.rendered.light import Lighting
from lab.films.rendered.sheets import Layer, box_around

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]

SKIN, NAIL, SLEEVE, CUFF, BAND = range(5)


@dataclass(frozen=True, slots=True)
class Capsule:
    """Two spheres and what lies between them; lengths in mm."""

    start: Array  # (3,)
    end: Array  # (3,)
    radii: tuple[float, float]
    stuff: int = SKIN
    along: float = 0.0  # Length of the limb before it, for patterns
    tip: bool = False  # Whether a limb ends here
    under: bool = False  # Whether it is below a card that the hand holds


@dataclass(frozen=True)
class Person:
    """How somebody's hands look; colours are BGR, 0 to 255."""

    skin: tuple[float, float, float] = (140.0, 170.0, 215.0)
    sleeve: tuple[float, float, float] | None = (90.0, 60.0, 50.0)
    stripes: float = 0.0  # Period of the sleeve's stripes in mm, 0 for none
    bare: float = 60.0  # Bare arm from the wrist in mm
    loose: float = 7.0  # How much wider than the arm the sleeve is
    size: float = 1.0
    slim: float = 1.0
    left: bool = False  # Left-handed
    band: bool = False  # Wears a watch


SKINS = (
    (165.0, 190.0, 228.0),
    (140.0, 172.0, 218.0),
    (115.0, 150.0, 205.0),
    (85.0, 120.0, 175.0),
    (62.0, 88.0, 135.0),
    (48.0, 66.0, 100.0),
)


def random_person(rng: np.random.Generator) -> Person:
    """Return somebody."""
    bare = bool(rng.random() < 0.25)
    dark = float(rng.choice([40.0, 90.0, 180.0]))
    b, g, r = (float(v) for v in np.clip(rng.normal(dark, 45, 3), 18, 240))
    return Person(
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=None if bare else (b, g, r),
        stripes=float(rng.choice([0.0, 0.0, 9.0, 22.0])),
        bare=float(rng.choice([5.0, 25.0, 60.0, 150.0])),
        loose=float(rng.uniform(3, 12)),
        size=float(rng.uniform(0.82, 1.08)),
        slim=float(rng.uniform(0.85, 1.1)),
        left=bool(rng.random() < 0.2),
        band=bool(rng.random() < 0.2),
    )


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand is: its thumb's tip, in mm; ``turn`` is the way it points, in degrees.

    ``flat`` is 0 while it pinches a card and 1 while its fingers lie spread.
    """

    x: float
    y: float
    z: float
    turn: float
    flat: float = 0.0


# Places in mm from the pinch of thumb and fingers; y points along the fingers.
_PINCH = {
    "index": [(-21, -62, 24), (-23, -34, 22), (-14, -10, 3), (-5, 7, -7)],
    "middle": [(-1, -57, 28), (-1, -28, 24), (4, -6, 2), (9, 7, -8)],
    "ring": [(18, -63, 25), (24, -38, 20), (25, -20, 2), (22, -6, -8)],
    "small": [(34, -76, 20), (40, -54, 16), (39, -38, 2), (34, -26, -6)],
    "thumb": [(-26, -112, 26), (-38, -68, 20), (-24, -30, 17), (-2, 5, 8)],
}
_FLAT = {
    "index": [(-21, -62, 22), (-23, -26, 22), (-22, 2, 13), (-20, 22, 6)],
    "middle": [(-1, -57, 24), (0, -16, 24), (0, 13, 14), (0, 36, 6)],
    "ring": [(18, -63, 23), (22, -24, 22), (22, 4, 13), (21, 26, 6)],
    "small": [(34, -76, 19), (42, -46, 17), (44, -24, 11), (44, -8, 5)],
    "thumb": [(-26, -112, 24), (-50, -72, 16), (-58, -42, 10), (-58, -18, 6)],
}
_RADII = {
    "index": (10.0, 8.8, 8.0, 6.6),
    "middle": (10.2, 9.2, 8.3, 6.8),
    "ring": (9.8, 8.6, 7.8, 6.4),
    "small": (8.6, 7.4, 6.7, 5.5),
    "thumb": (14.0, 11.5, 10.2, 7.8),
}
_WRIST = (4.0, -140.0, 34.0)


def capsules_of(reach: Reach, person: Person, holding: bool) -> list[Capsule]:
    """Return the parts of a hand and arm in space, ``under`` a held card only if ``holding``."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    mirror = -person.size if person.left else person.size

    def place(point: Sequence[float]) -> Array:
        x, y, z = mirror * point[0], person.size * point[1], person.size * point[2]
        return np.array([reach.x - s * x + c * y, reach.y + c * x + s * y, reach.z + z])

    parts: list[Capsule] = []
    wide = person.slim * person.size
    knuckles = []
    for name, pinched in _PINCH.items():
        points = [
            place([u + (v - u) * reach.flat for u, v in zip(a, b, strict=True)])
            for a, b in zip(pinched, _FLAT[name], strict=True)
        ]
        radii = [r * wide for r in _RADII[name]]
        under = holding and name != "thumb"
        parts += [
            Capsule(
                points[k],
                points[k + 1],
                (radii[k], radii[k + 1]),
                along=30.0 * k,
                tip=k == 2,
                under=under and k > 0,
            )
            for k in range(3)
        ]
        if name != "thumb":
            knuckles.append((points[0], radii[0]))
    wrist = place(_WRIST)
    side = place((_WRIST[0] + 13, _WRIST[1], _WRIST[2])) - wrist
    for (knuckle, radius), share in zip(knuckles, (-1.0, -0.35, 0.35, 1.0), strict=True):
        parts.append(Capsule(wrist + share * side, knuckle, (15 * wide, radius * 1.12)))
    thumb = place(_PINCH["thumb"][0])
    parts.append(Capsule(wrist - 0.8 * side, thumb, (15 * wide, 15 * wide)))
    web = place((-18, -72, 20))
    parts.append(Capsule(thumb, web, (14 * wide, 11 * wide)))
    parts += _arm(place, wrist, side, wide, person)
    return parts


def _arm(place: Any, wrist: Array, side: Array, wide: float, person: Person) -> list[Capsule]:
    elbow = place((12.0, -410.0, 82.0))
    way = elbow - wrist
    length = float(np.linalg.norm(way))
    far = elbow + way / length * 600
    # Two beside each other, as an arm is wider than high.
    sides = [-0.55 * side, 0.55 * side]
    parts = [Capsule(wrist + s, elbow + s, (18 * wide, 33 * wide), along=100) for s in sides]
    parts.append(Capsule(elbow, far, (42 * wide, 52 * wide), along=100 + length))
    if person.band:
        at, thick = wrist + way / length * 18, (21 * wide, 22 * wide)
        parts += [Capsule(at + s, at + s + way * 0.06, thick, BAND) for s in sides]
    if person.sleeve is not None:
        begin = wrist + way / length * person.bare
        grown = person.loose
        first = (22 + 15 * person.bare / length) * wide + grown
        for s in sides:
            low, high = begin + s, elbow + s
            parts.append(Capsule(low, high, (first, 36 * wide + grown), SLEEVE, person.bare))
            parts.append(Capsule(low, low + way * 0.03, (first + 1.2,) * 2, CUFF, person.bare))
        parts.append(Capsule(elbow, far, (45 * wide + grown, 56 * wide + grown), SLEEVE, length))
    return parts


def draw_limbs(
    parts: Sequence[Capsule], person: Person, eye: Eye, lighting: Lighting, grain: Picture
) -> Layer | None:
    """Return how capsules look; None if they are outside the picture.

    ``grain`` is smooth noise (h, w), at least as large as the picture, for the skin's mottling.
    """
    if not parts:
        return None
    ends = np.array([[p.start, p.end] for p in parts]).reshape(-1, 3)
    at, deep = eye.seen(ends)
    near = np.array([p.radii for p in parts]).reshape(-1) * eye.focal / deep
    reach = np.concatenate([at - near[:, None], at + near[:, None]])
    box = box_around(reach, eye.size)
    if box is None:
        return None
    x0, y0, wide, high = box
    height: Picture = np.full((high, wide), -1e4, np.float32)
    alpha: Picture = np.zeros((high, wide), np.float32)
    stuff: Picture = np.zeros((high, wide), np.uint8)
    along: Picture = np.zeros((high, wide), np.float32)
    red: Picture = np.zeros((high, wide), np.float32)
    for k, part in enumerate(parts):
        a, b = at[2 * k] - (x0, y0), at[2 * k + 1] - (x0, y0)
        _raster(
            part,
            (a, b, float(near[2 * k]), float(near[2 * k + 1])),
            (-deep[2 * k], -deep[2 * k + 1]),
            (height, alpha, stuff, along, red),
        )
    if not alpha.any():
        return None
    colour = _shaded(
        height,
        alpha,
        (stuff, along, red),
        person,
        eye,
        lighting,
        grain[y0 : y0 + high, x0 : x0 + wide],
    )
    return Layer(x0, y0, colour, np.round(alpha * 255).astype(np.uint8))


def _raster(
    part: Capsule,
    seen: tuple[Array, Array, float, float],
    deep: tuple[float, float],
    buffers: tuple[Picture, Picture, Picture, Picture, Picture],
) -> None:
    a, b, r0, r1 = seen
    height, alpha, stuff, along, red = buffers
    most = max(r0, r1)
    points = np.array([a - most, a + most, b - most, b + most])
    box = box_around(points, (height.shape[1], height.shape[0]))
    if box is None:
        return
    x, y, wide, high = box
    px = np.arange(x, x + wide, dtype=np.float32)[None, :] - np.float32(a[0])
    py = np.arange(y, y + high, dtype=np.float32)[:, None] - np.float32(a[1])
    dx, dy = np.float32(b[0] - a[0]), np.float32(b[1] - a[1])
    long = max(float(dx * dx + dy * dy), 1e-3)
    share = np.clip((px * dx + py * dy) / np.float32(long), 0, 1)
    ox, oy = px - share * dx, py - share * dy
    radius = np.float32(r0) + share * np.float32(r1 - r0)
    away = np.sqrt(ox * ox + oy * oy)
    cover = np.clip(radius - away + 0.5, 0, 1)
    u2 = np.minimum((away / np.maximum(radius, 0.5)) ** 2, 1)
    thick = np.float32(part.radii[0]) + share * np.float32(part.radii[1] - part.radii[0])
    up = np.float32(deep[0]) + share * np.float32(deep[1] - deep[0]) + thick * np.sqrt(1 - u2)
    rows = slice(y, y + high), slice(x, x + wide)
    above = (up > height[rows]) & (cover > 0.5)
    np.maximum(alpha[rows], cover, out=alpha[rows])
    np.copyto(height[rows], up, where=above)
    length = float(np.linalg.norm(part.end - part.start))
    np.copyto(along[rows], np.float32(part.along) + share * np.float32(length), where=above)
    kind = part.stuff
    stuff[rows][above] = kind
    if kind == SKIN:
        # Fingertips and knuckles are redder.
        blush = share**3 if part.tip else 0.5 * np.abs(2 * share - 1) ** 6
        np.copyto(red[rows], blush.astype(np.float32), where=above)
        if part.tip:
            nail = above & (share > 0.55) & (share < 0.97) & (u2 < 0.3)
            stuff[rows][nail] = NAIL


def _shaded(
    height: Picture,
    alpha: Picture,
    marks: tuple[Picture, Picture, Picture],
    person: Person,
    eye: Eye,
    lighting: Lighting,
    grain: Picture,
) -> Picture:
    stuff, along, red = marks
    solid = (height > -9e3).astype(np.float32)
    sigma = max(0.8, 2.2 * eye.scale)
    floor = np.where(solid > 0, height, 0).astype(np.float32)
    weight = cv2.GaussianBlur(solid, (0, 0), sigma)
    smooth = cv2.GaussianBlur(floor, (0, 0), sigma) / np.maximum(weight, 1e-3)
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=eye.scale / 8)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=eye.scale / 8)
    nz = 1 / np.sqrt(1 + gx * gx + gy * gy)
    way = eye.axes @ lighting.towards  # As the camera sees it
    lit = np.clip((-gx * way[0] - gy * way[1] - way[2]) * nz + 0.12, 0, 1.4) / 1.12
    # Skin is dark at grazing angles and in creases.
    crease = np.clip((height - smooth) / (3.0 * person.size), -0.6, 0.2) * solid
    base: Picture = np.empty((*height.shape, 3), np.float32)
    base[:] = person.skin
    blush = (red * 0.16)[..., None] * np.array([1.0, 0.8, -0.15], np.float32)
    base *= 1 - blush
    base *= (1 + 0.016 * grain)[..., None]
    nails = stuff == NAIL
    base[nails] = base[nails] * 0.6 + np.array([170, 175, 225], np.float32) * 0.42
    worn = (stuff == SLEEVE) | (stuff == CUFF)
    if worn.any() and person.sleeve is not None:
        cloth = 1 + 0.14 * grain
        if person.stripes:
            cloth = cloth * np.where((along / person.stripes) % 1 < 0.4, 0.62, 1.0)
        cloth = np.where(stuff == CUFF, 0.8, cloth)
        base[worn] = (np.array(person.sleeve, np.float32) * cloth[..., None])[worn]
    base[stuff == BAND] = (35, 32, 30)
    strength = lighting.on_surface(nz, lit) * (1 + 0.5 * crease)[..., None]
    shine = np.where(worn, 0.0, np.clip(lit - 0.86, 0, 1) * 110)
    colour = base * np.sqrt(np.maximum(strength, 0)) + shine[..., None]
    return np.asarray(np.clip(colour * alpha[..., None], 0, 255).astype(np.uint8))
