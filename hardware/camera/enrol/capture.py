"""Captures one card shown for enrolment, or refuses it with the reason."""

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.enrol.matcher import Matcher
from hardware.camera.reading.geometry import CARD_CROP, overlap
from hardware.camera.reading.locate import Candidate, Locator
from hardware.camera.reading.read import cut_out
from hardware.camera.thresholds import ENROL_HEAT
from hardware.camera.types import Array, Corners, Picture

SAME = 0.3
"""Overlap from which two outlines are one card."""
LEAST_SIDE = 48.0
"""Shortest side of an accepted card, in pixels."""
MOST_BLUR = 6.5
"""Width of the sharpest edges, in pixels of a rectified card 192 wide, that is still accepted."""
CONTRAST, LEAST_EDGES = 24, 30
"""Least contrast of an edge (0 to 255), and least number of edge pixels to judge by."""
DARK = 38.0
"""Least brightness (0 to 255) of a card's 98th percentile."""
MOST_BURNT = 0.55
"""Share of a card that may be overexposed."""
_BURNT = 252


class NotTakenError(Exception):
    """A picture is refused for enrolment; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """A captured card: its outline, crop (``CARD_CROP``) and descriptor.

    The outline starts at the corner that is top left in the picture.
    """

    corners: Corners
    crop: Picture
    descriptor: Array


class FaceCapturer:
    """Finds and describes the card shown in a picture."""

    def __init__(self, locator: Locator, matcher: Matcher) -> None:
        self._locator, self._matcher = locator, matcher

    def capture(self, picture: Picture) -> Capture:
        """Capture the only card in a picture. Raises NotTakenError."""
        corners = upright(self._outline(picture))
        check(picture, corners)
        return self.take(picture, corners)

    def take(self, picture: Picture, corners: Corners) -> Capture:
        """Capture the card within an outline that starts at its own top left corner."""
        crop = cut_out(picture, corners, CARD_CROP)
        return Capture(corners, crop, self._matcher.describe([crop])[0])

    def outlines(self, picture: Picture) -> list[Corners]:
        """Return the outlines of the cards in a picture, surest first."""
        seen = [candidate for candidate in self._locator.locate(picture) if not candidate.index]
        near = [self._locator.closer(picture, candidate) for candidate in seen]
        kept: list[Candidate] = []
        for candidate in sorted(near, key=lambda candidate: -candidate.heat):
            distinct = all(overlap(candidate.corners, other.corners) < SAME for other in kept)
            if candidate.heat >= ENROL_HEAT and distinct:
                kept.append(candidate)
        return [candidate.corners for candidate in kept]

    def _outline(self, picture: Picture) -> Corners:
        outlines = self.outlines(picture)
        if not outlines:
            raise NotTakenError(
                "no card is visible; lay it flat, with all four corners in the picture"
            )
        areas = [cv2.contourArea(corners) for corners in outlines]
        largest = int(np.argmax(areas))
        # Ignore small things that look a little like a card.
        if sum(area > 0.5 * areas[largest] for area in areas) > 1:
            raise NotTakenError(f"{len(outlines)} cards are visible; show one at a time")
        return outlines[largest]


def upright(corners: Corners) -> Corners:
    """Rotate an outline so that it starts with its upper short side, at the left."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short = 0 if sides[0] + sides[2] <= sides[1] + sides[3] else 1
    tops = [corners[k][1] + corners[(k + 1) % 4][1] for k in (short, short + 2)]
    lying = abs(float(tops[0] - tops[1])) < 0.2 * float(sides.max())
    if lying:
        # The card lies on its side: take its left end as the top.
        tops = [corners[k][0] + corners[(k + 1) % 4][0] for k in (short, short + 2)]
    return np.roll(corners, -(short if tops[0] <= tops[1] else short + 2), axis=0)


def check(picture: Picture, corners: Corners) -> None:
    """Check that a card is whole, large and clear. Raises NotTakenError."""
    height, width = picture.shape[:2]
    beyond = 0.04 * float(np.ptp(corners, axis=0).max())
    if (corners < -beyond).any() or (corners > np.array([width, height]) + beyond).any():
        raise NotTakenError("part of the card is outside the picture; move it to the middle")
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.min() < LEAST_SIDE:
        raise NotTakenError(
            f"the card is only {sides.min():.0f} pixels wide; bring it nearer to the camera"
        )
    check_clear(rectify(picture, corners))


def check_clear(flat: Picture) -> None:
    """Check exposure and sharpness of a card cut out by ``rectify``. Raises NotTakenError."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 98)) < DARK:
        raise NotTakenError("it is too dark; give the card more light")
    if float((flat.min(axis=2) >= _BURNT).mean()) > MOST_BURNT:
        raise NotTakenError("most of the card is overexposed; turn it or the lamp a little")
    if edge_width(grey) > MOST_BLUR:
        raise NotTakenError("the card is blurred; hold it still, or farther away")


def rectify(picture: Picture, corners: Corners) -> Picture:
    """Cut out a card at twice the networks' resolution."""
    return cut_out(picture, corners, (2 * CARD_CROP[0], 2 * CARD_CROP[1]))


def edge_width(grey: Picture) -> float:
    """Return the width in pixels of a rectified card's sharpest edges; infinite if it has none.

    Edges are local maxima of the gradient; their width is the local contrast over the gradient.
    """
    calm = cv2.GaussianBlur(grey, (0, 0), 0.7)
    across = cv2.Sobel(calm, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope = cv2.magnitude(across, cv2.Sobel(calm, cv2.CV_32F, 0, 1, scale=1 / 8))
    near, around = np.ones((5, 5), np.uint8), np.ones((21, 21), np.uint8)
    contrast = cv2.subtract(cv2.dilate(calm, around), cv2.erode(calm, around))
    edges = (slope >= cv2.dilate(slope, near)) & (slope > 1) & (contrast > CONTRAST)
    if edges.sum() < LEAST_EDGES:
        return float("inf")
    return float(np.percentile(contrast[edges] / slope[edges], 10))
