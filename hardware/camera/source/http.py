"""Pictures of network cameras over HTTP: many in one answer (MJPEG), or one an answer."""

import re
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import requests
from requests.auth import HTTPBasicAuth, HTTPDigestAuth

from hardware.camera.source.base import without_password
from hardware.camera.source.errors import SourceError, why_broken
from hardware.camera.source.multipart import Parts, PartsError
from hardware.camera.source.rtsp import CONNECT, SILENCE, VideoStream
from hardware.camera.types import Picture

# Cameras that give one picture an answer are asked this often, in seconds.
ASK_EVERY = 0.1
MOST_BYTES = 32_000_000
_CHUNK = 65536


class HttpPictures:
    """Pictures over HTTP: many in one answer (MJPEG), one an answer, or else a video."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._shown = without_password(url)
        self._plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        self._user = unquote(parts.username or ""), unquote(parts.password or "")
        self._url = url
        self._session: requests.Session | None = None
        self._answer: requests.Response | None = None
        self._parts: Parts | None = None
        self._video: VideoStream | None = None
        self._asked = 0.0
        self._stop = threading.Event()

    def open(self) -> None:
        """Ask for the stream. Raises SourceError."""
        self._session = requests.Session()
        self._session.trust_env = False  # the camera is beside us; a proxy would not find it
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
            self._parts = Parts(boundary[1] if boundary else "")
        elif kind.startswith("text/"):
            raise SourceError(
                f"{self._shown} answers with a web page, not with pictures; "
                "the camera's manual or page names the stream's own address"
            )
        elif not kind.startswith("image/"):
            answer.close()
            self._video = VideoStream(self._url)
            self._video.open()

    def grab(self) -> Picture | bytes:
        """The newest picture. Raises SourceError."""
        if self._video is not None:
            return self._video.grab()
        try:
            return self._next_of_many() if self._parts is not None else self._one()
        except PartsError as error:
            raise SourceError(f"{self._shown} is no stream of pictures: {error}") from None
        except (requests.RequestException, OSError, ValueError, AttributeError) as error:
            raise SourceError(f"{self._shown} stopped sending: {why_broken(error)}") from None
        except Exception as error:
            if type(error).__module__.startswith("urllib3"):
                raise SourceError(f"{self._shown} stopped sending: {why_broken(error)}") from None
            raise

    def interrupt(self) -> None:
        """Let a call that waits for bytes return."""
        self._stop.set()
        shutdown = getattr(getattr(self._answer, "raw", None), "shutdown", None)
        if shutdown is not None:
            with suppress(OSError, ValueError):
                shutdown()

    def close(self) -> None:
        """Disconnect."""
        for held in (self._answer, self._session, self._video):
            if held is not None:
                held.close()
        self._answer = self._session = self._video = self._parts = None

    def _next_of_many(self) -> bytes:
        answer, parts = self._answer, self._parts
        if answer is None or parts is None:
            raise SourceError(f"{self._shown} is not open")
        until = time.monotonic() + SILENCE
        while time.monotonic() < until and not self._stop.is_set():
            data = _some(answer.raw)
            if not data:
                raise SourceError(f"{self._shown} ended the stream")
            complete = parts.feed(data)
            if complete:
                return complete[-1]
        raise SourceError(f"{self._shown} sends no whole picture")

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
                    raise SourceError(f"{self._shown} sends no whole picture")
        return bytes(data)

    def _get(self) -> requests.Response:
        if self._session is None:
            raise SourceError(f"{self._shown} is not open")
        self._asked = time.monotonic()
        try:
            return self._session.get(self._plain, stream=True, timeout=(CONNECT, SILENCE))
        except requests.RequestException as error:
            raise SourceError(f"{self._shown} cannot be reached: {why_broken(error)}") from None

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


def _some(raw: Any) -> bytes:
    """The bytes that are there, after waiting for the first."""
    read1 = getattr(raw, "read1", None)  # older HTTP libraries lack it; they wait for all of these
    data: bytes = raw.read(2048) if read1 is None else read1(_CHUNK)
    return data
