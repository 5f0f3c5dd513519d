"""Streams that must end are cut off if they do not; the others end with an event."""

import pytest

from referee.api.limits.streams import ENDING_SECONDS, HOST, PLAYER, StreamHolder, StreamLimit
from referee.service.problems import Problem
from tests.api.conftest import MakeApp, open_table
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, read


class Cut:
    """A connection that notes when it is to be cut."""

    def __init__(self) -> None:
        self.after: list[float] = []

    def send_from_small_buffer(self) -> None:
        """Do nothing."""

    def cut(self, after: float = 0) -> None:
        """Note it."""
        self.after.append(after)


def test_a_stream_that_yields_is_cut_off_if_it_does_not_end() -> None:
    limit = StreamLimit(9, shares={"table": 1})
    idle_peer, blocked_peer = Cut(), Cut()
    idle = limit.enter(lambda: None, idle_peer, StreamHolder("a"))
    blocked = limit.enter(lambda: None, blocked_peer, StreamHolder("b", rank=PLAYER))
    assert idle.over
    assert limit.open == 2
    assert idle_peer.after == [ENDING_SECONDS]
    limit.leave(idle)
    assert idle_peer.after == [ENDING_SECONDS, 0]
    blocked.is_writing = True
    limit.enter(lambda: None, None, StreamHolder("c", rank=HOST))
    assert blocked_peer.after == [0]


def test_a_stream_that_ends_by_itself_is_not_cut_off() -> None:
    limit, peer = StreamLimit(2), Cut()
    limit.leave(limit.enter(lambda: None, peer))
    assert (limit.open, peer.after) == (0, [])


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
