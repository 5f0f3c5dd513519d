"""Saves a camera's setup in a JSON file beside the table's configuration."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hardware.camera.setup.follow import Follower, MatFollower
from hardware.camera.setup.follow_scene import SceneFeatures, SceneFollower
from hardware.camera.setup.mat import MATS, MatView
from hardware.paths import default_file, write_private

VERSION = 1
_MOST_BYTES = 1_000_000
_ORB_BYTES = 32


class SetupError(Exception):
    """A setup is unusable; the text says why and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """The pile's last known place: on a mat, or marked amid its surroundings."""

    source: str
    view: MatView | None = None
    scene: SceneFeatures | None = None

    def follower(self) -> Follower:
        """Return a follower that starts here."""
        if self.scene is not None:
            return SceneFollower(self.scene)
        return MatFollower(self.view)


def setup_file(environ: Mapping[str, str]) -> Path:
    """Return the default file of a setup."""
    return default_file(environ).with_name("camera.json")


def save_setup(file: Path, setup: Setup) -> None:
    """Write a setup atomically. Raises SetupError."""
    document: dict[str, Any] = {"version": VERSION, "source": setup.source}
    if setup.view is not None:
        matrix = [[float(value) for value in row] for row in setup.view.matrix]
        document["size"] = list(setup.view.size)
        document["mat"] = {"paper": setup.view.paper, "matrix": matrix}
    if setup.scene is not None:
        document["size"] = list(setup.scene.size)
        document["pile"] = setup.scene.pile.astype(float).round(2).tolist()
        document["surroundings"] = {
            "points": setup.scene.points.astype(float).round(2).tolist(),
            "descriptors": base64.b64encode(setup.scene.descriptors.tobytes()).decode(),
        }
    try:
        write_private(file, json.dumps(document) + "\n")
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}") from None


def load_setup(file: Path) -> Setup:
    """Read a setup. Raises SetupError."""
    try:
        with file.open("rb") as handle:
            data = handle.read(_MOST_BYTES)
    except FileNotFoundError:
        raise SetupError(
            f"there is no {file}; set the camera up with 'referee-table camera'"
        ) from None
    except OSError as error:
        raise SetupError(f"{file} cannot be read: {error.strerror}") from None
    try:
        return _setup(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise SetupError(
            f"{file} is not a camera setup; make a new one with 'referee-table camera'"
        ) from None


def load_setup_for(file: Path, source: str) -> Setup | None:
    """Read the setup if it is of this source; None otherwise. Raises SetupError."""
    if not file.exists():
        return None
    setup = load_setup(file)
    return setup if setup.source == source else None


def _setup(document: Any) -> Setup:
    if document["version"] != VERSION or not isinstance(document["source"], str):
        raise ValueError
    width, height = document["size"]
    size = _whole(width), _whole(height)
    view = scene = None
    if "mat" in document:
        matrix = _numbers(document["mat"]["matrix"], (3, 3))
        if abs(np.linalg.det(matrix)) < 1e-12:
            raise ValueError
        view = MatView(MATS[document["mat"]["paper"]].paper, matrix, size)
    elif "pile" in document:
        around = document["surroundings"]
        packed = base64.b64decode(around["descriptors"], validate=True)
        descriptors = np.frombuffer(packed, np.uint8).reshape(-1, _ORB_BYTES)
        points = _numbers(around["points"] or np.zeros((0, 2)), (len(descriptors), 2))
        pile = _numbers(document["pile"], (4, 2)).astype(np.float32)
        scene = SceneFeatures(size, pile, points.astype(np.float32), descriptors)
    else:
        raise ValueError
    return Setup(document["source"], view, scene)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or not 0 < value < 100_000:
        raise ValueError
    return value


def _numbers(value: Any, shape: tuple[int, int]) -> np.ndarray:
    numbers = np.asarray(value, np.float64)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise ValueError
    return numbers
