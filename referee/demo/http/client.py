"""A client of the REST API, as a phone at the table would be."""

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import requests

API = "/api/v1"
TRIES = 4
PAUSE = 0.1
TIMEOUT = 30.0
STALE = 412
Json = dict[str, Any]


class DemoError(Exception):
    """The demo cannot go on, or the referee was wrong; the message is one sentence."""


class StaleError(DemoError):
    """A write named a version of the table that something has followed since."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: its body, the table's version (0 for none) and the seconds it took."""

    body: Json
    version: int
    seconds: float


class Client:
    """Sends requests with a token, or without one."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server = server
        self.session = requests.Session()
        # The server runs on this machine: ignore proxies and .netrc.
        self.session.trust_env = False
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Json:
        """Send a GET request and return the body. Raises DemoError."""
        return self._send("GET", path, None, {}).body

    def post(
        self, path: str, body: Mapping[str, Any], version: int | None = None, key: str | None = None
    ) -> Answer:
        """Send a POST request, again if no response comes. Raises DemoError.

        ``version`` goes into If-Match; ``key`` is the Idempotency-Key, by default a new one.
        """
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send("POST", path, body, headers)

    def delete(self, path: str, version: int) -> Answer:
        """Send a DELETE request. Raises DemoError."""
        return self._send("DELETE", path, None, {"If-Match": f'"{version}"'})

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> Answer:
        url = f"{self.server}{API}{path}"
        for left in reversed(range(TRIES)):
            start = time.perf_counter()
            try:
                answer = self.session.request(
                    method, url, json=body, headers=headers, timeout=TIMEOUT
                )
            except (requests.ConnectionError, requests.Timeout) as error:
                # The request may have arrived; with the same key it is safe to send it again.
                if not left:
                    raise DemoError(
                        f"{method} {path} got no answer in {TRIES} tries: {error}"
                    ) from None
                time.sleep(PAUSE)
                continue
            return _read(method, path, answer, time.perf_counter() - start)
        raise AssertionError("unreachable")


def _read(method: str, path: str, answer: requests.Response, seconds: float) -> Answer:
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise DemoError(f"{method} {path} was answered {answer.status_code}, and not with JSON")
    if not answer.ok:
        problem = f"{body.get('title')}: {body.get('detail')} ({body.get('type')})"
        refused = StaleError if answer.status_code == STALE else DemoError
        raise refused(f"{method} {path} was refused with {answer.status_code}. {problem}")
    tag = answer.headers.get("ETag", "").strip('W/"')
    return Answer(body, int(tag) if tag.isdecimal() else 0, seconds)
