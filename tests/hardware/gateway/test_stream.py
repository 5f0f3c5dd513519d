"""Following the table: from where it stands, through breaks, with tokens that come and go."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from hardware.gateway.api import Api
from hardware.gateway.config import ServerConfig
from hardware.gateway.discrepancies import DiscrepancyLights
from hardware.gateway.stream import StreamFollower
from hardware.observation import Hint
from hardware.retry import Retry
from tests.hardware.gateway.fakes import TOKEN, WRONG, FakeReferee
from tests.waiting import until

Start = Callable[..., tuple[StreamFollower, DiscrepancyLights]]


@pytest.fixture
def start(fake: FakeReferee) -> Iterator[Start]:
    running: list[StreamFollower] = []

    def begin(
        tokens: tuple[str, ...] = (TOKEN,), silence: float = 40.0, **more: Any
    ) -> tuple[StreamFollower, DiscrepancyLights]:
        lights = DiscrepancyLights(lambda hints: None)
        apis = [Api(ServerConfig(fake.url, "t1"), token) for token in tokens]
        follower = StreamFollower(
            apis, lights, retry=Retry(0.001, 0.01), look_again=0.01, silence=silence, **more
        )
        running.append(follower)
        follower.start()
        return follower, lights

    yield begin
    for follower in running:
        follower.stop()


def test_it_begins_where_the_table_stands(fake: FakeReferee, start: Start) -> None:
    fake.version, fake.discrepancies = 41, [WRONG]
    follower, lights = start()
    until(lambda: follower.status().state == "following")
    assert lights.version == 41
    assert [discrepancy.hint() for discrepancy in lights.discrepancies] == [
        Hint("U", 2, urgent=True)
    ]
    assert follower.seats == ("Ann", "Bo", "Cy")
    assert fake.stream_ids == ["41"]


def test_events_bring_the_newest_list(fake: FakeReferee, start: Start) -> None:
    _, lights = start()
    fake.event(11, {"discrepancies": [WRONG]})
    until(lambda: lights.version == 11)
    fake.send(b": still here\n\n")
    fake.event(12, {"kind": "moved"})
    fake.event(13, {"discrepancies": []})
    until(lambda: lights.version == 13)
    assert lights.discrepancies == ()


def test_it_goes_on_after_the_last_event_when_the_stream_breaks(
    fake: FakeReferee, start: Start
) -> None:
    follower, lights = start()
    until(lambda: follower.status().state == "following")
    fake.event(11, {"discrepancies": [WRONG]})
    until(lambda: lights.version == 11)
    fake.hang_up()
    until(lambda: len(fake.stream_ids) == 2)
    fake.event(12, {"discrepancies": []})
    until(lambda: lights.version == 12)
    assert fake.stream_ids == ["10", "11"]
    assert follower.status().reconnects == 1


def test_a_silent_stream_is_taken_for_dead(fake: FakeReferee, start: Start) -> None:
    follower, _ = start(silence=0.05)
    until(lambda: len(fake.stream_ids) >= 2)
    assert follower.status().reconnects >= 1


def test_it_comes_back_after_the_server_did(fake: FakeReferee, start: Start) -> None:
    follower, lights = start()
    until(lambda: follower.status().state == "following")
    fake.stop()
    until(lambda: follower.status().state == "away")
    until(lambda: "nothing listens there" in follower.status().detail)
    fake.start()
    fake.event(11, {"discrepancies": [WRONG]})
    until(lambda: lights.version == 11)


def test_a_server_that_has_no_such_event_is_asked_anew(fake: FakeReferee, start: Start) -> None:
    """A backup was put in place: the table is at an earlier version than the last event."""
    follower, lights = start()
    until(lambda: follower.status().state == "following")
    fake.event(11, {"discrepancies": [WRONG]})
    until(lambda: lights.version == 11)
    fake.version, fake.discrepancies, fake.stream_status = 4, [], 422
    fake.stream_parts.clear()
    fake.hang_up()
    until(lambda: lights.version == 4)
    fake.stream_status = 200
    until(lambda: fake.stream_ids[-1] == "4")
    assert lights.discrepancies == ()


def test_a_revoked_token_gives_way_to_another(fake: FakeReferee, start: Start) -> None:
    fake.tokens.add("second")
    follower, _ = start((TOKEN, "second"))
    until(lambda: follower.status().state == "following")
    fake.send(b"event: revoked\ndata: {}\n\n")
    until(lambda: fake.stream_tokens == [TOKEN, "second"])
    until(lambda: follower.status().state == "following")


def test_refused_tokens_are_tried_again_later(fake: FakeReferee, start: Start) -> None:
    fake.tokens.remove(TOKEN)
    follower, _ = start()
    until(lambda: follower.status().state == "refused")
    assert follower.status().detail == "The token is unknown."
    fake.tokens.add(TOKEN)
    until(lambda: follower.status().state == "following")


@pytest.mark.parametrize("kind", ["closing", "store"])
def test_an_event_about_the_stream_itself_is_no_entry(
    fake: FakeReferee, start: Start, kind: str
) -> None:
    heard: list[Mapping[str, Any]] = []
    follower, _ = start(heard=heard.append)
    until(lambda: follower.status().state == "following")
    fake.event(11, {"kind": "moved"})
    fake.send(f"event: {kind}\ndata: {{}}\n\n".encode())
    fake.event(12, {"kind": "moved"})
    until(lambda: bool(heard) and heard[-1]["id"] == 12)
    assert [entry["id"] for entry in heard] == [11, 12]


def test_data_that_is_no_json_does_not_stop_it(fake: FakeReferee, start: Start) -> None:
    follower, lights = start()
    until(lambda: follower.status().state == "following")
    fake.send(b"id: 11\ndata: {broken\n\n", 11)
    until(lambda: len(fake.stream_ids) == 2)
    fake.event(12, {"discrepancies": [WRONG]})
    until(lambda: lights.version == 12)
