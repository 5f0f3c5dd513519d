"""Pictures of the pile at each ruling of a rendered round."""

import cv2

from hardware.camera.types import Picture
from referee.demo.captions import Caption, Snapshot
from referee.demo.client import DemoError
from referee.demo.live_table import RulingPicture

QUALITY = 92
PART = (0.42, 0.03, 0.82, 0.58)
"""The part of the picture around the pile: left, top, right, bottom, as shares."""


class RulingFilm:
    """Keeps a picture of each ruling."""

    def __init__(self) -> None:
        self.shots: list[RulingPicture] = []
        self._last: Picture | None = None
        self._ruled: Picture | None = None

    def see(self, picture: Picture, _: float) -> None:
        """Take a picture from the camera."""
        self._last = picture

    def told(self, event: str | None) -> None:
        """Note an event at the pile; the last picture still shows the card."""
        if event in ("found", "placed", "unsure"):
            self._ruled = self._last

    def update(self, _: Snapshot, line: Caption) -> None:
        """Store the picture of a ruling. Raises DemoError."""
        if self._ruled is None:
            return
        height, width = self._ruled.shape[:2]
        left, top, right, bottom = PART
        rows = slice(round(top * height), round(bottom * height))
        part = self._ruled[rows, round(left * width) : round(right * width)]
        done, jpeg = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            raise DemoError("The picture cannot be kept.")
        self.shots.append(RulingPicture(jpeg.tobytes(), line))
