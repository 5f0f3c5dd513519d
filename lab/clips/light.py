"""Light over the table and noise of the camera's sensor."""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[Any]


@dataclass(frozen=True)
class RoomLight:
    """How the light changes. Shares are of its usual strength."""

    level: float = 1.0
    drift: float = 0.0  # Amplitude of the slow drift
    period: float = 40.0  # Period of the drift in seconds
    tint: float = 0.0  # Amplitude of the colour drift
    flicker: float = 0.0  # Random variation from frame to frame
    bands: float = 0.0  # Depth of mains flicker bands under a rolling shutter
    steps: float = 0.0  # Exposure changes per minute
    shadow: float = 0.0  # Depth of a soft shadow that wanders over the table
    noise: float = 2.0  # Standard deviation of the pixel noise, of 256 levels
    seed: int = 0  # Seeds everything random

    def gains(self, time: float) -> npt.NDArray[np.float64]:
        """Return the gains of blue, green and red at a time."""
        wave = math.sin(math.tau * time / self.period + self.seed % 7)
        gain = self.level * (1 + self.drift * wave) * self._exposure(time)
        gain *= 1 + self.flicker * float(self._lot(time, 1).uniform(-1, 1))
        return gain * np.array([1 + self.tint * wave, 1.0, 1 - self.tint * wave])

    def _exposure(self, time: float) -> float:
        if not self.steps:
            return 1.0
        span = 60.0 / self.steps
        now, before = (
            float(np.random.default_rng([self.seed, 2, n]).uniform(0.78, 1.2))
            for n in (int(time / span) + 1, int(time / span))
        )
        # Cameras need some frames to reach a new exposure.
        return before + (now - before) * min(1.0, (time % span) / 0.25)

    def _lot(self, time: float, use: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, use, round(time * 1000)])

    def field(self, time: float, size: tuple[int, int]) -> Picture | None:
        """Return the local strength as factors (height, width); None if it is even."""
        width, height = size
        if not self.bands and not self.shadow:
            return None
        rows = np.ones((height, 1), np.float32)
        if self.bands:
            phase = math.tau * (1.7 * np.linspace(0, 1, height) + 3.1 * time)
            rows[:, 0] += (self.bands * np.sin(phase)).astype(np.float32)
        if not self.shadow:
            return np.asarray(np.repeat(rows, width, axis=1))
        return np.asarray(rows * self._shadow(time, size))

    def _shadow(self, time: float, size: tuple[int, int]) -> Picture:
        width, height = size
        small = np.zeros((36, 64), np.float32)
        x = 32 + 45 * math.sin(time * 0.5 + self.seed)
        y = 18 + 16 * math.sin(time * 0.31 + 2 * self.seed)
        cv2.ellipse(small, (round(x), round(y)), (16, 11), 20 * math.sin(time), 0, 360, 1.0, -1)
        soft = cv2.GaussianBlur(small, (0, 0), 5)
        return np.asarray(1 - self.shadow * cv2.resize(soft, (width, height)))


def random_light(rng: np.random.Generator, restless: float = 1.0) -> RoomLight:
    """Return a random room light; ``restless`` scales its changes."""
    return RoomLight(
        level=float(rng.uniform(0.6, 1.1)),
        drift=float(rng.uniform(0, 0.15)) * restless,
        period=float(rng.uniform(15, 60)),
        tint=float(rng.uniform(0, 0.04)) * restless,
        flicker=float(rng.choice([0.0, 0.01, 0.03])) * restless,
        bands=float(rng.choice([0.0, 0.0, 0.02, 0.05])) * restless,
        steps=float(rng.choice([0.0, 2.0, 6.0])) * restless,
        shadow=float(rng.choice([0.0, 0.0, 0.2, 0.35])) * restless,
        noise=float(rng.uniform(1.0, 5.0)),
        seed=int(rng.integers(1 << 30)),
    )


class CameraSensor:
    """Applies light and noise to a rendered picture."""

    def __init__(self, light: RoomLight, size: tuple[int, int]) -> None:
        self._light = light
        self._size = size
        width, height = size
        rng = np.random.default_rng([light.seed, 4])
        # Larger than a frame, so that shifting it gives new noise for each frame.
        sheet = rng.standard_normal((height + 64, width + 64, 3), np.float32) * light.noise
        self._noise = np.round(sheet).astype(np.int16)

    def take(self, picture: Picture, time: float) -> Picture:
        """Return the frame (height, width, 3) of a picture at a time."""
        width, height = self._size
        gains = self._light.gains(time)
        field = self._light.field(time, self._size)
        if field is None:
            steps = np.arange(256, dtype=np.float64)[:, None] * gains
            table = np.clip(np.round(steps), 0, 255).astype(np.uint8)
            lit = cv2.LUT(picture, table.reshape(1, 256, 3))
        else:
            full = cv2.merge([field * np.float32(gain) for gain in gains])
            lit = cv2.multiply(picture, full, dtype=cv2.CV_8U)
        rng = np.random.default_rng([self._light.seed, 3, round(time * 1000)])
        x, y = (int(v) for v in rng.integers(0, 64, 2))
        noise = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U))
