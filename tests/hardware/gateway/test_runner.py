"""The whole gateway with the test's own devices: nothing lost or twice, lights that follow."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.backends import BackendError
from hardware.gateway.api import Api, Reply
from hardware.gateway.config import Config, DeviceConfig, ServerConfig
from hardware.gateway.display import Log
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.runner import Gateway, Presence
from hardware.observation import CardLabel, Hint
from tests.hardware.gateway.fakes import (
    TOKEN,
    WRONG,
    FakeDevice,
    FakeReferee,
    Fault,
    seen,
)
from tests.waiting import until


class Workshop:
    """Makes devices of a kind, and keeps them for the test to move."""

    def __init__(self, kind: type[FakeDevice] = FakeDevice) -> None:
        self.kind = kind
        self.made: dict[str, FakeDevice] = {}

    def __call__(self, name: str, backend: str, options: Mapping[str, Any]) -> FakeDevice:
        if backend == "broken":
            raise BackendError(f"{name}: there is no such thing")
        self.made[name] = self.kind(name)
        return self.made[name]


Start = Callable[..., tuple[Gateway, Any]]


def test_a_device_that_the_host_has_removed_is_told_of_before_it_sees_anything(
    fake: FakeReferee, tmp_path: Path
) -> None:
    fake.tokens = {"one", "two"}
    config = configured(fake, tmp_path)
    devices = [replace(config.devices[0], name=token, token=token) for token in ("one", "two")]
    gateway = Gateway(replace(config, devices=tuple(devices)), Workshop())
    gateway.start()
    until(lambda: len(fake.promises) == 2)
    until(lambda: gateway.document()["server"]["state"] == "following")
    lines: list[str] = []
    log = Log(lines.append)
    log.update(gateway.document())
    fake.tokens = {"one"}
    fake.event(11, {"kind": "token-revoked"})
    until(lambda: gateway.document()["devices"][1]["notes"])
    lines.clear()
    log.update(gateway.document())
    gateway.stop()
    assert lines == ["two: the host has removed this device from the table"]


def configured(fake: FakeReferee, tmp_path: Path, token: str = TOKEN, **more: str) -> Config:
    devices = {"Board": "fake", **more}
    return Config(
        ServerConfig(fake.url, "t1"),
        tuple(DeviceConfig(name, backend, {}, token) for name, backend in devices.items()),
        tmp_path / "outbox",
        tmp_path / "status",
    )


@pytest.fixture
def start(fake: FakeReferee, tmp_path: Path) -> Iterator[Start]:
    running: list[Gateway] = []

    def begin(
        token: str = TOKEN, kind: type[FakeDevice] = FakeDevice, **more: str
    ) -> tuple[Gateway, Any]:
        workshop = Workshop(kind)
        gateway = Gateway(configured(fake, tmp_path, token, **more), workshop)
        gateway.start()
        running.append(gateway)
        return gateway, workshop.made["Board"]

    yield begin
    for gateway in running:
        gateway.stop()


def test_what_a_device_sees_is_in_the_log_and_the_light_goes_on(
    fake: FakeReferee, start: Start
) -> None:
    gateway, board = start()
    until(lambda: gateway.document()["server"]["state"] == "following")
    until(lambda: fake.promises)
    fake.discrepancies = [WRONG]
    board.see(3)
    until(lambda: board.hints == [(Hint("U", 2, urgent=True),)])
    assert fake.numbers() == [3]
    fake.event(20, {"discrepancies": []})
    until(lambda: board.hints[-1] == ())
    document = gateway.document()
    (device,) = document["devices"]
    assert device["queue"] == {"waiting": 0, "oldest": None, "delivered": 1, "set_aside": 0}
    assert device["post"]["last"]["meaning"] == "agrees"
    assert device["positions"] == {"U": 3}
    assert document["server"]["version"] == 20
    assert document["server"]["seats"] == ["Ann", "Bo", "Cy"]
    assert json.loads(json.dumps(document)) == document
    assert TOKEN not in json.dumps(document)


def test_stopped_and_started_it_goes_on_where_it_was(fake: FakeReferee, start: Start) -> None:
    gateway, board = start()
    until(lambda: gateway.document()["server"]["state"] == "following")
    fake.stop()
    for number in (1, 2, 3):
        board.see(number)
    gateway.stop()
    assert board.stopped
    fake.start()
    gateway, board = start()
    assert board.memory == {"last": 3}
    board.see(4)
    until(lambda: fake.numbers() == [1, 2, 3, 4])
    until(lambda: gateway.document()["devices"][0]["queue"]["waiting"] == 0)


def test_with_another_token_a_device_remembers_nothing(fake: FakeReferee, start: Start) -> None:
    gateway, board = start()
    board.see(1)
    gateway.stop()
    fake.tokens.add("another")
    _, board = start("another")
    assert board.memory == {}


def test_a_device_that_cannot_be_made_is_said_and_the_others_run(
    fake: FakeReferee, start: Start
) -> None:
    gateway, board = start(Bent="broken")
    assert gateway.problems() == {"Bent": "Bent: there is no such thing"}
    bent = gateway.document()["devices"][1]
    assert (bent["state"], bent["detail"]) == ("gone", "there is no such thing")
    board.see(1)
    until(lambda: fake.numbers() == [1])


def test_what_nobody_delivers_any_more_is_told(
    fake: FakeReferee, start: Start, tmp_path: Path
) -> None:
    box = Outbox(tmp_path / "outbox", "t0")
    box.open()
    box.put("Camera", [seen(1), seen(2)], {})
    box.close()
    gateway, _ = start()
    assert gateway.document()["outbox"]["left_over"] == [
        {"table": "t0", "device": "Camera", "waiting": 2}
    ]


def test_a_disk_that_takes_nothing_is_told_to_the_device_and_to_people(
    fake: FakeReferee, start: Start
) -> None:
    gateway, board = start()
    gateway._outbox.close()
    with pytest.raises(OSError, match="is closed"):
        board.see(1)
    assert "is closed" in gateway.document()["outbox"]["problem"]
    gateway._outbox.open()
    board.see(1)
    assert gateway.document()["outbox"]["problem"] is None


class Camera(FakeDevice):
    """A device that tells its state again, and learns."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked = 0
        self.labels: list[CardLabel] = []

    def tell_again(self) -> None:
        self.asked += 1

    def learn(self, labels: Sequence[CardLabel]) -> None:
        self.labels += labels


