"""Prometheus metrics: counts, access and a bounded number of series."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from referee.config import NO_LIMITS, Guard
from tests.api.conftest import API, KEY, MakeApp, Seat, open_table
from tests.api.test_bad_input import problem


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


def figures(app: Flask) -> dict[str, float]:
    text = app.test_client().get("/metrics").text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def test_rulings_answers_and_entries_are_counted(app: Flask) -> None:
    host = open_table(app.test_client())
    host.move(2, "play", card="red-1")
    host.move(3, "play", card="blue-9")
    host.post("/corrections", {"kind": "undo"})
    host.get("/events?after=999")
    found = figures(app)
    verdict = 'referee_rulings_total{{ruleset="classic-108",verdict="{}"}}'
    assert found[verdict.format("legal")] == 1
    assert found[verdict.format("illegal")] == 1
    assert found['referee_corrections_total{kind="undo"}'] == 1
    assert found['referee_log_entries_total{kind="moved"}'] == 2
    assert found['referee_problems_total{type="invalid-request"}'] == 1
    moves = f'method="POST",route="{API}/tables/<table_id>/moves"'
    assert found[f'referee_http_answers_total{{{moves},status="201"}}'] == 2
    assert found[f"referee_http_request_seconds_count{{{moves}}}"] == 2
    assert found["referee_tables_in_memory"] == 1
    assert found["referee_store_queue_depth"] == 0
    assert found["referee_streams_most"] == 1000


def test_a_move_sent_twice_is_ruled_on_once(app: Flask) -> None:
    host = open_table(app.test_client())
    for _ in range(2):
        host.post("/moves", {"seat": 2, "move": "draw"}, Idempotency_Key="one")
    assert figures(app)['referee_rulings_total{ruleset="classic-108",verdict="legal"}'] == 1


def test_open_streams_and_devices_are_counted(app: Flask) -> None:
    host = open_table(app.test_client(), "power-grab")
    device = host.post("/devices", {"name": "Board", "kind": "board"}).get_json()["token"]
    Seat(host.client, device, host.table).get()
    open_stream = host.get("/events", Accept="text/event-stream")
    found = figures(app)
    assert (found["referee_streams_open"], found["referee_devices_seen"]) == (1, 1)
    open_stream.close()
    assert figures(app)["referee_streams_open"] == 0


def test_there_are_few_series_whatever_is_asked(app: Flask) -> None:
    host = open_table(app.test_client())
    client = app.test_client()
    for number in range(30):
        client.get(f"/nothing/{number}")
        client.open("/health", method=f"VERB{number}")
        host.get(f"/devices/{number}")
    text = client.get("/metrics").text
    assert host.table not in text
    assert "VERB" not in text
    assert "/nothing" not in text
    series = [line for line in text.splitlines() if "http_answers_total{" in line]
    assert len(series) < 15


def test_metrics_are_for_the_server_s_own_machine(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/metrics").status_code == 200
    away = {"REMOTE_ADDR": "192.0.2.7"}
    problem(client.get("/metrics", environ_base=away), 403, "forbidden")
    for proxied in (
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Proto": "https"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"CF-Connecting-IP": "127.0.0.1"},
        {"Host": "referee.example"},
        {"Host": "127.0.0.1.referee.example:8000"},
        {"Host": "192.0.2.7"},
    ):
        problem(client.get("/metrics", headers=proxied), 403, "forbidden")
    # nginx, unless it is told otherwise, adds nothing and speaks an old version.
    old = {"SERVER_PROTOCOL": "HTTP/1.0"}
    problem(client.get("/metrics", environ_overrides=old), 403, "forbidden")
    for host in ("localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "[::1]"):
        assert client.get("/metrics", headers={"Host": host}).status_code == 200
    for address in ("::1", "::ffff:127.0.0.1"):
        sent = client.get("/metrics", environ_base={"REMOTE_ADDR": address})
        assert sent.status_code == 200


def test_metrics_for_all_for_the_operator_for_none(make_app: MakeApp) -> None:
    away = {"REMOTE_ADDR": "192.0.2.7"}
    everybody = make_app(Guard(limits=NO_LIMITS, metrics="open")).test_client()
    assert everybody.get("/metrics", environ_base=away).status_code == 200
    nobody = make_app(Guard(limits=NO_LIMITS, metrics="off")).test_client()
    problem(nobody.get("/metrics"), 404, "not-found")
    guard = Guard(limits=NO_LIMITS, metrics="operator", operator_key=KEY)
    operator = make_app(guard).test_client()
    problem(operator.get("/metrics"), 401, "not-authenticated")
    wrong = {"Authorization": "Bearer nothing"}
    problem(operator.get("/metrics", headers=wrong), 403, "forbidden")
    right = {"Authorization": f"Bearer {KEY}"}
    assert operator.get("/metrics", headers=right).status_code == 200


ONE_OF_TWO = """
import sys
from referee.api import create_app
from referee.api.middleware.metrics import share_figures
from referee.config import Settings
share_figures(sys.argv[1])
client = create_app(Settings(sys.argv[2])).test_client()
for _ in range(3):
    client.post("/api/v1/tables", json={"ruleset": "classic-108", "seats": ["Ann", "Bo"]})
print(client.get("/metrics").text)
"""


def test_processes_of_one_server_count_together(tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    folder.mkdir()
    told = [
        subprocess.run(
            [sys.executable, "-c", ONE_OF_TWO, str(folder), str(tmp_path / f"{number}.sqlite3")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for number in (1, 2)
    ]
    made = 'referee_log_entries_total{kind="created"} '
    assert [f"{made}{count}.0" in text for count, text in zip((3, 6), told, strict=True)] == [
        True
    ] * 2
    assert "referee_http_request_seconds_bucket" in told[1]
    assert "referee_streams_most 2000.0" in told[1]
