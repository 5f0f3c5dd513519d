"""Finds how a frame is shifted against those before it, by what does not move in them.

A stand trembles, a table vibrates, somebody leans on it: the whole picture moves by a pixel or two,
and nothing at the pile does. Edges from all over the picture are compared with those of a slowly
renewed reference picture, whose gradients tell the shift (Baker and Matthews, "Lucas-Kanade 20
years on", 2004). What moves otherwise, such as hands, disagrees and is left out.
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.types import Corners, Picture

Matrix = npt.NDArray[Any]
Plane = npt.NDArray[Any]

# Width that pictures are scaled to: half of a usual frame's. Features (``setup.follow_scene``) are
# as good there, and found in a quarter of the time.
WIDTH = 640
# Side of the cells, in scaled pixels, that edges are taken from, so that they spread.
CELL = 20
# Most edge pixels taken from a cell.
IN_CELL = 6
# Least gradient of an edge pixel, in brightness of 255 a scaled pixel: above smoothed noise.
LEAST_EDGE = 3.0
# Fewest edge pixels; with fewer, nothing is concluded.
LEAST_POINTS = 60
# Greatest error, in scaled pixels, of what is concluded; stripes do not tell a shift along them.
ERROR = 0.2
# Brightness of 255 by which edges are off that the light changes, alike in a cell.
LIGHT = 3.0
# Share of the edge pixels that have to agree on a shift, and where only the pile tells it.
AGREED, AGREED_OF_PILE = 0.5, 0.75
# Scaled pixels by which an edge may be off, and deviations of the noise, that still agree.
OFF, NOISY = 0.4, 3.0
# Brightness of 255 that noise is assumed to have at least, before it is known, and at most.
LEAST_NOISE, USUAL_NOISE, MOST_NOISE = 1.0, 3.0, 6.0
# Scaled pixels by which a frame may be shifted against the one before it, and in all where only
# the pile tells; how much it may turn in all; and how much brighter or darker it may be.
FARTHEST, FARTHEST_OF_PILE, TURNED, BRIGHTER = 6.0, 1.5, 0.01, 3.0
# Refinements of a shift from frame to frame.
STEPS = 5
# Sum of squared gradients that keeps to that error.
LEAST_EVIDENCE = IN_CELL * (LIGHT / ERROR) ** 2
# Error allowed at the side of the picture against that at its middle, where piles lie.
TURNING = 3.0
# Seconds without agreement after which the present frame becomes the reference.
LOST = 0.3
# Seconds after which something new is part of the scene.
SETTLED = 3.0
# Share by which a shift told by the pile itself is taken back with each renewal, when it is certain
# and when not.
LEAK, LEAK_WHEN_LOST = 0.02, 0.5
# Share by which a frame renews the reference where it agrees, and where it does not.
RENEWED, ABSORBED = 0.05, 0.01
# Seconds between frames that renew the reference.
EVERY = 0.1


class FrameRegistration:
    """Registers the frames of one camera.

    ``agreed_from`` is the share of the edges that have to agree. Where they have not for ``lost``
    seconds, the present frame becomes the reference, and ``matrix`` stays as it was.

    Attributes:
        matrix: 3 by 3 map from pixels of the reference to those of the last frame.
        agreed: Share of the edges that agree with it; 0 if too few show.
        lost_at: When a frame last became the reference because nothing agreed any more.
    """

    def __init__(self, agreed_from: float = AGREED, lost: float = LOST) -> None:
        self._least, self._lost = agreed_from, lost
        self.forget()

    def forget(self) -> None:
        """Start over; the next frame becomes the reference."""
        self.matrix: Matrix = np.eye(3)
        self.agreed = 0.0
        self.lost_at = float("-inf")
        self._reference: Plane | None = None
        self._edges: _Edges | None = None
        self._fit = _Fit(np.eye(2, 3), 1.0, 0.0)
        self._noise = USUAL_NOISE
        # When each pixel of the reference last changed.
        self._changed: Plane = np.zeros((0, 0), np.float32)
        self._renewed = self._certain = float("-inf")

    def follow(self, frame: Picture, at: float, pile: Corners) -> bool:
        """Register a frame taken at ``at`` seconds; return whether ``matrix`` is certain.

        ``pile`` is the corners of the pile's place in the frame, (4, 2). Edges there count only
        where there are too few around. While too much is hidden, the last matrix is kept.
        """
        small, ratio = scaled_down(frame)
        small = np.asarray(small, np.float32)
        if self._reference is None or self._reference.shape != small.shape:
            self.forget()
            self._changed = np.full(small.shape, at - SETTLED, np.float32)
            self._refer(small, at, pile * ratio)
            return self._edges is not None
        edges = self._edges
        if edges is not None:
            fit = edges.match(small, self._fit, self._noise)
            self.agreed = edges.agreed(small, fit, self._noise)
            least = AGREED_OF_PILE if edges.of_pile else self._least
            if self.agreed >= least and edges.plausible(fit, self._fit):
                self._fit, self._certain = fit, at
        certain = self._certain == at
        if at - self._renewed >= (EVERY if certain else self._lost):
            if edges is None or edges.of_pile:
                # Cards may have been pushed; the camera trembles around one place.
                leak = LEAK if certain else LEAK_WHEN_LOST
                self._fit.affine += leak * (np.eye(2, 3) - self._fit.affine)
            if not certain:
                self.lost_at = at
            renewed = self._renew(small, self._reference, at, certain=certain)
            self._refer(renewed, at, pile * ratio)
        if certain:
            scale = np.diag([ratio, ratio, 1.0])
            self.matrix = np.linalg.inv(scale) @ np.vstack([self._fit.affine, (0, 0, 1)]) @ scale
        return certain

    def _refer(self, reference: Plane, at: float, pile: Corners) -> None:
        self._reference, self._renewed = reference, at
        place = np.reshape(pile, (1, -1, 2)).astype(np.float64)
        back = cv2.invertAffineTransform(self._fit.affine)
        # What has just come may be a hand, and so may be its edge and its shadow.
        new = (at - self._changed < SETTLED).astype(np.uint8)
        settled = cv2.dilate(new, np.ones((CELL, CELL), np.uint8)) == 0
        self._edges = _edges_of(reference, settled, cv2.transform(place, back)[0])

    def _renew(self, small: Plane, reference: Plane, at: float, *, certain: bool) -> Plane:
        """Return the reference with some of what has changed for good, or all if all is lost."""
        here = _upright(small, self._fit)
        difference = here - reference
        apart = np.abs(difference)
        agrees = apart < 2 * NOISY * self._noise
        self._changed[~agrees] = at
        if not certain:
            return here
        # The median ignores what moves; 0.6745 turns it into a deviation.
        noise = float(np.median(apart[::5, ::5])) / 0.6745
        self._noise = min(max(noise, LEAST_NOISE), MOST_NOISE)
        rate = np.where(agrees, np.float32(RENEWED), np.float32(ABSORBED))
        return np.asarray(reference + rate * difference)


class _Fit:
    """A map from the reference to a frame, and the light in it: ``gain`` and ``bias``."""

    def __init__(self, affine: Matrix, gain: float, bias: float) -> None:
        self.affine, self.gain, self.bias = affine, gain, bias


class _Edges:
    """Pixels on edges of the reference: where they are, (n, 2), their values and gradients.

    ``of_pile`` says whether the pile's own edges are among them.
    """

    def __init__(
        self, points: Plane, values: Plane, slopes: Plane, size: tuple[int, int], *, of_pile: bool
    ) -> None:
        self._points, self._values = points, values
        self.of_pile = of_pile
        self._steep = np.hypot(*slopes.T)
        self._middle = np.array(size, np.float32) / 2
        self._reach = float(max(size)) / 2
        away = (points - self._middle) / self._reach
        ones = np.ones(len(points), np.float32)
        # Unknown: shift, then turn, stretch and shear as displacements at the picture's side.
        factors = (ones,) if of_pile else (ones, *(TURNING * away.T))
        self._ways = np.stack([slopes[:, n] * by for by in factors for n in (0, 1)], axis=1)
        self._light = np.stack((values, ones), axis=1)

    def match(self, small: Plane, start: _Fit, noise: float) -> _Fit:
        """Refine a map and light to a frame."""
        affine, gain, bias = start.affine.copy(), start.gain, start.bias
        for _ in range(STEPS):
            rest = self._rest(small, _Fit(affine, gain, bias))
            usual = max(noise, float(np.median(np.abs(rest))) / 0.6745)
            # What disagrees weighs less and less; at first all may be off.
            weight = 1 / (1 + (rest / (2 * usual)) ** 2) ** 2
            brighter = _solved(self._light, rest, weight, 0.0)
            gain, bias = gain + float(brighter[0]), bias + float(brighter[1])
            rest -= self._light @ brighter
            step = _solved(self._ways, rest, weight, LEAST_EVIDENCE)
            turn = np.zeros((2, 2))
            if len(step) > 2:
                turn = step[2:].reshape(2, 2).T * TURNING / self._reach
            affine -= np.hstack([turn, (step[:2] - turn @ self._middle)[:, None]])
            if float(np.abs(step).max()) < 0.05 * ERROR:
                break
        return _Fit(affine, gain, bias)

    def plausible(self, fit: _Fit, before: _Fit) -> bool:
        """Return whether a trembling camera may move so."""
        way, shift = fit.affine - before.affine, fit.affine - np.eye(2, 3)
        moved = np.hypot(*(way[:, :2] @ self._middle + way[:, 2]))
        if self.of_pile and np.hypot(*shift[:, 2]) > FARTHEST_OF_PILE:
            return False
        lit = 1 / BRIGHTER < fit.gain < BRIGHTER
        return bool(lit and moved < FARTHEST and np.abs(shift[:, :2]).max() < TURNED)

    def agreed(self, small: Plane, fit: _Fit, noise: float) -> float:
        """Return the share of edges that are where the fit says."""
        rest = np.abs(self._rest(small, fit))
        return float(np.mean(rest < np.maximum(OFF * self._steep, NOISY * noise)))

    def _rest(self, small: Plane, fit: _Fit) -> Plane:
        x, y = (self._points @ fit.affine[:, :2].T + fit.affine[:, 2]).astype(np.float32).T
        seen = cv2.remap(small, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[0] - fit.gain * self._values - fit.bias)


def _upright(small: Plane, fit: _Fit) -> Plane:
    """Return a frame as the reference would show it, in the reference's light."""
    size = (small.shape[1], small.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    here = cv2.warpAffine(small, fit.affine, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray((here - np.float32(fit.bias)) / np.float32(fit.gain))


def _solved(factors: Plane, rest: Plane, weight: Plane, least: float) -> Plane:
    """Return the weighted least squares solution, 0 in directions with less evidence."""
    weighted = factors * weight[:, None]
    amounts, ways = np.linalg.eigh(weighted.T @ factors)
    along = (weighted.T @ rest) @ ways
    return np.asarray(ways @ np.where(amounts > least, along / np.maximum(amounts, 1e-9), 0.0))


def grey_and_small(picture: Picture) -> tuple[Picture, float]:
    """Return a grey picture at most ``WIDTH`` wide, and by what it was scaled."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    ratio = min(1.0, WIDTH / grey.shape[1])
    if ratio < 1:
        grey = cv2.resize(grey, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8), ratio


def scaled_down(picture: Picture) -> tuple[Picture, float]:
    """Return ``grey_and_small``, smoothed."""
    grey, ratio = grey_and_small(picture)
    return np.asarray(cv2.GaussianBlur(grey, (5, 5), 1.0), np.uint8), ratio


def _edges_of(reference: Plane, settled: Plane, pile: Corners) -> _Edges | None:
    """Return edges of a picture, spread over it; None if there are too few."""
    across = cv2.Sobel(reference, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(reference, cv2.CV_32F, 0, 1, scale=1 / 8)
    steep = cv2.magnitude(across, down)
    margin = CELL // 2
    steep[:margin], steep[-margin:], steep[:, :margin], steep[:, -margin:] = 0, 0, 0, 0
    around = np.where(settled, steep, np.float32(0))
    outline = np.round(pile).astype(np.int32)
    place = cv2.fillConvexPoly(np.zeros(steep.shape, np.uint8), outline, (1,))
    both = np.where(place > 0, steep, around)
    around[place > 0] = 0
    for plane in (around, both):
        rows, columns = _steepest(plane)
        if len(rows) < LEAST_POINTS:
            continue
        slopes = np.stack((across[rows, columns], down[rows, columns]), axis=1)
        if float(np.linalg.eigvalsh(slopes.T @ slopes)[0]) < LEAST_EVIDENCE:
            continue
        points = np.stack((columns, rows), axis=1).astype(np.float32)
        size = (reference.shape[1], reference.shape[0])
        return _Edges(points, reference[rows, columns], slopes, size, of_pile=plane is both)
    return None


def _steepest(steep: Plane) -> tuple[Plane, Plane]:
    """Return rows and columns of the steepest pixels of each cell."""
    height, width = (side // CELL for side in steep.shape)
    cells = steep[: height * CELL, : width * CELL].reshape(height, CELL, width, CELL)
    flat = cells.transpose(0, 2, 1, 3).reshape(height * width, CELL * CELL)
    within = np.argpartition(flat, -IN_CELL, axis=1)[:, -IN_CELL:]
    good = np.take_along_axis(flat, within, axis=1) >= LEAST_EDGE
    cell = np.repeat(np.arange(height * width)[:, None], IN_CELL, axis=1)[good]
    inner = within[good]
    return cell // width * CELL + inner // CELL, cell % width * CELL + inner % CELL
