"""Posting: in order, once each, whatever the server and the network do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.gateway.api import Api, Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.outbox import Outbox
from hardware.gateway.poster import CONTESTED_TRIES, Poster
from hardware.retry import Retry
from tests.hardware.gateway.fakes import TOKEN, FakeReferee, Fault, queue_of, seen, until

Start = Callable[..., Poster]


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    box = Outbox(tmp_path / "outbox", "t1")
    box.open()
    yield box
    box.close()


@pytest.fixture
def start(fake: FakeReferee, outbox: Outbox) -> Iterator[Start]:
    running: list[Poster] = []

    def begin(
        device: str = "Board",
        heard: Callable[[Reply], None] = lambda reply: None,
        token: str = TOKEN,
    ) -> Poster:
        api = Api(ServerConfig(fake.url, "t1"), token)
        retry = Retry(0.001, 0.01)
        poster = Poster(device, outbox, api, heard, retry=retry, look_again=0.01)
        running.append(poster)
        poster.start()
        return poster

    yield begin
    for poster in running:
        poster.stop()


def put(outbox: Outbox, count: int, first: int = 1, device: str = "Board") -> None:
    outbox.put(device, [seen(number) for number in range(first, first + count)], {})


def test_all_arrive_in_order_one_at_a_time(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    put(outbox, 5)
    poster = start()
    until(lambda: poster.status().state == "idle" and len(fake.log) == 5)
    put(outbox, 3, first=6)
    poster.wake()
    until(lambda: len(fake.log) == 8)
    until(lambda: queue_of(outbox, "Board").waiting == 0)
    assert fake.numbers() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert fake.log[0][1]["at"] == "2026-07-01T18:00:00.000Z"
    assert fake.most_at_once == 1
    assert len({key for key, _ in fake.log}) == 8


@pytest.mark.parametrize(
    "fault",
    [
        Fault("lost"),
        Fault("dropped"),
        Fault(status=500),
        Fault(status=502, page=True),
        Fault(status=404, page=True),
        Fault(status=302, headers={"Location": "https://elsewhere"}),
        Fault(status=429, headers={"Retry-After": "0"}),
        Fault(status=401),
        Fault(status=403),
        Fault(status=404),
        Fault(status=409),
        Fault(status=412),
        Fault(status=200, page=True),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}{'-page' if fault.page else ''}",
)
def test_what_a_fault_held_up_arrives_once_and_in_order(
    fake: FakeReferee, outbox: Outbox, start: Start, fault: Fault
) -> None:
    fake.faults = [fault, fault, fault]
    put(outbox, 3)
    poster = start()
    until(lambda: queue_of(outbox, "Board").delivered == 3)
    assert fake.numbers() == [1, 2, 3]
    assert poster.status().retries == 3
    assert queue_of(outbox, "Board").set_aside == 0


def test_a_storm_of_faults(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    kinds = [Fault("lost"), Fault("dropped"), Fault(status=503), Fault("lost"), Fault(status=500)]
    fake.faults = [kinds[n % 5] for n in range(200)]
    put(outbox, 100)
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 100, 30)
    assert fake.numbers() == list(range(1, 101))
    assert not fake.faults


def test_what_cannot_be_understood_is_set_aside_and_the_next_goes_on(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.faults = [Fault(status=422, detail="powers.U: no such power"), Fault(status=413)]
    put(outbox, 3)
    poster = start()
    until(lambda: queue_of(outbox, "Board").delivered == 1)
    assert fake.numbers() == [3]
    assert queue_of(outbox, "Board").set_aside == 2
    assert poster.status().set_aside == "a fault"


def test_what_stays_contested_is_set_aside_in_the_end(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.faults = [Fault(status=409)] * (CONTESTED_TRIES + 1)
    put(outbox, 2)
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 1)
    assert fake.numbers() == [2]
    assert queue_of(outbox, "Board").set_aside == 1


def test_a_token_that_is_refused_is_said_and_tried_again(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.tokens.remove(TOKEN)
    put(outbox, 2)
    poster = start()
    until(lambda: poster.status().state == "refused" and fake.posts > 3)
    assert poster.status().detail == "the token is not accepted: The token is unknown."
    assert queue_of(outbox, "Board").waiting == 2
    fake.tokens.add(TOKEN)
    until(lambda: queue_of(outbox, "Board").delivered == 2)
    assert fake.numbers() == [1, 2]


def test_a_server_that_is_away_for_a_while(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    poster = start()
    put(outbox, 1)
    poster.wake()
    until(lambda: queue_of(outbox, "Board").delivered == 1)
    fake.stop()
    fake.faults = [Fault("dropped")]
    put(outbox, 2, first=2)
    poster.wake()
    until(lambda: poster.status().state == "retrying" and poster.status().tries > 2)
    assert "nothing listens there" in poster.status().detail
    fake.start()
    until(lambda: queue_of(outbox, "Board").delivered == 3)
    assert fake.numbers() == [1, 2, 3]


def test_a_gateway_that_starts_again_posts_the_rest_once(
    fake: FakeReferee, outbox: Outbox, start: Start, tmp_path: Path
) -> None:
    """The answer is lost, the gateway too: the next one sends the same bytes with the same key."""
    fake.faults = [Fault("lost"), *[Fault(status=503)] * 1000]
    put(outbox, 2)
    poster = start()
    until(lambda: fake.posts >= 2)
    poster.stop()
    outbox.close()
    assert fake.numbers() == [1]
    fake.faults = []
    outbox.open()
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 2)
    assert fake.numbers() == [1, 2]


def test_each_device_goes_its_own_way(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    put(outbox, 3, device="A")
    put(outbox, 3, first=11, device="B")
    refused = start("A", token="void")
    start("B")
    until(lambda: queue_of(outbox, "B").delivered == 3)
    assert fake.numbers() == [11, 12, 13]
    until(lambda: refused.status().state == "refused")


def test_answers_are_passed_on(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    heard: list[Reply] = []
    put(outbox, 1)
    poster = start(heard=heard.append)
    until(lambda: heard)
    assert (heard[0].body or {})["meaning"] == "agrees"
    last = poster.status().last
    assert last is not None
    assert (last.id, last.meaning) == (11, "agrees")
    assert last.ms > 0


def test_whatever_goes_wrong_the_queue_goes_on(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    def fail(reply: Reply) -> None:
        raise RuntimeError("a lamp fell off")

    put(outbox, 3)
    poster = start(heard=fail)
    until(lambda: queue_of(outbox, "Board").delivered == 3)
    assert fake.numbers() == [1, 2, 3]
    until(lambda: poster.status().retries == 3)


def test_a_wait_that_the_server_asks_for_is_kept(fake: FakeReferee, outbox: Outbox) -> None:
    fake.faults = [Fault(status=503, headers={"Retry-After": "7"})]
    put(outbox, 1)
    api = Api(ServerConfig(fake.url, "t1"), TOKEN)
    poster = Poster("Board", outbox, api, lambda reply: None, now=lambda: 0.0)
    poster.start()
    until(lambda: poster.status().state == "retrying")
    assert poster.status().next_try == "1970-01-01T00:00:07.000Z"
    poster.stop()
    assert poster.status().state == "stopped"
    assert fake.posts == 1
