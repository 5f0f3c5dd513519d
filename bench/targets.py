"""Servers to put under load, and the requests for each."""

import http.client
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import count
from typing import Any

from bench.rounds import SEATS, SeededGame
from referee.rules.codec import move_to_json

RULESET = "classic-108"
ENDLESS = {"target": 1_000_000}
THREADS = 32

Prepare = Callable[[int, int, int], Sequence[Sequence[bytes]]]
"""Takes port, connections and requests per connection; returns the requests of each connection."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server: its WSGI app, the environment variable of its database, and its load.

    ``pinned`` keeps its process on one core. ``before``: it runs on the server used before.
    """

    name: str
    app: str
    database: str
    prepare: Prepare
    pinned: bool = False
    before: bool = False

    def command(self, port: int) -> list[str]:
        """Return the command that starts it."""
        if not self.before:
            return [sys.executable, "-m", "bench.served", self.app, str(port)]
        gunicorn = [sys.executable, "-m", "gunicorn", "--workers", "1", "--worker-class", "gthread"]
        settings = ["--threads", str(THREADS), "--keep-alive", "75", "--log-level", "warning"]
        return [*gunicorn, *settings, "--bind", f"127.0.0.1:{port}", self.app]


def post(path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> bytes:
    """Return a POST request as bytes."""
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(lines).encode() + content


def on_one_core(target: Target) -> Target:
    """Return the same target pinned to one core."""
    return replace(target, name=f"{target.name}; one core", pinned=True)


def on_gunicorn(target: Target) -> Target:
    """Return the same target on the threads of gunicorn, the server before (ADR 23)."""
    return replace(target, name=f"{target.name}; gunicorn", before=True)


def floor_load(port: int, connections: int, requests: int) -> Sequence[Sequence[bytes]]:
    """Repeat one small move."""
    return [
        [post("/moves", {"seat": 1, "move": "play", "card": "red-7"}, {})] * requests
    ] * connections


def referee_load(port: int, connections: int, requests: int) -> Sequence[Sequence[bytes]]:
    """Play whole rounds, one table per connection; the host moves for all seats."""
    return [_table(port, seed, requests, with_keys=False) for seed in range(connections)]


def keyed_load(port: int, connections: int, requests: int) -> Sequence[Sequence[bytes]]:
    """Do the same with an Idempotency-Key on each request, as phones send it."""
    return [_table(port, seed, requests, with_keys=True) for seed in range(connections)]


def _table(port: int, seed: int, requests: int, with_keys: bool) -> Sequence[bytes]:
    names = [f"Player {seat}" for seat in range(1, SEATS + 1)]
    table, token = _make_table(port, {"ruleset": RULESET, "seats": names, "options": ENDLESS})
    headers = {"Authorization": f"Bearer {token}"}
    keys = count()
    game = SeededGame(RULESET, seed, ENDLESS)
    ready: list[bytes] = []
    while len(ready) < requests:
        a_round = game.round()
        opening = {"dealer": a_round.dealer, "opening": list(a_round.opening)}
        bodies = [("rounds", opening), *(("moves", move_to_json(m)) for m in a_round.moves)]
        for path, body in bodies:
            extra = {"Idempotency-Key": f"{seed}-{next(keys)}"} if with_keys else {}
            ready.append(post(f"/api/v1/tables/{table}/{path}", body, {**headers, **extra}))
    return ready[:requests]


def _make_table(port: int, wish: Mapping[str, Any]) -> tuple[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    head = {"Content-Type": "application/json"}
    connection.request("POST", "/api/v1/tables", json.dumps(wish), head)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    if answer.status != http.HTTPStatus.CREATED:
        raise RuntimeError(f"no table: {body}")
    return body["table"]["id"], body["token"]


FLOOR = Target("floor", "bench.floor:app", "FLOOR_DATABASE", floor_load)
REFEREE = Target("referee", "referee.wsgi:app", "REFEREE_DATABASE", referee_load)
KEYED = Target("referee, Idempotency-Key", "referee.wsgi:app", "REFEREE_DATABASE", keyed_load)
HAS_GUNICORN = find_spec("gunicorn") is not None
BEFORE = tuple(on_gunicorn(target) for target in (FLOOR, REFEREE) if HAS_GUNICORN)
TARGETS = (FLOOR, REFEREE, KEYED, *BEFORE)
