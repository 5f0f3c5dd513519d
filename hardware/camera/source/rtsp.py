"""Streams read by OpenCV: RTSP, and videos over HTTP."""

import re
import socket
from urllib.parse import urlsplit

import cv2

from hardware.camera.source.base import without_password
from hardware.camera.source.errors import SourceError, explain_failure
from hardware.camera.source.files import Captured, next_picture, open_capture
from hardware.camera.types import Picture

CONNECT, SILENCE = 4.0, 5.0
_USUAL_PORTS = {"rtsp": 554, "rtsps": 322}


class VideoStream(Captured):
    """A stream read by OpenCV."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._shown = without_password(url)

    def open(self) -> None:
        """Connect. Raises SourceError."""
        parts = urlsplit(self._url)
        host, port = parts.hostname or "", parts.port or _USUAL_PORTS.get(parts.scheme)
        if port is not None:
            try:
                socket.create_connection((host, port), CONNECT).close()
            except OSError as error:
                raise SourceError(
                    f"{self._shown} cannot be reached: {explain_failure(error)}"
                ) from None
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(CONNECT * 1000)]
        timeouts += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(SILENCE * 1000)]
        self._capture = open_capture(self._url, timeouts)
        if self._capture is None:
            raise SourceError(self._why_not(host, port))

    def grab(self) -> Picture:
        """Return the next picture. Raises SourceError."""
        picture = next_picture(self._capture)
        if picture is None:
            raise SourceError(f"{self._shown} stopped sending pictures")
        return picture

    def _why_not(self, host: str, port: int | None) -> str:
        status = _describe(host, port, self._shown) if self._url.startswith("rtsp:") else 0
        if status == 401 and "@" in urlsplit(self._url).netloc:
            return f"{self._shown} does not accept the name and password in the address"
        if status == 401:
            return (
                f"{self._shown} wants a name and password; put them into the address: "
                "rtsp://name:password@host/…"
            )
        if status == 404:
            return f"{self._shown} is not there (404); is the path of the address right?"
        if status >= 300:
            return f"{self._shown} refuses the stream (status {status})"
        return f"{self._shown} is not a readable stream"


def _describe(host: str, port: int | None, url: str) -> int:
    """Return the status of an RTSP DESCRIBE request; 0 without an answer."""
    request = f"DESCRIBE {url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    try:
        with socket.create_connection((host, port or 554), CONNECT) as connection:
            connection.settimeout(CONNECT)
            connection.sendall(request.encode("utf-8"))
            status = re.match(rb"RTSP/1\.[01] ([0-9]{3})", connection.recv(64))
    except OSError:
        return 0
    return int(status[1]) if status else 0
