"""Streams nobody reads are cut off; the others end with an event when the server stops."""

import socket
import threading
import time

import pytest

from referee.api.limits.streams import BUFFER_BYTES, HOST, PLAYER, StreamHolder, StreamLimit
from referee.service.problems import Problem
from tests.api.conftest import MakeApp, open_table
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, read


def test_a_reader_that_makes_no_room_is_cut_off() -> None:
    limit = StreamLimit(2, patience=20)
    ours, theirs = socket.socketpair()
    slot = limit.enter(lambda: None, ours)
    sent: list[Exception | None] = []

    def send() -> None:
        try:
            ours.sendall(b"x" * 64 * BUFFER_BYTES)
            sent.append(None)
        except OSError as error:
            sent.append(error)

    slot.writing_since = time.monotonic()
    sending = threading.Thread(target=send)
    sending.start()
    limit.shed(slot.writing_since + 19)
    assert not sent
    limit.shed(slot.writing_since + 21)
    sending.join(120)
    assert isinstance(sent[0], BrokenPipeError)
    limit.leave(slot)
    theirs.close()
    ours.close()


def test_a_stream_whose_reader_has_gone_ends_at_once() -> None:
    woken = []
    limit = StreamLimit(2)
    ours, theirs = socket.socketpair()
    slot = limit.enter(lambda: woken.append(True), ours)
    limit.shed(time.monotonic())
    assert not slot.over
    theirs.close()
    limit.shed(time.monotonic())
    assert slot.over
    assert woken
    limit.leave(slot)
    assert limit.open == 0
    ours.close()


def test_a_reader_that_reads_stays() -> None:
    limit = StreamLimit(2)
    ours, theirs = socket.socketpair()
    slot = limit.enter(lambda: None, ours)
    limit.shed(time.monotonic() + 1000)
    ours.sendall(b"x")
    assert theirs.recv(1) == b"x"
    assert not slot.over
    limit.leave(slot)
    ours.close()
    theirs.close()


def test_a_stream_that_yields_but_does_not_end_is_cut_off() -> None:
    limit = StreamLimit(9, shares={"table": 1})
    pairs = [socket.socketpair() for _ in range(2)]
    idle = limit.enter(lambda: None, pairs[0][0], StreamHolder("a"))
    blocked = limit.enter(lambda: None, pairs[1][0], StreamHolder("b", rank=PLAYER))
    assert idle.over
    assert limit.open == 2
    assert idle.ending_since is not None
    limit.shed(idle.ending_since + 1)
    pairs[0][0].sendall(b"x")
    limit.shed(idle.ending_since + 3)
    with pytest.raises(BrokenPipeError):
        pairs[0][0].sendall(b"x")
    blocked.writing_since = time.monotonic()
    limit.enter(lambda: None, None, StreamHolder("c", rank=HOST))
    with pytest.raises(BrokenPipeError):
        pairs[1][0].sendall(b"x")
    for one in (*pairs[0], *pairs[1]):
        one.close()


def test_no_stream_is_opened_once_the_server_stops() -> None:
    limit = StreamLimit(2)
    limit.close()
    with pytest.raises(Problem):
        limit.enter(lambda: None)


def test_streams_are_told_that_the_server_stops(make_app: MakeApp) -> None:
    app = make_app()
    host = open_table(app.test_client())
    answer = host.get("/events", Accept=STREAM, Last_Event_ID="5")
    events = (item for item in read(answer) if item[1] != ": still here")
    next(events)
    app.extensions["referee-streams"].close()
    kinds = [kind for _, kind, _ in events]
    assert kinds == ["closing"]
    answer.close()
    problem(host.get("/events", Accept=STREAM), 503, "not-ready")


def test_streams_are_limited(make_app: MakeApp) -> None:
    app = make_app(max_streams=2)
    host = open_table(app.test_client())
    limit = app.extensions["referee-streams"]
    others = [StreamHolder(address=address, rank=HOST) for address in ("a", "b")]
    first, second = (limit.enter(lambda: None, None, other) for other in others)
    refused = host.get("/events", Accept=STREAM)
    problem(refused, 503, "too-many-streams")
    assert refused.headers["Retry-After"] == "10"
    limit.leave(first)
    limit.leave(second)
    answer = host.get("/events", Accept=STREAM)
    assert answer.status_code == 200
    answer.close()
