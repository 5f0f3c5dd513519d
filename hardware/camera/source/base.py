"""What a source of pictures is, and the frames it gives."""

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import urlsplit

from hardware.camera.types import Picture


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
