"""The turn timer: by whose clock, what restarts it, and that time is up once."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service.log import table_meta
from referee.service.play import timeouts
from referee.texts.catalog import languages
from tests.api.conftest import API, Seat, at_once, imported, open_table
from tests.api.test_bad_input import problem
from tests.conftest import both_stores

pytestmark = both_stores
Json = dict[str, Any]
Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Put the server's clock forward."""

    def put_forward(seconds: float) -> None:
        class Clock(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> "Clock":
                return cls.fromtimestamp(
                    (datetime.now(UTC) + timedelta(seconds=seconds)).timestamp(), tz
                )

        for module in (timeouts, table_meta):
            monkeypatch.setattr(module, "datetime", Clock)

    return put_forward


def timed(client: FlaskClient, then: str = "draw", seconds: int = 20, **options: Any) -> Seat:
    """Three with phones, Bo to play, with a timer since before the round."""
    host = open_table(client, "classic-112", opening=None, **options)
    choose(host, {"seconds": seconds, "then": then})
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    return host


def choose(host: Seat, timer: Json | None) -> Any:
    made = host.call("PUT", f"{API}/tables/{host.table}/timer", {"timer": timer})
    assert made.status_code == 200, made.text
    return made.get_json()


def running(host: Seat) -> Json | None:
    found = host.get().get_json()["timer"]["running"]
    return None if found is None else dict(found)


def tell(speaker: Seat, began: int, **headers: str) -> Any:
    return speaker.post("/timeouts", {"began": began}, **headers)


# Choosing it


def test_it_is_off_unless_the_table_wants_it(client: FlaskClient) -> None:
    host = open_table(client)
    assert host.get().get_json()["timer"] is None
    refused = problem(tell(host, 1), 409, "conflict")
    assert refused["detail"] == "This table has no turn timer."


def test_a_table_is_made_with_it(client: FlaskClient) -> None:
    body = {"ruleset": "moomin", "seats": ["Ann", "Bo"], "timer": {"seconds": 30}}
    made = client.post(f"{API}/tables", json=body).get_json()
    timer = made["table"]["timer"]
    assert (timer["seconds"], timer["then"], timer["running"]) == (30, "say", None)
    host = Seat(client, made["token"], made["table"]["id"])
    (created,) = host.get("/events").get_json()["items"]
    assert created["timer"] == {"seconds": 30, "then": "say"}


@pytest.mark.parametrize(
    "timer",
    [{"seconds": 9}, {"seconds": 301}, {"seconds": 20, "then": "shout"}, {}, {"seconds": "20"}, 20],
)
def test_what_is_no_timer_is_refused(client: FlaskClient, timer: Any) -> None:
    body = {"ruleset": "moomin", "seats": ["Ann", "Bo"], "timer": timer}
    problem(client.post(f"{API}/tables", json=body), 422, "invalid-request")


def test_the_host_changes_it_and_time_begins_anew(client: FlaskClient) -> None:
    host = timed(client)
    chosen = choose(host, {"seconds": 45})
    assert chosen["announcements"] == [
        "From now on a turn has 45 seconds. Then the referee says so."
    ]
    assert running(host)["began"] == chosen["id"]
    assert choose(host, None)["announcements"] == ["From now on a turn takes as long as it takes."]
    assert host.get().get_json()["timer"] is None


# By the server's clock


def test_the_table_says_since_when_by_the_servers_clock(client: FlaskClient) -> None:
    host = timed(client)
    timer = host.get().get_json()["timer"]
    entry = host.get("/events").get_json()["items"][-1]
    assert timer["running"] == {
        "began": entry["id"],
        "seat": 2,
        "needs": ["play"],
        "since": entry["at"],
        "up": False,
    }
    passed = datetime.fromisoformat(timer["now"]) - datetime.fromisoformat(entry["at"])
    assert timedelta(0) <= passed < timedelta(seconds=120)


def test_who_is_too_early_is_refused(client: FlaskClient, later: Later) -> None:
    host = timed(client, seconds=300)
    began = running(host)["began"]
    later(180)
    refused = problem(tell(host.seats[3], began), 409, "conflict")
    assert refused["detail"] == "Time is not up yet."
    assert host.state()["turn"] == 2


def test_time_is_up_and_one_card_is_drawn(client: FlaskClient, later: Later) -> None:
    host = timed(client)
    began = running(host)["began"]
    later(20)
    ruled = tell(host.seats[3], began).get_json()
    assert (ruled["kind"], ruled["move"]) == ("moved", {"seat": 2, "move": "timeout"})
    assert (ruled["ruling"]["verdict"], ruled["ruling"]["rule"]) == ("legal", "house.timer")
    assert "this table's own rule" in ruled["ruling"]["text"]
    assert ruled["announcements"][0] == "Bo has to draw 1 card: time is up."
    assert (ruled["state"]["turn"], ruled["state"]["hands"]) == (3, [7, 8, 7])
    assert running(host)["began"] == ruled["id"]
    (banner,) = [one for one in ruled["banners"] if one["seat"] == 2]
    assert banner["text"].startswith("Your time was up.")


def test_time_is_up_and_only_said(client: FlaskClient, later: Later) -> None:
    host = timed(client, "say")
    began = running(host)["began"]
    later(21)
    said = tell(host, began).get_json()
    assert (said["kind"], said["seat"], said["needs"]) == ("time-up", 2, ["play"])
    assert said["announcements"] == ["Time is up for Bo."]
    found = running(host)
    assert (found["began"], found["up"], found["seat"]) == (began, True, 2)
    host.move(2, "play", card="red-5")
    assert running(host)["up"] is False


def test_a_colour_cannot_be_drawn_for(client: FlaskClient, later: Later) -> None:
    host = timed(client)
    host.move(2, "play", card="wild")
    assert running(host)["needs"] == ["color"]
    later(21)
    assert tell(host, running(host)["began"]).get_json()["kind"] == "time-up"
    assert host.state()["turn"] == 2


@pytest.mark.parametrize("lang", languages())
def test_it_is_told_in_every_language(client: FlaskClient, later: Later, lang: str) -> None:
    host = timed(client)
    later(21)
    said = host.post(f"/timeouts?lang={lang}", {"began": running(host)["began"]}).get_json()
    assert "Bo" in said["announcements"][0]
    assert len(said["ruling"]["text"]) > 20
    refused = host.post(f"/timeouts?lang={lang}", {"began": 1}).get_json()
    assert (lang == "en") == (refused["detail"].startswith("The game has gone on"))


# Once, whoever says so


def test_who_tells_it_too_is_given_the_same_ruling(client: FlaskClient, later: Later) -> None:
    host = timed(client)
    began = running(host)["began"]
    version = host.get().headers["ETag"]
    later(21)
    first = tell(host.seats[1], began, If_Match=version)
    again = tell(host.seats[3], began, If_Match=version)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_json()["id"] == again.get_json()["id"]
    host.move(3, "play", card="red-1")
    assert tell(host.seats[2], began).get_json()["id"] == first.get_json()["id"]
    assert host.state()["hands"] == [7, 8, 6]


@pytest.mark.parametrize("then", ["say", "draw"])
def test_of_many_phones_at_once_one_is_ruled_on(
    app: Flask, client: FlaskClient, later: Later, then: str
) -> None:
    host = timed(client, then)
    began = running(host)["began"]
    later(21)
    gate, answers = threading.Barrier(3), list[Any]()

    def say(seat: int) -> None:
        phone = Seat(app.test_client(), host.seats[seat].token, host.table)
        gate.wait()
        answers.append(tell(phone, began))

    at_once(*(partial(say, seat) for seat in (1, 2, 3)))
    assert [answer.status_code for answer in answers] == [201] * 3
    assert len({one.get_json()["id"] for one in answers}) == 1
    ups = [
        item
        for item in host.get("/events").get_json()["items"]
        if item["kind"] == "time-up" or item.get("move", {}).get("move") == "timeout"
    ]
    assert len(ups) == 1


def test_a_move_that_came_first_counts(client: FlaskClient, later: Later) -> None:
    host = timed(client)
    began = running(host)["began"]
    later(21)
    host.move(2, "play", card="red-5")
    refused = problem(tell(host.seats[3], began), 409, "conflict")
    assert refused["detail"].startswith("The game has gone on")
    assert host.state()["hands"] == [7, 6, 7]


def test_nobody_moves_by_saying_so(client: FlaskClient) -> None:
    host = timed(client)
    refused = host.seats[2].post("/moves", {"move": "timeout"})
    assert problem(refused, 422, "invalid-request")["errors"][0]["field"] == "move"


# What restarts it, and when it stands still


def test_time_begins_anew_with_each_need_and_each_seat(client: FlaskClient) -> None:
    host = timed(client)
    began = running(host)["began"]
    host.seats[3].post("/moves", {"move": "draw"})
    host.move(1, "uno")
    # What others do takes nothing from it, and gives nothing.
    assert running(host)["began"] == began
    drawn = host.move(2, "draw")
    assert running(host) | {"since": ""} == {
        "began": drawn["id"],
        "seat": 2,
        "needs": ["drawn"],
        "since": "",
        "up": False,
    }
    passed = host.move(2, "pass")
    assert (running(host)["began"], running(host)["seat"]) == (passed["id"], 3)
    hit = host.move(3, "play", card="wild-draw-four", color="blue")
    assert (running(host)["began"], running(host)["needs"]) == (hit["id"], ["respond"])
    challenged = host.move(1, "challenge")
    # The hand takes as long to show as it takes.
    assert (challenged["state"]["awaiting"][0]["need"], running(host)) == ("reveal", None)


def test_a_turn_that_comes_back_begins_anew(client: FlaskClient) -> None:
    host = open_table(client, names=("Ann", "Bo"), opening=None)
    choose(host, {"seconds": 20})
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    skip = host.move(2, "play", card="red-skip")
    assert (running(host)["seat"], running(host)["began"]) == (2, skip["id"])


def test_a_correction_begins_it_anew(client: FlaskClient, later: Later) -> None:
    host = timed(client)
    before = running(host)["began"]
    later(21)
    ruled = tell(host, before).get_json()
    made = host.create("/corrections", {"kind": "undo"})
    assert made["fell"][0]["id"] == ruled["id"]
    found = running(host)
    assert (found["began"], found["seat"]) == (made["id"], 2)
    assert host.state()["hands"] == [7, 7, 7]
    problem(
        host.post("/timeouts", {"began": host.get().get_json()["version"] + 1}), 409, "conflict"
    )


def test_between_rounds_and_at_a_closed_table_none_runs(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    choose(host, {"seconds": 20})
    assert running(host) is None
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert running(host) is not None
    host.post("/corrections", {"kind": "break-off"})
    assert running(host) is None


def test_a_question_about_the_pile_stops_it(client: FlaskClient) -> None:
    host = timed(client)
    device = host.post("/devices", {"name": "Eye", "kind": "camera"}).get_json()
    eye = Seat(client, device["token"], host.table)
    unsure = {
        "kind": "pile",
        "at": "2026-11-21T10:00:00.000+00:00",
        "number": 1,
        "event": "placed",
        "cards": {"red-6": 0.6, "red-9": 0.39},
    }
    assert eye.post("/observations", unsure).get_json()["meaning"] == "asked"
    assert running(host) is None
    question = host.get("/questions").get_json()["items"][0]["id"]
    answered = host.post(f"/questions/{question}/answers", {"card": "red-6"})
    assert answered.status_code in (200, 201), answered.text
    assert running(host)["seat"] == 3


def test_a_restarted_server_and_a_record_know_it(
    app: Flask, client: FlaskClient, later: Later
) -> None:
    host = timed(client)
    before = host.get().get_json()["timer"]["running"]
    app.extensions["referee"].cache.clear()
    assert host.get().get_json()["timer"]["running"] == before
    later(21)
    tell(host, before["began"])
    app.extensions["referee"].cache.clear()
    assert tell(host.seats[3], before["began"]).status_code == 201
    assert host.state()["hands"] == [7, 8, 7]
    record = host.get("/record").get_json()
    assert record["rounds"][0]["moves"] == [{"seat": 2, "move": "timeout"}]
    again = imported(client, record)
    assert again.state() == host.state()
