"""Picture sources, each named by a string: a camera, stream, video, folder or file."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hardware.camera.source.base import Frame, Source, without_password
from hardware.camera.source.errors import PictureError, PictureFault, SourceError
from hardware.camera.source.image import PictureLimits, is_picture, read_picture

if TYPE_CHECKING:
    from hardware.camera.source.live import Grabber

__all__ = [
    "Frame",
    "PictureError",
    "PictureFault",
    "PictureLimits",
    "Source",
    "SourceError",
    "grabber_for",
    "node_of",
    "open_source",
    "read_picture",
    "without_password",
]

_HOW_TO_NAME = (
    "name a camera by its number (0) or /dev/video0, a stream by its address "
    "(http://…, rtsp://…), a video, picture or folder by its path"
)


def open_source(text: str) -> Source:
    """Return the source that a string names, not started. Raises SourceError."""
    # Import each kind only when it is needed.
    from hardware.camera.source.controls import CameraControls
    from hardware.camera.source.files import PictureFiles, VideoFile
    from hardware.camera.source.live import LiveSource
    from hardware.camera.source.v4l2 import V4l2Camera

    text = text.strip()
    if not text:
        raise SourceError(f"no camera was named; {_HOW_TO_NAME}")
    node = node_of(text)
    if node is not None:
        name = text if node == text else f"camera {int(text)}"
        return LiveSource(name, V4l2Camera(node), controls=CameraControls(node))
    if "://" in text:
        return LiveSource(without_password(text), grabber_for(text))
    path = Path(text).expanduser()
    try:
        folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError):
        folder = exists = False
    if not exists:
        raise SourceError(f"there is no file or folder {text}; {_HOW_TO_NAME}")
    return PictureFiles(path) if folder or is_picture(path) else VideoFile(path)


def node_of(text: str) -> str | None:
    """Return the device of a camera that is plugged in here; None if a string names another."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,3}", text):
        return f"/dev/video{int(text)}"
    # In /dev/shm lie files, in memory.
    return text if re.match("/dev/(?!shm/)", text) else None


def grabber_for(url: str) -> "Grabber":
    """Return the grabber for the stream at an address. Raises SourceError."""
    from hardware.camera.source.http import HttpStream
    from hardware.camera.source.rtsp import VideoStream

    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:
        usable = False
    if not usable:
        name = without_password(url)
        raise SourceError(f"{name} is not an address such as http://host:8080/video")
    if parts.scheme in ("http", "https"):
        return HttpStream(url)
    if parts.scheme in ("rtsp", "rtsps"):
        return VideoStream(url)
    raise SourceError(
        f"{parts.scheme}:// is not supported; a stream's address starts with http, https or rtsp"
    )
