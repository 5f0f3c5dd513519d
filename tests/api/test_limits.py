"""Rate limits, and the settings that define them."""

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from limits.errors import StorageError
from werkzeug.test import TestResponse

from referee.api.limits.memory import ProcessMemory
from referee.api.limits.rates import Limiter, network_of
from referee.config import NO_LIMITS, Guard, Limits, settings_from_env
from referee.service.problems import Problem
from tests.api.conftest import API, MakeApp, open_table
from tests.api.test_bad_input import problem

NEW = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}


def only(**limits: str) -> Guard:
    return Guard(limits=replace(NO_LIMITS, **limits))


def test_a_token_that_asks_too_much_is_told_when_to_come_back(make_app: MakeApp) -> None:
    host = open_table(make_app(only(token="5/minute")).test_client())
    answers = [host.seats[1].get() for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    body = problem(answers[-1], 429, "too-many-requests")
    assert body["retry_after"] == int(answers[-1].headers["Retry-After"])
    assert 1 <= body["retry_after"] <= 60
    assert "5 in a minute" in body["detail"]
    assert host.seats[2].get().status_code == 200


@pytest.mark.parametrize(
    ("limit", "lang", "said"),
    [
        ("1/2 seconds", "en", "1 in 2 seconds are allowed"),
        ("1/90 seconds", "en", "1 in 90 seconds are allowed"),
        ("1/5 minutes", "en", "1 in 5 minutes are allowed"),
        ("1/2 hours", "de", "1 in 120 Minuten sind erlaubt"),
        ("1/2 seconds", "pl", "dozwolone jest 1 na 2 sekundy"),
        ("1/2 seconds", "fr", "1 par tranche de 2 secondes"),
    ],
)
def test_a_limit_of_several_seconds_is_told_in_words(
    make_app: MakeApp, limit: str, lang: str, said: str
) -> None:
    client = make_app(only(address=limit)).test_client()
    headers = {"Accept-Language": lang}
    _, refused = (client.get(f"{API}/rulesets", headers=headers) for _ in range(2))
    assert said in problem(refused, 429, "too-many-requests")["detail"]


WINDOW = re.compile(r'"(?P<name>[a-z_]+-\d+s)";(?P<has>[a-z0-9=;]+)')


def windows(answer: TestResponse, header: str) -> dict[str, dict[str, int]]:
    """The limits of a structured field, by name."""
    windows = {}
    for part in answer.headers[header].split(", "):
        found = WINDOW.fullmatch(part)
        assert found, part
        said = (one.split("=") for one in found["has"].split(";"))
        windows[found["name"]] = {key: int(value) for key, value in said}
    return windows


def test_answers_say_what_is_left_of_each_limit(make_app: MakeApp) -> None:
    guard = only(address="1000/minute", token="3/minute; 50/hour", misses="1/minute")
    host = open_table(make_app(guard).test_client())
    seat = host.seats[1]
    first, second, _, refused = (seat.get() for _ in range(4))
    assert windows(first, "RateLimit-Policy") == {
        "address-60s": {"q": 1000, "w": 60},
        "token-60s": {"q": 3, "w": 60},
        "token-3600s": {"q": 50, "w": 3600},
    }
    left = windows(first, "RateLimit")
    assert left.keys() == windows(first, "RateLimit-Policy").keys()
    assert (left["token-60s"]["r"], left["token-3600s"]["r"]) == (2, 49)
    assert 0 < left["token-60s"]["t"] <= 60
    again = windows(second, "RateLimit")
    assert again["token-60s"]["r"] == 1
    assert again["address-60s"]["r"] == left["address-60s"]["r"] - 1
    problem(refused, 429, "too-many-requests")
    assert windows(refused, "RateLimit")["token-60s"]["r"] == 0
    waits = windows(refused, "RateLimit")["token-60s"]["t"]
    assert abs(int(refused.headers["Retry-After"]) - waits) <= 1
    # Nobody is counted there.
    assert "RateLimit" not in seat.client.get("/health").headers


def test_without_limits_nothing_is_said_of_them(client: FlaskClient) -> None:
    assert "RateLimit" not in client.get(f"{API}/rulesets").headers


def test_an_address_is_one_sender_whatever_it_sends(make_app: MakeApp) -> None:
    client = make_app(only(address="3/minute")).test_client()
    for path in (f"{API}/rulesets", "/nothing", "/openapi.json"):
        assert client.get(path).status_code != 429
    problem(client.get(f"{API}/rulesets"), 429, "too-many-requests")
    assert client.get("/health").status_code == 200
    other = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get(f"{API}/rulesets", environ_base=other).status_code == 200


def test_a_proxy_names_the_address_only_where_it_is_trusted(make_app: MakeApp) -> None:
    limits = only(address="1/minute")
    for guard, second in ((limits, 429), (replace(limits, proxies=1), 200)):
        client = make_app(guard).test_client()
        for address, status in (("192.0.2.1", 200), ("192.0.2.2", second)):
            sent = {"X-Forwarded-For": address}
            assert client.get(f"{API}/rulesets", headers=sent).status_code == status


def test_new_tables_are_limited_by_address(make_app: MakeApp) -> None:
    key = "k" * 32
    guard = replace(only(tables="2/hour"), operator_key=key)
    client = make_app(guard).test_client()
    made = [client.post(f"{API}/tables", json=NEW).status_code for _ in range(3)]
    assert made == [201, 201, 429]
    record = {"format": "referee-record/1", **NEW, "options": {}, "rounds": []}
    problem(client.post(f"{API}/records", json=record), 429, "too-many-requests")
    sent = {"Authorization": f"Bearer {key}"}
    assert client.post(f"{API}/tables", json=NEW, headers=sent).status_code == 201


def test_tables_by_the_operator_alone(make_app: MakeApp) -> None:
    key = "k" * 32
    guard = Guard(limits=NO_LIMITS, operator_key=key, tables_by_operator=True)
    client = make_app(guard).test_client()
    problem(client.post(f"{API}/tables", json=NEW), 401, "not-authenticated")
    wrong = {"Authorization": f"Bearer {'x' * 32}"}
    problem(client.post(f"{API}/tables", json=NEW, headers=wrong), 403, "forbidden")
    right = {"Authorization": f"Bearer {key}"}
    assert client.post(f"{API}/tables", json=NEW, headers=right).status_code == 201


def test_guessing_codes_is_slow_and_right_codes_are_not(make_app: MakeApp) -> None:
    client = make_app(only(misses="2/minute")).test_client()
    code = open_table(client).get().get_json()["code"]
    for _ in range(5):
        assert client.post(f"{API}/join", json={"code": code}).status_code == 201
    for _ in range(2):
        problem(client.post(f"{API}/join", json={"code": "AAAAAAAA"}), 404, "not-found")
    problem(client.post(f"{API}/join", json={"code": "AAAAAAAA"}), 429, "too-many-requests")
    # Not even a right guess comes through then: it would tell that it was right.
    problem(client.post(f"{API}/join", json={"code": code}), 429, "too-many-requests")
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    again = client.post(f"{API}/join", json={"code": code}, environ_base=elsewhere)
    assert again.status_code == 201


def joining(client: FlaskClient, code: str, place: str) -> int:
    """Return the status of an attempt to join from an address."""
    sent = client.post(f"{API}/join", json={"code": code}, environ_base={"REMOTE_ADDR": place})
    return sent.status_code


def test_a_crowd_of_wrong_codes_keeps_no_guest_out(make_app: MakeApp) -> None:
    client = make_app(only(misses="3/minute")).test_client()
    code = open_table(client).get().get_json()["code"]
    for place in range(200):
        assert joining(client, "AAAAAAAA", f"192.0.{place}.1") == 404
    # Everywhere an address may now miss once, and nowhere is it locked before.
    assert joining(client, code, "198.51.100.1") == 201
    assert joining(client, "AAAAAAAA", "198.51.100.2") == 404
    assert joining(client, code, "198.51.100.2") == 429
    assert joining(client, code, "192.0.7.1") == 429


def test_a_crowd_in_one_network_slows_down_that_network_alone(make_app: MakeApp) -> None:
    for ours, theirs in (
        ("192.0.2.{}", "192.0.3.{}"),
        ("2001:db8:1:{}::1", "2001:db8:2:{}::1"),
    ):
        client = make_app(only(misses="3/minute")).test_client()
        code = open_table(client).get().get_json()["code"]
        for place in range(1, 31):
            assert joining(client, "AAAAAAAA", ours.format(place)) == 404
        assert joining(client, code, ours.format(1)) == 429
        assert joining(client, code, ours.format(99)) == 201
        there = [joining(client, "AAAAAAAA", theirs.format(1)) for _ in range(4)]
        assert there == [404, 404, 404, 429]


def test_an_invitation_works_where_wrong_codes_were_typed(make_app: MakeApp) -> None:
    client = make_app(only(misses="1/minute")).test_client()
    host = open_table(client)
    table = host.get().get_json()
    invitation = table["invitation"]
    assert invitation.startswith(table["code"])
    assert len(invitation) == 16
    here = "192.0.2.1"
    # A wrong seal is a wrong code, whether or not there is such a table.
    assert joining(client, invitation[:-1] + ("A" if invitation[-1] != "A" else "B"), here) == 404
    assert joining(client, table["code"], here) == 429
    assert joining(client, invitation, here) == 201
    assert joining(client, f"{invitation[:8]} {invitation[8:]}".lower(), here) == 201
    renewed = host.post("/join-code").get_json()
    assert joining(client, invitation, here) == 404
    assert joining(client, renewed["invitation"], here) == 201
    assert renewed["invitation"] == host.get().get_json()["invitation"]


@pytest.mark.parametrize(
    ("written", "counted"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("9.9.9.9:501", "9.9.9.9"),
        (" 9.9.9.9:502", "9.9.9.9"),
        ("::ffff:9.9.9.9", "9.9.9.9"),
        ("[::ffff:9.9.9.9]:443", "9.9.9.9"),
        ("::ffff:909:909", "9.9.9.9"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:501", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", None),
        ("_hidden", None),
        ("9.9.9.9.9", None),
        ("9.9.9.9:5:5", None),
        ("", None),
        ("x" * 5000, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_an_address_is_read_however_it_is_written(written: str, counted: str | None) -> None:
    assert network_of(written, 32, 64) == counted


def test_behind_a_proxy_a_port_makes_no_new_address(make_app: MakeApp) -> None:
    client = make_app(replace(only(address="2/minute"), proxies=1)).test_client()

    def ask(*forwarded: str) -> int:
        sent = {"X-Forwarded-For": ", ".join(forwarded)}
        return client.get(f"{API}/rulesets", headers=sent).status_code

    assert [ask(f"9.9.9.9:{port}") for port in (501, 502, 503)] == [200, 200, 429]
    assert ask("::ffff:9.9.9.9") == 429
    assert ask("::ffff:9.9.9.8") == 200
    # Whatever a client has put in front, the proxy's own entry counts.
    assert ask("8.8.8.8", "9.9.9.9") == 429
    # What is no address counts for the proxy that passed it on.
    assert [ask(said) for said in ("unknown", "_a", "_b")] == [200, 200, 429]


def test_ruling_on_whatever_is_posted_is_limited(make_app: MakeApp) -> None:
    client = make_app(only(work="1/minute")).test_client()
    body = {"position": "classic-108 7,7 2> play red-7", "move": {"seat": 2, "move": "draw"}}
    assert client.post(f"{API}/check", json=body).status_code == 200
    problem(client.post(f"{API}/check", json=body), 429, "too-many-requests")


def test_a_message_without_a_record_is_small(make_app: MakeApp) -> None:
    host = open_table(make_app(max_message=1000).test_client())
    long = {"seat": 2, "move": "draw", "why": "x" * 1000}
    problem(host.post("/moves", long), 413, "too-large")
    record = {**host.get("/record").get_json(), "rounds": [{"note": "x" * 1000}]}
    assert host.client.post(f"{API}/records/replay", json=record).status_code == 422


def test_a_code_is_read_as_people_write_it(client: FlaskClient) -> None:
    code = open_table(client).get().get_json()["code"]
    assert len(code) == 8
    written = f" {code[:4]}-{code[4:]} ".lower()
    assert client.post(f"{API}/join", json={"code": written}).status_code == 201


def test_a_window_passes() -> None:
    now = [100.0]
    refused: list[str] = []
    limiter = Limiter(replace(NO_LIMITS, token="2/second"), refused.append, lambda: now[0])
    limiter.count("token", "a")
    limiter.count("token", "a")
    with pytest.raises(Problem, match="Too many requests with this token"):
        limiter.count("token", "a")
    now[0] += 1.01
    limiter.count("token", "a")
    assert refused == ["token"]


def test_counters_take_bounded_room() -> None:
    now = [0.0]
    memory = ProcessMemory(lambda: now[0], most=10)
    for number in range(25):
        memory.incr(f"k{number}", 60)
    assert len(memory._windows) <= 10
    assert memory.get("k24") == 1
    now[0] = 61
    memory.incr("again", 60)
    for number in range(9):
        memory.incr(f"new{number}", 60)
    memory.incr("last", 60)
    assert memory.get("k24") == 0


def test_without_the_shared_storage_a_process_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(ProcessMemory):
        STORAGE_SCHEME = ["gone"]  # noqa: RUF012

        def __init__(self, *_: object, **__: object) -> None:
            super().__init__()

        def incr(self, key: str, expiry: float, amount: int = 1) -> int:
            raise StorageError(ConnectionError())

        def get(self, key: str) -> int:
            raise StorageError(ConnectionError())

        def get_expiry(self, key: str) -> float:
            raise StorageError(ConnectionError())

    monkeypatch.setattr("referee.api.limits.rates.storage_from_string", lambda *_, **__: Gone())
    limits = replace(NO_LIMITS, misses="2/minute", storage="gone://")
    limiter = Limiter(limits, lambda _: None)
    limiter.check("misses", "a")
    limiter.count("misses", "a")
    limiter.count("misses", "a")
    with pytest.raises(Problem):
        limiter.check("misses", "a")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("REFEREE_LIMIT_TOKEN", "many", "REFEREE_LIMIT_TOKEN"),
        ("REFEREE_LIMIT_STORAGE", "nothing://user:secret@here", "REFEREE_LIMIT_STORAGE"),
        ("REFEREE_OPERATOR_KEY", "short", "at least 32"),
        ("REFEREE_TABLES", "operator", "needs REFEREE_OPERATOR_KEY"),
        ("REFEREE_METRICS", "everybody", "REFEREE_METRICS"),
        ("REFEREE_CORS_ORIGINS", "app.example", "REFEREE_CORS_ORIGINS"),
        ("REFEREE_KEEP_IDLE_DAYS", "-1", "REFEREE_KEEP_IDLE_DAYS"),
        ("REFEREE_PROXIES", "one", "REFEREE_PROXIES"),
        ("REFEREE_LOG_FORMAT", "xml", "REFEREE_LOG_FORMAT"),
        ("REFEREE_CAMERA_CERTAIN", "1.5", "REFEREE_CAMERA_CERTAIN must be a number"),
        ("REFEREE_WORKERS", "0", "REFEREE_WORKERS must be a whole number of at least 1"),
    ],
)
def test_an_invalid_setting_is_named(name: str, value: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        settings_from_env({name: value})
    assert "secret" not in str(error.value)


def test_all_invalid_settings_are_named_at_once() -> None:
    env = {"REFEREE_PIN": "maybe", "REFEREE_PROXIES": "-1", "REFEREE_CAMERA_PATIENCE": "1.5"}
    with pytest.raises(ValueError, match="REFEREE_PIN must") as error:
        settings_from_env(env)
    assert all(name in str(error.value) for name in env)


def test_settings_from_the_environment() -> None:
    env = {
        "REFEREE_LIMIT_TOKEN": "9/second",
        "REFEREE_LIMIT_FRAMES": "off",
        "REFEREE_CORS_ORIGINS": "https://a.example, http://localhost:3000/",
        "REFEREE_KEEP_FINISHED_DAYS": "30",
    }
    guard = settings_from_env(env).guard
    assert guard.limits == replace(Limits(), token="9/second", frames="off")
    assert guard.cors_origins == ("https://a.example", "http://localhost:3000")
    assert (guard.keep_finished, guard.keep_idle) == (30, 0)
    assert settings_from_env({"REFEREE_LIMITS": "off"}).guard.limits == NO_LIMITS
