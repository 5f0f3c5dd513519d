"""Streams that OpenCV reads: RTSP, and videos over HTTP."""

import re
import socket
from urllib.parse import urlsplit

import cv2

from hardware.camera.source.base import without_password
from hardware.camera.source.errors import SourceError, why_broken
from hardware.camera.source.files import open_capture
from hardware.camera.types import Picture

CONNECT, SILENCE = 4.0, 5.0
_USUAL_PORTS = {"rtsp": 554, "rtsps": 322}


class VideoStream:
    """A stream that OpenCV reads: RTSP, or a video over HTTP."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._shown = without_password(url)
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Connect. Raises SourceError."""
        parts = urlsplit(self._url)
        host, port = parts.hostname or "", parts.port or _USUAL_PORTS.get(parts.scheme)
        if port is not None:
            try:
                socket.create_connection((host, port), CONNECT).close()
            except OSError as error:
                raise SourceError(f"{self._shown} cannot be reached: {why_broken(error)}") from None
        times = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(CONNECT * 1000)]
        times += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(SILENCE * 1000)]
        self._capture = open_capture(self._url, times)
        if self._capture is None:
            raise SourceError(self._why_not(host, port))

    def grab(self) -> Picture:
        """The next picture. Raises SourceError."""
        try:
            there, picture = self._capture.read() if self._capture else (False, None)
        except cv2.error:
            there, picture = False, None
        if not there or picture is None:
            raise SourceError(f"{self._shown} stopped sending pictures")
        return picture

    def interrupt(self) -> None:
        """OpenCV's wait cannot be cut short, and ends by itself."""

    def close(self) -> None:
        """Disconnect."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

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
        return f"{self._shown} is no stream that can be read"


def _describe(host: str, port: int | None, url: str) -> int:
    """What a camera answers to the question for its stream, 0 if nothing."""
    asked = f"DESCRIBE {url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    try:
        with socket.create_connection((host, port or 554), CONNECT) as line:
            line.settimeout(CONNECT)
            line.sendall(asked.encode("utf-8"))
            said = re.match(rb"RTSP/1\.[01] ([0-9]{3})", line.recv(64))
    except OSError:
        return 0
    return int(said[1]) if said else 0
