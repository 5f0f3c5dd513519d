"""Where pictures come from, named by one string: a camera, stream, video, folder or file."""

import re
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import urlsplit

from hardware.camera.cards import Picture
from hardware.camera.source_picture import Limits, is_picture, read_picture
from hardware.camera.source_trouble import Fault, PictureError, SourceError

__all__ = [
    "Fault",
    "Frame",
    "Limits",
    "PictureError",
    "Source",
    "SourceError",
    "open_source",
    "read_picture",
]

HOW_TO_NAME = (
    "a camera is named by its number (0) or /dev/video0, a stream by its address "
    "(http://…, rtsp://…), a video, picture or folder by its path"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture and when it was taken.

    ``at`` is in seconds: of the monotonic clock for what is live, and otherwise of the video's own
    time; pictures of a folder are a second apart. ``number`` counts the pictures that were there,
    the dropped ones too. ``file`` is where it lies, if it is a file by itself.
    """

    picture: Picture
    at: float
    number: int
    file: Path | None = None


class Source(Protocol):
    """Pictures one after another. A ``with`` starts and closes it.

    A live one connects by itself, again and again, and drops what nobody read in time; ``trouble``
    says what keeps it from giving pictures at the moment. Of a file every picture is given, and
    ``trouble`` is what was left out or missing.
    """

    @property
    def name(self) -> str:
        """What to call it, without passwords."""

    @property
    def live(self) -> bool:
        """Whether it shows the present."""

    @property
    def trouble(self) -> str | None:
        """One sentence, None while all is well."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""

    def start(self) -> None:
        """Begin. Raises SourceError where waiting will not help: a file that is not to be read."""

    def read(self, timeout: float = 1.0) -> Frame | None:
        """The next picture, of a live source the newest that was not read yet.

        None when none came within ``timeout`` seconds, or it has ended.
        """

    def close(self) -> None:
        """Stop, and let go of the device."""

    def __enter__(self) -> Self:
        """Start it."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""


def open_source(text: str) -> Source:
    """The source that a string names; it is not started yet. Raises SourceError."""
    # What reads one kind needs not be loaded for another.
    from hardware.camera.source_device import Device
    from hardware.camera.source_files import Pictures, Video
    from hardware.camera.source_live import Live
    from hardware.camera.source_stream import stream_of

    text = text.strip()
    if not text:
        raise SourceError(f"no camera is named; {HOW_TO_NAME}")
    if re.fullmatch(r"[0-9]{1,3}", text):
        return Live(f"camera {int(text)}", Device(f"/dev/video{int(text)}"))
    if text.startswith("/dev/"):
        return Live(text, Device(text))
    if "://" in text:
        return Live(without_password(text), stream_of(text))
    path = Path(text).expanduser()
    try:
        folder, there = path.is_dir(), path.exists()
    except (OSError, ValueError):
        folder = there = False
    if not there:
        raise SourceError(f"there is no file or folder {text}; {HOW_TO_NAME}")
    return Pictures(path) if folder or is_picture(path) else Video(path)


def without_password(url: str) -> str:
    """The address as it may be shown: without name, password and query."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return url.split("://", maxsplit=1)[0] + "://…"
    return f"{parts.scheme}://{host}{port}{parts.path}"
