"""Pictures are read, or refused with one sentence."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.camera.source.errors import PictureError, PictureFault
from hardware.camera.source.image import PictureLimits, is_picture, read_picture
from tests.hardware.camera.pictures import (
    blocks,
    cmyk_jpeg,
    encoded,
    exif,
    jpeg_claiming,
    jpeg_with,
    png_chunk,
    png_claiming,
)

FORMATS = [".png", ".jpg", ".webp", ".bmp", ".gif"]


def far(one: np.ndarray, other: np.ndarray) -> float:
    assert one.shape == other.shape
    return float(np.abs(one.astype(int) - other).mean())


def refused(source: bytes | Path, fault: PictureFault) -> str:
    with pytest.raises(PictureError) as caught:
        read_picture(source)
    assert caught.value.fault == fault
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("extension", FORMATS)
def test_each_format_from_bytes_and_from_a_file(extension: str, tmp_path: Path) -> None:
    data = encoded(blocks(), extension)
    file = tmp_path / f"picture{extension}"
    file.write_bytes(data)
    assert is_picture(file)
    for picture in (read_picture(data), read_picture(file), read_picture(str(file))):
        assert picture.dtype == np.uint8
        assert far(picture, blocks()) < 6


@pytest.mark.parametrize("extension", [".png", ".jpg", ".webp", ".gif", ".bmp"])
def test_a_picture_that_was_cut_short(extension: str) -> None:
    noise = np.random.default_rng(4).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    data = encoded(noise, extension)
    for share in (0.99, 0.7, 0.4):
        assert "cut short" in refused(data[: int(len(data) * share)], PictureFault.BROKEN)
    for size in range(30):
        with pytest.raises(PictureError):
            read_picture(data[:size])


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture() -> None:
    data = jpeg_with(encoded(blocks()), 0xE1, b"Exif\0\0" + exif(1) + encoded(blocks(16, 16)))
    assert far(read_picture(data), blocks()) < 6
    assert "cut short" in refused(data[:-40], PictureFault.BROKEN)


@pytest.mark.parametrize(
    "data",
    [png_claiming(20_000, 20_000), jpeg_claiming(20_000, 20_000), png_claiming(1 << 30, 1)],
    ids=["png", "jpeg", "one long row"],
)
def test_too_many_pixels_are_not_decoded(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    assert "million are read" in refused(data, PictureFault.TOO_LARGE)


def test_other_extremes() -> None:
    assert "1 × 1 pixels, which is too small" in refused(
        encoded(blocks(1, 1), ".png"), PictureFault.TOO_SMALL
    )
    assert "is empty" in refused(b"", PictureFault.BROKEN)
    with pytest.raises(PictureError, match=r"has 0\.0 MB; at most 0 MB") as caught:
        read_picture(encoded(blocks()), PictureLimits(bytes=100))
    assert caught.value.fault == PictureFault.TOO_LARGE


def test_a_cmyk_jpeg_is_converted() -> None:
    white = read_picture(cmyk_jpeg(0, 0, 0, 0))
    assert white.shape == (32, 32, 3)
    assert white.min() > 245
    red = read_picture(cmyk_jpeg(0, 255, 255, 0))[16, 16]
    assert red[2] > 200
    assert max(red[:2]) < 60


def test_grey_and_16_bits_and_transparency_are_converted() -> None:
    grey = read_picture(encoded(blocks()[:, :, 1], ".png"))
    assert (grey[40, 40] == 255).all()
    deep = read_picture(encoded(blocks().astype(np.uint16) * 257, ".png"))
    assert far(deep, blocks()) == 0
    alpha = np.full((48, 64, 1), 255, np.uint8)
    alpha[:, 32:] = 0
    for scale, kind in ((1, np.uint8), (257, np.uint16)):
        data = encoded(np.dstack([blocks(), alpha]).astype(kind) * kind(scale), ".png")
        picture = read_picture(data)
        assert tuple(picture[5, 5]) == (0, 0, 255)
        assert tuple(picture[5, 60]) == (128, 128, 128)  # neither white nor black


@pytest.mark.parametrize("extension", [".gif", ".webp", ".png"])
def test_of_an_animation_the_first_picture(extension: str) -> None:
    animation = cv2.Animation()
    animation.frames = [blocks(), blocks()[:, ::-1].copy()]
    animation.durations = np.array([100, 100])
    done, data = cv2.imencodeanimation(extension, animation)
    assert done
    assert far(read_picture(data.tobytes()), blocks()) < 6


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_cameras_orientation_is_applied(orientation: int, order: str) -> None:
    plain = encoded(blocks(), ".png")
    upright = {
        1: lambda p: p,
        2: lambda p: cv2.flip(p, 1),
        3: lambda p: cv2.rotate(p, cv2.ROTATE_180),
        4: lambda p: cv2.flip(p, 0),
        5: cv2.transpose,
        6: lambda p: cv2.rotate(p, cv2.ROTATE_90_CLOCKWISE),
        7: lambda p: cv2.rotate(cv2.transpose(p), cv2.ROTATE_180),
        8: lambda p: cv2.rotate(p, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }[orientation](blocks())
    tag = exif(orientation, order)
    turned = plain[:33] + png_chunk(b"eXIf", tag) + plain[33:]
    assert far(read_picture(turned), upright) == 0
    photo = jpeg_with(encoded(blocks()), 0xE1, b"Exif\0\0" + tag)
    assert far(read_picture(photo), upright) < 6


def test_nonsense_in_the_orientation_means_upright() -> None:
    for tag in (exif(0), exif(9), exif(6)[:12], b"", b"II*\0\xff\xff\xff\xff"):
        photo = jpeg_with(encoded(blocks()), 0xE1, b"Exif\0\0" + tag)
        assert read_picture(photo).shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7 ...", "is a PDF; send it as PNG, JPEG"),
        (b"\0\0\0\x18ftypheic....", "is a HEIC picture"),
        (b"\0\0\0\x18ftypmp42....", "is a video"),
        (b"<!doctype html><p>", "is a web page"),
        (b"II*\0....", "is a TIFF picture"),
        (b"just words", "is not a picture"),
        (b"RIFF\0\0\0\0AVI LIST", "is a video"),
        (b"RIFF\0\0\0\0WEBPVP9 ", "damaged or cut short"),
    ],
)
def test_what_is_no_picture(data: bytes, words: str) -> None:
    fault = PictureFault.BROKEN if b"WEBP" in data else PictureFault.FOREIGN
    assert words in refused(data, fault)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "none.png", PictureFault.ABSENT)
    assert "is a folder, not a picture" in refused(tmp_path, PictureFault.FOREIGN)
    assert "no ordinary file" in refused(Path("/dev/zero"), PictureFault.FOREIGN)
    large = tmp_path / "large.png"
    with large.open("wb") as handle:
        handle.truncate(40_000_000)
    assert "has 40.0 MB; at most 32 MB" in refused(large, PictureFault.TOO_LARGE)
    assert not is_picture(tmp_path / "none.png")


@settings(max_examples=300, deadline=None)
@given(
    start=st.sampled_from([encoded(blocks(), extension) for extension in FORMATS]),
    spoil=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=6),
    cut=st.integers(0, 400),
)
def test_spoilt_bytes_give_a_picture_or_one_sentence(
    start: bytes, spoil: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(start)
    for at, value in spoil:
        data[at % len(data)] = value
    said = ""
    try:
        shape = read_picture(bytes(data[: len(data) - cut]), PictureLimits(pixels=1_000_000)).shape
    except PictureError as error:
        said = str(error)
    else:
        assert shape[2:] == (3,)
    assert "\n" not in said
