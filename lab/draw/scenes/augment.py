"""Photometric augmentation: colour casts, glare, shadows, blur, noise, compression."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.params import SceneParams
from lab.draw.shapes.noise import value_noise
from lab.draw.shapes.sheet import Picture

Light = NDArray[np.float32]


def _fit(image: NDArray[np.float32]) -> Picture:
    return np.asarray(np.clip(image, 0, 255), dtype=np.uint8)


def augment_light(image: Picture, rng: np.random.Generator, params: SceneParams) -> Picture:
    """Apply uneven light, a colour cast, shadows and glare."""
    shape = (image.shape[0], image.shape[1])
    gain = np.full(3, rng.uniform(0.75, 1.15), np.float32)
    if rng.random() < params.dark:
        gain *= np.float32(rng.uniform(0.25, 0.6))
    if rng.random() < params.washed:
        gain *= np.float32(rng.uniform(1.25, 1.9))
    offset = np.zeros(3, np.float32)
    if rng.random() < params.cast:
        gain *= rng.normal(1, 0.13, 3).astype(np.float32)
        offset += rng.uniform(0, 60) * rng.random(3, np.float32) * np.float32(rng.random() < 0.5)
    field = _field(rng, shape, params)
    out = image * (field[..., None] * gain)
    if offset.any():
        out += offset
    if rng.random() < params.glare:
        out += _glare(rng, shape)[..., None]
    return _toned(_fit(out), rng)


def cut_out(image: Picture, owner: NDArray[np.uint8], rng: np.random.Generator) -> Picture:
    """Make the background white, and with it parts of the cards' white rims."""
    cards = (owner > 0).astype(np.uint8)
    inside = cv2.distanceTransform(cards, cv2.DIST_L2, 3)
    bites = value_noise(rng, (image.shape[0], image.shape[1]), (24, 24))
    depth = max(image.shape[:2]) * rng.uniform(0.0, 0.06)
    out = image.copy()
    pale = image.min(axis=2) > rng.uniform(185, 240)
    out[pale | (inside < np.maximum(0, bites - 0.55) * 2 * depth) | (cards == 0)] = 255
    return out


def _field(rng: np.random.Generator, shape: tuple[int, int], params: SceneParams) -> Light:
    """Return the local light as factors around 1."""
    depth = np.float32(rng.exponential(0.18))
    field = 1 + depth * (value_noise(rng, shape, (1, 1)) - np.float32(0.5))
    if rng.random() < params.shadows:
        field *= _shadow(rng, shape)
    return np.asarray(field, dtype=np.float32)


def _shadow(rng: np.random.Generator, shape: tuple[int, int]) -> Light:
    small = np.ones((48, 48), np.float32)
    dark = float(rng.uniform(0.35, 0.85))
    for _ in range(int(rng.integers(1, 3))):
        points = np.round(rng.uniform(-16, 64, (int(rng.integers(3, 6)), 2))).astype(np.int32)
        cv2.fillPoly(small, [cv2.convexHull(points)], dark)
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.5, 4.0))
    return np.asarray(cv2.resize(soft, (shape[1], shape[0])), dtype=np.float32)


def _glare(rng: np.random.Generator, shape: tuple[int, int]) -> Light:
    """Return specular highlights to add to the picture."""
    height, width = shape
    out = np.zeros(shape, np.float32)
    y = np.arange(height, dtype=np.float32)[:, None]
    x = np.arange(width, dtype=np.float32)[None, :]
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = rng.uniform(0, width), rng.uniform(0, height)
        angle, long = rng.uniform(0, np.pi), max(shape) * rng.uniform(0.03, 0.3)
        slim = long * rng.uniform(0.2, 1.0)
        c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
        u, v = (x - cx) * c + (y - cy) * s, (y - cy) * c - (x - cx) * s
        far = (u / np.float32(long)) ** 2 + (v / np.float32(slim)) ** 2
        out += np.float32(rng.uniform(40, 240)) * np.exp(-far)
    return out


def _toned(image: Picture, rng: np.random.Generator) -> Picture:
    if rng.random() < 0.4:
        power = rng.uniform(0.65, 1.5)
        table = (np.linspace(0, 1, 256) ** power * 255).astype(np.uint8)
        image = np.asarray(cv2.LUT(image, table), dtype=np.uint8)
    if rng.random() < 0.35:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        colour = rng.uniform(0.45, 1.45)
        image = np.asarray(cv2.addWeighted(image, colour, grey, 1 - colour, 0), dtype=np.uint8)
    return image


def augment_camera(
    image: Picture, rng: np.random.Generator, params: SceneParams, assets: AssetCache
) -> Picture:
    """Apply blur, low resolution, noise and compression."""
    if rng.random() < params.blurred:
        image = blurred(image, rng)
    if rng.random() < params.webcam:
        image = _coarse(image, rng)
    if rng.random() < params.noisy:
        noise = assets.noise(rng, (image.shape[0], image.shape[1]))
        strength = min(0.6, rng.exponential(0.16))
        image = cv2.add(image, (noise * np.float32(strength)), dtype=cv2.CV_8U).astype(np.uint8)
    if rng.random() < params.jpeg:
        image = compressed(image, int(rng.integers(28, 96)))
    return image


def blurred(image: Picture, rng: np.random.Generator) -> Picture:
    """Apply defocus or motion blur."""
    size = max(image.shape[:2]) / 256
    if rng.random() < 0.6:
        return np.asarray(
            cv2.GaussianBlur(image, (0, 0), 0.3 + size * rng.exponential(0.9)), dtype=np.uint8
        )
    length = int(3 + size * rng.uniform(0, 9)) | 1
    kernel = np.zeros((length, length), np.float32)
    angle, half = rng.uniform(0, np.pi), length // 2
    dx, dy = half * np.cos(angle), half * np.sin(angle)
    start, end = (round(half - dx), round(half - dy)), (round(half + dx), round(half + dy))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.uint8)


def defocused(image: Picture, radius: float) -> Picture:
    """Spread each point over a disc of ``radius`` pixels, as a lens out of focus does."""
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(image, -1, disc / disc.sum()), dtype=np.uint8)


def _coarse(image: Picture, rng: np.random.Generator) -> Picture:
    """Reduce the resolution, and sharpen."""
    height, width = image.shape[:2]
    share = rng.uniform(0.4, 0.85)
    small = cv2.resize(
        image, (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA
    )
    wide = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(wide, (0, 0), 1.2)
        wide = cv2.addWeighted(wide, 1.8, soft, -0.8, 0)
    return np.asarray(wide, dtype=np.uint8)


def compressed(image: Picture, quality: int) -> Picture:
    """Compress as JPEG and decode."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
