"""The stage of a strike: a real server as it comes, and a table at which people play meanwhile."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from bench.rounds import SeededGame
from referee.rules.codec import move_to_json

API = "/api/v1"
JSON = {"Content-Type": "application/json"}
HOME = "127.0.0.1"
PLAYERS = ("Ann", "Bo", "Cy", "Dot")
DECK = "classic-112"
ENDLESS = {"target": 1_000_000}
MOVES_A_SECOND = 20
TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: status, headers by lower-case name, body as bytes."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """The parsed body."""
        return json.loads(self.data)

    @property
    def refused(self) -> bool:
        """True for a client's error that is told as a problem, and small."""
        kind = self.headers.get("content-type", "")
        return (
            400 <= self.status < 500
            and kind.startswith("application/problem+json")
            and len(self.data) < 8192
        )


class Client:
    """Sends requests from one address with one token; each on a connection of its own."""

    def __init__(self, port: int, token: str | None = None, address: str = HOME) -> None:
        self.port, self.token, self.address = port, token, address

    def as_(self, token: str | None) -> "Client":
        """Return a client at the same address with another token."""
        return Client(self.port, token, self.address)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request; a body that is not bytes is sent as JSON."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        sent = {} if body is None else dict(JSON)
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, TIMEOUT, source_address=(self.address, 0)
        )
        try:
            where = path if path.startswith(("/api", "/metrics", "/ready")) else API + path
            connection.request(method, where, data, {**sent, **(headers or {})})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, named, answer.read())
        finally:
            connection.close()

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a POST."""
        return self.send("POST", path, body, headers)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a GET."""
        return self.send("GET", path, None, headers)

    def table(self, deck: str = DECK, **more: Any) -> "Table":
        """Make a table."""
        made = self.post("/tables", {"ruleset": deck, "seats": list(PLAYERS), **more})
        assert made.status == 201, made.data
        return Table(
            self.as_(made.json["token"]), made.json["table"]["id"], made.json["table"]["code"]
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A table as its host has it."""

    host: Client
    id: str
    code: str

    def post(self, path: str, body: Any, client: Client | None = None) -> Answer:
        """Post below the table's path, as the host unless said otherwise."""
        return (client or self.host).post(f"/tables/{self.id}{path}", body)

    def get(self, path: str = "", client: Client | None = None) -> Answer:
        """Read below the table's path."""
        return (client or self.host).get(f"/tables/{self.id}{path}")

    def join(self, seat: int | None = None, address: str | None = None) -> Client:
        """Take a seat, or watch."""
        guest = Client(self.host.port, None, address or self.host.address)
        joined = guest.post("/join", {"code": self.code} | ({} if seat is None else {"seat": seat}))
        assert joined.status == 201, joined.data
        return guest.as_(joined.json["token"])

    def open_round(self, card: str = "red-7") -> None:
        """Turn up the first card."""
        opened = self.post("/rounds", {"dealer": 1, "opening": [card]})
        assert opened.status == 201, opened.data


class NormalTable(threading.Thread):
    """People who play on at their table, whatever else happens; it notes how long moves take."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.table = Client(port).table(options=ENDLESS)
        self.seconds: list[float] = []
        self.failed: list[str] = []
        self._over = threading.Event()

    def run(self) -> None:
        """Play rounds to their end, a move at a time."""
        game = SeededGame(DECK, 7, ENDLESS)
        while not self._over.is_set():
            dealt = game.round()
            opening = {"dealer": dealt.dealer, "opening": list(dealt.opening)}
            moves = [
                ("/rounds", opening),
                *(("/moves", move_to_json(move)) for move in dealt.moves),
            ]
            for path, body in moves:
                if self._over.wait(1 / MOVES_A_SECOND):
                    return
                began = time.monotonic()
                try:
                    answer = self.table.post(path, body)
                except OSError as error:
                    self.failed.append(repr(error))
                    return
                self.seconds.append(time.monotonic() - began)
                if answer.status != 201:
                    self.failed.append(f"{answer.status} {answer.data[:200]!r}")
                    return

    def stop(self) -> None:
        """Get up from the table."""
        self._over.set()
        self.join(TIMEOUT)


@dataclass
class Stage:
    """A server, what it has said on its error stream, what was slow, and the table beside."""

    process: "subprocess.Popen[bytes]"
    port: int
    folder: Path
    log: Path
    slow: list[str] = field(default_factory=list)
    normal: NormalTable = field(init=False)

    def __post_init__(self) -> None:
        self.normal = NormalTable(self.port)

    def memory(self) -> float:
        """Return the memory of all processes of the server, in MB."""
        return sum(_resident(number) for number in _family(self.process.pid)) / 1024

    def said(self) -> str:
        """Return what the server has logged so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")


def _family(number: int) -> Iterator[int]:
    yield number
    children = Path(f"/proc/{number}/task/{number}/children")
    for child in children.read_text(encoding="ascii").split() if children.exists() else ():
        yield from _family(int(child))


def _resident(number: int) -> int:
    status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


@contextmanager
def stage(**env: str) -> Iterator[Stage]:
    """Start a server with its default limits in a folder of its own, and people at a table."""
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name, "server.log")
        command = [sys.executable, "-m", "referee", "serve", "--port", "0"]
        command += ["--database", str(folder / "referee.sqlite3")]
        inherited = {key: os.environ[key] for key in os.environ if not key.startswith("REFEREE_")}
        with (
            log.open("wb") as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env={**inherited, **env}
            ) as process,
        ):
            try:
                assert process.stdout is not None
                made = Stage(process, _port(process.stdout), folder, log)
                made.normal.start()
                yield made
                made.normal.stop()
            finally:
                process.terminate()
                process.wait(TIMEOUT)


def _port(output: IO[bytes]) -> int:
    for line in output:
        for word in line.decode().split():
            if word.startswith("http://") and word.rstrip(".").rpartition(":")[2].isdigit():
                return int(word.rstrip(".").rpartition(":")[2])
    raise AssertionError("the server did not start")
