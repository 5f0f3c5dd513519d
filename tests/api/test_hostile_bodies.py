"""Bodies that are many, deep, long or of a wrong type: a small, quick refusal, whatever comes."""

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient
from marshmallow import fields as mm
from marshmallow.validate import Length

from referee.api import create_app
from referee.api.requests import read_json
from referee.api.schemas.typed import BoundedDict, BoundedList, Strict
from referee.config import NO_LIMITS, Guard, Settings
from tests.api.conftest import API, KEY, MakeApp, Reader, close, open_table, record
from tests.api.test_bad_input import fields, problem
from tests.api.test_rights_matrix import BODIES, PATHS, World, address, new_world

LARGEST_PROBLEM = 8_000
LARGE = 4_000_000
LONGEST_LINE = 2_000
# Time and memory of four times the input, as a multiple: linear, with room for a busy machine.
LINEAR = 10
# Differences below these are noise.
QUICK, SMALL = 0.02, 300_000
WIDE = "\U0001f0cf"


def nested(depth: int, name: str = "a") -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {name: [value]}
    return value


SHAPES: dict[str, Callable[[int], Any]] = {
    "integers": lambda n: [1] * n,
    "texts": lambda n: ["a"] * n,
    "nulls": lambda n: [None] * n,
    "objects": lambda n: [{}] * n,
    "lists": lambda n: [[]] * n,
    "fields": lambda n: {f"f{i}": 1 for i in range(n)},
    "numbered": lambda n: {str(i): 1 for i in range(n)},
    "objects in fields": lambda n: {f"f{i}": {"a": [{}]} for i in range(n)},
    "long": lambda n: "x" * n,
    "long and wide": lambda n: WIDE * n,
    "long key": lambda n: {"x" * n: 1},
    "long wide keys": lambda n: {WIDE * 100 + str(i): 1 for i in range(n // 100)},
    "long texts": lambda n: [WIDE * 500] * (n // 100),
    "deep": lambda n: nested(min(n, 200)),
    "deep lists": lambda n: json.loads("[" * 400 + "]" * 400),
    "digits": lambda n: int("1" * min(n, 18)),
    "fraction": lambda n: 1e308,
    "minus": lambda n: -n,
    "true": lambda n: True,
}


def refused(answer: Any) -> None:
    """Check that an answer is a refusal in few words, or no refusal."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.mimetype == "application/problem+json"
        assert len(answer.data) < LARGEST_PROBLEM, len(answer.data)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    database = tmp_path_factory.mktemp("hostile") / "tables.sqlite3"
    guard = Guard(limits=NO_LIMITS, operator_key=KEY)
    app = create_app(Settings(str(database), guard=guard), Reader())
    yield app
    close(app)


@pytest.fixture(scope="module")
def world(app: Flask) -> World:
    return new_world(app, "answerQuestion")


def post(client: FlaskClient, token: str | None, target: tuple[str, str], body: Any) -> Any:
    """Send a body as JSON, in Russian, whose sentences are long."""
    method, path = target
    return client.open(
        path,
        method=method,
        data=json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"} if token else {},
        query_string={"lang": "ru"},
    )


def speaker(operation: str, world: World) -> str:
    if operation in ("closeTable", "letHostIn"):
        return "operator"
    if operation in ("observe", "observeMany", "promiseToBeHeard"):
        return "device"
    return "seat" if operation == "chooseLanguage" else "host"


@pytest.mark.parametrize("operation", sorted(set(BODIES) - {"startGame"}))
def test_every_operation_refuses_every_shape(world: World, operation: str) -> None:
    role = speaker(operation, world)
    target = address(operation, world, role, own=True)
    usual = BODIES[operation](world, role, True)
    for make in SHAPES.values():
        hostile = make(300)
        for body in (hostile, *({**usual, name: hostile} for name in usual)):
            refused(post(world.host.client, world.tokens[role], target, body))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_part_of_a_record(world: World, shape: str) -> None:
    opened = {"dealer": 1, "opening": ["red-7"], "moves": []}
    move = {"seat": 2, "move": "reveal", "hand": [], "cards": [], "expect": {}, "ruled": "legal"}
    counted = {"result": {"out": 1, "hands": {"2": []}}, "order": [1, 2], "join": {}, "names": {}}
    hostile = SHAPES[shape](300)
    rounds = [
        {**opened, **counted, "expect": {}, "broken_off": True, name: hostile}
        for name in (*opened, *counted, "expect", "broken_off")
    ]
    rounds += [{**opened, "moves": [{**move, name: hostile}]} for name in move]
    rounds += [
        {**opened, "expect": {"hands": hostile, "awaiting": hostile, "top": hostile}},
        {**counted, "result": {"out": 1, "hands": {"2": hostile}}},
        {**counted, "names": {"1": hostile}, "join": {"3": hostile}},
    ]
    records = [record(one) for one in rounds]
    records += [{**record(opened), name: hostile} for name in (*record(), "ended")]
    for one in records:
        refused(post(world.host.client, None, PATHS["replayRecord"], one))
    refused(post(world.host.client, None, PATHS["importRecord"], records[0]))


def measured(call: Callable[[], object]) -> tuple[float, int]:
    """Return the seconds of this thread that a call takes at best, and the bytes at its peak."""
    times = []
    for _ in range(2):
        began = time.thread_time()
        call()
        times.append(time.thread_time() - began)
    tracemalloc.start()
    call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return min(times), peak


OPEN: dict[str, Callable[[Any], Any]] = {
    "createTable": lambda hostile: {"ruleset": "classic-108", "seats": hostile},
    "joinTable": lambda hostile: {"code": "AAAAAAAA", **_as_fields(hostile)},
    "replayRecord": lambda hostile: record({"dealer": 1, "opening": hostile, "moves": []}),
    "importRecord": lambda hostile: {**record(), "seats": hostile},
    "checkMove": lambda hostile: {"position": hostile, "move": {"seat": 2, "move": "draw"}},
    "makeMove": lambda hostile: {"seat": 2, "move": "reveal", "hand": hostile},
    "observe": lambda hostile: {
        "kind": "hand",
        "at": "2026-11-21T10:00:00+00:00",
        "shown": hostile,
        **_as_fields(hostile),
    },
    "arrangeSeats": lambda hostile: {"order": hostile},
}


def _as_fields(hostile: Any) -> dict[str, Any]:
    return hostile if isinstance(hostile, dict) else {"seat": hostile}


@pytest.mark.parametrize("operation", OPEN)
def test_time_and_memory_grow_with_the_body_and_no_faster(
    make_app: MakeApp, operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With the usual limits all of these would be too large.
    monkeypatch.setattr("referee.api.operation.read_json", lambda _: read_json(LARGE))
    app = make_app(max_body=LARGE)
    world = new_world(app, "observe")
    role = speaker(operation, world)
    target = address(operation, world, role, own=True)

    def send(shape: str, size: int) -> tuple[float, int]:
        body = OPEN[operation](SHAPES[shape](size))

        def call() -> None:
            answer = post(world.host.client, world.tokens[role], target, body)
            assert answer.status_code in (400, 404, 422), answer.text[:300]
            refused(answer)

        return measured(call)

    for shape in ("integers", "objects", "fields", "objects in fields", "long"):
        seconds, peak = send(shape, 600)
        longer, higher = send(shape, 2_400)
        assert longer < LINEAR * seconds + QUICK, (shape, seconds, longer)
        assert higher < LINEAR * peak + SMALL, (shape, peak, higher)


def test_the_first_few_errors_are_named_and_the_rest_is_counted(client: FlaskClient) -> None:
    body = {"ruleset": "classic-108", "seats": ["Ann", "Bo"], **{f"f{i}": 1 for i in range(500)}}
    for lang in ("en", "sv"):
        answer = problem(
            client.post(f"{API}/tables?lang={lang}", json=body), 422, "invalid-request"
        )
        assert 3 <= len(answer["errors"]) <= 20
        assert len(answer["errors"]) + answer["more_errors"] == 500
        assert str(answer["more_errors"]) in answer["detail"] or "497" in answer["detail"]


def test_a_refusal_of_many_errors_is_one_short_line_in_the_log(
    make_app: MakeApp, capsys: pytest.CaptureFixture[str]
) -> None:
    client = make_app(guard=Guard(limits=NO_LIMITS, log_format="json", log_requests=True))
    body = {"ruleset": "classic-108", **{f"f{i}": 1 for i in range(500)}}
    assert client.test_client().post(f"{API}/tables", json=body).status_code == 422
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(len(line) < LONGEST_LINE for line in lines)


def test_few_errors_are_all_named(client: FlaskClient) -> None:
    body = {"ruleset": 5, "seats": ["Ann", 7, ""], "colour": 1, "mode": "chess"}
    answer = problem(client.post(f"{API}/tables", json=body), 422, "invalid-request")
    assert set(fields(answer)) == {"ruleset", "seats.1", "seats.2", "colour", "mode"}
    assert "more_errors" not in answer


@pytest.mark.parametrize("path", ["/check", "/records", "/records/replay"])
def test_many_small_parts_are_refused_before_they_are_parsed(
    client: FlaskClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    loads = orjson.loads

    def counted(data: bytes) -> Any:
        parsed.append(len(data))
        return loads(data)

    monkeypatch.setattr("orjson.loads", counted)
    for part in (b"[],", b"{},", b"[{}],"):
        data = b'{"rounds":[' + part * (300_000 // len(part) * 3) + b"[]]}"
        sent = client.post(f"{API}{path}", data=data, content_type="application/json")
        detail = problem(sent, 400, "malformed-json")["detail"]
        assert "more than 200000 lists and objects" in detail
    # Nothing but the answers.
    assert max(parsed) < LARGEST_PROBLEM


@pytest.mark.parametrize("depth", [65, 300, 1_000, 100_000])
@pytest.mark.parametrize("path", ["/join", "/tables", "/check", "/records", "/records/replay"])
def test_deep_bodies_are_malformed(client: FlaskClient, path: str, depth: int) -> None:
    for body in (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth):
        sent = client.post(f"{API}{path}", data=body, content_type="application/json")
        kind = (400, "malformed-json") if sent.status_code != 413 else (413, "too-large")
        problem(sent, *kind)


@pytest.mark.parametrize(
    ("method", "path", "size"),
    [
        ("POST", "/join", 1_100),
        ("POST", "/tables", 33_000),
        ("POST", "/tables/{table}/moves", 17_000),
        ("POST", "/tables/{table}/observations", 70_000),
        ("POST", "/records/replay", 4_200_000),
    ],
)
def test_a_body_is_no_larger_than_its_operation_needs(
    client: FlaskClient, method: str, path: str, size: int
) -> None:
    host = open_table(client)
    device = host.post("/devices", {"name": "Eye", "kind": "camera"}).get_json()
    token = device["token"] if "observations" in path else host.token
    answer = client.open(
        f"{API}{path.format(table=host.table)}",
        method=method,
        data=b'{"a": "' + b"x" * size + b'"}',
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    body = problem(answer, 413, "too-large")
    assert any(char.isdigit() for char in body["detail"])


def test_what_joining_and_playing_need_is_small_enough(client: FlaskClient) -> None:
    names = [WIDE * 39 + str(n) for n in range(10)]
    body = {"ruleset": "classic-108", "seats": names, "options": {"target": 500}}
    data = json.dumps(body, ensure_ascii=True, indent=8)
    made = client.post(f"{API}/tables", data=data, content_type="application/json")
    assert made.status_code == 201, made.text
    assert PATHS["joinTable"] == ("POST", f"{API}/join")
    code = made.get_json()["table"]["code"]
    joined = client.post(f"{API}/join", json={"code": " ".join(code), "seat": 10})
    assert joined.status_code == 201, joined.text


def test_long_paths_and_queries(client: FlaskClient) -> None:
    long = "x" * 7_000
    for path in (f"/{long}", f"{API}/rulesets/{long}", f"{API}/rulesets?lang={long}"):
        refused(client.get(path))
    refused(client.get(f"{API}/rulesets/classic-108/rules?card={long}"))
    many = "&".join(f"f{i}=1" for i in range(900))
    refused(client.get(f"{API}/rulesets/classic-108/rules?{many}"))
    host = open_table(client)
    refused(host.get(f"/events?{many}"))
    refused(host.get(f"/tokens/{long}"))
    refused(host.call("GET", f"{API}/tables/{long}"))
    for name in ("Idempotency_Key", "If_Match", "Last_Event_ID", "Accept_Language"):
        refused(host.post("/moves", {"seat": 2, "move": "draw"}, **{name: long}))
        refused(host.get("/events", **{name: ", ".join(['"1"'] * 2_000)}))


def requests() -> list[type[Strict]]:
    """Return the schemas of all requests."""
    found = [Strict]
    for schema in found:
        found += schema.__subclasses__()
    return found


def lists_within(field: Any) -> Iterator[Any]:
    if isinstance(field, mm.List | mm.Dict):
        yield field
        for inner in (getattr(field, "inner", None), getattr(field, "value_field", None)):
            yield from lists_within(inner)


@pytest.mark.parametrize("schema", requests(), ids=lambda schema: schema.__name__)
def test_a_list_in_a_request_is_measured_before_it_is_read(
    app: Flask, schema: type[Strict]
) -> None:
    for field in schema().fields.values():
        for one in lists_within(field):
            plain = isinstance(one, mm.Dict) and one.value_field is None
            assert plain or isinstance(one, BoundedList | BoundedDict), field.name
            assert plain or any(isinstance(rule, Length) and rule.max for rule in one.validators)
