"""One card shown for enrolment: found, cut out, described; or refused in a sentence."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.enrol.matcher import Matcher
from hardware.camera.layout import CARD_CROP
from hardware.camera.locate import Candidate, Locator, overlap
from hardware.camera.read import cut_out
from hardware.camera.types import Corners, Picture

Array = npt.NDArray[Any]

LEAST_HEAT = 0.35
"""How sure the locator must be of the card."""
SAME = 0.3
"""Outlines with so much in common are of one card."""
LEAST_SIDE = 48.0
"""Pixels that the card's short side must have."""
MOST_BLUR = 6.5
"""Pixels of a straight card, 192 wide, that its sharpest edges may take."""
CONTRAST, LEAST_EDGES = 24, 30
DARK = 38.0
"""Brightness (0 to 255) below which the brightest parts of a card are too dark to go by."""
MOST_BURNT = 0.55
"""Share of a card that may be as bright as can be."""
_BURNT = 252


class NotTakenError(Exception):
    """A picture that a card cannot be enrolled from; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """A card as it was shown.

    Attributes:
        corners: Its outline; the corner that is most to the top left of the picture comes first.
        crop: The card, straight, as high and wide as ``CARD_CROP``.
        descriptor: What the network says of it.
    """

    corners: Corners
    crop: Picture
    descriptor: Array


class Camera:
    """Finds the card that is shown in a picture."""

    def __init__(self, locator: Locator, matcher: Matcher) -> None:
        self._locator, self._matcher = locator, matcher

    def capture(self, picture: Picture) -> Capture:
        """The one card in a picture. Raises NotTakenError."""
        corners = upright(self._outline(picture))
        check(picture, corners)
        return self.take(picture, corners)

    def take(self, picture: Picture, corners: Corners) -> Capture:
        """The card within an outline, its own top left corner first."""
        crop = cut_out(picture, corners, CARD_CROP)
        return Capture(corners, crop, self._matcher.describe([crop])[0])

    def outlines(self, picture: Picture) -> list[Corners]:
        """The cards in a picture, the surest first."""
        seen = [one for one in self._locator.locate(picture) if not one.index]
        near = [self._locator.closer(picture, one) for one in seen]
        found: list[Candidate] = []
        for one in sorted(near, key=lambda one: -one.heat):
            apart = all(overlap(one.corners, other.corners) < SAME for other in found)
            if one.heat >= LEAST_HEAT and apart:
                found.append(one)
        return [one.corners for one in found]

    def _outline(self, picture: Picture) -> Corners:
        found = self.outlines(picture)
        if not found:
            raise NotTakenError(
                "no card is seen; lay it flat, with all four corners in the picture"
            )
        areas = [cv2.contourArea(corners) for corners in found]
        largest = int(np.argmax(areas))
        # Something small that looks a little like a card lies on many tables.
        if sum(area > 0.5 * areas[largest] for area in areas) > 1:
            raise NotTakenError(f"{len(found)} cards are seen; show one at a time")
        return found[largest]


def upright(corners: Corners) -> Corners:
    """The same outline, clockwise, begun at its upper left: a short side, the upper one, first."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short = 0 if sides[0] + sides[2] <= sides[1] + sides[3] else 1
    tops = [corners[k][1] + corners[(k + 1) % 4][1] for k in (short, short + 2)]
    lying = abs(float(tops[0] - tops[1])) < 0.2 * float(sides.max())
    if lying:
        # It lies on its side: its top is to the left, as cards are dealt into a row.
        tops = [corners[k][0] + corners[(k + 1) % 4][0] for k in (short, short + 2)]
    return np.roll(corners, -(short if tops[0] <= tops[1] else short + 2), axis=0)


def check(picture: Picture, corners: Corners) -> None:
    """Whether a card can be enrolled as it is seen. Raises NotTakenError."""
    height, width = picture.shape[:2]
    beyond = 0.04 * float(np.ptp(corners, axis=0).max())
    if (corners < -beyond).any() or (corners > np.array([width, height]) + beyond).any():
        raise NotTakenError("the card is not whole in the picture; move it to the middle")
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.min() < LEAST_SIDE:
        raise NotTakenError(
            f"the card is only {sides.min():.0f} pixels wide; bring it nearer to the camera"
        )
    check_clear(straight(picture, corners))


def check_clear(flat: Picture) -> None:
    """Whether enough is to be seen of a straight card, as `straight` cuts it out.

    Raises NotTakenError.
    """
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 98)) < DARK:
        raise NotTakenError("it is too dark to tell the card by; give it more light")
    if float((flat.min(axis=2) >= _BURNT).mean()) > MOST_BURNT:
        raise NotTakenError("most of the card shines white; turn it or the lamp a little")
    if edge_width(grey) > MOST_BLUR:
        raise NotTakenError("the card is blurred; hold it still, or farther away")


def straight(picture: Picture, corners: Corners) -> Picture:
    """The card cut out straight, at twice the size that the networks see."""
    return cut_out(picture, corners, (2 * CARD_CROP[0], 2 * CARD_CROP[1]))


def edge_width(grey: Picture) -> float:
    """How many pixels the sharpest edges of a straight card take; infinite if it has none.

    An edge is where the slope is steepest; what it takes is the contrast around it by its slope.
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
