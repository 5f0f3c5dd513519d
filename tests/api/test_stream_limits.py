"""Streams nobody reads are cut off; the others end with an event when the server stops."""

import socket
import threading
import time

import pytest

from referee.api.stream_limits import BUFFER_BYTES, StreamLimit
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
    sending.join(10)
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
    limit.enter(lambda: None)
    slot = limit.enter(lambda: None)
    problem(host.get("/events", Accept=STREAM), 503, "too-many-streams")
    limit.leave(slot)
    answer = host.get("/events", Accept=STREAM)
    assert answer.status_code == 200
    answer.close()
