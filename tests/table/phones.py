"""Phones at a real server: every answer is looked at, and no refusal comes without a reason."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import requests

API = "/api/v1"
PROBLEM = "application/problem+json"
TIMEOUT = 30.0
PAGE = 200
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: its status and its body, JSON or text."""

    status: int
    body: Any

    @property
    def done(self) -> bool:
        """Whether the server did it."""
        return self.status < 400


class Phone:
    """A client with one token; ``acknowledged`` are the entries that its writes were answered."""

    def __init__(self, server: str, table: str, token: str, acknowledged: dict[int, Json]) -> None:
        self.server, self.table, self.token = server, table, token
        self.acknowledged = acknowledged
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["Authorization"] = f"Bearer {token}"

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request below the table's path, or with ``/api`` anywhere; check the answer."""
        named = dict(headers or {})
        if method != "GET":
            named["Idempotency-Key"] = key or str(uuid.uuid4())
        where = path if path.startswith(API) else f"{API}/tables/{self.table}{path}"
        given = self.session.request(
            method, self.server + where, json=body, headers=named, timeout=TIMEOUT
        )
        said = f"{method} {path} {body}: {given.status_code} {given.text[:600]}"
        assert given.status_code < 500, said
        kind = given.headers.get("Content-Type", "").partition(";")[0]
        found = given.json() if kind.endswith("json") else given.text
        if given.status_code >= 400:
            assert kind == PROBLEM, said
            assert found["status"] == given.status_code, said
            assert all(found[name] for name in ("title", "detail")), said
            assert all(one["field"] and one["reason"] for one in found.get("errors", ())), said
        elif method != "GET" and "preview" not in path and {"id", "kind", "at"} <= set(found):
            self.acknowledged[found["id"]] = found
        return Answer(given.status_code, found)

    def do(self, method: str, path: str, body: Any = None, key: str | None = None) -> Json:
        """Send a request that must be done; return the body."""
        answer = self.send(method, path, body, key)
        assert answer.done, f"{method} {path} {body}: {answer.status} {answer.body}"
        found: Json = answer.body
        return found

    def refused(self, method: str, path: str, body: Any = None) -> Json:
        """Send a request that must be refused; return the problem."""
        answer = self.send(method, path, body)
        assert not answer.done, f"{method} {path} {body}: {answer.status} {answer.body}"
        found: Json = answer.body
        return found

    def get(self, path: str = "") -> Any:
        """Read below the table's path."""
        return self.do("GET", path)

    def entries(self) -> list[Json]:
        """Read the whole log."""
        found: list[Json] = []
        after: int | None = 0
        while after is not None:
            page = self.get(f"/events?limit={PAGE}&after={after}")
            found += page["items"]
            after = page["next"]
        return found


def join(server: str, code: str, seat: int | None, acknowledged: dict[int, Json]) -> Phone:
    """Take a seat with the join code, or watch."""
    nobody = Phone(server, "", "", acknowledged)
    del nobody.session.headers["Authorization"]
    wish = {"code": code} if seat is None else {"code": code, "seat": seat}
    joined = nobody.do("POST", f"{API}/join", wish)
    return Phone(server, joined["table_id"], joined["token"], acknowledged)


def open_table(
    server: str, acknowledged: dict[int, Json], ruleset: str, names: list[str], options: Json
) -> tuple[Phone, dict[int, Phone], Phone]:
    """Open a table: the host's phone, one for each seat, and one that watches."""
    nobody = Phone(server, "", "", acknowledged)
    del nobody.session.headers["Authorization"]
    wish = {"ruleset": ruleset, "seats": names, "options": options}
    made = nobody.do("POST", f"{API}/tables", wish)
    table, code = made["table"]["id"], made["table"]["code"]
    host = Phone(server, table, made["token"], acknowledged)
    seats = {seat: join(server, code, seat, acknowledged) for seat in range(1, len(names) + 1)}
    return host, seats, join(server, code, None, acknowledged)
