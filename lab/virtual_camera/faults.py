"""Faults of a camera: lost, late and corrupted pictures; trembling, hunting, compression."""

import math
from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[Any]

QUALITY = 88
HUNT_S = 3.0
"""Seconds that an autofocus or an exposure takes to hunt there and back."""
LEAST_BLUR = 0.3


@dataclass(frozen=True, slots=True)
class PictureFaults:
    """Rates of a camera's faults."""

    drop: float = 0.0  # Share of pictures lost
    garble: float = 0.0  # Share of corrupted bytes in each picture
    lag_ms: float = 0.0  # Delay of each picture in ms
    every: int = 1  # Deliver only every n-th picture
    tremble: float = 0.0  # Root mean square of its shaking, in pixels
    breathe: float = 0.0  # Blur at the worst moment of an autofocus that hunts, in pixels
    pump: float = 0.0  # Share by which an exposure that hunts makes the picture brighter and darker
    quality: float = QUALITY  # Of the pictures' JPEG compression, 1 to 100

    def __post_init__(self) -> None:
        for name in ("drop", "garble"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")
        if not 0 <= self.lag_ms <= 60_000:
            raise ValueError(f"lag_ms is from 0 to 60000, not {self.lag_ms}")
        for name, most in (("tremble", 50), ("breathe", 20), ("pump", 0.9)):
            if not 0 <= getattr(self, name) <= most:
                raise ValueError(f"{name} is from 0 to {most}, not {getattr(self, name)}")
        if not 1 <= self.quality <= 100:
            raise ValueError(f"quality is from 1 to 100, not {self.quality}")
        if self.every < 1:
            raise ValueError(f"every is at least 1, not {self.every}")

    def as_dict(self) -> dict[str, float]:
        """Return the fields as a dictionary."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


NO_FAULTS = PictureFaults()


def unsteady(
    picture: Picture, faults: PictureFaults, at: float, rng: np.random.Generator
) -> Picture:
    """Return a picture as a camera takes it that trembles or hunts, ``at`` seconds."""
    hunting = math.sin(math.tau * at / HUNT_S)
    if faults.tremble:
        # In each direction, the share of the root mean square that makes the sum.
        x, y = rng.normal(0, faults.tremble / math.sqrt(2), 2)
        shift = np.array([[1, 0, x], [0, 1, y]])
        size = (picture.shape[1], picture.shape[0])
        picture = np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REFLECT))
    blur = faults.breathe * max(0.0, hunting)
    if blur > LEAST_BLUR:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur))
    if faults.pump:
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=1 + faults.pump * hunting))
    return picture


def garbled(data: bytes, share: float, rng: np.random.Generator) -> bytes:
    """Return the bytes with a share of them corrupted."""
    count = int(rng.binomial(len(data), share)) if share else 0
    if not count:
        return data
    spoilt = np.frombuffer(data, np.uint8).copy()
    places = rng.choice(len(data), count, replace=False)
    spoilt[places] ^= rng.integers(1, 256, count, dtype=np.uint8)
    return spoilt.tobytes()
