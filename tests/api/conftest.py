"""The server in the test's process, and clients with tokens."""

import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.api import close_app as close
from referee.api import create_app
from referee.api.limits import work
from referee.config import NO_LIMITS, Guard, Settings
from referee.service.devices.frames import Frame, FrameError, Sender
from referee.service.records.photos import PhotoError, ReadCard, ReadPhoto
from tests.api.described import compare_answers
from tests.postgres import PostgresServer

API = "/api/v1"
JPEG = b"\xff\xd8 a photo"


@dataclass
class Seat:
    """A client with a token, or without one, at a table."""

    client: FlaskClient
    token: str | None = None
    table: str = ""
    seats: dict[int, "Seat"] = field(default_factory=dict)

    def token_id(self) -> str:
        """Return the id of this token."""
        return self.get("/tokens/self").get_json()["id"]

    def photo(
        self, photo: bytes = JPEG, mimetype: str = "image/jpeg", query: str = ""
    ) -> TestResponse:
        """Send a photo of cards."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        path = f"{API}/tables/{self.table}/photos{query}"
        return self.client.post(path, data=photo, content_type=mimetype, headers=headers)

    def frame(
        self, jpeg: bytes = JPEG, mimetype: str = "image/jpeg", query: str = ""
    ) -> TestResponse:
        """Send a frame of the camera."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        path = f"{API}/tables/{self.table}/frames?captured=1000&sent=1001.5{query}"
        return self.client.post(path, data=jpeg, content_type=mimetype, headers=headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a request; header names are written with underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named["Authorization"] = f"Bearer {self.token}"
        return self.client.open(path, method=method, json=body, headers=named)

    def get(self, path: str = "", **headers: str) -> TestResponse:
        """Send a GET below the table's path."""
        return self.call("GET", f"{API}/tables/{self.table}{path}", **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Send a POST below the table's path."""
        return self.call("POST", f"{API}/tables/{self.table}{path}", body, **headers)

    def create(self, path: str, body: Any = None, **headers: str) -> Any:
        """Send a POST that has to be taken; return the answer's JSON."""
        answer = self.post(path, body, **headers)
        assert answer.status_code == 201, answer.text
        return answer.get_json()

    def delete(self, path: str, **headers: str) -> TestResponse:
        """Send a DELETE below the table's path."""
        return self.call("DELETE", f"{API}/tables/{self.table}{path}", **headers)

    def move(self, seat: int, move: str, **fields: Any) -> dict[str, Any]:
        """Make a move, with the seat's own token if there is one."""
        speaker = self.seats.get(seat, self)
        return speaker.create("/moves", {"seat": seat, "move": move, **fields})

    def correct(self, kind: str, **fields: Any) -> Any:
        """Make a correction; return its entry."""
        return self.create("/corrections", {"kind": kind, **fields})

    def count_hands(self, count: int, *seats: int) -> None:
        """Correct how many cards these seats hold."""
        for seat in seats:
            self.correct("hand-count", seat=seat, count=count)

    def join(self, seat: int | None = None) -> "Seat":
        """Let another phone join by the code, at a seat or to watch."""
        body = {"code": self.get().get_json()["code"]} | ({} if seat is None else {"seat": seat})
        joined = self.client.post(f"{API}/join", json=body)
        assert joined.status_code == 201, joined.text
        return Seat(self.client, joined.get_json()["token"], self.table)

    def device(self, kind: str, name: str = "Eye") -> "Seat":
        """Register a device."""
        token = self.create("/devices", {"name": name, "kind": kind})["token"]
        return Seat(self.client, token, self.table)

    def state(self) -> dict[str, Any]:
        """Return the table's public state."""
        return self.get().get_json()["state"]


def open_table(
    client: FlaskClient,
    ruleset: str = "classic-108",
    names: tuple[str, ...] = ("Ann", "Bo", "Cy"),
    opening: tuple[str, ...] | None = ("red-7",),
    dealer: int = 1,
    **options: Any,
) -> Seat:
    """Open a table and take all its seats; return the host, with the players in ``seats``."""
    body = {"ruleset": ruleset, "seats": list(names), "options": options}
    made = client.post(f"{API}/tables", json=body)
    assert made.status_code == 201, made.text
    table = made.get_json()["table"]
    host = Seat(client, made.get_json()["token"], table["id"])
    for seat in range(1, len(names) + 1):
        joined = client.post(f"{API}/join", json={"code": table["code"], "seat": seat}).get_json()
        host.seats[seat] = Seat(client, joined["token"], table["id"])
    if opening is not None:
        host.create("/rounds", {"opening": list(opening), "dealer": dealer})
    return host


def record(*rounds: dict[str, Any]) -> dict[str, Any]:
    """Return a record of Ann and Bo's game."""
    game = {"ruleset": "classic-108", "options": {}, "seats": ["Ann", "Bo"]}
    return {"format": "referee-record/1", **game, "rounds": list(rounds)}


def imported(client: FlaskClient, record: dict[str, Any]) -> Seat:
    """Make a table of a record; return its host."""
    made = client.post(f"{API}/records", json=record)
    assert made.status_code == 201, made.text
    return Seat(client, made.get_json()["token"], made.get_json()["table"]["id"])


def at_once(*calls: Callable[[], object]) -> None:
    """Make calls in a thread each, and wait for all."""
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@dataclass
class Reader:
    """A card reader that returns what the test sets."""

    cards: list[ReadCard] = field(default_factory=list)
    complete: bool = True
    trouble: PhotoError | None = None
    deck: Collection[str] = ()
    photo: bytes = b""

    def read(self, photo: bytes, deck: Collection[str]) -> ReadPhoto:
        self.photo, self.deck = photo, set(deck)
        if self.trouble:
            raise self.trouble
        return ReadPhoto(self.cards, self.complete)

    def picture_alone(self, photo: bytes) -> bytes:
        return photo


SEEN = {
    "state": "watching",
    "reason": None,
    "card": "red-7",
    "sure": True,
    "busy": False,
    "pile": [[0.4, 0.3], [0.6, 0.3], [0.6, 0.7], [0.4, 0.7]],
    "draw_pile": None,
    "advice": ["glare"],
    "frames_per_second": 12,
    "picture_every_s": 2.0,
}


@dataclass
class Frames:
    """A reader of frames that returns what the test sets, and keeps what it was sent."""

    trouble: FrameError | None = None
    sent: list[tuple[Sender, Frame]] = field(default_factory=list)
    chance: float = 1.0

    def take(self, sender: Sender, frame: Frame) -> dict[str, Any]:
        self.sent.append((sender, frame))
        if self.trouble:
            raise self.trouble
        return {name: seen for name, seen in SEEN.items() if name != "sure"} | {
            "chance": self.chance
        }


MakeApp = Callable[..., Flask]
KEY = "operator-" + "k" * 32
UNLIMITED = Guard(limits=NO_LIMITS, operator_key=KEY)


@pytest.fixture(scope="session")
def shared_app(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MakeApp]:
    """Return a server for each kind of store, shared by all tests of the worker."""
    made: dict[str, Flask] = {}

    def share(store: str) -> Flask:
        if store not in made:
            database = str(tmp_path_factory.mktemp("shared") / "tables.sqlite3")
            if store == "postgresql":
                database = request.getfixturevalue("postgres").database()
            made[store] = create_app(Settings(database, keep_alive=0.2, guard=UNLIMITED))
            compare_answers(made[store])
        return made[store]

    yield share
    for app in made.values():
        close(app)


@pytest.fixture
def store() -> str:
    """The kind of store; ``both_stores`` runs a test on each."""
    return "sqlite"


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[MakeApp]:
    """Make servers for this test alone."""
    made: list[Flask] = []

    def make(guard: Guard = UNLIMITED, database: str | None = None, **more: Any) -> Flask:
        database = database or str(tmp_path / f"tables-{len(made)}.sqlite3")
        made.append(create_app(Settings(database, keep_alive=0.2, guard=guard, **more)))
        compare_answers(made[-1])
        return made[-1]

    yield make
    for app in made:
        close(app)


@pytest.fixture(scope="module")
def apps(postgres: PostgresServer) -> Iterator[tuple[Flask, Flask]]:
    """Two servers with one database."""
    settings = Settings(database=postgres.database(), keep_alive=0.5, guard=UNLIMITED)
    both = create_app(settings), create_app(settings)
    yield both
    for app in both:
        close(app)


@pytest.fixture
def app(shared_app: MakeApp, store: str) -> Flask:
    return shared_app(store)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def host(client: FlaskClient) -> Seat:
    return open_table(client)


@pytest.fixture
def reader(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Give the server a card reader during the test."""
    reader = Reader()
    monkeypatch.setitem(app.extensions, "referee-card-reader", reader)
    return reader


@pytest.fixture
def slow_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is timed takes a second of processor time."""
    monkeypatch.setattr(work, "time", SimpleNamespace(thread_time=count().__next__))
