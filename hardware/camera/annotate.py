"""A picture with what was found drawn in: outlines, and each card's name with its probability."""

import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.types import Detection, Picture, percent

SURE, UNSURE = (60, 200, 60), (30, 160, 255)
BLACK = (0, 0, 0)
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 85)
_SETTINGS = {".jpg": _JPEG, ".jpeg": _JPEG, ".png": (), ".webp": (cv2.IMWRITE_WEBP_QUALITY, 85)}
WRITTEN = tuple(_SETTINGS)
"""Endings of the files that pictures are written as."""


def annotate(picture: Picture, found: Sequence[Detection]) -> Picture:
    """A copy with outlines in green (sure) or orange, the top left corners marked, and names."""
    drawn = picture.copy()
    size = max(drawn.shape[:2]) / 1000
    thick = max(1, round(3 * size))
    for one in found:
        colour = SURE if one.sure else UNSURE
        outline = np.round(one.corners).astype(np.int32)
        cv2.polylines(drawn, [outline], True, BLACK, thick + 2, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, colour, thick, cv2.LINE_AA)
        corner = tuple(int(v) for v in outline[0])
        cv2.circle(drawn, corner, 3 * thick, colour, -1, cv2.LINE_AA)
        _write(drawn, _label(one), outline, size, colour)
    return drawn


def write_picture(file: Path, picture: Picture) -> None:
    """Write it so that whoever reads the file never sees half of it. Raises OSError.

    The file's ending says how: one of ``WRITTEN``, a JPEG if it is none of them.
    """
    ending = file.suffix.lower() if file.suffix.lower() in WRITTEN else ".jpg"
    done, data = cv2.imencode(ending, picture, _SETTINGS[ending])
    if not done:
        raise OSError("the picture cannot be packed")
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data.tobytes())
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _label(one: Detection) -> str:
    card = one.best
    return "?" if card is None else f"{card} {percent(one.probabilities[card])}"


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
