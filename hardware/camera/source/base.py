"""The interface of picture sources, and the frames they deliver."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self
from urllib.parse import urlsplit

from hardware.camera.source.controls import CameraControls
from hardware.camera.types import Picture


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture from a source.

    ``at`` is in seconds: of the monotonic clock for live sources, otherwise since the video's start
    (pictures in a folder are a second apart). ``number`` counts from 0, dropped pictures included.
    """

    picture: Picture
    at: float
    number: int
    file: Path | None = None


class Source(Protocol):
    """A sequence of pictures; a context manager that starts and closes it.

    A live source reconnects by itself and drops pictures that are not read in time. A file
    delivers every picture.
    """

    @property
    def name(self) -> str:
        """Its name for people, without passwords."""

    @property
    def live(self) -> bool:
        """True for a camera or stream, false for files."""

    @property
    def controls(self) -> CameraControls | None:
        """What it adjusts by itself and can be told to keep; None if it cannot be told."""

    @property
    def trouble(self) -> str | None:
        """The present trouble or omission, in one sentence; None while all is well."""

    @property
    def ended(self) -> bool:
        """True if no picture will follow."""

    def start(self) -> None:
        """Start. Raises SourceError for a file that cannot be read."""

    def read(self, timeout: float = 1.0) -> Frame | None:
        """Return the next picture; from a live source the newest unread one.

        None if none arrives within ``timeout`` seconds, or the source has ended.
        """

    def close(self) -> None:
        """Stop and release the device."""

    def __enter__(self) -> Self:
        """Start it."""

    def __exit__(self, *_: object) -> None:
        """Close it."""


def without_password(url: str) -> str:
    """Return an address without user name, password and query."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return url.split("://", maxsplit=1)[0] + "://…"
    return f"{parts.scheme}://{host}{port}{parts.path}"
