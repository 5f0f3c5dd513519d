"""Concurrent writes, repeated requests, and who may act for whom."""

import threading
from functools import partial
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from referee.service.access import hash_token
from referee.store.schema import metadata
from tests.api.conftest import API, Seat, at_once, open_table
from tests.api.test_bad_input import problem
from tests.conftest import both_stores

pytestmark = both_stores


def test_of_two_writes_with_the_same_version_one_wins(host: Seat) -> None:
    version = host.get().headers["ETag"]
    first = host.post("/moves", {"seat": 2, "move": "play", "card": "red-1"}, If_Match=version)
    second = host.post("/moves", {"seat": 2, "move": "play", "card": "red-2"}, If_Match=version)
    assert first.status_code == 201
    body = problem(second, 412, "stale-version")
    assert body["version"] == first.get_json()["id"]
    assert host.state()["top"] == "red-1"
    again = host.post(
        "/moves", {"seat": 3, "move": "play", "card": "red-2"}, If_Match=first.headers["ETag"]
    )
    assert again.get_json()["ruling"]["verdict"] == "legal"


def test_two_threads_with_the_same_version(app: Flask) -> None:
    host = open_table(app.test_client())
    version = host.get().headers["ETag"]
    answers: list[int] = []
    gate = threading.Barrier(8)

    def write(card: str) -> None:
        speaker = Seat(app.test_client(), host.token, host.table)
        gate.wait()
        move = {"seat": 2, "move": "play", "card": card}
        answers.append(speaker.post("/moves", move, If_Match=version).status_code)

    at_once(*(partial(write, f"red-{n}") for n in range(8)))
    assert sorted(answers) == [201] + [412] * 7
    assert len(host.get("/record").get_json()["rounds"][0]["moves"]) == 1


def test_the_same_key_twice_is_one_move(host: Seat) -> None:
    bo = host.seats[2]
    move = {"move": "play", "card": "red-1"}
    version = bo.get().headers["ETag"]
    first = bo.post("/moves", move, Idempotency_Key="k1", If_Match=version)
    host.move(3, "play", card="red-2")
    again = bo.post("/moves", move, Idempotency_Key="k1", If_Match=version)
    assert again.status_code == 201
    assert again.get_json() == first.get_json()
    assert again.headers["ETag"] == first.headers["ETag"]
    assert host.state()["hands"] == [7, 6, 6]


def test_the_same_key_with_another_body_is_refused(host: Seat) -> None:
    bo = host.seats[2]
    bo.post("/moves", {"move": "play", "card": "red-1"}, Idempotency_Key="k1")
    other = bo.post("/moves", {"move": "play", "card": "red-2"}, Idempotency_Key="k1")
    problem(other, 422, "key-reused")
    elsewhere = host.post("/rounds", {"opening": ["red-1"]}, Idempotency_Key="k1")
    problem(elsewhere, 409, "conflict")


def test_keys_of_two_people_do_not_meet(host: Seat) -> None:
    first = host.seats[2].post("/moves", {"move": "uno"}, Idempotency_Key="k1")
    second = host.seats[3].post("/moves", {"move": "uno"}, Idempotency_Key="k1")
    assert second.get_json()["id"] == first.get_json()["id"] + 1


def test_a_table_and_a_seat_are_made_once_for_a_key(client: FlaskClient) -> None:
    body = {"ruleset": "moomin", "seats": ["Ann", "Bo"]}
    key = {"Idempotency-Key": "a-key-that-is-long-enough"}
    made = [client.post(f"{API}/tables", json=body, headers=key).get_json() for _ in range(2)]
    assert made[0] == made[1]
    join = {"code": made[0]["table"]["code"], "seat": 1}
    joined = [client.post(f"{API}/join", json=join, headers=key).get_json() for _ in range(2)]
    assert joined[0] == joined[1]
    problem(client.post(f"{API}/join", json=join), 409, "seat-taken")
    other = client.post(f"{API}/tables", json={**body, "ruleset": "classic-112"}, headers=key)
    problem(other, 422, "key-reused")
    short = client.post(f"{API}/tables", json=body, headers={"Idempotency-Key": "short"})
    problem(short, 422, "invalid-request")


def test_tokens_are_stored_hashed(host: Seat, app: Flask) -> None:
    device = host.post("/devices", {"name": "Eye", "kind": "camera"}).get_json()["token"]
    rotated = host.seats[1].post("/tokens/self/rotation").get_json()["token"]
    engine = app.extensions["referee"].engine
    with engine.connect() as connection:
        rows = [connection.execute(select(table)).all() for table in metadata.sorted_tables]
    stored = repr(rows).encode()
    if engine.dialect.name == "sqlite":
        database = Path(engine.url.database)
        files = (database, database.with_name(f"{database.name}-wal"))
        stored += b"".join(file.read_bytes() for file in files)
    tokens = [host.token, device, rotated, *(seat.token for seat in host.seats.values())]
    assert all(token and token.encode() not in stored for token in tokens)
    assert host.table.encode() in stored
    assert all(hash_token(token).encode() in stored for token in tokens[:3])
