"""The camera's electronics: focus, trembling, exposure, white balance, noise, compression.

What light does to the whole picture is here as well: bands of mains light, a wandering shadow.
"""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.ground_truth import TrueEvent

Picture = npt.NDArray[Any]


@dataclass(frozen=True)
class Sensor:
    """A webcam's habits; lengths in pixels of a picture 480 high, times in seconds."""

    sharp: float = 0.55  # Blur of the lens in focus
    halo: float = 0.5  # How much it sharpens
    noise: float = 2.0  # Standard deviation in levels
    quality: int = 88  # Of JPEG, 0 for none
    # Exposure follows the mean brightness: how fast a second, by how much it overshoots.
    exposing: float = 0.8
    overshoot: float = 0.0
    exposure_steps: float = 0.0  # Sudden steps of exposure a minute
    balancing: float = 0.0  # How much white balance follows the picture's mean colour
    balance_steps: float = 0.0  # Sudden wrong guesses a minute
    hunts: float = 0.0  # Searches of the focus a minute
    hunt_blur: float = 2.2  # Most blur in a search
    breathing: float = 0.012  # Growth of the picture in a search
    sway: float = 0.0  # Standard deviation of slow swinging
    jitter: float = 0.0  # Standard deviation of trembling
    thump: float = 0.0  # How much cards laid on the table shake it
    readout: float = 0.0  # Seconds between the first row and the last
    smear: float = 0.0  # Share of the picture before in each picture
    bands: float = 0.0  # Depth of the bands of mains light under a rolling shutter, as a share
    shadow: float = 0.0  # Depth of a soft shadow that wanders over the picture, as a share


@dataclass(frozen=True)
class Knock:
    """Something that shook the camera: for good by ``shift``, at first by ``swing`` more."""

    time: float
    shift: tuple[float, float]
    swing: tuple[float, float]

    def offset(self, time: float) -> tuple[float, float]:
        """Return by how many pixels of a picture 480 high it moved the view."""
        past = time - self.time
        if past <= 0:
            return 0.0, 0.0
        wave = math.exp(-past / 0.12) * math.sin(math.tau * 8.5 * past)
        stays = 1 - math.exp(-past / 0.05)
        dx, dy = (s * stays + w * wave for s, w in zip(self.shift, self.swing, strict=True))
        return dx, dy


_SWAY = ((0.31, 1.0, 0.4), (0.73, 0.6, 2.1), (1.37, 0.4, 5.0))
_JITTER = ((5.3, 1.0, 0.7), (7.9, 0.8, 3.3), (11.3, 0.6, 1.9))
"""Cycles a second, strength and phase of the parts of a movement."""


