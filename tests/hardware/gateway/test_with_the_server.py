"""The gateway and the real server: paired, lit up, and nothing twice or lost."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hardware.cli import main
from hardware.gateway.config import Flags, load_config
from hardware.gateway.display import cautions as displayed
from hardware.gateway.runner import Gateway
from hardware.observation import Observation
from hardware.times import utc
from tests.e2e.server import Server
from tests.e2e.test_table_command import Host
from tests.hardware.gateway.fakes import FakeDevice
from tests.paging import all_items
from tests.waiting import until


class Table(Host):
    """A table of the real server with a paired device."""

    def __init__(self, server: Server, tmp_path: Path) -> None:
        super().__init__(server.url, seats=("Ann", "Bo", "Cy"))
        self.file = tmp_path / "table.toml"
        flags = ["--server", server.url, "--table", self.id, "--token", self.token]
        assert main(["pair", *flags, "--config", str(self.file)]) == 0
        with self.file.open("a") as file:
            file.write('[outbox]\npath = "outbox"\n')

    def observations(self) -> list[Any]:
        """What is in the log, oldest first."""
        entries = all_items(partial(self.ask, "GET"), "/events")
        return [entry for entry in entries if "observation" in entry]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server") / "db") as running:
        yield running


def test_a_tower_at_the_wrong_seat_lights_up_the_right_one(server: Server, tmp_path: Path) -> None:
    table = Table(server, tmp_path)
    table.ask("POST", "/rounds", {"opening": ["red-7"], "dealer": 1})
    device = FakeDevice("Board")
    gateway = Gateway(load_config(table.file, Flags(), {}), lambda *_: device)
    gateway.start()
    try:
        device.see(0)
        device.see(3)
        until(lambda: device.hints and device.hints[-1])
        ((hint,),) = device.hints
        assert (hint.power, hint.place, hint.urgent) == ("U", 0, True)
        (found,) = gateway.document()["discrepancies"]
        assert found["text"]
        device.see(0)
        until(lambda: device.hints[-1] == ())
    finally:
        gateway.stop()


def test_an_old_copy_of_the_outbox_loses_nothing(server: Server, tmp_path: Path) -> None:
    """The camera's numbers come again under keys that were the board's, and the reverse."""
    table = Table(server, tmp_path)
    table.ask("POST", "/rounds", {"opening": ["red-7"], "dealer": 1})
    flags = ["--server", server.url, "--table", table.id, "--token", table.token]
    assert main(["pair", *flags, "--config", str(table.file), "--backend", "camera"]) == 0
    config = load_config(table.file, Flags(), {})

    def run(*moves: tuple[str, dict[str, Any]]) -> None:
        devices = {device.name: FakeDevice(device.name) for device in config.devices}
        gateway = Gateway(config, lambda name, *_: devices[name])
        gateway.start()
        for name, body in moves:
            sink = devices[name].sink
            assert sink is not None
            sink([Observation(utc(time.time()), body)], {})
        until(lambda: all(not q.waiting for q in gateway._queues()))
        cautions.update(
            caution for one in gateway.document()["devices"] for caution in displayed(one)
        )
        gateway.stop()

    def pile(number: int) -> tuple[str, dict[str, Any]]:
        cards = {f"red-{number}": 0.99}
        return "Camera", {"kind": "pile", "number": number, "event": "placed", "cards": cards}

    def tower(place: int) -> tuple[str, dict[str, Any]]:
        return "Board", {"kind": "powers", "powers": {"U": place}}

    cautions: set[str] = set()
    run(tower(1))
    old = config.outbox.read_bytes()
    run(tower(2), pile(1), pile(2), tower(3))
    assert not cautions
    config.outbox.write_bytes(old)
    run(pile(1), tower(1), pile(2), tower(2), pile(3), tower(0))
    assert len(cautions) == 1
    assert "old copy" in cautions.pop()
    seen = [entry for entry in table.observations() if entry["meaning"] != "repeated"]
    of_board = [one["observation"]["powers"]["U"] for one in seen if "powers" in one["observation"]]
    of_camera = [one["observation"]["number"] for one in seen if "number" in one["observation"]]
    assert of_board == [1, 2, 3, 1, 2, 0]
    assert of_camera == [1, 2, 1, 2, 3]
