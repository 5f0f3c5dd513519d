"""A camera plugged into this computer, through OpenCV; what is wrong with it is asked of Linux."""

import errno
import os
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import cv2

from hardware.camera.source.errors import SourceError
from hardware.camera.source.files import be_quiet
from hardware.camera.types import Picture

try:
    from fcntl import ioctl as _ioctl
except ImportError:  # as on Windows
    _ioctl = None  # type: ignore[assignment]

WIDTH, HEIGHT, RATE = 1280, 720, 30
READ_MS = 3000
# struct v4l2_capability: driver, card, bus_info, version, capabilities, device_caps, reserved
_QUERYCAP, _CAPABILITY = 0x80685600, struct.Struct("16s32s32sIII12x")
_HAS_DEVICE_CAPS, _GIVES_PICTURES = 0x80000000, 0x00000001 | 0x00001000
# struct v4l2_requestbuffers: count, type, memory, capabilities, flags
_REQBUFS, _BUFFERS = 0xC0145608, struct.Struct("IIIIB3x")

Ioctl = Callable[[int, int, bytearray], int]


class Device:
    """A camera by its path. OpenCV waits for a picture some seconds at most."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open it for pictures of 1280 x 720, as fast as it can. Raises SourceError."""
        be_quiet()
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
        # Without compression USB 2 carries 10 pictures a second of this size.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        capture.set(cv2.CAP_PROP_FPS, RATE)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        capture.set(cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS)
        self._capture = capture

    def grab(self) -> Picture:
        """The next picture. Raises SourceError."""
        try:
            there, picture = self._capture.read() if self._capture else (False, None)
        except cv2.error:
            there, picture = False, None
        if not there or picture is None:
            gone = sys.platform.startswith("linux") and not Path(self.path).exists()
            raise SourceError(
                f"the camera {self.path} is unplugged; plug it in again"
                if gone
                else f"the camera {self.path} gives no pictures; unplug it and plug it in again"
            )
        return picture

    def interrupt(self) -> None:
        """OpenCV's wait cannot be cut short, and ends by itself."""

    def close(self) -> None:
        """Give the camera back."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

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
    """What keeps a Linux camera from being opened, one sentence; None if nothing does."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        return _unopened(path, error, folder)
    try:
        return _unusable(path, handle, ioctl or _real_ioctl, folder, processes)
    finally:
        os.close(handle)


def _real_ioctl(handle: int, request: int, data: bytearray) -> int:
    return int(_ioctl(handle, request, data, True))


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
    said = bytearray(_CAPABILITY.size)
    try:
        ioctl(handle, _QUERYCAP, said)
    except OSError:
        return f"{path} is no camera"
    _, _, _, _, whole, own = _CAPABILITY.unpack(said)
    if not (own if whole & _HAS_DEVICE_CAPS else whole) & _GIVES_PICTURES:
        others = [other for other in cameras(folder) if other != path]
        hint = f"; try {' or '.join(others)}" if others else ""
        return f"{path} belongs to a camera but gives no pictures{hint}"
    try:
        # Asking for no buffers is answered "busy" exactly while another program streams.
        ioctl(handle, _REQBUFS, bytearray(_BUFFERS.pack(0, 1, 1, 0, 0)))
    except OSError as error:
        if error.errno == errno.EBUSY:
            return f"{path} is in use by {_holder(path, processes)}; stop that program"
    return None


def cameras(folder: Path = Path("/dev")) -> list[str]:
    """The paths of what may be cameras here."""
    found = [file for file in folder.glob("video*") if file.name[5:].isdigit()]
    return [str(file) for file in sorted(found, key=lambda file: int(file.name[5:]))]


def _holder(path: str, processes: Path) -> str:
    """The program that has the file open, as far as this user may see."""
    target = os.path.realpath(path)
    for link in processes.glob("[0-9]*/fd/*"):
        process = link.parent.parent
        try:
            if process.name != str(os.getpid()) and os.path.realpath(link) == target:
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
        except OSError:
            continue
    return "another program"
