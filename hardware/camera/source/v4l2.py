"""A camera plugged into this computer, read by OpenCV and diagnosed through Linux."""

import errno
import os
import re
import struct
import sys
from pathlib import Path

import cv2

from hardware.camera.source.controls import Ioctl, real_ioctl
from hardware.camera.source.errors import SourceError
from hardware.camera.source.files import Captured, next_picture, silence_opencv
from hardware.camera.types import Picture

WIDTH, HEIGHT, RATE = 1280, 720, 30
READ_MS = 3000
# struct v4l2_capability: driver, card, bus_info, version, capabilities, device_caps, reserved
_QUERYCAP, _CAPABILITY = 0x80685600, struct.Struct("16s32s32sIII12x")
_HAS_DEVICE_CAPS, _GIVES_PICTURES = 0x80000000, 0x00000001 | 0x00001000
# struct v4l2_requestbuffers: count, type, memory, capabilities, flags
_REQBUFS, _BUFFERS = 0xC0145608, struct.Struct("IIIIB3x")


class V4l2Camera(Captured):
    """A local camera, named by its path."""

    def __init__(self, path: str) -> None:
        self.path = path

    def open(self) -> None:
        """Open it at 1280 x 720 and its fastest rate. Raises SourceError."""
        silence_opencv()
        if sys.platform.startswith("linux"):
            problem = examine(self.path)
            if problem is not None:
                raise SourceError(problem)
        capture = self._opened()
        if not capture.isOpened():
            capture.release()
            raise SourceError(
                f"{self.path} cannot be opened; stop other programs that use the camera, "
                "or unplug it and plug it in again"
            )
        # Uncompressed, USB 2 carries only 10 such pictures a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        capture.set(cv2.CAP_PROP_FPS, RATE)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        capture.set(cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS)
        self._capture = capture

    def grab(self) -> Picture:
        """Return the next picture. Raises SourceError."""
        picture = next_picture(self._capture)
        if picture is None:
            gone = sys.platform.startswith("linux") and not Path(self.path).exists()
            raise SourceError(
                f"the camera {self.path} is unplugged; plug it in again"
                if gone
                else f"the camera {self.path} delivers no pictures; unplug it and plug it in again"
            )
        return picture

    def _opened(self) -> cv2.VideoCapture:
        try:
            if sys.platform.startswith("linux"):
                return cv2.VideoCapture(os.path.realpath(self.path), cv2.CAP_V4L2)
            number = re.search(r"[0-9]+$", self.path)
            return cv2.VideoCapture(int(number[0]) if number else 0)
        except cv2.error:
            return cv2.VideoCapture()


def examine(
    path: str,
    ioctl: Ioctl | None = None,
    folder: Path = Path("/dev"),
    processes: Path = Path("/proc"),
) -> str | None:
    """Say in one sentence why a Linux camera cannot be used; None if it can."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return _unopened(path, error, folder)
    try:
        return _unusable(path, handle, ioctl or real_ioctl, folder, processes)
    finally:
        os.close(handle)


def _unopened(path: str, error: OSError, folder: Path) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"{path} may not be opened; add yourself to the group video "
            "(sudo usermod -aG video $USER) and log in again"
        )
    if error.errno == errno.EBUSY:
        return f"{path} is in use; stop the other program that has the camera open"
    if error.errno in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        others = cameras(folder)
        there = f"there are {', '.join(others)}" if others else "none is plugged in"
        return f"there is no camera {path}; {there}"
    return f"{path} cannot be opened: {os.strerror(error.errno or 0)}"


def _unusable(path: str, handle: int, ioctl: Ioctl, folder: Path, processes: Path) -> str | None:
    answer = bytearray(_CAPABILITY.size)
    try:
        ioctl(handle, _QUERYCAP, answer)
    except OSError:
        return f"{path} is not a camera"
    _, _, _, _, of_device, of_node = _CAPABILITY.unpack(answer)
    if not (of_node if of_device & _HAS_DEVICE_CAPS else of_device) & _GIVES_PICTURES:
        others = [other for other in cameras(folder) if other != path]
        hint = f"; try {' or '.join(others)}" if others else ""
        return f"{path} belongs to a camera but delivers no pictures{hint}"
    try:
        # A request for no buffers fails with EBUSY exactly while another program streams.
        ioctl(handle, _REQBUFS, bytearray(_BUFFERS.pack(0, 1, 1, 0, 0)))
    except OSError as error:
        if error.errno == errno.EBUSY:
            return f"{path} is in use by {_holder(path, processes)}; stop that program"
    return None


def cameras(folder: Path = Path("/dev")) -> list[str]:
    """Return the paths of possible cameras."""
    files = [file for file in folder.glob("video*") if file.name[5:].isdigit()]
    return [str(file) for file in sorted(files, key=lambda file: int(file.name[5:]))]


def _holder(path: str, processes: Path) -> str:
    """Name the program that has the file open, as far as this user may see."""
    target = os.path.realpath(path)
    for link in processes.glob("[0-9]*/fd/*"):
        process = link.parent.parent
        try:
            if process.name != str(os.getpid()) and os.path.realpath(link) == target:
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
        except OSError:
            continue
    return "another program"
