"""Pictures of network cameras over HTTP: an endless answer (MJPEG), or one per request."""

import re
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import requests
import urllib3
from requests.auth import HTTPBasicAuth, HTTPDigestAuth

from hardware.camera.source.base import without_password
from hardware.camera.source.errors import SourceError, explain_failure
from hardware.camera.source.rtsp import CONNECT, SILENCE, VideoStream
from hardware.camera.types import Picture

# Seconds between requests to a camera that answers with single pictures.
ASK_EVERY = 0.1
# No camera sends larger pictures.
MOST_BYTES = 32_000_000
_CHUNK = 65536
# What a connection raises that breaks off, or that was interrupted.
BROKEN = (
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    OSError,
    ValueError,
    AttributeError,
)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"content-length:\s*([0-9]{1,9})\b", re.IGNORECASE)


class MultipartError(ValueError):
    """The bytes are no multipart answer."""


class MultipartParser:
    """Splits an endless answer (multipart/x-mixed-replace) into pictures.

    Cameras disagree about the boundary's leading dashes, so these are ignored.
    """

    def __init__(self, boundary: str) -> None:
        self._boundary = b"--" + boundary.strip().strip('"').lstrip("-").encode(
            "latin-1", "replace"
        )
        self._buffer = bytearray()
        self._in_body = False
        self._length: int | None = None
        self._searched = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the pictures that these bytes complete, in order. Raises MultipartError."""
        self._buffer += data
        pictures = []
        while True:
            if not self._in_body and not self._take_head():
                break
            body = self._take_body()
            if body is None:
                break
            if body:
                pictures.append(body)
        if len(self._buffer) > MOST_BYTES:
            raise MultipartError(f"no picture ends within {MOST_BYTES // 1_000_000} MB")
        return pictures

    def _take_head(self) -> bool:
        start = self._buffer.find(self._boundary)
        if start < 0:
            # Bytes before the first boundary mean nothing.
            del self._buffer[: max(0, len(self._buffer) - len(self._boundary))]
            return False
        end = _HEAD_END.search(self._buffer, start)
        if end is None:
            return False
        length = _LENGTH.search(self._buffer, start, end.start())
        self._length = int(length[1]) if length else None
        if self._length is not None and self._length > MOST_BYTES:
            raise MultipartError(f"a picture claims to have {self._length / 1e6:.0f} MB")
        del self._buffer[: end.end()]
        self._in_body, self._searched = True, 0
        return True

    def _take_body(self) -> bytes | None:
        if self._length is not None:
            end, past = self._length, self._length
            if len(self._buffer) < end:
                return None
        else:
            end = past = self._buffer.find(self._boundary, self._searched)
            if end < 0:
                self._searched = max(0, len(self._buffer) - len(self._boundary))
                return None
        body = bytes(self._buffer[:end])
        del self._buffer[:past]
        self._in_body = False
        return body if self._length is not None else body.rstrip(b"\r\n")


class HttpStream:
    """Pictures over HTTP: an MJPEG stream, single pictures, or else a video."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._shown = without_password(url)
        self._plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self._user = unquote(parts.username or ""), unquote(parts.password or "")
        self._url = url
        self._session: requests.Session | None = None
        self._answer: requests.Response | None = None
        self._parts: MultipartParser | None = None
        self._video: VideoStream | None = None
        self._asked = 0.0
        self._stop = threading.Event()

    def open(self) -> None:
        """Request the stream. Raises SourceError."""
        self._session = requests.Session()
        self._session.trust_env = (
            False  # the camera is in the local network, out of a proxy's reach
        )
        if any(self._user):
            self._session.auth = HTTPBasicAuth(*self._user)
        answer = self._get()
        challenge = answer.headers.get("WWW-Authenticate", "").lower()
        if answer.status_code == 401 and any(self._user) and "digest" in challenge:
            answer.close()
            self._session.auth = HTTPDigestAuth(*self._user)
            answer = self._get()
        self._answer = answer
        if answer.status_code != 200:
            raise SourceError(self._refusal(answer.status_code))
        kind, _, rest = answer.headers.get("Content-Type", "").partition(";")
        kind = kind.strip().lower()
        if kind.startswith("multipart/"):
            boundary = re.search(r"boundary=([^;]+)", rest)
            self._parts = MultipartParser(boundary[1] if boundary else "")
        elif kind.startswith("text/"):
            raise SourceError(
                f"{self._shown} answers with a web page, not with pictures; "
                "find the stream's own address on that page or in the camera's manual"
            )
        elif not kind.startswith("image/"):
            answer.close()
            self._video = VideoStream(self._url)
            self._video.open()

    def grab(self) -> Picture | bytes:
        """Return the newest picture. Raises SourceError."""
        if self._video is not None:
            return self._video.grab()
        try:
            return self._next_of_many() if self._parts is not None else self._one()
        except MultipartError as error:
            raise SourceError(f"{self._shown} sends no stream of pictures: {error}") from None
        except BROKEN as error:
            raise SourceError(f"{self._shown} stopped sending: {explain_failure(error)}") from None

    def interrupt(self) -> None:
        """Make a waiting call return."""
        self._stop.set()
        shutdown = getattr(getattr(self._answer, "raw", None), "shutdown", None)
        if shutdown is not None:
            with suppress(OSError, ValueError):
                shutdown()

    def close(self) -> None:
        """Disconnect."""
        for resource in (self._answer, self._session, self._video):
            if resource is not None:
                resource.close()
        self._answer = self._session = self._video = self._parts = None

    def _next_of_many(self) -> bytes:
        answer, parts = self._answer, self._parts
        if answer is None or parts is None:
            raise SourceError(f"{self._shown} is not open")
        until = time.monotonic() + SILENCE
        while time.monotonic() < until and not self._stop.is_set():
            data = _available(answer.raw)
            if not data:
                raise SourceError(f"{self._shown} ended the stream")
            complete = parts.feed(data)
            if complete:
                return complete[-1]
        raise SourceError(f"{self._shown} sends no complete picture")

    def _one(self) -> bytes:
        answer, self._answer = self._answer, None
        if answer is None:
            self._stop.wait(max(0.0, self._asked + ASK_EVERY - time.monotonic()))
            answer = self._get()
        if answer.status_code != 200:
            raise SourceError(self._refusal(answer.status_code))
        data, until = bytearray(), time.monotonic() + SILENCE
        with answer:
            for portion in answer.iter_content(_CHUNK):
                data += portion
                if len(data) > MOST_BYTES:
                    raise SourceError(f"{self._shown} sends a picture that is too large")
                if time.monotonic() > until or self._stop.is_set():
                    raise SourceError(f"{self._shown} sends no complete picture")
        return bytes(data)

    def _get(self) -> requests.Response:
        if self._session is None:
            raise SourceError(f"{self._shown} is not open")
        self._asked = time.monotonic()
        try:
            return self._session.get(self._plain, stream=True, timeout=(CONNECT, SILENCE))
        except requests.RequestException as error:
            raise SourceError(
                f"{self._shown} cannot be reached: {explain_failure(error)}"
            ) from None

    def _refusal(self, status: int) -> str:
        if status in (401, 403) and any(self._user):
            return f"{self._shown} does not accept the name and password in the address"
        if status in (401, 403):
            return (
                f"{self._shown} wants a name and password; put them into the address: "
                "http://name:password@host/…"
            )
        if status == 404:
            return f"{self._shown} is not there (404); is the path of the address right?"
        return f"{self._shown} refuses the stream (status {status})"


def _available(raw: Any) -> bytes:
    """Wait for the first byte and return all that have arrived."""
    read1 = getattr(raw, "read1", None)  # older urllib3 lacks it; read() waits for all bytes
    data: bytes = raw.read(2048) if read1 is None else read1(_CHUNK)
    return data
