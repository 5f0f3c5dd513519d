"""Hostile shapes of a request: many, deep, long, of a wrong type, invisible, chunked, half sent."""

import json
import random
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tests.strike.sockets import ATTACKS, attacked
from tests.strike.stage import API, TIMEOUT, Client

PATHS = ("/tables", "/join", "/check", "/records", "/replay", "/records/replay")
BELOW = ("/moves", "/rounds", "/corrections", "/observations", "/custom-cards", "/tokens", "/seats")
BODIES: dict[str, dict[str, Any]] = {
    "/tables": {"ruleset": "classic-108", "seats": ["Ann", "Bo"]},
    "/join": {"code": "K7QX2M4P", "seat": 1},
    "/check": {"position": "classic-108 7,7 2> play red-7", "move": {"seat": 2, "move": "draw"}},
    "/moves": {"seat": 2, "move": "play", "card": "red-3"},
    "/rounds": {"opening": ["red-7"], "dealer": 1},
    "/corrections": {"kind": "undo"},
    "/custom-cards": {"card": {"text": "Sing.", "effects": []}},
    "/seats": {"name": "Di"},
}
WORDS = (
    "\u200b",
    "\u202e",
    "\u3164",
    "\ufeff",
    "a\u0301" * 50,
    "\ud800",
    "\x00",
    "Ａｎｎ",
    "🂡" * 99,
)
WRONG: tuple[Any, ...] = (None, True, -1, 1e308, 2**80, "7", [], {}, [[]], {"a": 1})
# Seconds for which sockets are held, and how many.
HELD, SOCKETS = 2.0, 25
LARGEST_ANSWER = 16_384
# A large table is made on purpose, and answered in full.
FINE = 201


def shaped(chance: random.Random, path: str) -> tuple[str, bytes]:
    """Return the name of a shape, and a body of it for a path."""
    sound = BODIES.get(path, {"a": 1, "b": ["c"]})
    field = chance.choice([*sound, "extra"])
    size = int(10 ** chance.uniform(1, 5))
    depth = chance.choice((10, 60, 900, 20_000))
    kind = chance.choice(
        ("many", "fields", "deep", "long", "wrong type", "invisible", "cut", "twice")
    )
    if kind == "many":
        return kind, _json({**sound, field: [chance.choice(WRONG)] * min(size, 30_000)})
    if kind == "fields":
        return kind, _json({**sound, **{f"x{i}": i for i in range(min(size, 8_000))}})
    if kind == "deep":
        opened, closed = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
        inner = opened * depth + b"1" + closed * depth
        return kind, b'{"%s": %s}' % (field.encode(), inner)
    if kind == "long":
        return kind, _json({**sound, chance.choice((field, "x" * size)): "y" * size})
    if kind == "wrong type":
        spoilt = {**sound, field: chance.choice(WRONG)}
        return kind, _json(chance.choice((spoilt, spoilt, chance.choice(WRONG), [sound])))
    if kind == "invisible":
        return kind, _json({**sound, field: chance.choice(WORDS) * chance.randint(1, 20)})
    if kind == "cut":
        whole = _json(sound)
        return kind, whole[: chance.randrange(len(whole))]
    return kind, _json(sound)[:-1] + b", " + _json(sound)[1:]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("ascii")


class Shapes:
    """Sends shapes until told to stop, and notes what is answered wrong."""

    def __init__(self, port: int, number: int, found: dict[str, str]) -> None:
        self.client = Client(port, address="127.0.0.2")
        self.chance = random.Random(number)
        self.found = found
        self.sent: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        self.slowest = 0.0
        self.table = self.client.table()
        self.table.open_round()

    def run(self, go_on: Callable[[], bool]) -> None:
        """Send one after the other."""
        while go_on():
            if self.chance.random() < 0.01:
                self._hold()
            below = self.chance.random() < 0.6
            path = self.chance.choice(BELOW if below else PATHS)
            kind, body = shaped(self.chance, path)
            where = f"/tables/{self.table.id}{path}" if below else path
            send = self.chance.choices((self._plain, self._chunked, self._bad_chunk), (8, 2, 1))[0]
            began = time.monotonic()
            status, answer = send(where, body)
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.sent[f"{kind}, {send.__name__.strip('_')}"] += 1
            self.answers[status] += 1
            too_large = status != FINE and len(answer) > LARGEST_ANSWER
            if status >= 500 or too_large:
                key = f"{kind} by {send.__name__} to {path}: {status}, {len(answer)} bytes"
                self.found.setdefault(key, f"{key}\n  {body[:300]!r}\n  {answer[:300]!r}")

    def _plain(self, path: str, body: bytes) -> tuple[int, bytes]:
        answer = self.table.host.send("POST", path, body)
        return answer.status, answer.data

    def _chunked(self, path: str, body: bytes) -> tuple[int, bytes]:
        size = self.chance.choice((1, 7, 4096)) if len(body) < 5_000 else 4096
        pieces = [body[at : at + size] for at in range(0, len(body), size)]
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in pieces)
        return self._raw(path, chunks + b"0\r\n\r\n")

    def _bad_chunk(self, path: str, body: bytes) -> tuple[int, bytes]:
        size = self.chance.choice((b"zz", b"-1", b"ffffffffffffffff", b"", b"5;" + b"x" * 9_000))
        rest = size + b"\r\n" + body[:50] + b"\r\n0\r\n\r\n"
        return self._raw(path, rest, half_close=True)

    def _raw(self, path: str, sent: bytes, *, half_close: bool = False) -> tuple[int, bytes]:
        """Send a chunked request; 0 if the server only closes the connection."""
        head = (
            f"POST {API}{path} HTTP/1.1\r\nHost: fuzz\r\nConnection: close\r\n"
            f"Authorization: Bearer {self.table.host.token}\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        data = b""
        # A server may refuse before it has read everything.
        with socket.create_connection(("127.0.0.1", self.client.port), TIMEOUT) as one:
            with suppress(OSError):
                one.sendall(head.encode() + sent)
                if half_close:
                    one.shutdown(socket.SHUT_WR)
            with suppress(OSError):
                while part := one.recv(65_536):
                    data += part
        status = data[9:12]
        return (int(status) if status.isdigit() else 0), data

    def _hold(self) -> None:
        """Hold sockets that say nothing, too little, or too slowly; ask beside them."""
        name = self.chance.choice(sorted(ATTACKS))
        attack = replace(ATTACKS[name], count=min(SOCKETS, ATTACKS[name].count))
        with attacked(("127.0.0.1", self.client.port), attack):
            until = time.monotonic() + HELD
            while time.monotonic() < until:
                answer = self.table.get()
                if answer.status != 200:
                    self.found.setdefault(f"beside {name}: {answer.status}", str(answer.data[:300]))
        self.sent[f"held: {name}"] += 1
