"""A design painted as a card, new and after years of play."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.invented_design import FREE_CORNER, INDEX_CORNER, Corner, Design
from lab.draw.shapes.motifs import TINTS, Motif
from lab.draw.shapes.sheet import Colour, Ink, Picture, Sheet
from lab.draw.shapes.strokes import placed
from lab.draw.shapes.symbols import rounded
from lab.draw.shapes.wear import faded, misregistered, worn


def paint_design(face: Design, height: int = 224) -> Picture:
    """A face as a picture (height, width, 3) in BGR, as new."""
    width = round(height * WIDTH / HEIGHT)
    sheet = Sheet((WIDTH, HEIGHT), 1.6 * height / HEIGHT, face.paper)
    _field(sheet, face)
    if face.shape:
        sheet.fill(face.shape, face.middle)
    places: list[tuple[float, float, float]] = [(0.0, 0.0, 1.0)]
    if face.number:
        places = _pips(face.number)
    elif face.double:
        places = [(0.0, -face.size * 0.45, 1.0), (0.0, face.size * 0.45, -1.0)]
    size = face.size if len(places) == 1 else min(face.size * 0.75, 30.0)
    size = size if not face.number else min(13.0, size)
    for x, y, way in places:
        _motif(sheet, face.motif, (x, y), size * way, face.tints, face.line)
    for way in (1.0, -1.0):
        tints = (face.index_tint,) * TINTS
        for x, y in (INDEX_CORNER, *((FREE_CORNER,) if face.free else ())):
            _motif(sheet, face.index, (x * way, y * way), face.index_size * way, tints, 0.25)
        x, y = face.icon_at
        _motif(sheet, face.icon, (x * way, y * way), face.icon_size * way, face.tints, 0.3)
    return sheet.reduced(width, height)


def aged(image: Picture, used: float, rng: np.random.Generator) -> Picture:
    """A face after years of play (``used`` 0 to 1), cut to shape: (height, width, 4) in BGRA."""
    height, width = image.shape[:2]
    if used > 0.2:
        image = misregistered(image, rng.uniform(0.0, 0.4) * height / HEIGHT, rng)
    image = worn(faded(image, 0.5 * used * rng.random()), used, rng)
    return np.dstack([image, _corners(height, width)])


def _field(sheet: Sheet, face: Design) -> None:
    inner = rounded(WIDTH - 2 * face.border, HEIGHT - 2 * face.border, 2.5)
    if isinstance(face.field, tuple):
        sheet.fill([inner], face.field)
        return
    rows, columns = sheet.image.shape[:2]
    mask = np.zeros((rows, columns), np.uint8)
    middle = np.array([columns / 2, rows / 2])
    points = inner * (rows / HEIGHT) + middle
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255)
    wide = cv2.resize(face.field, (columns, rows), interpolation=cv2.INTER_LINEAR)
    cv2.copyTo(wide, mask, sheet.image)


def _motif(
    sheet: Sheet,
    motif: Motif,
    at: Corner,
    size: float,
    tints: Sequence[Colour],
    line: float,
) -> None:
    for shape, tint in motif:
        body = placed(shape, at, size)
        if line:
            sheet.print(body, Ink(tints[tint], line, (20, 20, 20)))
        else:
            sheet.fill(body, tints[tint])


def _pips(number: int) -> list[tuple[float, float, float]]:
    rows = (number + 1) // 2
    ys = np.linspace(-24, 24, rows) if rows > 1 else np.zeros(1)
    places = [(x, float(y), 1.0 if y <= 0 else -1.0) for y in ys for x in (-10.0, 10.0)]
    if number % 2:
        places[-2:] = [(0.0, places[-1][1], places[-1][2])]
    return places


_MASKS: dict[tuple[int, int], NDArray[np.uint8]] = {}


def _corners(height: int, width: int) -> NDArray[np.uint8]:
    if (height, width) not in _MASKS:
        mask = np.zeros((height, width), np.uint8)
        shape = rounded(WIDTH, HEIGHT, 3.2) * (height / HEIGHT)
        points = np.round((shape + np.array([width / 2, height / 2])) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
        _MASKS[height, width] = mask
    return _MASKS[height, width]
