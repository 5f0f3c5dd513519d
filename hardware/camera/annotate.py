"""Draws detected cards into a picture: outlines, names and probabilities."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.types import Detection, Picture, percent
from hardware.paths import write_whole

SURE, UNSURE = (60, 200, 60), (30, 160, 255)
BLACK = (0, 0, 0)
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 85)
_SETTINGS = {".jpg": _JPEG, ".jpeg": _JPEG, ".png": (), ".webp": (cv2.IMWRITE_WEBP_QUALITY, 85)}
WRITTEN = tuple(_SETTINGS)
"""File name endings of the formats that pictures are written in."""


def annotate(picture: Picture, cards: Sequence[Detection]) -> Picture:
    """Return a copy with outlines (green if sure, else orange), top left corners and names."""
    drawn = picture.copy()
    size = max(drawn.shape[:2]) / 1000
    thick = max(1, round(3 * size))
    for card in cards:
        colour = SURE if card.sure else UNSURE
        outline = np.round(card.corners).astype(np.int32)
        cv2.polylines(drawn, [outline], True, BLACK, thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, colour, thick, cv2.LINE_AA)
        corner = tuple(int(v) for v in outline[0])
        cv2.circle(drawn, corner, 3 * thick, colour, -1, cv2.LINE_AA)
        _write(drawn, _label(card), outline, size, colour)
    return drawn


def write_picture(file: Path, picture: Picture) -> None:
    """Write a picture atomically. Raises OSError.

    The format is that of the file's ending, if it is one of ``WRITTEN``; otherwise JPEG.
    """
    ending = file.suffix.lower() if file.suffix.lower() in WRITTEN else ".jpg"
    done, data = cv2.imencode(ending, picture, _SETTINGS[ending])
    if not done:
        raise OSError("the picture cannot be encoded")
    write_whole(file, data.tobytes())


def _label(detection: Detection) -> str:
    card = detection.best
    return "?" if card is None else f"{card} {percent(detection.probabilities[card])}"


def _write(
    drawn: Picture, text: str, outline: Picture, size: float, colour: tuple[int, int, int]
) -> None:
    scale = max(0.4, 0.8 * size)
    thick = max(1, round(2 * size))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    middle = outline.mean(axis=0)
    left = int(np.clip(middle[0] - width / 2, 0, max(0, drawn.shape[1] - width)))
    base = int(np.clip(middle[1] + height / 2, height, drawn.shape[0] - below))
    cv2.rectangle(drawn, (left, base - height - below), (left + width, base + below), BLACK, -1)
    place = (left, base)
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)
