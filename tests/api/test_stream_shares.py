"""Streams are shared by token, table and address; spectators yield to players."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask

from referee.api.limits.streams import (
    HOST,
    PLAYER,
    SPECTATOR,
    OpenStream,
    Share,
    StreamHolder,
    StreamLimit,
)
from referee.config import NO_LIMITS, NO_STREAM_LIMITS, Guard, settings_from_env
from referee.service.problems import Problem
from tests.api.conftest import API, MakeApp, Seat, open_table
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, read

Enter = Callable[..., OpenStream]


def room(most: int = 100, **shares: int) -> Enter:
    limit = StreamLimit(most, shares={share: shares[share] for share in PARTS if share in shares})

    def enter(
        token: str, rank: int = SPECTATOR, table: str = "t", address: str = "a"
    ) -> OpenStream:
        return limit.enter(lambda: None, None, StreamHolder(token, table, address, rank))

    return enter


PARTS: tuple[Share, ...] = ("token", "table", "address")


def test_a_new_stream_of_a_token_ends_its_oldest() -> None:
    enter = room(token=2)
    streams = [enter("x") for _ in range(4)]
    assert [stream.over for stream in streams] == [True, True, False, False]
    assert all(one.shed for one in streams[:2])


def test_spectators_yield_to_seats_and_seats_to_hosts() -> None:
    enter = room(table=3)
    spectator, seat, host = enter("s"), enter("p", PLAYER), enter("h", HOST)
    with pytest.raises(Problem) as refused:
        enter("late")
    assert refused.value.kind == "too-many-requests"
    other_seat = enter("q", PLAYER)
    assert spectator.over
    with pytest.raises(Problem):
        enter("late", PLAYER)
    other_host = enter("i", HOST)
    assert seat.over != other_seat.over
    enter("j", HOST)
    assert seat.over
    assert other_seat.over
    assert not host.over
    assert not other_host.over
    with pytest.raises(Problem):
        enter("k", HOST)


def test_the_spectator_with_most_streams_yields_to_one_without() -> None:
    enter = room(table=4)
    greedy = [enter("g") for _ in range(4)]
    enter("a")
    enter("b")
    assert [one.over for one in greedy] == [True, True, False, False]
    with pytest.raises(Problem):
        enter("g")
    enter("c")
    with pytest.raises(Problem):
        enter("d")


def test_a_host_comes_back_however_many_lost_streams_are_still_held() -> None:
    enter = room(token=6, table=8)
    lost = [enter("host", HOST) for _ in range(6)]
    for name in "ab":
        enter(name, PLAYER)
    assert not enter("host", HOST).over
    assert [one.over for one in lost] == [True, False, False, False, False, False]
    # What is beyond the newest two makes room for others.
    for name in "cdef":
        enter(name, PLAYER)
    assert [one.over for one in lost] == [True] * 5 + [False]


def test_a_table_full_of_players_leaves_room_to_other_tables() -> None:
    enter = room(most=60)
    many = [enter(f"d{number}", PLAYER, "big", "one") for number in range(60)]
    for number in range(30):
        enter(f"s{number}", PLAYER, f"t{number}", "two")
    assert sum(one.over for one in many) == 30
    assert not any(one.over for one in many[:24])


def test_an_address_that_holds_most_yields_to_others_when_the_server_is_full() -> None:
    enter = room(most=20)
    many = [enter(f"s{number}", table=f"{number}", address="one") for number in range(20)]
    for number in range(9):
        enter(f"n{number}", table="own", address="two")
    assert sum(one.over for one in many) == 9
    enter("last", table="own", address="two")
    with pytest.raises(Problem) as refused:
        enter("one more", table="own", address="two")
    assert refused.value.kind == "too-many-streams"


def test_a_place_is_free_again_once_a_stream_has_ended() -> None:
    limit = StreamLimit(100, shares={"table": 1})
    first = limit.enter(lambda: None, None, StreamHolder("a", "t"))
    with pytest.raises(Problem):
        limit.enter(lambda: None, None, StreamHolder("b", "t"))
    limit.leave(first)
    limit.enter(lambda: None, None, StreamHolder("b", "t"))


class Follower(threading.Thread):
    """Reads a stream to its end in a thread of its own."""

    def __init__(self, seat: Seat, address: str = "192.0.2.1", ticket: str = "") -> None:
        super().__init__(daemon=True)
        self.path = f"{API}/tables/{seat.table}/events" + (ticket and f"?ticket={ticket}")
        self.sent = {"Accept": STREAM}
        if not ticket:
            self.sent["Authorization"] = f"Bearer {seat.token}"
        self.client, self.address = seat.client.application.test_client(), address
        self.began = threading.Event()
        self.kinds: list[str] = []
        self.start()
        assert self.began.wait(120)

    def run(self) -> None:
        self.answer = self.client.get(
            self.path, headers=self.sent, environ_base={"REMOTE_ADDR": self.address}
        )
        self.status = self.answer.status_code
        self.began.set()
        if self.status == 200:
            self.kinds = [kind for _, kind, _ in read(self.answer)]
            self.answer.close()

    def ended(self) -> bool:
        """Return whether it was told to make room."""
        self.join(120)
        return self.kinds[-1:] == ["closing"]


def spectator(host: Seat) -> Seat:
    token = host.post("/tokens", {"role": "spectator"}).get_json()["token"]
    return Seat(host.client, token, host.table)


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    limits = replace(NO_STREAM_LIMITS, token=3, table=4, address=6)
    app = make_app(Guard(limits=NO_LIMITS, metrics="open", streams=limits))
    yield app
    app.extensions["referee-streams"].close()


def test_one_spectator_does_not_take_every_stream(app: Flask) -> None:
    host = open_table(app.test_client())
    watching = spectator(host)
    streams = [Follower(watching) for _ in range(6)]
    tickets = [watching.post("/stream-tickets").get_json()["ticket"] for _ in range(2)]
    streams += [Follower(watching, ticket=ticket) for ticket in tickets]
    assert [stream.status for stream in streams] == [200] * 8
    assert all(one.ended() for one in streams[:5])
    assert all(one.is_alive() for one in streams[5:])
    assert [Follower(host.seats[1]).status, Follower(host).status] == [200, 200]
    late = [Follower(spectator(host)) for _ in range(2)]
    assert [one.status for one in late] == [200, 429]
    refused = problem(late[1].answer, 429, "too-many-requests")
    assert refused["retry_after"] == int(late[1].answer.headers["Retry-After"]) == 10
    assert "table" in str(refused["detail"])
    text = app.test_client().get("/metrics").text
    assert 'referee_streams_shed_total{share="token"} 5.0' in text
    assert 'referee_limited_total{limit="streams_table"} 1.0' in text


def test_an_address_has_its_share(app: Flask) -> None:
    hosts = [open_table(app.test_client()) for _ in range(4)]
    watching = [spectator(host) for host in hosts]
    streams = [Follower(one) for one in watching[:3] for _ in range(2)]
    assert [stream.status for stream in streams] == [200] * 6
    assert [Follower(watching[3]).status for _ in range(2)] == [200, 429]
    # The oldest of those that hold most.
    assert streams[0].ended()
    assert Follower(watching[3], "192.0.2.2").status == 200
    assert [Follower(host).status for host in hosts] == [200] * 4


def test_settings() -> None:
    usual = settings_from_env({}).guard.streams
    assert 0 < usual.token <= usual.table <= usual.address
    found = settings_from_env(
        {"REFEREE_MOST_STREAMS_TOKEN": "2", "REFEREE_MOST_STREAMS_TABLE": "0"}
    )
    assert (found.guard.streams.token, found.guard.streams.table) == (2, 0)
    assert settings_from_env({"REFEREE_LIMITS": "off"}).guard.streams == NO_STREAM_LIMITS
    with pytest.raises(ValueError, match="REFEREE_MOST_STREAMS_ADDRESS"):
        settings_from_env({"REFEREE_MOST_STREAMS_ADDRESS": "-1"})
