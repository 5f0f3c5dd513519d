"""Measures light, focus and place in a picture, without judging them."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.find import Sighting
from hardware.camera.setup.mat import CARD_WIDTH, CELLS, Box, MatView, Points
from hardware.camera.types import Corners, Picture

# Brightness of an overexposed pixel, a little below 255 for noise and compression.
CLIPPED = 250
# Sampling positions along a tag's side, and the step in pixels across it.
_ALONG = np.linspace(0.15, 0.85, 8)
_STEP = 0.5
# Smoothing, least contrast and least number of edge pixels to measure sharpness.
_CALM, _CONTRAST, _LEAST_EDGES = 0.7, 40, 50
_GLARE_SCALE = 1.0  # pixels per mm
# Brightness and share of its brightest channel that a pixel of lit paper has at least, and the
# share of the place's middle that is enough of it: a card's rim is a fifth.
PAPER, COLOURLESS, PAPER_SHARE = 120, 0.8, 0.1


@dataclass(frozen=True, slots=True)
class MatConditions:
    """Measurements of a visible mat. Brightness is from 0 to 255."""

    paper: str
    seen: int  # Visible tags
    tags: int  # Tags on the mat
    white: float
    black: float
    grey: float | None  # Brightness of the grey patches, if one is visible
    whites: Mapping[int, float]  # Brightness of the paper around each tag
    edge: float  # Width of the step from black to white, in pixels
    edge_mm: float  # The same in mm on the mat
    card: float  # Short side of a card on the discard pile, in pixels, at worst
    tilt: float  # Camera angle from straight above, in degrees
    error: float  # Deviation of the tags from a flat mat, in pixels
    cut_off: tuple[str, ...] = ()  # Places that are partly outside the picture
    sides: tuple[str, ...] = ()  # Where the mat leaves the picture: left, right, top, bottom


@dataclass(frozen=True, slots=True)
class Conditions:
    """Measurements of one picture."""

    brightness: float  # Mean of the grey picture, 0 to 255
    spread: float  # Its standard deviation
    clipped: float  # Share of overexposed pixels
    # Width of the sharpest edges in pixels; None if there are none, or the mat's edges were
    # measured instead.
    edge: float | None
    # Share of the pile's place that is brighter than paper; None if unknown.
    glare: float | None = None
    # Brightness that the lightest twentieth of the pile's place exceeds: a card's white. None if
    # its place is unknown.
    lightest: float | None = None
    pile_width: float | None = None  # Short side of the pile's place, in pixels
    pile_inside: bool = True  # True if all of it is in the picture
    mat: MatConditions | None = None


def measure(
    picture: Picture, sighting: Sighting | None, view: MatView | None, pile: Corners | None
) -> Conditions:
    """Measure a picture, given the tags found in it and the assumed places of mat and pile."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    every = np.asarray(cv2.resize(grey, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
    mean, spread = cv2.meanStdDev(every)
    clipped = float((every >= CLIPPED).mean())
    mat = None
    if view is not None and sighting is not None and sighting.tags:
        mat = _mat_conditions(grey, sighting, view)
    glare = width = lightest = None
    inside = True
    if pile is not None:
        lightest = _lightest(grey, pile)
        glare = _glare(picture, pile, None if mat is None else mat.white, clipped)
        width = float(np.linalg.norm(np.roll(pile, -1, axis=0) - pile, axis=1).min())
        limits = np.array([grey.shape[1], grey.shape[0]])
        inside = bool((pile > -1).all() and (pile < limits).all())
    return Conditions(
        float(mean[0, 0]),
        float(spread[0, 0]),
        clipped,
        sharpest_edges(grey) if mat is None else None,
        glare,
        lightest,
        width,
        inside,
        mat,
    )


def sharpest_edges(grey: Picture) -> float | None:
    """Return the width in pixels of a picture's sharpest edges; None if it has hardly any.

    Edges are local maxima of the gradient; their width is the local contrast over the gradient.
    """
    calm = cv2.GaussianBlur(grey, (0, 0), _CALM)
    across = cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope = cv2.magnitude(across, cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8))
    near, around = np.ones((5, 5), np.uint8), np.ones((15, 15), np.uint8)
    contrast = cv2.subtract(cv2.dilate(calm, around), cv2.erode(calm, around))
    # On uniform ground a gradient of 0 is a local maximum too, but no edge.
    edges = (slope > 0) & (slope >= cv2.dilate(slope, near)) & (contrast > _CONTRAST)
    if edges.sum() < _LEAST_EDGES:
        return None
    return float(np.percentile(contrast[edges] / slope[edges], 10))


def _mat_conditions(grey: Picture, sighting: Sighting, view: MatView) -> MatConditions:
    seen = sighting.tags
    around = {number: _ring(grey, quad, -0.75) for number, quad in seen.items()}
    within = [_ring(grey, quad, 0.5) for quad in seen.values()]
    whites = {number: float(np.median(ring)) for number, ring in around.items()}
    white = float(np.median(list(whites.values())))
    black = float(np.median(within))
    # Blur mixes black and white, so the darkest samples are closest to true black.
    contrast = max(white - float(np.percentile(within, 5)), 1.0)
    # The median ignores a finger's shadow on one edge.
    edges = [width for quad in seen.values() for width in _edges(grey, quad, contrast)]
    edge = float(np.median(edges)) if edges else 0.0
    mat = view.mat
    cut_off = tuple(name for name, box in mat.places.items() if not view.contains(box))
    return MatConditions(
        view.paper,
        len(seen),
        len(mat.tags),
        white,
        black,
        _patches(grey, view),
        whites,
        edge,
        edge / view.scale(),
        view.card_width(),
        view.tilt(),
        view.error,
        cut_off,
        _sides(view),
    )


