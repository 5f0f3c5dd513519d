"""An operation that ends says so: Deprecation (RFC 9745), Sunset (RFC 8594), and a link."""

from datetime import UTC, datetime
from typing import Any

from flask import Flask

from referee.api.description import describe
from referee.api.ending import Ending
from referee.api.operation import Resource
from referee.config import NO_LIMITS, Guard
from tests.api.conftest import API, MakeApp

SINCE, UNTIL = datetime(2026, 3, 1, tzinfo=UTC), datetime(2027, 3, 1, 12, tzinfo=UTC)
LATER = Ending(SINCE, UNTIL, "https://example.org/moving")


def app_with(ending: Ending) -> tuple[Flask, dict[str, Any]]:
    """A server of one operation, which ends, and its description."""
    resource = Resource("old", "What was")

    @resource.operation("GET /old", "getOld", "What was.", None, rights=None, ends=ending)
    def old() -> str:
        """Return what was."""
        return "still here"

    app = Flask("ending")
    app.register_blueprint(resource, url_prefix=API)
    return app, describe([(resource, API)])


def test_its_answers_say_since_when_and_until_when() -> None:
    app, _ = app_with(LATER)
    answer = app.test_client().get(f"{API}/old")
    assert answer.status_code == 200
    assert answer.headers["Deprecation"] == f"@{int(SINCE.timestamp())}"
    assert answer.headers["Sunset"] == "Mon, 01 Mar 2027 12:00:00 GMT"
    links = answer.headers["Link"].split(", ")
    assert [link.split("; ")[:2] for link in links] == [
        ["<https://example.org/moving>", 'rel="deprecation"'],
        ["<https://example.org/moving>", 'rel="sunset"'],
    ]


def test_without_an_end_only_the_deprecation_is_said() -> None:
    app, described = app_with(Ending(SINCE))
    answer = app.test_client().get(f"{API}/old")
    assert "Sunset" not in answer.headers
    assert answer.headers["Link"].count("rel=") == 1
    assert set(described["components"]["headers"]) >= {"Deprecation", "Link"}
    assert "Sunset" not in described["components"]["headers"]


def test_the_description_says_it_too() -> None:
    _, described = app_with(LATER)
    operation = described["paths"][f"{API}/old"]["get"]
    assert operation["deprecated"] is True
    assert "Deprecated since 2026-03-01, and gone after 2027-03-01" in operation["description"]
    assert {"Deprecation", "Sunset", "Link"} <= set(operation["responses"]["200"]["headers"])


def test_nothing_is_deprecated_that_does_not_say_so(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=NO_LIMITS)).test_client()
    assert "Deprecation" not in client.get(f"{API}/rulesets").headers