class Camera:
    """Takes pictures one after another."""

    def __init__(self, sensor: Sensor, size: tuple[int, int], seed: int) -> None:
        self.sensor, self._size = sensor, size
        self._knocks: list[Knock] = []
        self._rng = np.random.default_rng([seed, 91])
        self._shocks = np.random.default_rng([seed, 92])
        self._scale = size[1] / 480
        wide, high = size
        sheet = self._rng.standard_normal((high + 96, wide + 96, 3), np.float32)
        # Neighbouring pixels share noise, as the colour filter's gaps are filled from them.
        sheet = cv2.GaussianBlur(sheet, (0, 0), 0.55) * np.float32(1.7 * sensor.noise)
        self._noise = np.round(sheet).astype(np.int16)
        self._phase = float(self._rng.uniform(0, 60))
        self._gain, self._pull, self._target = 1.0, 0.0, 0.0
        self._balance = np.ones(3)
        self._step_gain = 1.0
        self._wrong = np.ones(3)
        self._hunt: float | None = None
        self._time = 0.0
        self._before: Picture | None = None
        self._base: Picture | None = None

    def feel(self, happened: TrueEvent) -> None:
        """Be shaken by what has happened."""
        a, b, c, d = (float(v) for v in self._shocks.normal(0, 1, 4))
        thump = self.sensor.thump
        if happened.kind == "bumped":
            self._knocks.append(Knock(happened.at, (4 * a, 4 * b), (9 * c, 9 * d)))
        elif happened.kind == "placed" and thump:
            self._knocks.append(Knock(happened.at, (0.0, 0.0), (thump * c, thump * d)))

    def take(self, picture: Picture, time: float, disturbed: float = 0.0) -> Picture:
        """Return the frame of a picture (height, width, 3), taken at a time.

        ``disturbed`` is how much something moves that the focus may follow, 0 to 1.
        """
        past = max(time - self._time, 1e-3)
        self._time = time
        seen = self._focused(picture, time, past, disturbed)
        seen = self._shaken(self._lit(seen, time), time)
        seen = self._exposed(seen, past)
        if self._before is not None and self.sensor.smear:
            seen = np.asarray(
                cv2.addWeighted(seen, 1 - self.sensor.smear, self._before, self.sensor.smear, 0)
            )
        if self.sensor.smear:
            self._before = seen
        x, y = (int(v) for v in self._rng.integers(0, 96, 2))
        wide, high = self._size
        seen = np.asarray(cv2.add(seen, self._noise[y : y + high, x : x + wide], dtype=cv2.CV_8U))
        if self.sensor.quality:
            option = [cv2.IMWRITE_JPEG_QUALITY, self.sensor.quality]
            _, data = cv2.imencode(".jpg", seen, option)
            seen = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
        return seen

    def offset(self, time: float) -> tuple[float, float]:
        """Return by how many pixels the picture is shifted at a time."""
        sensor = self.sensor
        t = time + self._phase
        parts = []
        for turn in (0.0, 1.3):
            slow = sum(a * math.sin(math.tau * f * t + p + turn * 2) for f, a, p in _SWAY)
            fast = sum(a * math.sin(math.tau * f * t + p + turn * 5) for f, a, p in _JITTER)
            parts.append(sensor.sway * slow / 0.87 + sensor.jitter * fast)
        knocked = [knock.offset(time) for knock in self._knocks]
        dx = parts[0] + sum(x for x, _ in knocked)
        dy = parts[1] + sum(y for _, y in knocked)
        return self._scale * dx, self._scale * dy

    def _lit(self, picture: Picture, time: float) -> Picture:
        sensor, (wide, high) = self.sensor, self._size
        if not (sensor.bands or sensor.shadow):
            return picture
        phase = math.tau * (1.7 * np.linspace(0, 1, high, dtype=np.float32) + 3.1 * time)
        light = np.repeat((1 + sensor.bands * np.sin(phase))[:, None], wide, axis=1)
        if sensor.shadow:
            small = np.zeros((36, 64), np.float32)
            t = time + self._phase
            at = round(32 + 45 * math.sin(0.5 * t)), round(18 + 16 * math.sin(0.31 * t))
            cv2.ellipse(small, at, (16, 11), 20 * math.sin(t), 0, 360, 1.0, -1)
            light *= 1 - sensor.shadow * cv2.resize(cv2.GaussianBlur(small, (0, 0), 5), self._size)
        return np.asarray(cv2.multiply(picture, cv2.merge([light] * 3), dtype=cv2.CV_8U))

    def _focused(self, picture: Picture, time: float, past: float, disturbed: float) -> Picture:
        sensor = self.sensor
        sigma, growth = sensor.sharp, 0.0
        if sensor.hunts:
            chance = sensor.hunts / 60 * past + 0.25 * disturbed * past * sensor.hunts / 10
            if self._hunt is None and self._rng.random() < chance:
                self._hunt = time
            if self._hunt is not None:
                u = (time - self._hunt) / 0.9
                if u >= 1:
                    self._hunt = None
                else:
                    # Out of focus, through it to the other side, and back.
                    away = abs(math.sin(math.pi * u)) * abs(math.cos(1.7 * math.pi * u)) ** 0.5
                    sigma += sensor.hunt_blur * away
                    growth = sensor.breathing * math.sin(math.pi * u)
        sigma *= self._scale
        soft = cv2.GaussianBlur(picture, (0, 0), sigma) if sigma > 0.3 else picture
        if growth:
            matrix = cv2.getRotationMatrix2D((self._size[0] / 2, self._size[1] / 2), 0, 1 + growth)
            mode = cv2.BORDER_REPLICATE
            soft = cv2.warpAffine(soft, matrix, self._size, borderMode=mode)
        if sensor.halo:
            wider = cv2.GaussianBlur(soft, (0, 0), 1.1 * self._scale)
            soft = cv2.addWeighted(soft, 1 + sensor.halo, wider, -sensor.halo, 0)
        return np.asarray(soft)

    def _shaken(self, picture: Picture, time: float) -> Picture:
        sensor = self.sensor
        if not (sensor.sway or sensor.jitter or self._knocks):
            return picture
        mode = cv2.BORDER_REPLICATE
        if not sensor.readout:
            dx, dy = self.offset(time)
            matrix = np.array([[1.0, 0, dx], [0, 1.0, dy]])
            flags = cv2.INTER_CUBIC
            return np.asarray(
                cv2.warpAffine(picture, matrix, self._size, flags=flags, borderMode=mode)
            )
        wide, high = self._size
        rows = np.arange(high)
        knots = np.linspace(0, high - 1, 24)
        shifts = np.array([self.offset(time + sensor.readout * (k / high - 0.5)) for k in knots])
        dx = np.interp(rows, knots, shifts[:, 0]).astype(np.float32)
        dy = np.interp(rows, knots, shifts[:, 1]).astype(np.float32)
        x = np.arange(wide, dtype=np.float32)[None, :] - dx[:, None]
        y = np.repeat((rows.astype(np.float32) - dy)[:, None], wide, axis=1)
        return np.asarray(cv2.remap(picture, x, y, cv2.INTER_CUBIC, borderMode=mode))

    def _exposed(self, picture: Picture, past: float) -> Picture:
        sensor, rng = self.sensor, self._rng
        mean = np.array(picture[::16, ::16].reshape(-1, 3).mean(axis=0), np.float64) + 4
        if self._base is None:
            self._base = mean
        if sensor.exposure_steps and rng.random() < sensor.exposure_steps / 60 * past:
            self._step_gain = float(rng.uniform(0.72, 1.3))
        if sensor.balance_steps and rng.random() < sensor.balance_steps / 60 * past:
            self._wrong = np.array([rng.uniform(0.86, 1.16), 1.0, rng.uniform(0.86, 1.16)])
        # Light that comes in is held at what the empty table gave.
        wanted = self._step_gain * (float(self._base.mean()) / float(mean.mean())) ** 0.8
        share = 1 - math.exp(-past * sensor.exposing)
        if sensor.overshoot:
            # A spring with too little damping.
            stiff = 30.0
            self._pull += (wanted - self._gain) * stiff * past
            self._pull *= math.exp(-past * stiff**0.5 * (1.2 - sensor.overshoot))
            self._gain += self._pull * past
        else:
            self._gain += (wanted - self._gain) * share
        self._gain = min(max(self._gain, 0.45), 1.9)
        grey = self._base / mean
        grey = (grey / grey.mean()) ** (0.7 * sensor.balancing) * self._wrong
        self._balance += (grey - self._balance) * (1 - math.exp(-past * 1.6))
        gains = self._gain * self._balance
        if np.abs(gains - 1).max() < 0.002:
            return picture
        levels = np.arange(256, dtype=np.float64)[:, None] * gains
        # Highlights bend off before they burn out.
        over = np.maximum(levels - 225, 0)
        table = np.where(levels > 225, 225 + 30 * (1 - np.exp(-over / 30)), levels)
        table8 = np.clip(np.round(table), 0, 255).astype(np.uint8).reshape(1, 256, 3)
        return np.asarray(cv2.LUT(picture, table8))
