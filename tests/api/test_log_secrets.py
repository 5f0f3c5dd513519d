"""No token, code, ticket or key is logged, whichever operation is called or fails."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import IntegrityError

from referee.config import NO_LIMITS, Guard
from referee.service.access import hash_token
from tests.api.conftest import API, KEY, MakeApp, Reader, Seat
from tests.api.test_rights_matrix import PATHS, ROLES, new_world, send

# Fields of responses that hold secrets.
SECRET = ("token", "code", "ticket")


def secrets_in(value: Any) -> Iterator[str]:
    """Yield the secrets in a response."""
    if isinstance(value, dict):
        for name, held in value.items():
            # To a device the code is empty.
            if name in SECRET and isinstance(held, str) and held:
                yield held
            yield from secrets_in(held)
    elif isinstance(value, list):
        for held in value:
            yield from secrets_in(held)


@pytest.mark.parametrize("form", ["logfmt", "json"])
def test_no_secret_is_logged(
    make_app: MakeApp, form: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = Guard(
        limits=NO_LIMITS, operator_key=KEY, metrics="open", log_format=form, log_requests=True
    )
    app = make_app(guard)
    app.extensions["referee-card-reader"] = Reader()
    handed_out = {KEY}
    for operation in PATHS:
        world = new_world(app, operation)
        handed_out |= {token for token in world.tokens.values() if token} | {world.code}
        for role in ROLES:
            answer = send(operation, world, role)
            if answer.is_json:
                # The audit names tokens by their ids, which open nothing.
                handed_out |= set() if operation == "getAudit" else set(secrets_in(answer.json))
    key = "a-key-that-stands-for-its-sender"
    client = app.test_client()
    new = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
    made = client.post(f"{API}/tables", json=new, headers={"Idempotency-Key": key}).get_json()
    host = Seat(client, made["token"], made["table"]["id"])
    ticket = host.post("/stream-tickets").get_json()["ticket"]
    client.get(f"{API}/tables/{host.table}/events?ticket={ticket}")
    handed_out |= {made["token"], made["table"]["code"], key, ticket}
    # A wrong token may be a right one of another server.
    client.get(f"{API}/tables/x", headers={"Authorization": "Bearer another-server-s-token"})
    handed_out.add("another-server-s-token")

    def fail(*_: object) -> None:
        row = {"hash": hash_token(made["token"]), "request_key": f"x:{key}"}
        raise IntegrityError("INSERT INTO log …", row, Exception("failed"), hide_parameters=True)

    monkeypatch.setattr("referee.api.resources.play.scores.sheet_of_game", fail)
    assert host.get("/scores", Idempotency_Key=key).status_code == 500
    said = capfd.readouterr()
    log = said.err + said.out
    assert log.count("event=request " if form == "logfmt" else '"event": "request"') > 300
    assert "IntegrityError" in log
    assert len(handed_out) > 200
    assert not [secret for secret in handed_out if secret in log]
    assert hash_token(made["token"]) not in log
    if form == "json":
        assert all(json.loads(line)["event"] for line in said.err.splitlines())


def test_what_a_failed_statement_was_given_is_never_told(app: Flask) -> None:
    assert app.extensions["referee"].engine.hide_parameters
