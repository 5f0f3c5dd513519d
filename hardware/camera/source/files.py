"""Sources from files: a video, a picture, or all pictures of a folder."""

import os
import re
import stat
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

import cv2

from hardware.camera.source.base import Frame
from hardware.camera.source.errors import PictureError, SourceError
from hardware.camera.source.image import PictureLimits, is_picture, read_picture
from hardware.camera.types import Picture

# Share of the announced frames that may be missing: containers miscount a little.
_MISSING = 0.05
_USUAL_RATE = 30.0


class _FromFiles(ABC):
    live = False
    controls = None

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: str | None = None
        self.ended = False

    @property
    def name(self) -> str:
        """The path, as given."""
        return str(self.path)

    @abstractmethod
    def start(self) -> None:
        """Check the files. Raises SourceError."""

    def close(self) -> None:
        """Release the files."""
        self.ended = True

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PictureFiles(_FromFiles):
    """A picture, or a folder's pictures in natural order (2 before 10)."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._files: list[Path] = []
        self._next = 0

    def start(self) -> None:
        """Find the files. Raises SourceError."""
        self._files = pictures_in(self.path) if self.path.is_dir() else [self.path]

    def read(self, timeout: float = 1.0) -> Frame | None:  # noqa: ARG002 - of the protocol
        """Return the next picture; unreadable ones are skipped and noted in ``trouble``."""
        if not self.ended:
            self.trouble = None
        while not self.ended:
            number = self._next
            if number == len(self._files):
                self.ended = True
                break
            self._next += 1
            file = self._files[number]
            try:
                return Frame(read_picture(file), float(number), number, file)
            except PictureError as error:
                self.trouble = str(error)
        return None


class VideoFile(_FromFiles):
    """Every frame of a video file, as fast as it is read."""

    def __init__(self, path: Path, limits: PictureLimits | None = None) -> None:
        super().__init__(path)
        self._limits = limits or PictureLimits()
        self._capture: cv2.VideoCapture | None = None
        self._number = 0
        self._at = 0.0
        self._rate = _USUAL_RATE
        self._announced = 0

    def start(self) -> None:
        """Open the file. Raises SourceError."""
        try:
            about = self.path.stat()
            if not stat.S_ISREG(about.st_mode):
                raise SourceError(f"{self.path} is neither a file nor a camera nor a folder")
            with self.path.open("rb") as handle:
                os.read(handle.fileno(), 1)
        except OSError as error:
            raise SourceError(f"{self.path} cannot be read: {error.strerror}") from None
        if not about.st_size:
            raise SourceError(f"{self.path} is empty")
        capture = open_capture(str(self.path))
        if capture is None:
            raise SourceError(f"{self.path} is not a readable picture or video")
        width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
        height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if width * height > self._limits.pixels or min(width, height) < self._limits.least_side:
            capture.release()
            raise SourceError(f"{self.path} has {width} × {height} pixels, which is not supported")
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 0.1 <= rate <= 1000 else _USUAL_RATE
        self._announced = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._capture = capture

    def read(self, timeout: float = 1.0) -> Frame | None:  # noqa: ARG002 - of the protocol
        """Return the next frame."""
        if self.ended or self._capture is None:
            return None
        picture = next_picture(self._capture)
        if picture is None:
            self._end()
            return None
        at = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._number and at <= self._at:  # the container's times are missing or wrong
            at = self._at + 1 / self._rate
        self._at = at
        self._number += 1
        return Frame(picture, at, self._number - 1)

    def close(self) -> None:
        """Close the file."""
        super().close()
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _end(self) -> None:
        self.ended = True
        if not self._number:
            self.trouble = f"{self.path} is a video without a readable picture"
        elif self._announced > 0 and self._number < self._announced * (1 - _MISSING) - 2:
            self.trouble = (
                f"{self.path} is cut short or damaged: {self._number} of {self._announced} "
                "pictures could be read"
            )


def pictures_in(folder: Path) -> list[Path]:
    """Return a folder's pictures in natural order (2 before 10). Raises SourceError."""
    try:
        inside = sorted(folder.iterdir(), key=_natural)
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {error.strerror}") from None
    files = [file for file in inside if file.is_file() and is_picture(file)]
    if not files:
        raise SourceError(f"there is no picture in the folder {folder}")
    return files


class Captured:
    """A camera or stream that OpenCV reads; its waits cannot be interrupted, and time out."""

    _capture: cv2.VideoCapture | None = None

    def interrupt(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Release it."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def open_capture(name: str, settings: list[int] | None = None) -> cv2.VideoCapture | None:
    """Open a video or stream with OpenCV; None if it cannot read it."""
    silence_opencv()
    for backend in (cv2.CAP_FFMPEG, cv2.CAP_OPENCV_MJPEG):
        try:
            capture = cv2.VideoCapture(name, backend, settings or [])
        except cv2.error:
            continue
        if capture.isOpened():
            return capture
        capture.release()
    return None


def next_picture(capture: cv2.VideoCapture | None) -> Picture | None:
    """Return the next picture of a video or stream; None if there is none."""
    try:
        there, picture = capture.read() if capture else (False, None)
    except cv2.error:
        return None
    return picture if there else None


def silence_opencv() -> None:
    """Silence OpenCV and FFmpeg; failures are reported as SourceError."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def _natural(file: Path) -> list[tuple[int, str]]:
    parts = re.split(r"([0-9]+)", file.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