def _ring(grey: Picture, quad: Corners, cells: float) -> npt.NDArray[np.float32]:
    """Sample the brightness along a line ``cells`` inside a tag's border."""
    ring = Box(0, 0, CELLS, CELLS).shrunk(cells).corners
    spots = [a + (b - a) * share for a, b in _around(ring) for share in _ALONG]
    return _sample(grey, _on_tag(quad, np.array(spots)))


def _edges(grey: Picture, quad: Corners, contrast: float) -> list[float]:
    """Measure the width in pixels of the black-to-white step at each side of a tag."""
    widths = []
    middle = quad.mean(axis=0)
    for start, end in _around(quad.astype(np.float64)):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        out = np.array([along[1], -along[0]])
        out *= np.sign(out @ ((start + end) / 2 - middle)) or 1.0
        # Less than a cell to either side, where it is still black and white.
        reach = 0.8 * float(np.linalg.norm(end - start)) / CELLS
        steps = np.arange(-reach, reach + _STEP, _STEP)
        if len(steps) < 5:
            continue
        spots = start + np.outer(_ALONG, end - start)
        lines = _sample(grey, (spots[:, None] + steps[:, None] * out).reshape(-1, 2))
        profile = lines.reshape(len(spots), -1).mean(axis=0)
        slope = float((profile[2:] - profile[:-2]).max()) / (2 * _STEP)
        if slope > 0:
            widths.append(contrast / slope)
    return widths


def _patches(grey: Picture, view: MatView) -> float | None:
    """Return the median brightness of the visible grey patches; None without any."""
    levels = []
    for patch in view.mat.patches:
        if not view.contains(patch):
            continue
        inner = patch.shrunk(2.0)
        columns = np.linspace(inner.x, inner.x + inner.width, 7)
        rows = np.linspace(inner.y, inner.y + inner.height, 4)
        spots = np.array([(x, y) for x in columns for y in rows])
        levels.append(float(np.median(_sample(grey, view.pixels(spots)))))
    # The median ignores a card on one of them.
    return float(np.median(levels)) if levels else None


def _sides(view: MatView) -> tuple[str, ...]:
    corners = view.pixels(view.mat.sheet.corners)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    width, height = view.size
    # The paper's blank rim may leave the picture, but not that of a tag.
    rim = 4.0 * view.scale()
    out = {
        "left": left < -rim,
        "right": right > width + rim,
        "top": top < -rim,
        "bottom": bottom > height + rim,
    }
    return tuple(side for side, is_out in out.items() if is_out)


def _lightest(grey: Picture, pile: Corners) -> float:
    place = cv2.fillConvexPoly(np.zeros_like(grey), np.round(pile).astype(np.int32), (1,))
    within = grey[place > 0]
    return float(np.percentile(within, 95)) if within.size else 0.0


def _glare(picture: Picture, pile: Corners, white: float | None, clipped: float) -> float | None:
    """Return the share of the pile's place that is brighter than paper."""
    # Glare cannot be distinguished if the paper itself or much of the room is overexposed.
    if (white is not None and white > CLIPPED - 7) or (white is None and clipped > 0.1):
        return None
    side = round(CARD_WIDTH * _GLARE_SCALE)
    target = np.array([(0, 0), (side, 0), (side, 1.5 * side), (0, 1.5 * side)], np.float32)
    matrix = cv2.getPerspectiveTransform(pile.astype(np.float32), target)
    flat = cv2.warpPerspective(picture, matrix, (side, round(1.5 * side)), flags=cv2.INTER_AREA)
    low, high = flat.min(axis=2), flat.max(axis=2)
    if white is None:
        # A card's own white tells how bright paper is; cards lie in the middle of the place.
        rows, columns = (slice(length // 5, length - length // 5) for length in low.shape)
        light, most = low[rows, columns], high[rows, columns]
        paper = light[(light >= PAPER) & (light >= COLOURLESS * most)]
        if paper.size >= PAPER_SHARE * light.size and np.percentile(paper, 30) > CLIPPED - 7:
            return None
    # A reflected lamp is a spot; single pixels are noise on white.
    spot = (low >= CLIPPED).astype(np.uint8)
    return float(cv2.medianBlur(spot, 3).mean())


def _around(corners: Points) -> list[tuple[Points, Points]]:
    return [(corners[number], corners[(number + 1) % 4]) for number in range(4)]


def _on_tag(quad: Corners, cells: Points) -> Points:
    """Map points from a tag's cells to pixels."""
    square = Box(0, 0, CELLS, CELLS).corners.astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    moved = cv2.perspectiveTransform(cells.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(moved.reshape(-1, 2), np.float64)


def _sample(grey: Picture, points: Points) -> npt.NDArray[np.float32]:
    """Sample a picture between pixels, repeating its border."""
    x, y = (points[:, axis].astype(np.float32).reshape(1, -1) for axis in (0, 1))
    out = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.float32).ravel()
