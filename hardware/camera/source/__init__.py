"""Where pictures come from, named by one string: a camera, stream, video, folder or file."""

import re
from pathlib import Path

from hardware.camera.source.base import Frame, Source, without_password
from hardware.camera.source.errors import Fault, PictureError, SourceError
from hardware.camera.source.image import Limits, is_picture, read_picture

__all__ = [
    "Fault",
    "Frame",
    "Limits",
    "PictureError",
    "Source",
    "SourceError",
    "open_source",
    "read_picture",
    "without_password",
]

HOW_TO_NAME = (
    "a camera is named by its number (0) or /dev/video0, a stream by its address "
    "(http://…, rtsp://…), a video, picture or folder by its path"
)


def open_source(text: str) -> Source:
    """The source that a string names; it is not started yet. Raises SourceError."""
    # What reads one kind needs not be loaded for another.
    from hardware.camera.source.files import Pictures, Video
    from hardware.camera.source.live import Live
    from hardware.camera.source.url import stream_of
    from hardware.camera.source.v4l2 import Device

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
