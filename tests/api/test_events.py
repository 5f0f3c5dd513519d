"""Events: pages, streams, tickets, keep-alive and resuming."""

import json
import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.conftest import API, Seat
from tests.api.test_bad_input import problem
from tests.conftest import both_stores

STREAM = "text/event-stream"


pytestmark = both_stores


def read(answer: TestResponse) -> Iterator[tuple[int, str, dict[str, object]]]:
    """Yield a stream's events as (id, kind, data), and its comments as (0, text, {})."""
    buffer = ""
    for chunk in answer.response:
        buffer += chunk.decode() if isinstance(chunk, bytes) else chunk
        while "\n\n" in buffer:
            block, buffer = buffer.split("\n\n", 1)
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "data" in lines:
                yield int(lines.get("id", 0)), lines["event"], json.loads(lines["data"])
            else:
                yield 0, block, {}


def take(answer: TestResponse, count: int) -> list[tuple[int, str, dict[str, object]]]:
    found = []
    for item in read(answer):
        if item[0]:
            found.append(item)
        if len(found) == count:
            break
    return found


def test_pages_go_on_until_the_end(host: Seat) -> None:
    first = host.get("/events?limit=2").get_json()
    assert [item["id"] for item in first["items"]] == [1, 2]
    rest = host.get(f"/events?after={first['next']}").get_json()
    assert [item["id"] for item in rest["items"]] == [3, 4, 5]
    assert rest["next"] is None
    assert host.get("/events?after=5").get_json() == {"items": [], "next": None}


def test_a_stream_brings_what_was_and_what_comes(app: Flask, host: Seat) -> None:
    answer = host.get("/events", Accept=STREAM, Last_Event_ID="4")
    assert answer.mimetype == STREAM

    def play() -> None:
        Seat(app.test_client(), host.token, host.table).move(2, "play", card="red-1")

    threading.Timer(0.1, play).start()
    events = take(answer, 2)
    assert [(number, kind) for number, kind, _ in events] == [(5, "round-opened"), (6, "moved")]
    assert events[1][2]["ruling"]["verdict"] == "legal"
    assert events[1][2]["announcements"]
    answer.close()


def test_a_silent_stream_says_that_it_is_there(host: Seat) -> None:
    answer = host.get("/events", Accept=STREAM, Last_Event_ID="5")
    comments = [text for _, text, _ in (next(it) for it in [read(answer)] for _ in range(2))]
    assert comments[0].startswith("retry:")
    assert comments[1] == ": still here"
    answer.close()


def test_a_ticket_opens_one_stream(host: Seat, client: FlaskClient) -> None:
    ticket = host.post("/stream-tickets").get_json()["ticket"]
    path = f"{API}/tables/{host.table}/events?ticket={ticket}"
    answer = client.get(path, headers={"Accept": STREAM})
    assert take(answer, 1)[0][1] == "created"
    answer.close()
    problem(client.get(path, headers={"Accept": STREAM}), 401, "not-authenticated")
    again = host.post("/stream-tickets").get_json()["ticket"]
    elsewhere = client.get(f"{API}/tables/{host.table}?ticket={again}")
    problem(elsewhere, 401, "not-authenticated")


def test_a_stream_ends_with_its_token(host: Seat) -> None:
    seat = host.seats[2].token_id()
    answer = host.seats[2].get("/events", Accept=STREAM, Last_Event_ID="5")
    reader = read(answer)
    next(reader)
    host.delete(f"/tokens/{seat}")
    kinds = [kind for _, kind, _ in reader]
    assert kinds[-1] == "revoked"


def test_old_events_are_read_from_the_log(
    app: Flask, host: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.api.stream.BATCH", 10)
    for _ in range(35):
        turn = host.state()["turn"]
        host.move(turn, "draw")
        host.move(turn, "pass")
    answer = host.get("/events", Accept=STREAM)
    assert [number for number, _, _ in take(answer, 75)] == list(range(1, 76))
    answer.close()
