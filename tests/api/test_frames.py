"""Frames of a phone that is the camera: who may send them, and what is refused."""

import dataclasses
from typing import NoReturn

import pytest
from flask import Flask
from structlog.testing import capture_logs

from hardware.frames import answer
from hardware.frames.listener import LENGTHS as WORKERS_LENGTHS
from hardware.frames.listener import MOST_BODY
from hardware.frames.phones import LONGEST_SIDE as WORKERS_LONGEST_SIDE
from referee.api.resources.devices.frames import ADVICE
from referee.config import NO_LIMITS, Guard
from referee.service.devices.frames import LARGEST_FRAME, LONGEST_SIDE, FrameError, FrameTrouble
from referee.service.people.operator import purge_tables
from referee.service.pile.thresholds import Prior
from referee.serving.frames import LENGTHS
from referee.store.database import private_folder
from referee.store.purge import WORKER
from tests.api.conftest import JPEG, KEY, SEEN, Frames, MakeApp, Seat, open_table
from tests.api.test_writes import problem


@pytest.fixture
def frames(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Frames:
    """Give the server something that reads frames during the test."""
    frames = Frames()
    monkeypatch.setitem(app.extensions, "referee-frame-reader", frames)
    return frames


@pytest.fixture
def phone(host: Seat) -> Seat:
    return host.device("camera")


def test_a_frame_is_passed_on_and_the_answer_tells_what_is_seen(
    host: Seat, phone: Seat, frames: Frames
) -> None:
    version = host.get().get_json()["version"]
    answered = phone.frame(query="&pile=0.25,1")
    assert answered.status_code == 200, answered.text
    assert answered.get_json() == SEEN
    sender, frame = frames.sent[0]
    assert (sender.table, sender.ruleset, sender.token) == (host.table, "classic-108", phone.token)
    assert sender.device == phone.token_id()
    assert (frame.picture, frame.captured, frame.sent) == (JPEG, 1000.0, 1001.5)
    assert frame.pile == (0.25, 1.0)
    assert host.get().get_json()["version"] == version
    seen = host.get("/devices").get_json()["items"][0]["last_seen"]
    assert seen is not None


@pytest.mark.parametrize("asked_below", [0.95, 0.7])
def test_a_card_is_sure_where_the_referee_would_not_ask(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, asked_below: float
) -> None:
    app = make_app()
    monkeypatch.setattr(app.extensions["referee"], "prior", Prior(certain=asked_below))
    frames = Frames()
    monkeypatch.setitem(app.extensions, "referee-frame-reader", frames)
    phone = open_table(app.test_client()).device("camera")
    for chance, sure in ((1.0, True), (asked_below, True), (asked_below - 0.01, False)):
        frames.chance = chance
        assert phone.frame().get_json() == {**SEEN, "sure": sure}


def test_a_sign_that_nothing_moves_needs_no_picture(phone: Seat, frames: Frames) -> None:
    assert phone.frame(b"", query="&still=true").get_json() == SEEN
    assert frames.sent[0][1].picture == b""
    assert problem(phone.frame(b""), 422, "invalid-request")["errors"][0]["field"] == "still"


def test_a_second_phone_is_told_that_another_is_the_camera(phone: Seat, frames: Frames) -> None:
    frames.trouble = FrameError("another-phone")
    refused = problem(phone.frame(query="&phone=b2"), 409, "conflict")
    assert refused["detail"] == "Another phone is this table's camera."
    frames.trouble = None
    assert phone.frame(query="&phone=b2&take_over=true").status_code == 200
    assert [(one.phone, one.take_over) for _, one in frames.sent] == [("b2", False), ("b2", True)]
    problem(phone.frame(query="&phone=two%20words"), 422, "invalid-request")


def test_nothing_of_a_frame_is_told_where_it_is_shown(phone: Seat, frames: Frames) -> None:
    phone.frame()
    shown = repr(frames.sent)
    assert "a photo" not in shown
    assert str(phone.token) not in shown


def test_pictures_that_are_none_are_refused(phone: Seat, frames: Frames) -> None:
    problem(phone.frame(mimetype="image/png"), 415, "unsupported-media-type")
    problem(phone.frame(b"\x89PNG no JPEG"), 422, "unreadable-photo")
    problem(phone.frame(JPEG + bytes(LARGEST_FRAME)), 413, "too-large")
    assert not frames.sent
    assert phone.frame(JPEG + bytes(LARGEST_FRAME - len(JPEG))).status_code == 200


@pytest.mark.parametrize(
    "query",
    ["&pile=0.5", "&pile=1.1,0", "&pile=nan,0", "&pile=-0.1,0.2", "&still=perhaps"],
)
def test_queries_that_make_no_sense_are_refused(phone: Seat, frames: Frames, query: str) -> None:
    problem(phone.frame(query=query), 422, "invalid-request")
    assert not frames.sent


@pytest.mark.parametrize("times", ["", "captured=1", "captured=nan&sent=1", "captured=-1&sent=1"])
def test_a_frame_has_its_times(phone: Seat, frames: Frames, times: str) -> None:
    path = f"/api/v1/tables/{phone.table}/frames?{times}"
    answered = phone.client.post(
        path,
        data=JPEG,
        content_type="image/jpeg",
        headers={"Authorization": f"Bearer {phone.token}"},
    )
    problem(answered, 422, "invalid-request")
    assert not frames.sent


@pytest.mark.parametrize(
    ("kind", "status"),
    [("no-watcher", 503), ("no-reader", 501), ("unreadable-photo", 422), ("too-large", 413)],
)
def test_what_the_worker_refuses_is_a_problem(
    phone: Seat, frames: Frames, kind: FrameTrouble, status: int
) -> None:
    frames.trouble = FrameError(kind)
    answered = phone.frame()
    problem(answered, status, kind)
    assert answered.headers.get("Retry-After") == ("2" if status == 503 else None)


def test_a_server_without_a_worker_says_when_to_ask_again(phone: Seat) -> None:
    answered = phone.frame()
    problem(answered, 503, "no-watcher")
    assert answered.headers["Retry-After"] == "60"


def test_only_the_tables_own_cameras_send_frames(host: Seat, frames: Frames) -> None:
    other = open_table(host.client).device("camera")
    other.table = host.table
    watching = host.post("/tokens", {"role": "spectator"}).get_json()["token"]
    for stranger in (
        host.device("board"),
        other,
        Seat(host.client, watching, host.table),
        host.seats[1],
        host,
    ):
        problem(stranger.frame(), 403, "forbidden")
    problem(Seat(host.client, None, host.table).frame(), 401, "not-authenticated")
    assert not frames.sent


def test_a_revoked_camera_is_refused_at_once(host: Seat, phone: Seat, frames: Frames) -> None:
    assert phone.frame().status_code == 200
    assert host.delete(f"/devices/{phone.token_id()}").status_code == 200
    problem(phone.frame(), 401, "not-authenticated")
    assert len(frames.sent) == 1


def test_a_closed_table_is_not_watched(app: Flask, host: Seat, phone: Seat, frames: Frames) -> None:
    close = f"/api/v1/operator/tables/{host.table}/closing"
    assert Seat(host.client, KEY).call("POST", close, {}).status_code == 201
    problem(phone.frame(), 409, "closed")
    assert not frames.sent


def test_a_camera_sends_fifteen_frames_a_second(make_app: MakeApp) -> None:
    limits = dataclasses.replace(NO_LIMITS, frames="30/2 seconds")
    app = make_app(Guard(limits=limits))
    frames = app.extensions["referee-frame-reader"] = Frames()
    host = open_table(app.test_client())
    phone, second = host.device("camera"), host.device("camera")
    answers = [phone.frame() for _ in range(40)]
    limited = [one for one in answers if one.status_code == 429]
    assert len(limited) + len(frames.sent) == 40
    # A window of two seconds may end meanwhile.
    assert 30 <= len(frames.sent) < 40
    assert limited[0].get_json()["type"] == "/problems/too-many-requests"
    assert int(limited[0].headers["Retry-After"]) in (1, 2)
    # Each camera of a table has its own.
    assert second.frame().status_code == 200


def test_server_and_worker_say_the_same() -> None:
    """They share no code, so their words and numbers are compared."""
    assert answer.ADVICE == ADVICE
    assert set(answer.paced(answer.starting(), 0)) ^ set(SEEN) == {"chance", "sure"}
    assert LENGTHS.format == WORKERS_LENGTHS.format
    assert (LARGEST_FRAME, LONGEST_SIDE) == (MOST_BODY, WORKERS_LONGEST_SIDE)


def test_what_the_worker_keeps_for_a_phone_goes_with_it_and_with_the_table(
    app: Flask, host: Seat
) -> None:
    engine = app.extensions["referee"].engine
    folder = private_folder(str(engine.url), WORKER, {})
    folder.mkdir(exist_ok=True)
    first, second = (
        host.post("/devices", {"name": "Phone", "kind": "camera"}).get_json()["device"]
        for _ in range(2)
    )
    elsewhere = open_table(app.test_client()).table
    names = [f"{host.table}-{one}" for one in (first, second)] + [f"{elsewhere}-{first}"]
    for name in names:
        for ending in (".sqlite3", ".sqlite3-wal", ".sqlite3.lock", ".status.json"):
            (folder / (name + ending)).touch()

    def kept() -> list[str]:
        return sorted({file.name.partition(".")[0] for file in folder.iterdir()})

    assert host.delete(f"/devices/{first}").status_code == 200
    assert kept() == sorted(names[1:])
    assert purge_tables(app.extensions["referee"], [f"{host.table[:4]}*"]) == 0
    assert kept() == sorted(names[1:])
    assert purge_tables(app.extensions["referee"], [host.table]) == 1
    assert kept() == names[2:]


@pytest.mark.parametrize("homeless", [False, True])
def test_a_device_goes_even_where_the_workers_files_stay(
    app: Flask, host: Seat, monkeypatch: pytest.MonkeyPatch, homeless: bool
) -> None:
    engine = app.extensions["referee"].engine
    device = host.post("/devices", {"name": "Phone", "kind": "camera"}).get_json()["device"]
    # It cannot be deleted as a file is.
    (private_folder(str(engine.url), WORKER, {}) / f"{host.table}-{device}.").mkdir(parents=True)
    if homeless:

        def no_home(*_: object) -> NoReturn:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr("referee.store.purge.private_folder", no_home)
    with capture_logs() as logged:
        assert host.delete(f"/devices/{device}").status_code == 200
        assert host.get("/devices").get_json()["items"][0]["revoked"]
        assert purge_tables(app.extensions["referee"], [host.table]) == 1
    warning = {"event": "worker's files not deleted", "log_level": "warning"}
    told = [{key: one[key] for key in warning} for one in logged if one["log_level"] == "warning"]
    assert told == [warning] * 2
