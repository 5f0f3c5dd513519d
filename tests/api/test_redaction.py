"""What looks like a secret is left out of logs, wherever it stood."""

import io
import json
import logging
import sys

import pytest

from referee.api.middleware.redaction import RedactedStream, redact, redact_output, redact_path
from referee.config import NO_LIMITS, Guard
from referee.service.access import TokenMaker, hash_token, new_code, new_id
from tests.api.conftest import API, MakeApp, open_table

TOKEN = TokenMaker(b"").token("", None)
TICKET = f"{new_id()}.{hash_token(TOKEN)[:16]}.6732ab12.aB3-_xyz.{TOKEN[:22]}"


@pytest.mark.parametrize(
    "line",
    [
        "Invalid HTTP header: 'AUTHORIZATION BEARER {token}'",
        "GET /api/v1/tables/{token} HTTP/1.1",
        "ValueError: {token!r}",
        "token={token}&x",
        "b'Bearer {token}'",
        "Bearer%20{token}",
        "{ticket}",
        "events?ticket={ticket}",
        "Key (hash)=({hash}) already exists.",
        "connecting to postgresql://me:{token}@db/x",
        "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ+/w==",
        "Authorization: bearer a-short+key/of?another:kind",
    ],
)
def test_a_secret_is_hidden(line: str) -> None:
    said = line.format(token=TOKEN, ticket=TICKET, hash=hash_token(TOKEN))
    for text in (said, said.upper()):
        shown = redact(text)
        assert "[secret]" in shown
        for secret in (TOKEN, TICKET, hash_token(TOKEN), "c2VjcmV0", "a-short+key"):
            assert secret.lower() not in shown.lower()


@pytest.mark.parametrize(
    "line",
    [
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "ab3e4567-e89b-12d3-a456-426614174000",
        "in test_a_name_of_a_function_that_is_longer_than_a_token",
        'File "/usr/lib/python3.11/site-packages/flask/app.py", line 880, in full_dispatch_request',
        "Send the table's token as 'Authorization: Bearer …'.",
        "table=abcdefghijklmnop token_id=qrstuvwxyz234567",
    ],
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert redact(line) == line


def test_a_code_in_a_path_is_hidden() -> None:
    code = new_code()
    assert code not in redact_path(f"/join/{code}")
    assert code[:4] not in redact_path(f"/join/{code[:4]}-{code[4:]}")
    assert redact_path(f"{API}/rulesets/classic-108") == f"{API}/rulesets/classic-108"


def test_what_libraries_log_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    handler = logging.StreamHandler()
    logger = logging.getLogger("a library")
    logger.addHandler(handler)
    redact_output()
    redact_output()
    assert isinstance(sys.stderr, RedactedStream)
    logger.removeHandler(handler)
    try:
        raise ValueError(TOKEN)
    except ValueError as error:
        handler.handle(
            logging.makeLogRecord(
                {
                    "msg": "%s",
                    "args": (TOKEN,),
                    "exc_info": (type(error), error, error.__traceback__),
                }
            )
        )
    sys.stderr.writelines([f"at {TOKEN}\n"])
    assert written.getvalue().count("[secret]") == 3
    assert TOKEN not in written.getvalue()


@pytest.mark.parametrize("form", ["logfmt", "json"])
def test_tokens_in_the_wrong_places_are_not_logged(
    make_app: MakeApp, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    key = "correct horse battery staple " * 2
    guard = Guard(limits=NO_LIMITS, operator_key=key, log_format=form, log_requests=True)
    app = make_app(guard)
    host = open_table(app.test_client())
    code = host.get().get_json()["code"]
    client = app.test_client()
    token = str(host.token)
    ticket = host.post("/stream-tickets").get_json()["ticket"]
    for secret in (token, ticket, code, key):
        for path in (f"/{secret}", f"{API}/tables/{secret}", f"{API}/join/{secret}/x?t={secret}"):
            client.get(path, headers={"X-Request-ID": secret.replace(" ", "")[:80]})
    client.get(f"{API}/tables", headers={f"Authorization Bearer {token}": ""})
    client.get(f"{API}/tables", headers={"Authorization": token})
    client.open("/x", method=f"M{token}".replace("-", "").replace("_", ""))
    said = capfd.readouterr().err
    assert said.count("[secret]") > 10
    for secret in (token, ticket, f"/{code}", key):
        assert secret not in said
    if form == "json":
        assert all(json.loads(line)["event"] for line in said.splitlines())
