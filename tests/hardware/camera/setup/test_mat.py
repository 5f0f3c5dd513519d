"""On the mat nothing overlaps, all is in true size, and every language prints."""

import shutil
import subprocess
import tomllib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageFont

from hardware.camera.setup import mat_print
from hardware.camera.setup.find import MatFinder
from hardware.camera.setup.mat import CARD_HEIGHT, CARD_WIDTH, MATS, Box, Mat
from hardware.camera.setup.mat_print import FONT, languages, mat_pdf
from lab.draw.shapes.printed_mat import mat_pixels
from tests.texts.test_languages import SPOKEN

ALL = sorted(MATS)
WORDS = Path(mat_print.__file__).with_name("words.toml")
SIZES = {"a3": (420, 297), "a4": (297, 210), "letter": (279.4, 215.9)}
# Printers leave this much blank, at most.
UNPRINTED = 6.0


def apart(one: Box, other: Box, by: float) -> bool:
    return (
        one.x + one.width + by <= other.x + 1e-6
        or other.x + other.width + by <= one.x + 1e-6
        or one.y + one.height + by <= other.y + 1e-6
        or other.y + other.height + by <= one.y + 1e-6
    )


@pytest.fixture(params=ALL)
def mat(request: pytest.FixtureRequest) -> Mat:
    return MATS[request.param]


def test_the_paper_sizes(mat: Mat) -> None:
    assert (mat.width, mat.height) == SIZES[mat.paper]


def test_nothing_overlaps_and_each_tag_has_a_blank_rim(mat: Mat) -> None:
    assert len(mat.tags) == 8
    for one, other in combinations([*mat.tags.values(), *mat.places.values(), *mat.patches], 2):
        assert apart(one, other, 0.0)
    for tag in mat.tags.values():
        for other in [*mat.places.values(), *mat.patches]:
            assert apart(tag, other, tag.width / 8)


def test_all_of_it_can_be_printed(mat: Mat) -> None:
    printed = mat.sheet.shrunk(UNPRINTED)
    for box in [*mat.tags.values(), *mat.places.values(), *mat.patches]:
        x, y = box.corners[:, 0], box.corners[:, 1]
        assert x.min() >= printed.x
        assert y.min() >= printed.y
        assert x.max() <= printed.x + printed.width
        assert y.max() <= printed.y + printed.height


def test_a_card_fits_into_each_place(mat: Mat) -> None:
    for name, place in mat.places.items():
        assert place.width >= CARD_WIDTH
        assert place.height >= CARD_HEIGHT
        card = mat.card(name)
        assert (card.width, card.height) == (56.0, 87.0)
        assert card.centre == place.centre


def test_no_number_is_on_two_mats() -> None:
    numbers = [number for mat in MATS.values() for number in mat.tags]
    assert len(set(numbers)) == len(numbers)


def test_the_tags_are_where_they_should_be(mat: Mat) -> None:
    scale = 3.0
    check(mat, mat_pixels(mat.paper, scale), scale)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm is not installed")
def test_the_pdf_is_in_true_size(mat: Mat, tmp_path: Path) -> None:
    dots = 120
    file = tmp_path / "mat.pdf"
    file.write_bytes(mat_pdf(mat.paper))
    made = subprocess.run(
        ["pdftoppm", "-r", str(dots), "-png", "-singlefile", str(file), str(tmp_path / "page")],
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert made.stderr == b""
    page = cv2.imread(str(tmp_path / "page.png"), cv2.IMREAD_GRAYSCALE)
    assert page is not None
    check(mat, page, dots / 25.4)
    drawn = mat_pixels(mat.paper, dots / 25.4)
    rows, columns = np.minimum(page.shape, drawn.shape)
    for name, box in [*mat.places.items(), *((str(b), b) for b in mat.patches)]:
        inner = (box.shrunk(1.5).corners[[0, 2]] * dots / 25.4).astype(int)
        (x0, y0), (x1, y1) = np.minimum(inner, (columns, rows))
        # The same greys; only letters are drawn otherwise.
        same = np.abs(page[y0:y1, x0:x1].astype(int) - drawn[y0:y1, x0:x1]) < 12
        assert same.mean() > 0.93, name


def check(mat: Mat, page: np.ndarray, scale: float) -> None:
    height, width = page.shape
    assert abs(width / scale - mat.width) < 0.6
    assert abs(height / scale - mat.height) < 0.6
    sighting = MatFinder().find(np.ascontiguousarray(page))
    assert sighting.paper == mat.paper
    assert sorted(sighting.tags) == sorted(mat.tags)
    for number, corners in sighting.tags.items():
        # The middle of the first pixel is half a pixel from the paper's edge.
        away = (corners + 0.5) / scale - mat.tags[number].corners
        assert np.abs(away).max() < 0.25


@pytest.mark.parametrize("language", languages())
def test_every_language_can_be_printed(language: str, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    file = tmp_path / "mat.pdf"
    file.write_bytes(mat_pdf("letter", language))
    told = subprocess.run(["pdftotext", file, "-"], check=True, capture_output=True, timeout=60)
    words = tomllib.loads(WORDS.read_text("utf-8"))[language]
    shown = " ".join(told.stdout.decode().split())
    assert all(words[name] in shown for name in ("draw", "discard", "hand", "ruler", "lay"))


@pytest.mark.parametrize("language", languages())
def test_every_letter_is_drawn(language: str) -> None:
    """A letter that the font lacks looks like one that no font has."""
    font = ImageFont.truetype(FONT, 30)
    unknown = bytes(font.getmask("\uffff"))
    words = tomllib.loads(WORDS.read_text("utf-8"))[language]
    for letter in {*"".join(words.values())} - {" ", "\u202f", "\u00a0"}:
        assert bytes(font.getmask(letter)) != unknown, letter


def test_printers_are_told_not_to_scale_it() -> None:
    assert b"/PrintScaling /None" in mat_pdf("a4")


def test_languages_have_the_same_words() -> None:
    assert set(languages()) >= SPOKEN
    assert len({mat_pdf("a4", language) for language in languages()}) == len(languages())
