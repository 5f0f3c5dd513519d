"""What reads the stream at an address."""

import re
from urllib.parse import urlsplit

from hardware.camera.source.base import without_password
from hardware.camera.source.errors import SourceError
from hardware.camera.source.http import HttpPictures
from hardware.camera.source.rtsp import VideoStream

SCHEMES = ("http", "https", "rtsp", "rtsps")


def stream_of(url: str) -> HttpPictures | VideoStream:
    """What reads this address. Raises SourceError if it is none."""
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:
        usable = False
    if not usable:
        raise SourceError(f"{without_password(url)} is no address such as http://host:8080/video")
    if parts.scheme not in SCHEMES:
        raise SourceError(
            f"{parts.scheme}:// is not read; a stream's address begins with http, https or rtsp"
        )
    return HttpPictures(url) if parts.scheme in ("http", "https") else VideoStream(url)
