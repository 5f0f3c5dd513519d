"""Films of a plainly drawn pile, and a recogniser that knows its cards by their colour."""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.setup.follow_scene import extract_scene
from hardware.camera.setup.storage import Setup, save_setup
from hardware.camera.source import Frame
from hardware.camera.types import Detection, Picture
from tests.hardware.camera.pictures import write_video

SIZE = (640, 360)
PILE = "250,80,140,200"
PLACE = np.array([[250, 80], [390, 80], [390, 280], [250, 280]], np.float32)
COLOURS = {"red-7": (40, 40, 220), "blue-3": (220, 60, 40), "green-5": (60, 180, 40)}
RATE = 30.0
NOISE = np.random.default_rng(9).normal(0, 2, (SIZE[1] + 64, SIZE[0] + 64, 3)).astype(np.int16)


def table(rng: np.random.Generator) -> Picture:
    """A table with enough texture to follow a camera."""
    picture = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
    for _ in range(150):
        at = tuple(int(v) for v in rng.integers(0, SIZE))
        shade = int(rng.integers(60, 240))
        cv2.circle(picture, at, int(rng.integers(3, 9)), (shade, shade, shade), -1)
    return picture


def lay(picture: Picture, card: str, turn: float, off: float = 0.0) -> None:
    """Draw a card at the pile, or on its way: white, with its colour inside."""
    for size, colour in (((80, 120), (245, 245, 245)), ((64, 104), COLOURS[card])):
        box = cv2.boxPoints(((320 + off, 180 + off / 2), size, turn)).astype(np.int32)
        cv2.fillConvexPoly(picture, box, colour, cv2.LINE_AA)


def film(cards: Sequence[str], rest: int = 24, seed: int = 1) -> Iterator[Picture]:
    """Film cards that lie for ``rest`` pictures each; a hand lays the next one."""
    rng = np.random.default_rng(seed)
    ground = table(rng)
    shown = ground
    for number, card in enumerate(cards):
        after = shown.copy()
        lay(after, card, 12.0 * number)
        if number:
            for step in range(20):
                picture = (shown if step < 10 else after).copy()
                far = abs(step - 9.5) * 16
                if step < 10:
                    lay(picture, card, 12.0 * number, far)
                cv2.circle(picture, (int(380 + far), int(220 + far / 2)), 40, (90, 130, 190), -1)
                yield noisy(picture, rng)
        shown = after
        for _ in range(rest):
            yield noisy(shown, rng)


def noisy(picture: Picture, rng: np.random.Generator) -> Picture:
    """Add camera noise: always the same, shifted, since drawing it takes long."""
    across, down = (int(v) for v in rng.integers(0, 64, 2))
    height, width = picture.shape[:2]
    return cv2.add(picture, NOISE[down : down + height, across : across + width], dtype=cv2.CV_8U)


def frames(pictures: Iterator[Picture], at: float = 0.0) -> Iterator[Frame]:
    for number, picture in enumerate(pictures):
        yield Frame(picture, at + number / RATE, number)


def write_film(file: Path, cards: Sequence[str]) -> Path:
    write_video(file, list(film(cards)), RATE)
    return file


def save_marked(setup: Path, source: str) -> Path:
    """Save the setup of a camera whose pile was marked in such a film."""
    save_setup(setup, Setup(source, scene=extract_scene(next(iter(film(["red-7"]))), PLACE)))
    return setup


@dataclasses.dataclass
class Plain:
    """Recognises the cards of such a film."""

    chance: float = 0.97

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        del parts
        found = []
        for card, colour in COLOURS.items():
            near = np.abs(picture.astype(int) - colour).max(axis=2) < 60
            if near.sum() < 2000:
                continue
            outlines, _ = cv2.findContours(
                near.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
            )
            largest = max(outlines, key=cv2.contourArea)
            middle, (width, height), turn = cv2.minAreaRect(largest)
            corners = cv2.boxPoints((middle, (width + 16, height + 16), turn))
            found.append(Detection(corners.astype(np.float32), {card: self.chance}))
        return found
