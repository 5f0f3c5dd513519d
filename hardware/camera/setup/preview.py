"""Draws the setup's findings into the picture."""

import unicodedata

import cv2
import numpy as np

from hardware.camera.setup.session import SetupReport
from hardware.camera.types import Picture

_FONT = cv2.FONT_HERSHEY_SIMPLEX
# BGR.
_PILE, _PLACE, _TAG = (0, 160, 255), (255, 200, 0), (0, 220, 0)
_LEVELS = {"ok": (120, 255, 120), "warning": (80, 220, 255), "problem": (110, 110, 255)}
_FINE, _SHIFT = 16, 4


def draw_report(picture: Picture, report: SetupReport) -> Picture:
    """Return a copy with tags, places, the pile and the findings."""
    out = picture.copy()
    unit = max(out.shape[:2]) / 1280
    thick = max(1, round(2 * unit))
    if report.sighting is not None:
        for quad in report.sighting.tags.values():
            _outline(out, quad, _TAG, thick)
    if report.view is not None:
        for name in report.view.mat.places:
            corners = report.view.place(name)
            _outline(out, corners, _PLACE, thick)
            _write(out, name, corners[0] + (6 * unit, 24 * unit), 0.6 * unit, _PLACE)
    if report.position.pile is not None:
        _outline(out, report.position.pile, _PILE, 2 * thick)
    lines = [
        (f"{finding.about}: {finding.text}", _LEVELS[finding.level]) for finding in report.findings
    ]
    if report.position.moved_by:
        lines.insert(0, ("the camera was moved; the pile is followed", _LEVELS["warning"]))
    for number, (line, colour) in enumerate(lines):
        _write(out, line, np.array([14, 30 + 30 * number]) * unit, 0.7 * unit, colour)
    return out


def _outline(out: Picture, corners: np.ndarray, colour: tuple[int, int, int], thick: int) -> None:
    # Points far outside the picture would overflow OpenCV's integers.
    points = np.clip(np.round(corners * _FINE), -(1 << 22), 1 << 22).astype(np.int32)
    cv2.polylines(out, [points], True, colour, thick, cv2.LINE_AA, _SHIFT)


def _write(
    out: Picture, text: str, at: np.ndarray, scale: float, colour: tuple[int, int, int]
) -> None:
    plain = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
    where = int(np.clip(at[0], -10_000, 10_000)), int(np.clip(at[1], -10_000, 10_000))
    thick = max(1, round(2 * scale))
    (width, height), below = cv2.getTextSize(plain, _FONT, scale, thick)
    first = where[0] - thick, where[1] + below
    cv2.rectangle(out, first, (where[0] + width + thick, where[1] - height), (0, 0, 0), -1)
    cv2.putText(out, plain, where, _FONT, scale, colour, thick, cv2.LINE_AA)
