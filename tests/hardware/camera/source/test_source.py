"""Strings name sources; videos, folders and pictures are read."""

from pathlib import Path

import numpy as np
import pytest

from hardware.camera.source import Source, SourceError, open_source, without_password
from hardware.camera.source.files import VideoFile
from hardware.camera.source.image import PictureLimits
from tests.hardware.camera.pictures import blocks, encoded, png_claiming, write_video
from tests.tables import tables


def shades(count: int) -> list[np.ndarray]:
    return [np.full((48, 64, 3), 10 * number, np.uint8) for number in range(count)]


def all_of(source: Source) -> list[tuple[int, float, int]]:
    """Number, time and mean grey of every picture."""
    found = []
    with source:
        while (frame := source.read()) is not None:
            found.append((frame.number, round(frame.at, 3), round(float(frame.picture.mean()))))
        assert source.ended
        assert source.read() is None
    return found


def test_a_video_is_read_whole_with_its_own_times(tmp_path: Path) -> None:
    file = tmp_path / "clip.avi"
    write_video(file, shades(12), rate=10)
    source = open_source(str(file))
    assert not source.live
    found = all_of(source)
    assert [number for number, _, _ in found] == list(range(12))
    assert [at for _, at, _ in found] == [round(0.1 * number, 3) for number in range(12)]
    assert all(abs(grey - 10 * number) <= 2 for number, _, grey in found)
    assert source.trouble is None


def test_a_video_that_was_cut_short_says_so(tmp_path: Path) -> None:
    file = tmp_path / "clip.avi"
    noise = np.random.default_rng(1).integers(0, 255, (40, 48, 64, 3)).astype(np.uint8)
    write_video(file, list(noise))
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    source = open_source(str(file))
    found = all_of(source)
    assert 10 <= len(found) < 30
    assert source.trouble == (
        f"{file} is cut short or damaged: {len(found)} of 40 pictures could be read"
    )


def test_a_folder_in_natural_order_without_what_is_broken(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        (tmp_path / f"shot{number}.png").write_bytes(encoded(shades(11)[number], ".png"))
    (tmp_path / "shot5.png").write_bytes(encoded(blocks(), ".png")[:-30])
    (tmp_path / "shot6.png").write_bytes(png_claiming(20_000, 20_000))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "inner").mkdir()
    source = open_source(str(tmp_path))
    with source:
        seen = [source.read(), source.read()]
        assert source.trouble is None
        seen.append(source.read())
        assert source.trouble is not None
        assert "million are read" in source.trouble
        assert source.read() is None
    assert [frame and (frame.number, frame.at, int(frame.picture.mean())) for frame in seen] == [
        (0, 0.0, 10),
        (1, 1.0, 20),
        (4, 4.0, 100),
    ]
    assert seen[0].file == tmp_path / "shot1.png"


def test_a_single_picture_is_one_frame(tmp_path: Path) -> None:
    file = tmp_path / "card without a suffix"
    file.write_bytes(encoded(blocks()))
    assert [number for number, _, _ in all_of(open_source(str(file)))] == [0]
    file.write_bytes(encoded(blocks())[:-20])
    source = open_source(str(file))
    assert all_of(source) == []
    assert "cut short" in (source.trouble or "")


@pytest.mark.parametrize(("text", "words"), tables(__file__)["nothing"])
def test_strings_that_name_nothing(text: str, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(text)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_files_that_are_no_video(tmp_path: Path) -> None:
    def refused(path: Path) -> str:
        with pytest.raises(SourceError) as caught:
            open_source(str(path)).start()
        return str(caught.value)

    (tmp_path / "words.mp4").write_text("no video at all\n" * 50)
    assert "not a readable picture or video" in refused(tmp_path / "words.mp4")
    (tmp_path / "empty.mp4").touch()
    assert "is empty" in refused(tmp_path / "empty.mp4")
    (tmp_path / "folder").mkdir()
    assert "there is no picture in the folder" in refused(tmp_path / "folder")
    video = tmp_path / "clip.avi"
    write_video(video, shades(3))
    small = VideoFile(video, PictureLimits(pixels=1000))
    with pytest.raises(SourceError, match="has 64 × 48 pixels, which is not supported"):
        small.start()


def test_cameras_and_streams_are_live_and_show_no_password() -> None:
    assert open_source("0").name == "camera 0"
    assert open_source("/dev/video7").live
    camera = open_source("rtsp://me:secret@10.0.0.9:8554/live?token=secret")
    assert camera.live
    assert camera.name == "rtsp://10.0.0.9:8554/live"
    assert without_password("http://u:p@[fe80::1]:80/x") == "http://[fe80::1]:80/x"
