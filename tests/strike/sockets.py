"""Sockets that are opened and then not served as they should be, beside a table that plays.

``python -m tests.strike.sockets HOST:PORT`` attacks a running server, and prints how long the moves
of a normal table took meanwhile.
"""

import argparse
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import requests

from tests.waiting import PATIENCE

SECONDS = 4.0
PACE = 0.02
DRIP = 0.2
ASK = b"GET /api/v1/rulesets HTTP/1.1\r\nHost: strike\r\n"
POST = (
    b"POST /api/v1/check HTTP/1.1\r\nHost: strike\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n"
)
CHUNKED = POST.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked")
BIG = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: strike\r\n\r\n"

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Attack:
    """Bytes that each socket sends at once, then one at a time; whether it reads, and half closes.

    ``again`` opens one more socket a second.
    """

    count: int
    sends: bytes = b""
    drips: bytes = b""
    half_closes: bool = False
    reads: bool = False
    again: bool = False


ATTACKS: Mapping[str, Attack] = {
    "no byte": Attack(200),
    "slow headers": Attack(100, ASK, b"X-Slow: " + b"a" * 1000),
    "slow bodies": Attack(100, POST, b" " * 900),
    "unfinished bodies": Attack(60, POST + b'{"posi'),
    "unfinished chunks": Attack(60, CHUNKED + b"3e8\r\n{"),
    "left open": Attack(20, ASK + b"Connection: close\r\n\r\n", again=True),
    "half closed": Attack(60, ASK + b"\r\n", half_closes=True, again=True),
    "half a body, half closed": Attack(60, POST + b"{", half_closes=True, again=True),
    "unread answers": Attack(40, BIG * 60),
    "idle": Attack(200, ASK + b"\r\n", reads=True),
}


@dataclass
class Beside:
    """What a normal table met: seconds of each move, and moves without a good answer."""

    took: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def percentile(self, percent: float) -> float:
        """Return a percentile in ms; a failed move took as long as anybody waits."""
        ordered = sorted([*self.took, *(PATIENCE for _ in self.failed)])
        return 1000 * ordered[int((len(ordered) - 1) * percent / 100)]


@contextmanager
def attacked(address: Address, attack: Attack) -> Iterator[list[socket.socket]]:
    """Keep an attack going; yield its sockets."""
    sockets: list[socket.socket] = []
    stop = threading.Event()
    for _ in range(attack.count):
        _open(address, attack, sockets)
    thread = threading.Thread(target=_go_on, args=(address, attack, sockets, stop))
    thread.start()
    try:
        yield sockets
    finally:
        stop.set()
        thread.join()
        for one in sockets:
            one.close()


def _open(address: Address, attack: Attack, sockets: list[socket.socket]) -> None:
    one = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
    if not attack.reads:
        # An answer that is not read then fills the server's side soon.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.settimeout(PATIENCE)
    sockets.append(one)
    # A server may refuse it.
    with suppress(OSError):
        one.connect(address)
        if attack.reads:
            one.sendall(attack.sends)
            one.recv(4096)
        one.setblocking(False)
        if attack.sends and not attack.reads:
            one.send(attack.sends)
        if attack.half_closes:
            one.shutdown(socket.SHUT_WR)


def _go_on(
    address: Address, attack: Attack, sockets: list[socket.socket], stop: threading.Event
) -> None:
    dripped = 0
    while not stop.wait(DRIP):
        byte = attack.drips[dripped : dripped + 1]
        dripped += 1
        for one in sockets if byte else ():
            with suppress(OSError):
                one.send(byte)
        if attack.again and dripped % round(1 / DRIP) == 0:
            _open(address, attack, sockets)


class NormalTable:
    """A table of two who draw and pass in turn, each move on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._api = f"{url}/api/v1"
        new = {"ruleset": "classic-112", "seats": ["Ann", "Bo"]}
        made = requests.post(f"{self._api}/tables", json=new, timeout=PATIENCE).json()
        self._table = f"{self._api}/tables/{made['table']['id']}"
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {made['token']}"
        opened = {"opening": ["red-7"], "dealer": 1}
        begun = self._session.post(f"{self._table}/rounds", json=opened, timeout=PATIENCE)
        self._state = begun.json()["state"]

    def move(self, beside: Beside) -> None:
        """Make one move and note how it went; every second one on a new connection."""
        move = "draw" if self._state["awaiting"][0]["need"] == "play" else "pass"
        body = {"seat": self._state["turn"], "move": move}
        if move == "draw":
            self._session.close()
        began = time.perf_counter()
        try:
            answer = self._session.post(f"{self._table}/moves", json=body, timeout=PATIENCE)
        except requests.RequestException as error:
            beside.failed.append(type(error).__name__)
            return
        if answer.status_code != 201:
            beside.failed.append(f"{answer.status_code}: {answer.text[:200]}")
            return
        beside.took.append(time.perf_counter() - began)
        self._state = answer.json()["state"]


def play_beside(url: str, seconds: float, moves: int = sys.maxsize) -> Beside:
    """Play for so long, or so many moves."""
    table, beside = NormalTable(url), Beside()
    until = time.monotonic() + seconds
    while time.monotonic() < until and len(beside.took) + len(beside.failed) < moves:
        table.move(beside)
        time.sleep(PACE)
    return beside


def strike(url: str, name: str, seconds: float = SECONDS, moves: int = sys.maxsize) -> Beside:
    """Play at a normal table under one of the attacks."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    with attacked((host.strip("[]"), int(port)), ATTACKS[name]):
        return play_beside(url, seconds, moves)


def main() -> None:
    """Attack a server in every way, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.strike.sockets", description=__doc__)
    parser.add_argument("server", help="HOST:PORT")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    args = parser.parse_args()
    url = f"http://{args.server}"
    say("calm", play_beside(url, args.seconds))
    for name in ATTACKS:
        try:
            say(name, strike(url, name, args.seconds))
        except (requests.RequestException, ValueError) as error:
            sys.stdout.write(f"{name:26} no table could be made: {type(error).__name__}\n")


def say(name: str, beside: Beside) -> None:
    """Print a line about an attack."""
    failed = f"; {len(beside.failed)} failed: {beside.failed[0]}" if beside.failed else ""
    p99, longest = beside.percentile(99), beside.percentile(100)
    took = f"{len(beside.took):5} moves, p99 {p99:8.1f} ms, longest {longest:8.1f} ms"
    sys.stdout.write(f"{name:26} {took}{failed}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
