"""What a picture says about light, focus and place, in numbers; nothing is judged here."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.find import Sighting
from hardware.camera.setup.mat import CARD_WIDTH, CELLS, Box, Points
from hardware.camera.setup.mat_view import MatView
from hardware.camera.types import Corners, Picture

# Lit so much that a camera can tell no more; noise and compression take a little off again.
CLIPPED = 250
# Places along a tag's side at which it is looked at, and steps of a pixel across it.
_ALONG = np.linspace(0.15, 0.85, 8)
_STEP = 0.5
# Edges that anything can be told from: stronger than noise, and more than chance makes.
_CALM, _CONTRAST, _LEAST_EDGES = 0.7, 40, 50
_GLARE_SCALE = 1.0  # pixels in a millimetre in which glare is looked for


@dataclass(frozen=True, slots=True)
class MatConditions:
    """What the mat tells beside where it is.

    ``white``, ``black`` and ``grey`` are how bright (0 to 255) the paper, the tags' black and the
    grey patches are; ``whites`` the paper around each tag. ``edge`` is how many pixels the step
    from black to white takes, ``edge_mm`` how many millimetres that is on the mat. ``card`` is the
    least number of pixels the short side of a card on the discard pile has, ``tilt`` the angle
    from straight above in degrees. ``error`` is how far tags are from where a flat mat has them,
    in pixels.
    """

    paper: str
    seen: int
    tags: int
    white: float
    black: float
    grey: float | None
    whites: Mapping[int, float]
    edge: float
    edge_mm: float
    card: float
    tilt: float
    error: float
    cut_off: tuple[str, ...] = ()  # the places that are not in the picture as a whole
    sides: tuple[str, ...] = ()  # where the mat leaves the picture: left, right, top, bottom


@dataclass(frozen=True, slots=True)
class Conditions:
    """What one picture says.

    ``brightness`` is the mean (0 to 255) and ``spread`` the standard deviation of its grey,
    ``clipped`` the share that is as bright as can be. ``glare`` is the share of the pile's place
    that is brighter than paper can be there, None if that cannot be told. ``edge`` is how
    many pixels the sharpest edges take, measured where no mat tells better and None where there
    are none; ``pile_width`` is the short side of the pile's place in pixels.
    """

    brightness: float
    spread: float
    clipped: float
    edge: float | None
    glare: float | None = None
    pile_width: float | None = None
    pile_inside: bool = True
    mat: MatConditions | None = None


def measure(
    picture: Picture, sighting: Sighting | None, view: MatView | None, pile: Corners | None
) -> Conditions:
    """Measure a picture.

    Args:
        picture: the picture.
        sighting: the tags that were found in it, if they were looked for.
        view: where the mat is believed to be.
        pile: the pile's corners in pixels, with or without a mat.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    every = np.asarray(cv2.resize(grey, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
    mean, spread = cv2.meanStdDev(every)
    clipped = float((every >= CLIPPED).mean())
    mat = None
    if view is not None and sighting is not None and sighting.tags:
        mat = _mat_conditions(grey, sighting, view)
    glare = width = None
    inside = True
    if pile is not None:
        glare = _glare(picture, pile, None if mat is None else mat.white, clipped)
        width = float(np.linalg.norm(np.roll(pile, -1, axis=0) - pile, axis=1).min())
        limits = np.array([grey.shape[1], grey.shape[0]])
        inside = bool((pile > -1).all() and (pile < limits).all())
    return Conditions(
        float(mean[0, 0]),
        float(spread[0, 0]),
        clipped,
        _sharpest(grey) if mat is None else None,
        glare,
        width,
        inside,
        mat,
    )


def _mat_conditions(grey: Picture, sighting: Sighting, view: MatView) -> MatConditions:
    seen = sighting.tags
    around = {number: _ring(grey, quad, -0.75) for number, quad in seen.items()}
    within = [_ring(grey, quad, 0.5) for quad in seen.values()]
    whites = {number: float(np.median(ring)) for number, ring in around.items()}
    white = float(np.median(list(whites.values())))
    black = float(np.median(within))
    # Blur mixes black and white; where there is least to mix with, they are nearest to themselves.
    contrast = max(white - float(np.percentile(within, 5)), 1.0)
    # Of several edges the median: a finger's shadow on one is no blur.
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
    """How bright it is here and there along a tag's border, so many cells inside of it."""
    ring = Box(0, 0, CELLS, CELLS).shrunk(cells).corners
    spots = [a + (b - a) * share for a, b in _around(ring) for share in _ALONG]
    return _sample(grey, _on_tag(quad, np.array(spots)))


