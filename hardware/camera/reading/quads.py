"""Encodes outlines for the locator, whichever end of a card is the top.

The corners of a card seen in perspective are a centre c, half axes u (along the width) and v (along
the height), and a bend p: c - u - v + p, c + u - v - p, c + u + v + p, c - u + v - p. Which
end is the top cannot be seen from the outline, so u and -u must have the same code: u with
its angle doubled. The bend is the same for both. The reader finds the top later.
"""

import numpy as np

from hardware.camera.types import Array

CHANNELS = 8
"""Centre relative to the cell, u and v with doubled angles, bend: 2 values each."""


def encode(corners: Array, cells: Array, unit: float) -> Array:
    """Encode outlines (n x 4 x 2, clockwise from the top left of the card) as n x 8.

    ``cells`` (n x 2) are the centres of the cells that report them. All are in pixels; ``unit`` is
    pixels per coded unit.
    """
    centre = corners.mean(axis=1)
    u = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 4
    v = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 4
    bend = (corners[:, 0] - corners[:, 1] + corners[:, 2] - corners[:, 3]) / 4
    coded = [centre - cells, _doubled(u), _doubled(v), bend]
    return (np.concatenate(coded, axis=1) / unit).astype(np.float32)


def decode(coded: Array, cells: Array, unit: float) -> Array:
    """Return the corners, clockwise (n x 4 x 2), starting at either end."""
    coded = coded * unit
    centre = cells + coded[:, 0:2]
    u, v, bend = _halved(coded[:, 2:4]), _halved(coded[:, 4:6]), coded[:, 6:8]
    # In a picture, where y points down, clockwise means that v is to the right of u.
    turned = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) < 0
    v = np.where(turned[:, None], -v, v)
    corners = [
        centre - u - v + bend,
        centre + u - v - bend,
        centre + u + v + bend,
        centre - u + v - bend,
    ]
    return np.stack(corners, axis=1).astype(np.float32)


def _doubled(axis: Array) -> Array:
    """Double a vector's angle, keeping its length."""
    length = np.hypot(axis[:, 0], axis[:, 1]) + 1e-6
    x, y = axis[:, 0], axis[:, 1]
    return np.stack([(x * x - y * y) / length, 2 * x * y / length], axis=1)


def _halved(doubled: Array) -> Array:
    """Halve a vector's angle, keeping its length; of two solutions return one."""
    length = np.hypot(doubled[:, 0], doubled[:, 1])
    angle = np.arctan2(doubled[:, 1], doubled[:, 0]) / 2
    return np.stack([length * np.cos(angle), length * np.sin(angle)], axis=1)
