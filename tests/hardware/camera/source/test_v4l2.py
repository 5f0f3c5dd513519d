"""Messages about cameras that cannot be opened."""

import errno
import os
import struct
from pathlib import Path

import pytest

from hardware.camera.source import open_source
from hardware.camera.source import v4l2 as source_device
from hardware.camera.source.v4l2 import cameras, examine
from tests.waiting import until

QUERYCAP, REQBUFS = 0x80685600, 0xC0145608


class Driver:
    """Answers as the Linux driver does."""

    def __init__(self, own: int = 0x04200001, busy: bool = False, camera: bool = True) -> None:
        self.own, self.busy, self.camera = own, busy, camera

    def __call__(self, handle: int, request: int, data: bytearray) -> int:
        if not self.camera:
            raise OSError(errno.ENOTTY, "not a typewriter")
        if request == QUERYCAP:
            assert len(data) == 104
            struct.pack_into("II", data, 84, 0x84A00001, self.own)
        if request == REQBUFS:
            assert struct.unpack_from("III", data) == (0, 1, 1)
            if self.busy:
                raise OSError(errno.EBUSY, "busy")
        return 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("video0", "video1", "video10", "videodev", "ttyS0"):
        (tmp_path / name).touch()
    return tmp_path


def test_one_that_is_well(folder: Path) -> None:
    assert examine(str(folder / "video0"), Driver(), folder) is None


def test_cameras_are_listed_by_number(folder: Path) -> None:
    names = [Path(path).name for path in cameras(folder)]
    assert names == ["video0", "video1", "video10"]


def test_one_that_is_not_there(folder: Path, tmp_path: Path) -> None:
    said = examine(str(folder / "video4"), Driver(), folder)
    assert said == (
        f"there is no camera {folder}/video4; there are {folder}/video0, {folder}/video1, "
        f"{folder}/video10"
    )
    (tmp_path / "none").mkdir()
    said = examine(str(tmp_path / "none" / "video0"), Driver(), tmp_path / "none")
    assert said.endswith("none is plugged in")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "add yourself to the group video (sudo usermod -aG video $USER)"),
        (errno.EBUSY, "is in use; stop the other program"),
        (errno.EIO, "cannot be opened: Input/output error"),
    ],
)
def test_one_that_may_not_be_opened(
    number: int, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(source_device.os, "open", deny)
    assert words in (examine(str(folder / "video0"), Driver(), folder) or "")


def test_one_that_another_program_holds(folder: Path, tmp_path: Path) -> None:
    camera = folder / "video0"
    held = tmp_path / "proc" / "4711"
    (held / "fd").mkdir(parents=True)
    (held / "comm").write_text("video-call\n")
    (held / "fd" / "7").symlink_to(camera)
    said = examine(str(camera), Driver(busy=True), folder, tmp_path / "proc")
    assert said == f"{camera} is in use by video-call (process 4711); stop that program"
    said = examine(str(camera), Driver(busy=True), folder, tmp_path / "empty")
    assert said == f"{camera} is in use by another program; stop that program"


def test_the_other_node_of_a_camera_and_what_is_no_camera(folder: Path) -> None:
    said = examine(str(folder / "video1"), Driver(own=0x04A00000), folder)
    assert said == (
        f"{folder}/video1 belongs to a camera but delivers no pictures; "
        f"try {folder}/video0 or {folder}/video10"
    )
    said = examine(str(folder / "video0"), Driver(camera=False), folder)
    assert said == f"{folder}/video0 is not a camera"


def test_a_source_that_is_no_camera_says_so_and_keeps_trying() -> None:
    with open_source("/dev/null") as source:
        until(lambda: source.trouble is not None)
        assert source.trouble == "/dev/null is not a camera"
        assert source.read(0.01) is None
        assert not source.ended