def _edges(grey: Picture, quad: Corners, contrast: float) -> list[float]:
    """How many pixels the step from black to white takes at each side of a tag."""
    widths = []
    middle = quad.mean(axis=0)
    for start, end in _around(quad.astype(np.float64)):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        out = np.array([along[1], -along[0]])
        out *= np.sign(out @ ((start + end) / 2 - middle)) or 1.0
        # Less than a cell to either side: that is how far it is black, and white.
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
    """How bright the grey patches are: the brightest that is in the picture, None without."""
    levels = []
    for patch in view.mat.patches:
        if not view.contains(patch):
            continue
        inner = patch.shrunk(2.0)
        columns = np.linspace(inner.x, inner.x + inner.width, 7)
        rows = np.linspace(inner.y, inner.y + inner.height, 4)
        spots = np.array([(x, y) for x in columns for y in rows])
        levels.append(float(np.median(_sample(grey, view.pixels(spots)))))
    # A card on one is bright or dark; most of them lie free.
    return float(np.median(levels)) if levels else None


def _sides(view: MatView) -> tuple[str, ...]:
    corners = view.pixels(view.mat.sheet.corners)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    width, height = view.size
    # The paper's blank rim may leave the picture, a tag's own rim may not.
    rim = 4.0 * view.scale()
    out = {
        "left": left < -rim,
        "right": right > width + rim,
        "top": top < -rim,
        "bottom": bottom > height + rim,
    }
    return tuple(side for side, is_out in out.items() if is_out)


def _glare(picture: Picture, pile: Corners, white: float | None, clipped: float) -> float | None:
    """The share of the pile's place that outshines paper."""
    # Where white paper is as bright already, or half the room, glare looks like anything else.
    if (white is not None and white > CLIPPED - 7) or (white is None and clipped > 0.1):
        return None
    side = round(CARD_WIDTH * _GLARE_SCALE)
    target = np.array([(0, 0), (side, 0), (side, 1.5 * side), (0, 1.5 * side)], np.float32)
    matrix = cv2.getPerspectiveTransform(pile.astype(np.float32), target)
    flat = cv2.warpPerspective(picture, matrix, (side, round(1.5 * side)), flags=cv2.INTER_AREA)
    return float((flat.min(axis=2) >= CLIPPED).mean())


def _sharpest(grey: Picture) -> float | None:
    """How many pixels the sharpest edges of a picture take; None if it has hardly any edges.

    An edge is where the slope is steepest; what it takes is the contrast around it by its slope.
    """
    calm = cv2.GaussianBlur(grey, (0, 0), _CALM)
    across = cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope = cv2.magnitude(across, cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8))
    near, around = np.ones((5, 5), np.uint8), np.ones((15, 15), np.uint8)
    contrast = cv2.subtract(cv2.dilate(calm, around), cv2.erode(calm, around))
    # On an even ground near an edge the slope, 0, is the steepest there is around; it is no edge.
    edges = (slope > 0) & (slope >= cv2.dilate(slope, near)) & (contrast > _CONTRAST)
    if edges.sum() < _LEAST_EDGES:
        return None
    return float(np.percentile(contrast[edges] / slope[edges], 10))


def _around(corners: Points) -> list[tuple[Points, Points]]:
    return [(corners[number], corners[(number + 1) % 4]) for number in range(4)]


def _on_tag(quad: Corners, cells: Points) -> Points:
    """Points given in cells of a tag, in pixels."""
    square = Box(0, 0, CELLS, CELLS).corners.astype(np.float32)
    matrix = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    moved = cv2.perspectiveTransform(cells.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(moved.reshape(-1, 2), np.float64)


def _sample(grey: Picture, points: Points) -> npt.NDArray[np.float32]:
    """The picture at points between its pixels; beyond its border what the border is."""
    x, y = (points[:, axis].astype(np.float32).reshape(1, -1) for axis in (0, 1))
    out = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.float32).ravel()
