"""Where codes and pages lead at home, where HTTPS stands beside HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import referee.web
from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Home, Settings
from referee.web.codes import by_trust, club_svg, join_code_svg
from tests.api.conftest import close

HOUSE = Home(8000, 8443, "referee.local", b"\x30certificate", "AB:CD", lambda: True)
DOMAIN = Home(8000, 8443, "game.example")
PLAIN = {"Host": "192.168.1.20:8000"}


def serving(path: Path, home: Home | None) -> Iterator[FlaskClient]:
    app = create_app(
        Settings(
            str(path / f"{home and home.name}.sqlite3"), guard=Guard(limits=NO_LIMITS), home=home
        )
    )
    yield app.test_client()
    close(app)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    yield from serving(tmp_path, HOUSE)


@pytest.fixture
def with_domain(tmp_path: Path) -> Iterator[FlaskClient]:
    yield from serving(tmp_path, DOMAIN)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[FlaskClient]:
    yield from serving(tmp_path, None)


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "secure"),
    [
        ("http", "192.168.1.20:8000", "http://192.168.1.20:8000/", "https://192.168.1.20:8443/"),
        ("https", "192.168.1.20:8443", "http://192.168.1.20:8000/", "https://192.168.1.20:8443/"),
        ("http", "[fd00::5]:8000", "http://[fd00::5]:8000/", "https://[fd00::5]:8443/"),
        (
            "https",
            "referee.local:8443",
            "http://referee.local:8000/",
            "https://referee.local:8443/",
        ),
        # Neither is certified.
        ("http", "203.0.113.5:8000", "http://203.0.113.5:8000/", "https://10.0.0.9:8443/"),
        ("http", "attic.lan:8000", "http://attic.lan:8000/", "https://10.0.0.9:8443/"),
    ],
)
def test_guests_are_never_led_where_a_browser_warns(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    host: str,
    origin: str,
    secure: str,
) -> None:
    monkeypatch.setattr(referee.web, "own_address", lambda: "10.0.0.9")
    answer = client.get("/origin.json", headers={"Host": host}, base_url=f"{scheme}://{host}").json
    house = {"fingerprint": "AB:CD", "announced": True}
    assert answer == {"origin": origin, "secure": secure, **house}
    for path, expected in [
        ("/join.svg?code=ABCDEF23", join_code_svg(origin, "ABCDEF23", by_trust)),
        ("/club.svg?tournament=abcdef", club_svg(origin, "abcdef", by_trust)),
    ]:
        assert client.get(path, base_url=f"{scheme}://{host}").data == expected


def test_the_name_is_all_that_is_certified_without_a_homes_address(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee.web, "own_address", lambda: "203.0.113.5")
    answer = client.get("/origin.json", headers={"Host": "203.0.113.5:8000"}).json
    assert answer["secure"] == "https://referee.local:8443/"


def test_with_a_domain_codes_lead_there_at_once(with_domain: FlaskClient) -> None:
    answer = with_domain.get("/origin.json", headers=PLAIN).json
    origin = "https://game.example:8443/"
    nothing = {"fingerprint": None, "announced": False}
    assert answer == {"origin": origin, "secure": origin, **nothing}
    picture = with_domain.get("/join.svg?code=ABCDEF23", headers=PLAIN).data
    assert picture == join_code_svg(origin, "ABCDEF23")
    assert with_domain.get("/house.crt").status_code == 404


def test_elsewhere_nothing_of_it_is_there(elsewhere: FlaskClient) -> None:
    answer = elsewhere.get("/origin.json", headers=PLAIN).json
    nothing = {"secure": None, "fingerprint": None, "announced": False}
    assert answer == {"origin": "http://192.168.1.20:8000/", **nothing}
    assert elsewhere.get("/house.crt").status_code == 404
    assert "https:" not in elsewhere.get("/trust").headers["Content-Security-Policy"]


def test_a_way_by_trust_ends_where_the_code_leads() -> None:
    assert by_trust("http://192.168.1.20:8000/join?code=AB23") == (
        "http://192.168.1.20:8000/trust?to=/join%3Fcode%3DAB23"
    )
    assert by_trust("http://[fd00::5]/t/abc/camera#camera=secret") == (
        "http://[fd00::5]/trust?to=/t/abc/camera#camera=secret"
    )


def test_the_certificate_is_there_for_phones(client: FlaskClient) -> None:
    answer = client.get("/house.crt")
    assert answer.data == HOUSE.authority
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert "referee-at-home.crt" in answer.headers["Content-Disposition"]


def test_only_the_page_of_trust_may_try_the_protected_address(client: FlaskClient) -> None:
    policy = client.get("/trust", headers=PLAIN).headers["Content-Security-Policy"]
    assert "connect-src 'self' https://192.168.1.20:8443/health;" in policy
    for path, host in [("/", PLAIN["Host"]), ("/join", PLAIN["Host"]), ("/trust", "a;b")]:
        answer = client.get(path, headers={"Host": host})
        if answer.status_code == 200:
            assert "connect-src 'self';" in answer.headers["Content-Security-Policy"]


def test_a_browser_may_come_back_without_https(client: FlaskClient, elsewhere: FlaskClient) -> None:
    """Otherwise, one who trusted the house once would find plain HTTP closed."""
    header = "Strict-Transport-Security"
    assert header not in client.get("/", base_url="https://192.168.1.20:8443").headers
    assert header in elsewhere.get("/", base_url="https://referee.example").headers
