"""One table of a referee's server, over its API and with one token."""

import json
import threading
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import requests
from mcp.server.mcpserver.exceptions import ToolError

TIMEOUT = 10.0
MOST_BYTES = 4 * 1024 * 1024
CHUNK = 65_536
# Field errors of a refusal that are repeated.
MOST_ERRORS = 5
Json = dict[str, Any]


class TableClient:
    """Reads a table, and posts moves to it. Nothing it raises or returns holds the token."""

    def __init__(self, server: str, table: str | None, token: str | None, code: str | None) -> None:
        self._api = f"{server.rstrip('/')}/api/v1"
        self._table = table
        self._token = token
        self._code = code
        self._joining = threading.Lock()
        self._session = requests.Session()
        # A .netrc would replace the token.
        self._session.trust_env = False

    @classmethod
    def from_settings(
        cls, server: str | None, table: str | None, token: str | None, code: str | None
    ) -> "TableClient | None":
        """Return the client of the configured table; None without a server. Raises ValueError."""
        if server is None:
            if table or token or code:
                raise ValueError("a table needs --server, or REFEREE_SERVER")
            return None
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("--server must be a URL such as http://192.168.1.20:8000")
        if code is not None:
            return cls(server, None, None, code)
        if not (table and token):
            raise ValueError("--server needs --table and REFEREE_TOKEN, or --code")
        return cls(server, table, token, None)

    def get(self, path: str, lang: str, **query: Any) -> Json:
        """Return the answer to a GET below the table's path. Raises ToolError."""
        self._join()
        return self._call("GET", self._path(path), lang, params=query)

    def post(self, path: str, body: Json, lang: str, version: int | None = None) -> Json:
        """Return the answer to a POST below the table's path. Raises ToolError.

        ``version``: only if the table is still at it.
        """
        self._join()
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        # Sent again with the same key if no answer comes, it counts once.
        for last in (False, True):
            try:
                return self._call("POST", self._path(path), lang, json=body, headers=headers)
            except _UnreachableError:
                if last:
                    raise
        raise AssertionError("unreachable")

    def _path(self, path: str) -> str:
        return f"/tables/{quote(self._table or '', safe='')}{path}"

    def _join(self) -> None:
        """Join with the code, to watch, at the first use."""
        with self._joining:
            if self._code is None or self._token is not None:
                return
            headers = {"Idempotency-Key": uuid.uuid4().hex}
            joined = self._call("POST", "/join", "en", json={"code": self._code}, headers=headers)
            self._table, self._token = str(joined["table_id"]), str(joined["token"])

    def _call(
        self,
        method: str,
        path: str,
        lang: str,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Json:
        sent = {"Accept": "application/json", "Accept-Language": lang, **(headers or {})}
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        try:
            with self._session.request(
                method,
                self._api + path,
                headers=sent,
                timeout=TIMEOUT,
                allow_redirects=False,
                stream=True,
                **more,
            ) as answer:
                status, content = answer.status_code, _bounded(answer)
        except requests.RequestException as error:
            kind = type(error).__name__
            raise _UnreachableError(f"The referee's server cannot be reached ({kind}).") from None
        body = _parsed(content)
        if not 200 <= status < 300:
            raise ToolError(_refusal(status, body))
        if not isinstance(body, dict):
            raise ToolError("The server answered with something else: is it a referee's?")
        return body


class _UnreachableError(ToolError):
    """No answer came; whether the request was carried out is not known."""


def _bounded(answer: requests.Response) -> bytes:
    content = b""
    for chunk in answer.iter_content(CHUNK):
        content += chunk
        if len(content) > MOST_BYTES:
            raise ToolError("The server's answer is too long.")
    return content


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _refusal(status: int, body: Any) -> str:
    """Return a problem of the server in one line."""
    if not isinstance(body, dict) or "title" not in body:
        return f"The server answered {status}."
    detail = str(body.get("detail") or body["title"])
    errors = [
        f"{error['field']}: {error['reason']}"
        for error in body.get("errors", ())[:MOST_ERRORS]
        if isinstance(error, dict) and {"field", "reason"} <= error.keys()
    ]
    more = [text for text in errors if text.partition(": ")[2] not in detail]
    return "; ".join([detail, *more])
