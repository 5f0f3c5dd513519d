"""Draws capsules as skin and cloth: the nearest surface at each pixel, smoothed and lit."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.layers import Layer, box_around
from lab.films.rendered.limbs import BAND, CUFF, NAIL, SKIN, SLEEVE, Capsule
from lab.films.staging.eye import Eye
from lab.films.staging.lighting import Lighting
from lab.films.staging.people import Person

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]


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
