"""Every response carries security headers and a request id."""

import base64
import hashlib
import json
import re

import pytest
from flask.testing import FlaskClient

from referee.config import NO_LIMITS, Guard
from tests.api.conftest import API, MakeApp, Seat
from tests.api.test_bad_input import problem

ORIGIN = "https://app.example"


def test_data_may_do_nothing_in_a_browser(client: FlaskClient, host: Seat) -> None:
    for answer in (client.get("/health"), host.get(), client.get("/nothing"), client.get("/ready")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert "Strict-Transport-Security" not in answer.headers


def test_the_page_runs_its_own_scripts_and_no_other(client: FlaskClient) -> None:
    page = client.get("/docs/", headers={"Host": "evil.example"})
    policy = dict(
        part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";")
    )
    scripts = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert policy["script-src"] == f"'self' 'sha256-{digest}'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert page.headers["Permissions-Policy"].startswith("camera=(self)")
    assert page.headers["Referrer-Policy"] == "no-referrer"
    # Nothing of the request stands in the page.
    assert "evil.example" not in page.text
    for source in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert client.get(source).status_code == 200, source


def test_a_page_that_has_not_changed_keeps_what_it_may_do(client: FlaskClient) -> None:
    """Headers of a 304 replace those stored with the page."""
    page = client.get("/")
    again = client.get("/", headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 304
    policy = again.headers.get("Content-Security-Policy")
    assert policy in (None, page.headers["Content-Security-Policy"])
    assert again.headers.get("Cache-Control") == page.headers["Cache-Control"]


def test_a_request_that_came_encrypted_is_asked_to_stay_so(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=NO_LIMITS, proxies=1)).test_client()
    answer = client.get("/health", headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_other_origins_where_they_are_named(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=NO_LIMITS, cors_origins=(ORIGIN,))).test_client()
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization, idempotency-key",
    }
    allowed = client.options(f"{API}/tables/x/tokens/y", headers=asked)
    assert allowed.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "DELETE" in allowed.headers["Access-Control-Allow-Methods"]
    assert "authorization" in allowed.headers["Access-Control-Allow-Headers"].lower()
    assert "Access-Control-Allow-Credentials" not in allowed.headers
    answer = client.get(f"{API}/rulesets", headers={"Origin": ORIGIN})
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    stranger = client.get(f"{API}/rulesets", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in stranger.headers


def test_a_request_has_an_id(client: FlaskClient) -> None:
    first, second = (client.get("/health").headers["X-Request-ID"] for _ in range(2))
    assert first != second
    sent = {"X-Request-ID": "from-the-proxy.1"}
    body = problem(client.get("/nothing", headers=sent), 404, "not-found")
    assert body["request_id"] == "from-the-proxy.1"
    for bad in ("two words", "x" * 81, "é", "a;b"):
        given = client.get("/nothing", headers={"X-Request-ID": bad.encode().decode("latin-1")})
        assert re.fullmatch("[0-9a-f]{16}", given.headers["X-Request-ID"])
        assert given.get_json()["request_id"] == given.headers["X-Request-ID"]


@pytest.mark.parametrize("form", ["json", "logfmt"])
def test_a_failure_is_found_in_the_log_by_its_id(
    make_app: MakeApp,
    form: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = make_app(Guard(limits=NO_LIMITS, log_format=form)).test_client()

    def fail(*_: object) -> None:
        raise RuntimeError("the insides")

    monkeypatch.setattr("referee.api.resources.reference.rulesets.rulesets", fail)
    answer = client.get(f"{API}/rulesets?q=%0Aevent=forged")
    said = capsys.readouterr().err
    assert problem(answer, 500, "internal-error")["request_id"] in said
    assert "insides" not in answer.text
    assert "RuntimeError: the insides" in said
    if form == "json":
        events = [json.loads(line) for line in said.splitlines()]
        assert [event["event"] for event in events] == ["request failed", "request"]
        assert events[1]["status"] == 500


def test_a_line_for_each_request_where_that_is_wanted(
    make_app: MakeApp, capsys: pytest.CaptureFixture[str]
) -> None:
    guard = Guard(limits=NO_LIMITS, log_format="json", log_requests=True)
    make_app(guard).test_client().get("/health%0Aforged")
    (line,) = capsys.readouterr().err.splitlines()
    event = json.loads(line)
    assert (event["status"], event["path"]) == (404, "/health%0Aforged")
    assert event["level"] == "info"


def test_options_are_answered_without_a_body(make_app: MakeApp) -> None:
    for path in ("/health", "/api/v1/tables", "/"):
        answer = make_app().test_client().options(path)
        assert answer.status_code == 204, path
        assert "Allow" in answer.headers
        assert "Content-Type" not in answer.headers
        assert not answer.data
