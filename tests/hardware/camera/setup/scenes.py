"""Drawn camera pictures of a mat on a table, with the ground truth."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from hardware.camera.setup.mat import MATS, Matrix, MatView, project
from hardware.camera.types import Picture
from lab.draw.shapes.printed_mat import mat_pixels

SCALE = 4.0  # pixels of the drawn mat in a millimetre
# What paper and ink reflect, 0 to 1 in the light's own scale.
PAPER, INK = 0.85, 0.03


@dataclass(frozen=True)
class Shot:
    """How a picture is taken. Lengths in mm, angles in degrees, blur in pixels, noise in grey."""

    paper: str | None = "a4"
    size: tuple[int, int] = (1280, 720)
    tilt: float = 15.0
    turn: float = 4.0  # of the mat
    around: float = 20.0  # from where one looks at it
    distance: float = 420.0
    aside: tuple[float, float] = (0.0, 0.0)  # of the mat, in mm
    light: float = 1.0  # 1: white paper is at about 230
    blur: float = 0.6
    noise: float = 2.0
    glare: tuple[float, float, float] | None = None  # x, y on the mat and radius, in mm
    hands: Sequence[tuple[float, float]] = ()  # where on the mat a hand lies
    cover: Sequence[int] = ()  # tags that a card lies on
    cards: int = 0  # on the discard pile
    seed: int = 1
    table: int = 1

    def changed(self, **changes: object) -> "Shot":
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def matrix(self) -> Matrix:
        """Map from millimetres on the mat to pixels."""
        mat = MATS[self.paper or "a4"]
        focal = 0.9 * self.size[0]
        turn, around, tilt = np.radians([self.turn, self.around, self.tilt])
        to_middle = np.array([[1, 0, -mat.width / 2], [0, 1, -mat.height / 2], [0, 0, 1.0]])
        turned = _spin(turn)
        moved = np.array([[1, 0, self.aside[0]], [0, 1, self.aside[1]], [0, 0, 1.0]])
        pose = _spin(-around) @ np.array(
            [
                [1, 0, 0],
                [0, np.cos(tilt), 0],
                [0, -np.sin(tilt), self.distance],
            ]
        )
        pose = pose @ _spin(around)
        lens = np.array([[focal, 0, self.size[0] / 2], [0, focal, self.size[1] / 2], [0, 0, 1.0]])
        matrix = lens @ pose @ moved @ turned @ to_middle
        return np.asarray(matrix / matrix[2, 2])

    @property
    def view(self) -> MatView:
        return MatView(self.paper or "a4", self.matrix, self.size)

    def take(self) -> Picture:
        """Draw the picture."""
        random = np.random.default_rng(self.seed)
        width, height = self.size
        albedo = cv2.warpPerspective(
            _table(self.table), self.matrix @ _table_to_mat(), self.size, flags=cv2.INTER_AREA
        ).astype(np.float32)
        if self.paper is not None:
            self._lay_mat(albedo)
        self._lay_things(albedo)
        light = self.light * _vignette(width, height)
        if self.glare is not None:
            light = light[:, :, None] * albedo + self._glare()[:, :, None]
        else:
            light = light[:, :, None] * albedo
        if self.blur:
            light = cv2.GaussianBlur(light, (0, 0), self.blur)
        grey = 255 * np.clip(light, 0, 1) ** (1 / 2.2)
        noisy = grey + random.standard_normal((height, width, 3), np.float32) * self.noise
        return np.clip(noisy + 0.5, 0, 255).astype(np.uint8)

    def _lay_mat(self, albedo: np.ndarray) -> None:
        assert self.paper is not None
        printed = _printed(self.paper)
        twice = np.diag([2.0, 2.0, 1.0])
        # The middle of a pixel is at a half, in millimetres and in the larger picture.
        down = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        to_mat = np.diag([1 / SCALE, 1 / SCALE, 1.0]) @ down
        matrix = np.linalg.inv(down) @ twice @ down @ self.matrix @ to_mat
        large = (2 * self.size[0], 2 * self.size[1])
        mat = cv2.warpPerspective(printed, matrix, large, flags=cv2.INTER_LINEAR)
        there = cv2.warpPerspective(np.ones_like(printed), matrix, large, flags=cv2.INTER_LINEAR)
        mat = cv2.resize(mat, self.size, interpolation=cv2.INTER_AREA)[:, :, None]
        there = cv2.resize(there, self.size, interpolation=cv2.INTER_AREA)[:, :, None]
        albedo *= 1 - there
        albedo += mat

    def _lay_things(self, albedo: np.ndarray) -> None:
        mat = MATS[self.paper or "a4"]
        random = np.random.default_rng(self.seed + 7)
        for number in self.cover:
            x, y = mat.tags[number].centre
            self._fill(albedo, _rectangle(x, y, 56, 87, 30), (0.05, 0.05, 0.6))
        for _ in range(self.cards):
            x, y = mat.places["discard"].centre + random.normal(0, 3, 2)
            angle = float(random.normal(0, 6))
            self._fill(albedo, _rectangle(x, y, 56, 87, angle), (0.85, 0.85, 0.85))
            color = random.choice([(0.05, 0.05, 0.7), (0.05, 0.5, 0.1), (0.6, 0.2, 0.05)])
            self._fill(albedo, _rectangle(x, y, 50, 81, angle), color)
        for x, y in self.hands:
            points = cv2.ellipse2Poly((0, 0), (48, 34), 20, 0, 360, 10) + np.array([x, y])
            self._fill(albedo, points, (0.25, 0.35, 0.55))
            for finger in range(4):
                spot = _rectangle(x + 14 * finger - 20, y - 60, 13, 70, 4 * finger - 6)
                self._fill(albedo, spot, (0.27, 0.37, 0.57))

    def _fill(self, albedo: np.ndarray, points: np.ndarray, color: tuple[float, ...]) -> None:
        pixels = project(self.matrix, np.asarray(points, float))
        cv2.fillPoly(albedo, [np.round(pixels * 16).astype(np.int32)], color, cv2.LINE_AA, 4)

    def _glare(self) -> np.ndarray:
        assert self.glare is not None
        x, y, radius = self.glare
        width, height = self.size
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        points = np.column_stack([columns.ravel(), rows.ravel()]).astype(float)
        on_mat = project(np.linalg.inv(self.matrix), points)
        away = np.hypot(*(on_mat - (x, y)).T).reshape(height, width)
        return (1.6 / (1 + np.exp((away - radius) / (0.12 * radius)))).astype(np.float32)


def _spin(angle: float) -> np.ndarray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def _rectangle(x: float, y: float, width: float, height: float, degrees: float) -> np.ndarray:
    return cv2.boxPoints(((x, y), (width, height), degrees))


@functools.cache
def _printed(paper: str) -> np.ndarray:
    grey = mat_pixels(paper, SCALE).astype(np.float32) / 255
    return INK + (PAPER * 0.94 - INK) * grey**2.2


@functools.cache
def _vignette(width: int, height: int) -> np.ndarray:
    columns, rows = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    return (1 - 0.12 * (columns**2 + rows**2)).astype(np.float32)


TABLE_MM = 1600.0


def _table_to_mat() -> np.ndarray:
    mm = TABLE_MM / 1024
    return np.array([[mm, 0, -TABLE_MM / 2 + 150], [0, mm, -TABLE_MM / 2 + 100], [0, 0, 1.0]])


@functools.cache
def _table(seed: int) -> np.ndarray:
    """Draw planks with grain, knots and small objects."""
    random = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(
        random.standard_normal((1024, 1024)).astype(np.float32), (0, 0), 14, sigmaY=1.2
    )
    grain /= np.abs(grain).max()
    wood = 0.28 + 0.12 * grain + 0.06 * random.random(9)[np.arange(1024) // 120][:, None]
    picture = np.dstack([0.45 * wood, 0.7 * wood, wood]).astype(np.float32)
    for _ in range(60):
        x, y = random.integers(0, 1024, 2).tolist()
        axes = (int(random.integers(3, 16)), int(random.integers(2, 10)))
        color = (0.1 + 0.5 * random.random(3)).tolist()
        cv2.ellipse(picture, (x, y), axes, float(random.integers(0, 180)), 0, 360, color, -1)
    return picture
