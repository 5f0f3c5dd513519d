"""Drawing a mat: on a PDF page for the printer, or on pixels."""

import tomllib
from collections.abc import Mapping
from importlib import resources

import numpy as np

from hardware.camera.setup.mat import MATS, RULER, Box, Mat
from hardware.camera.setup.pdf import Canvas, PdfPage, text_width
from hardware.camera.setup.raster import Raster
from hardware.camera.setup.tags import CELLS, tag_cells

BLACK, WHITE, INK = 0.0, 1.0, 0.15
# White-edged and black-edged cards are both seen on these; a hand's place uses less ink.
PILE_GREY, HAND_GREY, PATCH_GREY = 0.62, 0.78, 0.5
LABEL, SMALL = 6.0, 3.4  # heights of letters in mm
_TICK, _TICK_WIDTH = 8.0, 0.8

Words = Mapping[str, str]


def languages() -> tuple[str, ...]:
    """What mats can be printed in."""
    return tuple(sorted(_all_words()))


def mat_pdf(paper: str = "a4", language: str = "en") -> bytes:
    """The mat as a file to print. Raises KeyError for an unknown paper or language."""
    mat, words = MATS[paper], _all_words()[language]
    page = PdfPage(mat.width, mat.height, f"{words['title']} ({paper.upper()})")
    draw_mat(page, mat, words)
    return page.to_bytes()


def mat_pixels(paper: str = "a4", scale: float = 4.0, language: str = "en") -> np.ndarray:
    """The mat as grey pixels, ``scale`` of them in a millimetre."""
    mat = MATS[paper]
    raster = Raster(mat.width, mat.height, scale)
    draw_mat(raster, mat, _all_words()[language])
    return raster.pixels


def draw_mat(canvas: Canvas, mat: Mat, words: Words) -> None:
    """Draw the mat in true size."""
    for number, box in mat.tags.items():
        _draw_tag(canvas, number, box)
    for patch in mat.patches:
        _fill(canvas, patch, PATCH_GREY)
    for place in ("draw", "discard"):
        _fill(canvas, mat.places[place], PILE_GREY)
        # Only the corners: an empty outline must not look like a card.
        _draw_ticks(canvas, mat.card(place))
        x, y = mat.places[place].centre
        _label(canvas, x, y, words[place], mat.card(place).width)
    hand = mat.places["hand"]
    _fill(canvas, hand, HAND_GREY)
    x, y = hand.centre
    _label(canvas, x, y - 0.18 * hand.height, words["hand"], hand.width)
    _draw_ruler(canvas, x - RULER / 2, y + 0.08 * hand.height)
    for number, line in enumerate((words["ruler"], words["lay"])):
        size = min(SMALL, SMALL * 0.95 * hand.width / text_width(line, SMALL))
        canvas.text(x, y + 0.08 * hand.height + 9 + number * 1.6 * SMALL, size, line, INK)


def _fill(canvas: Canvas, box: Box, grey: float) -> None:
    canvas.rectangle(box.x, box.y, box.width, box.height, grey)


def _label(canvas: Canvas, x: float, y: float, text: str, room: float) -> None:
    size = min(LABEL, LABEL * 0.95 * room / text_width(text, LABEL))
    canvas.text(x, y + size / 3, size, text, INK)


def _draw_tag(canvas: Canvas, number: int, box: Box) -> None:
    cell = box.width / CELLS
    _fill(canvas, box, BLACK)
    for row, cells in enumerate(tag_cells(number)):
        edges = np.flatnonzero(np.diff(np.concatenate([[True], cells, [True]]).astype(int)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            x, y = box.x + start * cell, box.y + row * cell
            canvas.rectangle(float(x), y, float((end - start) * cell), cell, WHITE)


def _draw_ticks(canvas: Canvas, card: Box) -> None:
    for x, y in card.corners:
        across = _TICK if x < card.centre[0] else -_TICK
        down = _TICK if y < card.centre[1] else -_TICK
        canvas.line((x, y), (x + across, y), _TICK_WIDTH, WHITE)
        canvas.line((x, y), (x, y + down), _TICK_WIDTH, WHITE)


def _draw_ruler(canvas: Canvas, x: float, y: float) -> None:
    canvas.line((x, y), (x + RULER, y), 0.4, INK)
    for step in range(int(RULER) + 1):
        height = 5.0 if step % 50 == 0 else 3.5 if step % 10 == 0 else 1.5
        canvas.line((x + step, y), (x + step, y - height), 0.25, INK)


def _all_words() -> dict[str, dict[str, str]]:
    file = resources.files("hardware.camera.setup").joinpath("words.toml")
    return tomllib.loads(file.read_text("utf-8"))
