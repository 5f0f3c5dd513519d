"""Tokens: rotation and revocation; join codes; the audit log."""

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from referee.config import NO_LIMITS, Guard
from tests.api.conftest import API, MakeApp, Seat, open_table
from tests.api.test_bad_input import problem


def holding(seat: Seat, token: str) -> Seat:
    return Seat(seat.client, token, seat.table)


def test_a_new_secret_for_a_seat_keeps_the_seat(host: Seat) -> None:
    old = host.seats[2]
    me = old.get("/tokens/self").get_json()
    assert (me["role"], me["seat"]) == ("seat", 2)
    given = old.post("/tokens/self/rotation").get_json()
    assert given["token_id"] == me["id"]
    problem(old.get(), 401, "not-authenticated")
    new = holding(old, given["token"])
    assert host.get().get_json()["seats"][1]["taken"]
    assert new.post("/moves", {"move": "draw"}).status_code == 201


def test_the_host_gives_new_secrets_and_takes_one_too(host: Seat) -> None:
    device = host.post("/devices", {"name": "Eye", "kind": "camera"}).get_json()
    given = host.post(f"/tokens/{device['device']}/rotation").get_json()
    assert given["role"] == "device"
    problem(holding(host, device["token"]).get(), 401, "not-authenticated")
    assert holding(host, given["token"]).get().status_code == 200
    own = host.post("/tokens/self/rotation").get_json()
    problem(host.get(), 401, "not-authenticated")
    assert holding(host, own["token"]).get("/tokens").status_code == 200


def test_a_rotation_sent_twice_gives_the_same_secret(host: Seat) -> None:
    seat = host.seats[1].token_id()
    first, again = (
        host.post(f"/tokens/{seat}/rotation", Idempotency_Key="turn-1").get_json() for _ in range(2)
    )
    assert first == again
    assert holding(host, again["token"]).get().status_code == 200


LONG_KEY = "a-key-that-nobody-guesses"


def test_a_holder_whose_answer_was_lost_gets_the_same_secret(app: Flask, host: Seat) -> None:
    seat = host.seats[2]
    sent = {"Idempotency_Key": LONG_KEY, "If_Match": f'"{host.get().get_json()["version"]}"'}
    lost = seat.post("/tokens/self/rotation", **sent)
    assert lost.status_code == 201
    version = host.get().get_json()["version"]
    again = seat.post("/tokens/self/rotation", **sent)
    assert (again.status_code, again.get_json()) == (201, lost.get_json())
    # After a restart, too.
    app.extensions["referee"].cache.clear()
    assert seat.post("/tokens/self/rotation", **sent).get_json() == lost.get_json()
    assert host.get().get_json()["version"] == version
    new = holding(seat, again.get_json()["token"])
    assert new.post("/moves", {"move": "draw"}).status_code == 201
    assert new.post("/tokens/self/rotation", **sent).get_json() == lost.get_json()
    # The old secret opens nothing else.
    for answer in (
        seat.get(),
        seat.get("/tokens/self"),
        seat.post("/moves", {"move": "pass"}, Idempotency_Key=LONG_KEY),
        seat.delete("/tokens/self", Idempotency_Key=LONG_KEY),
        seat.post("/tokens/self/rotation"),
        seat.post("/tokens/self/rotation", Idempotency_Key=LONG_KEY + "-"),
        seat.post(f"/tokens/{host.token_id()}/rotation", Idempotency_Key=LONG_KEY),
        holding(seat, "another").post("/tokens/self/rotation", Idempotency_Key=LONG_KEY),
        Seat(seat.client, seat.token, "nowhere").post("/tokens/self/rotation", **sent),
    ):
        problem(answer, 401, "not-authenticated")
    # Not once the token was rotated again.
    assert new.post("/tokens/self/rotation", Idempotency_Key="another-" + LONG_KEY).is_json
    problem(seat.post("/tokens/self/rotation", **sent), 401, "not-authenticated")


