"""A camera that hunts for its focus and its exposure until it is told to keep them."""

import math
import struct
from functools import cache

import cv2
import numpy as np

from hardware.camera.source.controls import CameraControls
from hardware.camera.types import Picture
from tests.hardware.camera.setup.scenes import Shot

FOCUS_AUTO, FOCUS = 0x009A090C, 0x009A090A
EXPOSURE_AUTO, EXPOSURE = 0x009A0901, 0x009A0902
WHITE_AUTO = 0x0098090C
SET = 0xC008561C
HUNT_S = 2.0


@cache
def shots() -> list[Picture]:
    return [Shot(size=(640, 360), cards=4, seed=seed).take() for seed in range(3)]


class HuntingCamera:
    """It breathes by ``blur`` pixels and swings by ``pump``; ``light`` is the room's.

    ``without`` are controls that it lacks, ``stubborn`` those that it takes and does not keep.
    """

    def __init__(
        self,
        blur: float = 2.5,
        pump: float = 0.2,
        without: tuple[int, ...] = (),
        stubborn: tuple[int, ...] = (),
    ) -> None:
        self._blur, self._pump, self._stubborn = blur, pump, stubborn
        first = {FOCUS_AUTO: 1, FOCUS: 80, EXPOSURE_AUTO: 3, EXPOSURE: 150, WHITE_AUTO: 1}
        self.values = {number: value for number, value in first.items() if number not in without}
        self.light = 1.0
        # How the lens and the sensor are set now.
        self._lens, self._gain = 0.0, 1.0

    def controls(self, path: str) -> CameraControls:
        return CameraControls(path, self.ioctl)

    def ioctl(self, _: int, request: int, data: bytearray) -> int:
        number, value = struct.unpack("Ii", data)
        if number not in self.values:
            raise OSError("no such control")
        if request == SET:
            self.values[number] = value
        data[:] = struct.pack("Ii", number, self.values[number])
        return 0

    def picture(self, at: float) -> Picture:
        swing = math.sin(math.tau * at / HUNT_S)
        if self.values.get(FOCUS_AUTO, 0) or FOCUS_AUTO in self._stubborn:
            self._lens = self._blur * max(0.0, swing)
        if self.values.get(EXPOSURE_AUTO, 1) != 1:
            self._gain = (1 + self._pump * swing) / self.light
        elif EXPOSURE_AUTO in self._stubborn:
            # It goes back to what was set long ago.
            self._gain = 0.3
        picture = shots()[round(at * 10) % 3]
        if self._lens > 0.3:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self._lens))
        return np.asarray(cv2.convertScaleAbs(picture, alpha=self._gain * self.light))
