"""AprilTags of the family 36h11: how each looks, and what finds them."""

import functools

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.mat import MATS

# Black border included; the blank rim around it is the paper.
CELLS = 8
NUMBERS = tuple(sorted(number for mat in MATS.values() for number in mat.tags))


@functools.cache
def tag_cells(number: int) -> npt.NDArray[np.bool_]:
    """8 x 8: where a tag is black."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(cv2.aruco.generateImageMarker(family, number, CELLS)) < 128


def dictionary() -> cv2.aruco.Dictionary:
    """The tags of our mats alone, so that nothing else is taken for one."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    few = family.bytesList[: NUMBERS[-1] + 1]
    return cv2.aruco.Dictionary(few, family.markerSize, family.maxCorrectionBits)
