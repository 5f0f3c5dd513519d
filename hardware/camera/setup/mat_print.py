"""Draws a mat on a PDF page for the printer."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Protocol

import numpy as np

from hardware.camera.setup.mat import CELLS, MATS, RULER, Box, Mat, tag_cells

# 0 is black, 1 is white. White and black card edges both stand out on the piles' grey; the hand's
# place is lighter to save ink.
BLACK, WHITE, INK = 0.0, 1.0, 0.15
PILE_GREY, HAND_GREY, PATCH_GREY = 0.62, 0.78, 0.5
LABEL, SMALL = 6.0, 3.4  # font sizes in mm
# DejaVu Sans with Latin and Cyrillic letters only: those of every language in words.toml.
FONT = Path(__file__).with_name("mat-font.ttf")
_TICK, _TICK_WIDTH = 8.0, 0.8
_POINT = 72 / 25.4  # points per mm

Point = tuple[float, float]
Words = Mapping[str, str]


class Page(Protocol):
    """A page to draw on, in mm from the top left; grey is from 0 (black) to 1 (white)."""

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """Fill a rectangle."""

    def line(self, start: Point, end: Point, width: float, grey: float) -> None:
        """Draw a straight line."""

    def text(self, at: Point, size: float, text: str, room: float) -> None:
        """Write a line of text on a base line, centred at ``at`` and shrunk to fit ``room``."""


class PdfPage:
    """A PDF of one page that printers are told not to scale."""

    def __init__(self, width: float, height: float, title: str) -> None:
        from fpdf import FPDF, ViewerPreferences  # slow to import, and needed only here

        self._pdf = FPDF("L", "mm", (height, width))
        self._pdf.add_font("mat", fname=FONT)
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")
        self._pdf.set_title(title)
        self._pdf.add_page()

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """Fill a rectangle."""
        self._pdf.set_fill_color(round(255 * grey))
        self._pdf.rect(x, y, width, height, "F")

    def line(self, start: Point, end: Point, width: float, grey: float) -> None:
        """Draw a straight line."""
        self._pdf.set_draw_color(round(255 * grey))
        self._pdf.set_line_width(width)
        self._pdf.line(*start, *end)

    def text(self, at: Point, size: float, text: str, room: float) -> None:
        """Write a line of text."""
        self._pdf.set_font("mat", size=size * _POINT)
        width = self._pdf.get_string_width(text)
        if width > room:
            self._pdf.set_font_size(size * _POINT * room / width)
            width = room
        self._pdf.set_text_color(round(255 * INK))
        self._pdf.text(at[0] - width / 2, at[1], text)

    def to_bytes(self) -> bytes:
        """Return the file."""
        return bytes(self._pdf.output())


def languages() -> tuple[str, ...]:
    """Return the languages that mats can be printed in."""
    return tuple(sorted(all_words()))


def mat_pdf(paper: str = "a4", language: str = "en") -> bytes:
    """Return a mat as a PDF file. Raises KeyError for an unknown paper or language."""
    mat, words = MATS[paper], all_words()[language]
    page = PdfPage(mat.width, mat.height, f"{words['title']} ({paper.upper()})")
    draw_mat(page, mat, words)
    return page.to_bytes()


def draw_mat(page: Page, mat: Mat, words: Words) -> None:
    """Draw a mat in true size."""
    for number, box in mat.tags.items():
        _draw_tag(page, number, box)
    for patch in mat.patches:
        _fill(page, patch, PATCH_GREY)
    for place in ("draw", "discard"):
        _fill(page, mat.places[place], PILE_GREY)
        # Corners only: a closed outline could be taken for a card.
        _draw_ticks(page, mat.card(place))
        x, y = mat.places[place].centre
        page.text((x, y + LABEL / 3), LABEL, words[place], 0.95 * mat.card(place).width)
    hand = mat.places["hand"]
    _fill(page, hand, HAND_GREY)
    x, y = hand.centre
    page.text((x, y - 0.18 * hand.height + LABEL / 3), LABEL, words["hand"], 0.95 * hand.width)
    y += 0.08 * hand.height
    _draw_ruler(page, x - RULER / 2, y)
    for number, line in enumerate((words["ruler"], words["lay"])):
        page.text((x, y + 9 + number * 1.6 * SMALL), SMALL, line, 0.95 * hand.width)


def _fill(page: Page, box: Box, grey: float) -> None:
    page.rectangle(box.x, box.y, box.width, box.height, grey)


def _draw_tag(page: Page, number: int, box: Box) -> None:
    cell = box.width / CELLS
    _fill(page, box, BLACK)
    for row, cells in enumerate(tag_cells(number)):
        edges = np.flatnonzero(np.diff(np.concatenate([[True], cells, [True]]).astype(int)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            x, y = box.x + start * cell, box.y + row * cell
            page.rectangle(float(x), y, float((end - start) * cell), cell, WHITE)


def _draw_ticks(page: Page, card: Box) -> None:
    for x, y in card.corners.tolist():
        across = _TICK if x < card.centre[0] else -_TICK
        down = _TICK if y < card.centre[1] else -_TICK
        page.line((x, y), (x + across, y), _TICK_WIDTH, WHITE)
        page.line((x, y), (x, y + down), _TICK_WIDTH, WHITE)


def _draw_ruler(page: Page, x: float, y: float) -> None:
    page.line((x, y), (x + RULER, y), 0.4, INK)
    for step in range(int(RULER) + 1):
        height = 5.0 if step % 50 == 0 else 3.5 if step % 10 == 0 else 1.5
        page.line((x + step, y), (x + step, y - height), 0.25, INK)


def all_words() -> dict[str, dict[str, str]]:
    """Return the words of a mat by language."""
    file = resources.files("hardware.camera.setup").joinpath("words.toml")
    return tomllib.loads(file.read_text("utf-8"))
