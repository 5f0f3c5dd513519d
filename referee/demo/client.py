"""A client of the REST API, such as a phone at the table would have: one for each seat."""

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
Json = dict[str, Any]


class DemoError(Exception):
    """The demo cannot go on, or the referee was wrong; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the server: its body, the table's version (0 for none), how long it took."""

    body: Json
    version: int
    seconds: float


class Client:
    """Speaks for whoever holds the token; without one, for anybody."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server = server
        self.session = requests.Session()
        # Not the surroundings' proxies or passwords: the server is on this machine.
        self.session.trust_env = False
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Json:
        """Read something. Raises DemoError."""
        return self._send("GET", path, None, {}).body

    def post(
        self, path: str, body: Mapping[str, Any], version: int | None = None, key: str | None = None
    ) -> Answer:
        """Write something, once, however often it has to be sent. Raises DemoError.

        ``version`` is the table's version that the writer has in mind. ``key`` makes a repetition
        known as such; a new one is made unless it is given.
        """
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send("POST", path, body, headers)

    def delete(self, path: str, version: int) -> Answer:
        """Take something back. Raises DemoError."""
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
                # Whether it arrived is not known: the same key makes it safe to send again.
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
        said = f"{body.get('title')}: {body.get('detail')} ({body.get('type')})"
        raise DemoError(f"{method} {path} was refused with {answer.status_code}. {said}")
    tag = answer.headers.get("ETag", "").strip('W/"')
    return Answer(body, int(tag) if tag.isdecimal() else 0, seconds)
