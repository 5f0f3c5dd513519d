"""Posting: in order, once each, whatever the server and the network do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.gateway.api import Api, Reply
from hardware.gateway.config import ServerConfig
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.poster import CONTESTED_TRIES, Poster, batch_body, batch_of
from hardware.observation import Observation
from hardware.retry import Retry
from tests.hardware.gateway.fakes import TOKEN, FakeReferee, Fault, queue_of, seen
from tests.waiting import until

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
        retelling: Retry | None = None,
    ) -> Poster:
        api = Api(ServerConfig(fake.url, "t1"), token)
        retry = Retry(0.001, 0.01)
        poster = Poster(
            device, outbox, api, heard, retry=retry, retelling=retelling, look_again=0.01
        )
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
        Fault(status=429, headers={"Retry-After": "0"}),
        Fault(status=403),
        Fault(status=409),
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


@pytest.mark.parametrize(("batches", "faults"), [(False, 200), (True, 40)])
def test_a_storm_of_faults(
    fake: FakeReferee, outbox: Outbox, start: Start, batches: bool, faults: int
) -> None:
    kinds = [Fault("lost"), Fault("dropped"), Fault(status=503), Fault("lost"), Fault(status=429)]
    fake.batches, fake.most_of_batch = batches, 3
    fake.faults = [kinds[n % 5] for n in range(faults)]
    put(outbox, 100)
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 100)
    assert fake.numbers() == list(range(1, 101))
    assert queue_of(outbox, "Board").set_aside == 0
    assert not fake.faults


def test_what_waited_for_long_goes_together(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    put(outbox, 128)
    heard: list[Reply] = []
    poster = start(heard=heard.append)
    until(lambda: queue_of(outbox, "Board").delivered == 128)
    assert fake.numbers() == list(range(1, 129))
    assert fake.batch_sizes == [50, 50, 28]
    assert fake.posts == 3
    until(lambda: len(heard) == 128)
    last = poster.status().last
    assert last.id == (heard[-1].body or {})["id"] == fake.version
    assert last.meaning == "agrees"
    assert last.ms > 0


def test_a_batch_goes_on_after_the_one_that_is_refused(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    put(outbox, 30)
    for waiting in outbox.oldest("Board", 30)[9:20:10]:
        fake.unfit.add(waiting.body)
    poster = start()
    until(lambda: queue_of(outbox, "Board").waiting == 0 and poster.status().state == "idle")
    until(lambda: fake.numbers() == [n for n in range(1, 31) if n not in (10, 20)] + [30])
    assert queue_of(outbox, "Board").set_aside == 2
    assert poster.status().set_aside == "powers.U: no such place"


def test_a_lost_batch_is_not_counted_twice_when_its_rest_goes_by_itself(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    """The server took them all; the answer was lost, and then something else answers."""
    fake.faults = [Fault("lost"), Fault(status=405)]
    put(outbox, 20)
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 20)
    assert fake.numbers() == list(range(1, 21))
    assert fake.posts == 22


@pytest.mark.parametrize("page", [True, False], ids=["a proxy", "a server without the table"])
def test_batches_go_on_after_something_else_has_answered_for_a_while(
    fake: FakeReferee, outbox: Outbox, start: Start, page: bool
) -> None:
    fake.faults = [Fault(status=404, page=page, problem="not-found")] * 3
    put(outbox, 200)
    start()
    until(lambda: queue_of(outbox, "Board").delivered == 200)
    assert fake.numbers() == list(range(1, 201))
    assert fake.batch_sizes[-1] >= 50


def test_a_batch_is_no_larger_than_a_server_takes(outbox: Outbox) -> None:
    large = Observation("2026-07-01T18:00:00.000Z", {"kind": "hand", "shown": ["x" * 60_000]})
    outbox.put("Camera", [large] * 10, {})
    waiting = outbox.oldest("Camera", 50)
    together = batch_of(waiting)
    assert len(together) == 3
    assert len(batch_body(together)) < 256 * 1024
    assert batch_of(waiting[:7]) == waiting[:1]


@pytest.mark.parametrize(
    ("faults", "aside"),
    [
        pytest.param([Fault(status=422), Fault(status=413)], 2, id="not understood"),
        pytest.param([Fault(status=409)] * (CONTESTED_TRIES + 1), 1, id="contested to the end"),
    ],
)
def test_what_is_never_accepted_is_set_aside_and_the_next_goes_on(
    fake: FakeReferee, outbox: Outbox, start: Start, faults: list[Fault], aside: int
) -> None:
    fake.faults = faults
    put(outbox, aside + 1)
    poster = start()
    until(lambda: queue_of(outbox, "Board").delivered == 2)
    # The last one, and the state after all of them.
    assert fake.numbers() == [aside + 1] * 2
    assert queue_of(outbox, "Board").set_aside == aside
    assert poster.status().set_aside == "a fault"


@pytest.mark.parametrize("why", ["closed", "table-full"])
def test_a_table_that_takes_nothing_loses_nothing(
    fake: FakeReferee, outbox: Outbox, start: Start, why: str
) -> None:
    fake.faults = [Fault(status=409, problem=why)] * (CONTESTED_TRIES + 5)
    put(outbox, 2)
    poster = start()
    until(lambda: poster.status().state == "refused")
    assert poster.status().detail == "the table takes nothing: a fault"
    until(lambda: queue_of(outbox, "Board").delivered == 2)
    assert fake.numbers() == [1, 2]
    assert queue_of(outbox, "Board").set_aside == 0


def test_a_state_that_is_refused_too_is_told_later(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.faults = [Fault(status=422)] * 3
    put(outbox, 1)
    poster = start(retelling=Retry(0.01, 0.01))
    until(lambda: queue_of(outbox, "Board").delivered == 1)
    until(lambda: poster.status().state == "idle")
    assert fake.numbers() == [1]
    assert queue_of(outbox, "Board").set_aside == 3
    assert not poster.status().owed


def test_a_refused_state_is_not_told_again_at_once(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.faults = [Fault(status=422)] * 10
    put(outbox, 1)
    poster = start()
    until(lambda: queue_of(outbox, "Board").set_aside == 2)
    until(lambda: poster.status().state == "idle" and poster.status().owed)
    assert len(fake.faults) == 8
    # Whatever is taken shows that the state may be, too.
    fake.faults = []
    put(outbox, 1, first=7)
    poster.wake()
    until(lambda: fake.numbers() == [7, 7])


def test_wrong_clocks_are_noted(fake: FakeReferee, outbox: Outbox, start: Start) -> None:
    fake.more = {"observation": {"said_at": "1970-01-01T00:00:00Z"}}
    put(outbox, 2)
    poster = start()
    until(lambda: queue_of(outbox, "Board").delivered == 2 and poster.status().state == "idle")
    assert poster.status().clock == "1970-01-01T00:00:00Z"
    fake.more = {}
    put(outbox, 1)
    poster.wake()
    until(lambda: queue_of(outbox, "Board").delivered == 3 and poster.status().state == "idle")
    assert poster.status().clock == ""


@pytest.mark.parametrize("after", [1, 3, 30])
def test_after_an_old_copy_of_the_outbox_was_put_back_nothing_is_lost(
    fake: FakeReferee, outbox: Outbox, start: Start, tmp_path: Path, after: int
) -> None:
    """As many as before, fewer, and more that are posted together."""
    outbox.put("Board", [seen(1)], {})
    outbox.close()
    old = (tmp_path / "outbox").read_bytes()
    outbox.open()
    put(outbox, 10, first=2)
    before = start()
    until(lambda: fake.numbers() == list(range(1, 12)))
    before.stop()
    outbox.close()
    (tmp_path / "outbox").write_bytes(old)
    outbox.open()
    put(outbox, after, first=101)
    poster = start()
    new = list(range(101, 101 + after))
    until(lambda: queue_of(outbox, "Board").waiting == 0)
    assert fake.numbers() == [*range(1, 12), *new]
    assert poster.status().old_copy
    put(outbox, 2, first=201)
    poster.wake()
    until(lambda: fake.numbers()[11:] == [*new, 201, 202])
    assert queue_of(outbox, "Board").set_aside == 0
    assert poster.status().set_aside == ""


def test_a_server_that_knows_every_number_does_not_hold_up_the_queue(
    fake: FakeReferee, outbox: Outbox, start: Start
) -> None:
    fake.faults = [Fault(status=422, problem="key-reused")] * 2
    put(outbox, 2)
    poster = start()
    # The second one, and the state after both.
    until(lambda: fake.numbers() == [2, 2] and queue_of(outbox, "Board").delivered == 2)
    fake.more = {"meaning": "repeated"}
    put(outbox, 2, first=3)
    poster.wake()
    until(lambda: queue_of(outbox, "Board").delivered == 4)
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
    poster = Poster("Board", outbox, api, lambda reply: None, clock=lambda: 0.0)
    poster.start()
    until(lambda: poster.status().state == "retrying")
    assert poster.status().next_try == "1970-01-01T00:00:07.000Z"
    poster.stop()
    assert poster.status().state == "stopped"
    assert fake.posts == 1
