"""How cards look when they are enrolled, and when they are played."""

from collections.abc import Callable
from dataclasses import replace

import cv2

from hardware.camera.enrol.capture import NotTakenError, check_clear
from hardware.camera.types import Picture
from lab.draw.scenes.params import CropParams, SceneParams

TRIES = 20
"""Most crops drawn for one enrolment; a face without sharp edges never passes the check."""

# People enrol a card held still in fair light, and repeat a blurred picture.
ENROLMENT_VIEW = CropParams(
    turns=(0,),
    jitter=0.018,
    sharp=0.7,
    resolution=(0.5, 1.0),
    foreshortened=0.1,
    neighbours=0.15,
    covered=0.0,
    fingers=0.2,
    light=SceneParams(dark=0.05, washed=0.05, glare=0.15, blurred=0.2, webcam=0.15, jpeg=0.4),
)
ORDINARY_VIEW = replace(
    ENROLMENT_VIEW, neighbours=0.3, bent=0.05, light=replace(ENROLMENT_VIEW.light, cast=0.4)
)
"""A card on the table, in similar light."""
HARD_VIEW = replace(CropParams(), turns=(0,))
"""Steep, blurred, covered, dark or overexposed, like the readers' training crops."""


def enrolment_crop(draw: Callable[[], Picture]) -> Picture:
    """Draw crops until one is clear enough to be enrolled."""
    for _ in range(TRIES):
        crop = draw()
        try:
            check_clear(cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR))
        except NotTakenError:
            continue
        break
    return crop
