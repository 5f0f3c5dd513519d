"""Devices whose lease runs out are reported as silent."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from referee.service.devices.liveness import report_silent_devices
from referee.service.log.event_log import EventLog
from referee.service.periodic_task import PeriodicTask
from tests.api.camera import Camera, add_camera, kinds
from tests.api.conftest import Seat, open_table
from tests.api.reloaded import out_of_time, reloaded
from tests.api.test_devices import IN_THE_TRAY, add_board, wrong
from tests.waiting import until

BLIND = "The camera does not see the pile. Say the cards by phone."


def promise(device: Seat, within: int = 45) -> dict[str, Any]:
    answer = device.post("/promises", {"within": within})
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def camera_of(host: Seat) -> tuple[str, str | None]:
    found = host.get().get_json()["camera"]
    return found["sight"], found["reason"]


def silent(host: Seat) -> list[bool]:
    items = host.get("/devices").get_json()["items"]
    return [item["silent"] is not None for item in items]


def said(host: Seat, kind: str) -> list[list[str]]:
    items = host.get("/events?limit=200").get_json()["items"]
    return [item["announcements"] for item in items if item["kind"] == kind]


@pytest.fixture
def event_log(app: Flask) -> EventLog:
    return app.extensions["referee"]


@pytest.fixture
def camera(host: Seat) -> Camera:
    return add_camera(host)


def test_a_camera_that_is_missed_is_told_of_once(
    host: Seat, camera: Camera, event_log: EventLog
) -> None:
    assert promise(camera)["silent"] is None
    report_silent_devices(event_log)
    assert camera_of(host) == ("watching", None)
    out_of_time(event_log)
    out_of_time(event_log)
    assert said(host, "device-silent") == [[BLIND]]
    assert camera_of(host) == ("blind", "silent")
    assert silent(host) == [True]
    assert host.move(2, "draw")["ruling"]["verdict"] == "legal"


def test_it_is_heard_again(host: Seat, camera: Camera, event_log: EventLog) -> None:
    promise(camera)
    out_of_time(event_log)
    assert promise(camera)["silent"] is None
    assert said(host, "device-heard") == [["The camera sees the pile."]]
    assert camera_of(host) == ("watching", None)
    assert silent(host) == [False]
    promise(camera)
    assert len(said(host, "device-heard")) == 1


def test_what_it_sees_says_that_it_is_there(
    host: Seat, camera: Camera, event_log: EventLog
) -> None:
    promise(camera)
    out_of_time(event_log)
    camera.sees("placed", "red-5")
    assert silent(host) == [False]
    assert kinds(host)[-1] == "moved"
    promise(camera)
    assert said(host, "device-heard") == []


def test_a_blind_camera_that_is_missed_and_comes_back_is_blind(
    host: Seat, camera: Camera, event_log: EventLog
) -> None:
    camera.state_is("blind", reason="no-pictures")
    promise(camera)
    out_of_time(event_log)
    promise(camera)
    assert camera_of(host) == ("blind", "no-pictures")


def test_where_a_silent_boards_towers_are_is_not_known(
    client: FlaskClient, event_log: EventLog
) -> None:
    host = open_table(client, "power-grab")
    board = add_board(host)
    board.sees({**IN_THE_TRAY, "U": 3})
    before = wrong(host)
    assert list(before) == ["U"]
    promise(board)
    out_of_time(event_log)
    assert host.get().get_json()["sensed"] == dict.fromkeys(IN_THE_TRAY, "unknown")
    assert wrong(host) == {}
    towers = "tower U, tower N, tower O and tower !"
    assert said(host, "device-silent") == [[f"The board cannot say where this is: {towers}."]]
    promise(board)
    assert wrong(host) == before
    assert host.get().get_json()["sensed"] == {**IN_THE_TRAY, "U": 3}


def test_the_log_and_snapshots_keep_it(
    app: Flask, host: Seat, camera: Camera, event_log: EventLog
) -> None:
    promise(camera)
    out_of_time(event_log)
    reloaded(app, host)


def test_a_device_that_promises_nothing_is_not_missed(
    host: Seat, camera: Camera, event_log: EventLog
) -> None:
    out_of_time(event_log)
    assert said(host, "device-silent") == []


def test_a_device_that_was_taken_out_is_not_missed(
    host: Seat, camera: Camera, event_log: EventLog
) -> None:
    promise(camera)
    assert host.delete(f"/devices/{camera.id}").status_code == 200
    with capture_logs() as logged:
        out_of_time(event_log)
    assert logged == []
    assert said(host, "device-silent") == []
    assert camera.id not in event_log.leases.all()


@pytest.mark.parametrize("within", [4, 601, 45.0, "45", None])
def test_how_long_it_may_take(camera: Camera, within: object) -> None:
    answer = camera.post("/promises", {"within": within})
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["field"] == "within"


def test_the_server_looks_by_itself(
    host: Seat, camera: Camera, event_log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = PeriodicTask("presence", lambda: report_silent_devices(event_log), 0.01)
    monkeypatch.setattr(event_log.leases, "on_lease", watch.start)
    promise(camera)
    made = event_log.leases.all()[camera.id]
    event_log.leases._of[camera.id] = replace(made, at=made.at - 1000)
    until(lambda: said(host, "device-silent") == [[BLIND]])
    watch.stop()