def test_a_camera_that_is_asked_tells_again(fake: FakeReferee, start: Start) -> None:
    _, camera = start(kind=Camera)
    fake.faults = [Fault(status=422)]
    camera.see(1)
    until(lambda: camera.asked == 1)


def test_another_board_in_its_place_is_said(fake: FakeReferee, start: Start) -> None:
    gateway, board = start()
    assert board.sink is not None
    board.sink([seen(1)], {"board": "aa"})
    assert gateway.document()["devices"][0]["swapped"] == ""
    gateway.stop()
    # It was swapped while nothing ran.
    gateway, board = start()
    assert board.sink is not None
    board.sink([seen(2)], {"board": "bb"})
    board.sink([seen(3)], {"board": "bb"})
    said = gateway.document()["devices"][0]["swapped"]
    assert said == "board bb is there now, before it was board aa"
    until(lambda: fake.numbers() == [1, 2, 3])


def test_a_camera_is_told_what_its_observation_turned_out_to_be(
    fake: FakeReferee, start: Start
) -> None:
    gateway, camera = start(kind=Camera)
    until(lambda: gateway.document()["server"]["state"] == "following")
    body = {"kind": "pile", "number": 7, "event": "placed", "cards": {"red-7": 1.0}}
    reply = {"id": 20, "observation": body, "discrepancies": []}
    gateway._learn("Board", Reply(201, reply))
    ruled = {"ruling": {"verdict": "legal"}, "kind": "moved"}
    device, seat = {"role": "device"}, {"role": "seat"}
    first = {"move": {"move": "play", "card": "red-7"}, "cause": 20, "by": device}
    fake.event(21, {"id": 21, **ruled, **first})
    for number in (22, 23, 24):
        fake.event(number, {"id": number, **ruled, "move": {"move": "draw"}, "by": seat})
    until(lambda: camera.labels == [CardLabel(7, "red-7", "play")])


def test_a_board_has_nothing_to_do_with_a_deck_without_towers(
    fake: FakeReferee, start: Start
) -> None:
    fake.ruleset, fake.powers = "classic-108", []
    fake.unfit.update(json.dumps(seen(n).body).encode() for n in (1, 2))
    gateway, board = start()
    board.see(1)
    board.see(2)

    def told() -> Any:
        return gateway.document()["devices"][0]

    until(lambda: told()["queue"]["waiting"] == 0)
    until(lambda: told()["notes"])
    assert told()["notes"] == [
        "this deck has neither towers nor powers: the board has nothing to do here"
    ]
    assert told()["queue"]["set_aside"] == 0
    assert fake.log == []
    assert fake.posts == 0
    # The next game has towers: what is there is told.
    fake.ruleset, fake.powers = "power-grab", ["U"]
    fake.event(20, {"kind": "game-started"})
    until(lambda: fake.numbers() == [2])
    assert told()["notes"] == []


# -- it promises to be heard of again, whatever happens to the server


def test_every_token_promises_again_and_again(fake: FakeReferee) -> None:
    apis = {token: Api(ServerConfig(fake.url, "t1"), token) for token in ("one", "two")}
    presence = Presence(apis, every=0.01, within=7)
    presence.start()
    until(lambda: len(fake.promises) >= 4)
    presence.stop()
    assert fake.promises[:4] == [(token, {"within": 7}) for token in ("one", "two") * 2]


def test_a_token_that_was_revoked_is_noticed_at_once(fake: FakeReferee) -> None:
    fake.tokens = {"one", "two"}
    apis = {token: Api(ServerConfig(fake.url, "t1"), token) for token in ("one", "two")}
    presence = Presence(apis, every=10_000)
    presence.start()
    until(lambda: len(fake.promises) == 2)
    assert presence.refused == set()
    fake.tokens = {"one"}
    presence.renew()
    until(lambda: presence.refused == {"two"})
    fake.tokens = {"one", "two"}
    presence.renew()
    until(lambda: not presence.refused)
    presence.stop()


def test_a_server_that_was_away_hears_of_it_when_it_is_back(fake: FakeReferee) -> None:
    presence = Presence({"one": Api(ServerConfig(fake.url, "t1"), "one")}, every=0.01)
    presence.start()
    until(lambda: fake.promises)
    fake.stop()
    before = len(fake.promises)
    fake.start()
    until(lambda: len(fake.promises) > before)
    presence.stop()
