"""The part of the referee's API that a gateway needs; one keep-alive connection per thread."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
import urllib3

from hardware.gateway.config import ServerConfig
from hardware.network import Failure, classify_failure

API = "/api/v1"
CONNECT_SECONDS = 3.05
ANSWER_SECONDS = 10.0
PROBLEMS = "/problems/"
EVENTS = "text/event-stream"
WHY_UNREACHABLE = {
    Failure.CERTIFICATE: "its certificate is not trusted: at home use its plain http:// address, "
    "or name the certificate to trust as ca_file under [server] in the configuration",
    Failure.NO_HOST: "no such host is known",
    Failure.REFUSED: "nothing listens there",
    Failure.TIMEOUT: "no answer came in time",
    Failure.UNREACHABLE: "the network does not reach it",
    Failure.BROKEN: "the connection broke",
}


class Unreachable(Exception):  # noqa: N818 - a state of the server
    """No answer came; the text says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: ``body`` if that is a JSON object; ``seconds`` is how long it took."""

    status: int
    body: Mapping[str, Any] | None
    seconds: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> str | None:
        """The problem type, such as ``not-found``; None unless a referee sent it."""
        kind = (self.body or {}).get("type")
        named = isinstance(kind, str) and kind.startswith(PROBLEMS)
        return str(kind).removeprefix(PROBLEMS) if named and self.status >= 400 else None

    @property
    def detail(self) -> str:
        """The problem's detail or title, or else the status."""
        text = (self.body or {}).get("detail") or (self.body or {}).get("title")
        return text if isinstance(text, str) else f"status {self.status}"


class Api:
    """One server, one token. Nothing is sent before the first request."""

    def __init__(self, server: ServerConfig, token: str = "") -> None:
        self._server = server
        self._session = requests.Session()
        # Ignore proxies and passwords of the environment: a password for the host would replace
        # the token, and looking them up costs time on each request.
        self._session.trust_env = False
        self._session.verify = str(server.ca_file) if server.ca_file else server.verify
        if not server.verify:
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        if token:
            self._session.headers["Authorization"] = f"Bearer {token}"

    @property
    def server_url(self) -> str:
        """The server's address."""
        return self._server.url

    def table_path(self, rest: str = "") -> str:
        """Return the path of a resource of the table."""
        return f"{API}/tables/{self._server.table}{rest}"

    def get(self, path: str) -> Reply:
        """Send a GET request. Raises Unreachable."""
        return self._send("GET", path, {}, None)

    def post(self, path: str, body: bytes, key: str) -> Reply:
        """Send a POST request; the same body and key count once. Raises Unreachable."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        return self._send("POST", path, headers, body)

    def delete(self, path: str) -> Reply:
        """Send a DELETE request. Raises Unreachable."""
        return self._send("DELETE", path, {}, None)

    @contextmanager
    def stream(self, last: int, silence: float) -> Iterator[requests.Response]:
        """Open the table's events after an id. Raises Unreachable, within the context too.

        ``silence``: seconds without a byte after which the stream counts as dead.
        """
        headers = {"Accept": EVENTS, "Last-Event-ID": str(last)}
        url = self._server.url + self.table_path("/events")
        try:
            with self._session.get(
                url,
                headers=headers,
                stream=True,
                timeout=(CONNECT_SECONDS, silence),
                allow_redirects=False,
            ) as answer:
                yield answer
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise self._unreachable(error) from None

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def _send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Reply:
        began = time.perf_counter()
        try:
            answer = self._session.request(
                method,
                self._server.url + path,
                headers=headers,
                data=body,
                timeout=(CONNECT_SECONDS, ANSWER_SECONDS),
                allow_redirects=False,
            )
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise self._unreachable(error) from None
        return read_reply(answer, time.perf_counter() - began)

    def _unreachable(self, error: Exception) -> Unreachable:
        return Unreachable(f"{self._server.url}: {WHY_UNREACHABLE[classify_failure(error)]}")


def read_reply(answer: requests.Response, seconds: float = 0.0) -> Reply:
    """Convert an answer of requests."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    fields = body if isinstance(body, dict) else None
    return Reply(answer.status_code, fields, seconds, answer.headers)