def test_a_lost_answer_is_not_given_again_late_or_for_a_short_key_or_to_a_revoked_token(
    host: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (host.seats[seat] for seat in (1, 2, 3))
    for seat, key in ((first, LONG_KEY), (second, "short"), (third, LONG_KEY)):
        assert seat.post("/tokens/self/rotation", Idempotency_Key=key).status_code == 201
    problem(second.post("/tokens/self/rotation", Idempotency_Key="short"), 401, "not-authenticated")
    monkeypatch.setattr("referee.service.people.rotation.REPEAT", timedelta(0))
    problem(first.post("/tokens/self/rotation", Idempotency_Key=LONG_KEY), 401, "not-authenticated")
    monkeypatch.undo()
    assert first.post("/tokens/self/rotation", Idempotency_Key=LONG_KEY).status_code == 201
    items = host.get("/tokens").get_json()["items"]
    (mine,) = [item["id"] for item in items if item["seat"] == 3]
    host.delete(f"/tokens/{mine}")
    problem(third.post("/tokens/self/rotation", Idempotency_Key=LONG_KEY), 401, "not-authenticated")


def test_a_token_that_the_host_renewed_is_not_for_its_old_holder(host: Seat) -> None:
    """The host may have done it because somebody else has the old secret."""
    seat = host.seats[2].token_id()
    assert host.post(f"/tokens/{seat}/rotation", Idempotency_Key=LONG_KEY).status_code == 201
    answer = host.seats[2].post("/tokens/self/rotation", Idempotency_Key=LONG_KEY)
    problem(answer, 401, "not-authenticated")


def test_guesses_at_lost_answers_are_limited(make_app: MakeApp) -> None:
    host = open_table(make_app(Guard(limits=replace(NO_LIMITS, misses="3/minute"))).test_client())
    assert host.seats[2].post("/tokens/self/rotation", Idempotency_Key=LONG_KEY).is_json
    wrong = {"Idempotency_Key": "guess-" + LONG_KEY}
    for _ in range(3):
        problem(host.seats[2].post("/tokens/self/rotation", **wrong), 401, "not-authenticated")
    answer = host.seats[2].post("/tokens/self/rotation", Idempotency_Key=LONG_KEY)
    problem(answer, 401, "not-authenticated")
    assert host.get().status_code == 200


def test_a_revoked_token_gets_no_new_secret(host: Seat) -> None:
    seat = host.seats[1].token_id()
    assert host.delete(f"/tokens/{seat}").status_code == 200
    problem(host.seats[1].get(), 401, "not-authenticated")
    assert not host.get().get_json()["seats"][0]["taken"]
    problem(host.post(f"/tokens/{seat}/rotation"), 409, "conflict")
    problem(host.post("/tokens/nothing/rotation"), 404, "not-found")
    problem(host.delete("/tokens/nothing"), 404, "not-found")


def test_a_stream_opened_with_the_old_secret_ends(host: Seat) -> None:
    stream = host.seats[2].get("/events?after=0", Accept="text/event-stream")
    lines = iter(stream.response)
    assert next(lines).startswith(b"retry")
    host.seats[2].post("/tokens/self/rotation")
    assert b"".join(lines).endswith(b"event: revoked\ndata: {}\n\n")


def test_somebody_leaves_the_table(host: Seat) -> None:
    assert host.seats[3].delete("/tokens/self").status_code == 200
    problem(host.seats[3].get(), 401, "not-authenticated")
    assert not host.get().get_json()["seats"][2]["taken"]
    problem(host.delete("/tokens/self"), 409, "conflict")


def test_a_new_join_code(host: Seat) -> None:
    old = host.get().get_json()["code"]
    new = host.post("/join-code", Idempotency_Key="code-1").get_json()["code"]
    assert new != old
    assert host.post("/join-code", Idempotency_Key="code-1").get_json()["code"] == new
    assert host.get().get_json()["code"] == new
    problem(host.client.post(f"{API}/join", json={"code": old}), 404, "not-found")
    assert host.client.post(f"{API}/join", json={"code": new}).status_code == 201
    events = host.get("/events?limit=200").text
    assert new not in events
    assert old not in events


def test_a_code_is_the_same_after_the_table_was_loaded_again(app: Flask) -> None:
    host = open_table(app.test_client())
    host.post("/join-code")
    code = host.get().get_json()["code"]
    app.extensions["referee"].drop(host.table, [])
    assert host.get().get_json()["code"] == code


def test_the_audit_says_who_overruled_what(host: Seat) -> None:
    other = host.post("/tokens", {"role": "host", "name": "Vera"}).get_json()
    host.move(2, "play", card="blue-9")
    vera = holding(host, other["token"])
    vera.create("/corrections", {"kind": "overrule", "verdict": "legal"})
    host.delete(f"/tokens/{other['token_id']}")
    (item,) = host.get("/audit?kind=overruled").get_json()["items"]
    assert item["by"] == {"token": other["token_id"], "role": "host", "name": "Vera"}
    assert item["change"] == {"kind": "overrule", "verdict": "legal"}
    assert item["changed"][0]["now"]["verdict"] == "legal"
    assert item["scores_before"] == item["scores_after"] == [0, 0, 0]
    access = host.get("/audit?kind=access").get_json()["items"]
    assert [entry["kind"] for entry in access[-2:]] == ["token-issued", "token-revoked"]
    assert access[-1]["about"] == {"token": other["token_id"], "name": "Vera"}
    everything = host.get("/audit").get_json()["items"]
    assert [entry["id"] for entry in everything] == sorted(entry["id"] for entry in [*access, item])


def test_the_audit_comes_in_pages(host: Seat) -> None:
    whole = host.get("/audit").get_json()["items"]
    first = host.get("/audit?limit=2").get_json()
    assert first["items"] == whole[:2]
    second = host.get(f"/audit?after={first['next']}").get_json()
    assert (second["items"], second["next"]) == (whole[2:], None)
