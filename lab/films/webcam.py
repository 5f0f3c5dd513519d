"""What a webcam makes of a scene: exposure, white balance, focus, shaking, noise, compression."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.types import Picture
from lab.clips.pose import Matrix

GAINS = (0.7, 1.3)
"""Least and largest gain of automatic exposure; cameras meter the middle, where cards lie."""


@dataclass(frozen=True)
class Webcam:
    """A webcam and its faults; 0 is for none."""

    rate: float = 30.0  # Frames a second in good light
    dark_rate: float = 0.0  # Frames a second once the light is down
    shutter: float = 0.3  # Share of a frame's time for which the shutter is open
    readout: float = 0.0  # Seconds from a frame's first row to its last
    level: float = 1.0  # Of the light
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)  # Of the light: blue, green, red
    dim_after: float = math.inf  # Seconds until the light goes down
    exposure: float = 0.0  # How much automatic exposure hunts
    balance: float = 0.0  # How much automatic white balance hunts
    focus: float = 0.0  # Largest blur in pixels while the focus is searched
    soft: float = 0.0  # Constant blur in pixels
    tremble: float = 0.0  # Standard deviation of the camera's sway in pixels
    glare: float = 0.0  # Strength of a window's reflection that wanders, of 255
    vignette: float = 0.0  # Loss of light in the corners
    noise: float = 2.0  # Standard deviation in levels
    quality: int = 0  # Of the JPEG pictures it sends


class WebcamSensor:
    """Takes the pictures of a film with a webcam; everything random comes from the seed."""

    def __init__(self, webcam: Webcam, size: tuple[int, int], seed: int) -> None:
        self.webcam, self._size = webcam, size
        rng = self._rng = np.random.default_rng([seed, 31])
        width, height = size
        grain = rng.standard_normal((height + 64, width + 64, 3), np.float32)
        grain = 0.75 * grain + 0.6 * cv2.GaussianBlur(grain, (0, 0), 0.9) * 1.8
        self._grain = np.round(grain * webcam.noise).astype(np.int16)
        self._phases = rng.uniform(0, math.tau, 12)
        self._rates = rng.uniform(0.8, 1.25, 12)
        self._gain = 1.0
        self._white = np.ones(3)
        self._still: float | None = None
        self._next_focus = float(rng.uniform(3, 6))
        self._focus_from: float | None = None
        self._darkening: Picture | None = None
        if webcam.vignette:
            ys, xs = np.mgrid[:height, :width].astype(np.float32)
            far = ((xs / width - 0.5) ** 2 + (ys / height - 0.5) ** 2) * 2
            self._darkening = cv2.merge([1 - webcam.vignette * far] * 3)

    def rate(self, now: float) -> float:
        """Return the frames a second at a time."""
        cam = self.webcam
        if cam.dark_rate and now > cam.dim_after:
            return cam.dark_rate
        return cam.rate

    def open_for(self, now: float) -> float:
        """Return the exposure time in seconds."""
        dark = self.webcam.dark_rate and now > self.webcam.dim_after
        return (0.9 if dark else self.webcam.shutter) / self.rate(now)

    def take(self, scene: Picture, glossy: Picture | None, now: float) -> Picture:
        """Return the frame of a scene at a time; ``glossy`` is the mask of what shines."""
        cam = self.webcam
        if cam.glare:
            scene = self._glaring(scene, glossy, now)
        gains = self._gains(scene, now)
        table = np.clip(np.arange(256)[:, None] * gains, 0, 255)
        # Bright levels are compressed, as cameras do.
        table = np.where(table > 200, 200 + (table - 200) * 0.8, table)
        lit = cv2.LUT(scene, table.round().astype(np.uint8).reshape(1, 256, 3))
        if self._darkening is not None:
            lit = cv2.multiply(lit, self._darkening, dtype=cv2.CV_8U)
        blur, zoom = self._focus(now)
        matrix = self._view(now, zoom)
        if matrix is not None:
            lit = cv2.warpAffine(lit, matrix[:2], self._size, borderMode=cv2.BORDER_REFLECT)
        if blur > 0.3:
            lit = cv2.GaussianBlur(lit, (0, 0), blur)
        x, y = (int(v) for v in self._rng.integers(0, 64, 2))
        grain = self._grain[y : y + self._size[1], x : x + self._size[0]]
        noisy = cv2.add(lit, grain, dtype=cv2.CV_8U)
        if not cam.quality:
            return np.asarray(noisy)
        packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, cam.quality])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))

    def _gains(self, scene: Picture, now: float) -> npt.NDArray[np.float64]:
        cam = self.webcam
        light = cam.level * (0.4 if now > cam.dim_after else 1.0)
        seen = scene[::16, ::16].reshape(-1, 3).mean(axis=0)
        if cam.exposure:
            # It aims at a mean level, too hard and too late, so that it overshoots.
            middle = float(seen.mean()) * light * self._gain
            aim = self._gain * (118 / max(20.0, middle)) ** 0.6
            self._gain += 0.18 * cam.exposure * (float(np.clip(aim, *GAINS)) - self._gain)
            wave = math.sin(self._rates[0] * now * 1.1 + self._phases[0])
            pulse = math.sin(self._rates[1] * now * 2.7 + self._phases[1])
            light *= 1 + 0.12 * cam.exposure * wave + 0.06 * cam.exposure * pulse
        if cam.balance:
            aim_white = np.clip(seen.mean() / np.maximum(seen, 10), 0.75, 1.35)
            self._white += 0.06 * (aim_white - self._white)
            sway = np.sin(self._rates[2:5] * now * 0.7 + self._phases[2:5])
            colour = self._white ** (0.5 * cam.balance) * (1 + 0.09 * cam.balance * sway)
        else:
            colour = np.ones(3)
        return np.asarray(light * self._gain * np.array(cam.tint) * colour)

    def _focus(self, now: float) -> tuple[float, float]:
        """Return blur in pixels and magnification."""
        cam = self.webcam
        if not cam.focus:
            return cam.soft, 1.0
        if self._focus_from is None and now >= self._next_focus:
            self._focus_from = now
        if self._focus_from is None:
            return cam.soft, 1.0
        u = (now - self._focus_from) / 0.9
        if u >= 1:
            self._focus_from = None
            self._next_focus = now + float(self._rng.uniform(2.5, 7.0))
            return cam.soft, 1.0
        away = math.sin(math.pi * u) * math.cos(2.2 * math.pi * u)
        return cam.soft + cam.focus * abs(away), 1 + 0.012 * away

    def _view(self, now: float, zoom: float) -> Matrix | None:
        cam = self.webcam
        if not cam.tremble and zoom == 1.0:
            return None
        dx = dy = turn = 0.0
        lean = np.zeros(2)
        if cam.tremble:
            # A stand sways at about 1 and 4 Hz; steps and typing jitter it from frame to frame.
            def sway(at: float) -> npt.NDArray[np.float64]:
                parts = [
                    much
                    * np.sin(
                        math.tau * hertz * self._rates[n : n + 3] * at + self._phases[n : n + 3]
                    )
                    for n, hertz, much in ((0, 0.5, 1.0), (3, 1.3, 0.7), (6, 4.2, 0.45))
                ]
                return np.asarray(cam.tremble * np.sum(parts, axis=0))

            dx, dy, turn = sway(now) + self._rng.normal(0, 0.4 * cam.tremble, 3)
            lean = (sway(now + 0.01) - sway(now))[:2] / 0.01 * cam.readout / self._size[1]
        width, height = self._size
        angle = math.radians(turn * 0.02)
        c, s = zoom * math.cos(angle), zoom * math.sin(angle)
        mx, my = width / 2, height / 2
        return np.array(
            [
                [c, -s + lean[0], mx - c * mx + s * my + dx],
                [s, c + lean[1], my - s * mx - c * my + dy],
                [0, 0, 1.0],
            ]
        )

    def _glaring(self, scene: Picture, glossy: Picture | None, now: float) -> Picture:
        """Add a window's reflection: strong on cards, weak on the table."""
        cam = self.webcam
        width, height = self._size
        small: Picture = np.zeros((height // 8, width // 8), np.float32)
        p, r = self._phases, self._rates
        x = width / 16 + (width / 14) * 0.35 * math.sin(0.13 * r[5] * now + p[5])
        y = height / 16 + (height / 14) * 0.4 * math.sin(0.17 * r[6] * now + p[6])
        tall, wide = 0.16 * height / 8 * r[7], 0.1 * height / 8 * r[8]
        turn = 20 * math.sin(p[7])
        for pane in (-1, 1):
            c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            at = (x + pane * wide * 1.1 * c, y + pane * wide * 1.1 * s)
            box = cv2.boxPoints((at, (wide * 2, tall * 2), turn))
            cv2.fillConvexPoly(small, np.round(box * 16).astype(int), 1.0, cv2.LINE_AA, 4)
        small = cv2.GaussianBlur(small, (0, 0), 2.5)
        cloud = 0.75 + 0.25 * math.sin(0.4 * now + p[8])
        spot = cv2.resize(small, self._size) * (cam.glare * cloud)
        if glossy is not None:
            spot *= 0.25 + 0.75 * cv2.blur(glossy, (3, 3)).astype(np.float32) / 255
        return np.asarray(cv2.add(scene, cv2.merge([spot] * 3), dtype=cv2.CV_8U))
