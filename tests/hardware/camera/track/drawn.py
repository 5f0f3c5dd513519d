"""Small views of a pile, drawn without a camera: a table, cards on it, a hand."""

from functools import cache

import cv2
import numpy as np

from hardware.camera.track import Thresholds
from hardware.camera.track.view.change import ComparableView, comparable
from hardware.camera.track.view.top_cards import Quad, TopCard
from hardware.camera.types import Picture

LIMITS = Thresholds()
SIZE = (270, 320)  # width and height, as the views of a real pile
MIDDLE = (135.0, 160.0)
WIDE, HIGH = 90, 140

COLOURS = {
    "red": (40, 40, 200),
    "green": (60, 150, 50),
    "blue": (180, 90, 30),
    "yellow": (40, 200, 230),
}


def table(seed: int = 1, size: tuple[int, int] = SIZE) -> Picture:
    """A table with some grain in it."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (size[1], size[0])).astype(np.float32), (0, 0), 3)
    return np.clip(np.array([90, 110, 120]) + grain[..., None] * 0.7, 0, 255).astype(np.uint8)


def noisy(view: Picture, seed: int, deviation: float = 2.0) -> Picture:
    """Add noise, as another frame has it."""
    noise = np.random.default_rng(seed).normal(0, deviation, view.shape)
    return np.clip(np.round(view + noise), 0, 255).astype(np.uint8)


def at(
    x: float = 0.0, y: float = 0.0, turn: float = 0.0, middle: tuple[float, float] = MIDDLE
) -> Quad:
    """Return corners of a card at an offset from the view's middle, in pixels and degrees."""
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (WIDE / 2, HIGH / 2)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(flat @ np.array([[c, s], [-s, c]]) + np.array(middle) + (x, y))


@cache
def face(card: str) -> Picture:
    """Draw a face: a white border, its colour, and its sign in a white oval."""
    colour, _, sign = card.partition("-")
    picture = np.full((HIGH * 3, WIDE * 3, 3), 245, np.uint8)
    cv2.rectangle(picture, (18, 18), (WIDE * 3 - 19, HIGH * 3 - 19), COLOURS[colour], -1)
    cv2.ellipse(picture, (135, 210), (85, 140), 20, 0, 360, (245, 245, 245), -1, cv2.LINE_AA)
    font = cv2.FONT_HERSHEY_SIMPLEX
    for at, size, thick in (((88, 260), 5.0, 22), ((28, 80), 1.6, 8)):
        tint = COLOURS[colour] if size > 3 else (245, 245, 245)
        cv2.putText(picture, sign, at, font, size, tint, thick, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2))


def laid(view: Picture, card: str, corners: Quad) -> Picture:
    """Draw a card into the view."""
    drawn = face(card)
    height, width = drawn.shape[:2]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    out = view.copy()
    mask = np.zeros(view.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    size = (view.shape[1], view.shape[0])
    small = cv2.warpPerspective(drawn, matrix, size)
    out[mask > 0] = small[mask > 0]
    return out


def hand(view: Picture, to: tuple[float, float], thick: int = 46) -> Picture:
    """Draw an arm from the lower edge to a point."""
    out = view.copy()
    end = (round(to[0]), round(to[1]))
    start = (view.shape[1] // 2 + 20, view.shape[0] + 20)
    cv2.line(out, start, end, (95, 130, 190), thick, cv2.LINE_AA)
    return out


def still(view: Picture, seed: int = 1) -> ComparableView:
    """A view as the watcher keeps it."""
    return comparable(noisy(view, seed), LIMITS)


def top(card: str, corners: Quad, view: Picture) -> TopCard:
    """A top that was read for certain."""
    return TopCard({card: 0.97}, corners, view)
