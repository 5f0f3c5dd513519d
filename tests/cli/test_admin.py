"""``referee admin``: on the database itself, and through the server that uses it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import requests

from referee.cli import main
from referee.commands.admin.codes import resistance
from referee.config import Limits
from referee.service.access import OPERATOR, check_acts_for
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.people.tables import create_table
from referee.service.play.adjudication import correct, make_move
from referee.service.play.rounds import start_round
from referee.service.problems import Problem
from referee.store.database import open_database
from referee.store.local_key import key_file
from tests.e2e.server import PATIENCE, Server

SHOWN = {
    "show": ("closed     no\n", "scores     Ann 0, Bo 0\n", "1     Ann   yes  no     no"),
    "audit": ("closed by operator\n", "replacement seat 2, move play, card red-2"),
}
KEY = "operator-" + "k" * 32
Said = pytest.CaptureFixture[str]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tables.sqlite3"
    monkeypatch.setenv("REFEREE_DATABASE", str(path))
    return path


@pytest.fixture
def table(database: Path) -> str:
    """A table with an overruled move."""
    event_log = EventLog(open_database(str(database)))
    made, token, _ = create_table(event_log, "classic-108", {}, ("Ann", "Bo"), None, "")
    host = event_log.holders.by_token(token)
    assert host is not None
    start_round(event_log, made, WriteRequest(host), ["red-7"], 1)
    make_move(event_log, made, WriteRequest(host), {"seat": 2, "move": "play", "card": "blue-9"})
    correct(event_log, made, WriteRequest(host), {"kind": "overrule", "verdict": "legal"})
    event_log.close()
    return made.id


def admin(capsys: Said, *args: str, status: int = 0) -> Any:
    """What a command answers as JSON; with a failure, what it says."""
    assert main(["admin", *args, "--json"]) == status, capsys.readouterr()
    said = capsys.readouterr()
    if status:
        assert said.err.startswith("referee admin: ")
        return said.err
    return json.loads(said.out) if said.out else None


def test_tables_are_listed_shown_and_exported(table: str, capsys: Said) -> None:
    (listed,) = admin(capsys, "list")
    assert (listed["id"], listed["entries"]) == (table, 4)
    assert admin(capsys, "list", "--quiet-days", "1") == []
    shown = admin(capsys, "show", table)
    assert [token["role"] for token in shown["tokens"]] == ["host"]
    assert shown["scores"] == [0, 0]
    record = admin(capsys, "export", table)
    assert record["rounds"][0]["moves"][0]["card"] == "blue-9"
    assert "no table 'nothing'" in admin(capsys, "show", "nothing", status=2)


def test_a_table_is_shown_as_people_read(table: str, database: Path, capsys: Said) -> None:
    token = admin(capsys, "host", table)["token"]
    event_log = EventLog(open_database(str(database)))
    host = event_log.holders.by_token(token)
    assert host is not None
    red = {"seat": 2, "move": "play", "card": "red-2"}
    change = {"kind": "replace", "round": 1, "move": 1, "replacement": red}
    correct(event_log, event_log.table(table), WriteRequest(host), change)
    event_log.close()
    admin(capsys, "close", table)
    admin(capsys, "reopen", table)
    for command in ("show", "audit"):
        assert main(["admin", command, table]) == 0
        said = capsys.readouterr().out
        assert not re.search(r"None|True|False|[\[\]{}']", said)
        for words in SHOWN[command]:
            assert words in said


def test_the_audit_is_printed(table: str, capsys: Said) -> None:
    (item,) = admin(capsys, "audit", table, "--kind", "overruled")
    assert item["change"] == {"kind": "overrule", "verdict": "legal"}
    assert main(["admin", "audit", table]) == 0
    said = capsys.readouterr().out
    assert "round 1 move 1: illegal (match) is now legal (host.ruling)" in said
    assert item["by"]["token"] in said


def test_a_table_is_closed_opened_and_purged(table: str, capsys: Said) -> None:
    admin(capsys, "close", table, "--reason", "over")
    assert admin(capsys, "list")[0]["closed"]
    assert "closed already" in admin(capsys, "close", table, status=2)
    admin(capsys, "reopen", table)
    assert admin(capsys, "list")[0]["closed"] is None
    assert "nothing was deleted" in admin(capsys, "purge", table, status=1)
    assert len(admin(capsys, "list")) == 1
    admin(capsys, "purge", table, "--yes")
    assert admin(capsys, "list") == []
    assert "There is no table" in admin(capsys, "purge", table, "--yes", status=1)


def test_a_host_is_let_in_and_a_token_made_void(table: str, database: Path, capsys: Said) -> None:
    given = admin(capsys, "host", table, "--name", "Ann")
    event_log = EventLog(open_database(str(database)))
    host = event_log.holders.by_token(given["token"])
    assert (host.role, host.name, host.id) == ("host", "Ann", given["token_id"])
    event_log.close()
    admin(capsys, "revoke", table, given["token_id"])
    event_log = EventLog(open_database(str(database)))
    assert event_log.holders.by_token(given["token"]) is None
    event_log.close()
    assert "no such token" in admin(capsys, "revoke", table, "nothing", status=2)


def test_retention_is_shown_before_it_is_done(table: str, capsys: Said) -> None:
    assert "kept forever" in admin(capsys, "retention", status=1)
    assert admin(capsys, "retention", "--idle-days", "1") == []
    assert admin(capsys, "retention", "--idle-days", "9" * 12, "--yes") == []
    assert admin(capsys, "list", "--quiet-days", "9" * 12) == []
    for days in ("-1", "0.5", "x"):
        with pytest.raises(SystemExit) as error:
            main(["admin", "retention", "--idle-days", days, "--yes"])
        assert error.value.code == 2
        assert "whole number of days" in capsys.readouterr().err
    assert len(admin(capsys, "list")) == 1


def test_copies(table: str, database: Path, tmp_path: Path, capsys: Said) -> None:
    copy = str(tmp_path / "copy")
    made = admin(capsys, "backup", copy)
    assert (made["tables"], made["entries"]) == (1, 4)
    assert admin(capsys, "check", copy)["entries"] == 4
    admin(capsys, "purge", table, "--yes")
    assert admin(capsys, "check")["tables"] == 0
    admin(capsys, "restore", copy)
    assert admin(capsys, "list")[0]["id"] == table
    Path(copy).write_bytes(b"nothing")
    assert "is damaged (file is not a database)" in admin(capsys, "check", copy, status=2)


def test_while_a_server_uses_the_database_it_is_asked(
    table: str, database: Path, tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_OPERATOR_KEY", KEY)
    with Server(database) as server:
        asked = ["--server", server.url]
        given = admin(capsys, "host", table, *asked)
        headers = {"Authorization": f"Bearer {given['token']}"}
        url = f"{server.url}/api/v1/tables/{table}"

        def status() -> int:
            return requests.get(url, headers=headers, timeout=PATIENCE).status_code

        assert status() == 200
        admin(capsys, "close", table, *asked)
        assert "closed already" in admin(capsys, "close", table, *asked, status=2)
        admin(capsys, "reopen", table, *asked)
        assert admin(capsys, "backup", str(tmp_path / "live"))["tables"] == 1
        admin(capsys, "revoke", table, given["token_id"], *asked)
        assert status() == 401
        assert "Another server" in admin(capsys, "restore", str(tmp_path / "live"), status=2)
        nowhere = ["--server", "http://127.0.0.1:9"]
        assert "does not answer" in admin(capsys, "purge", table, "--yes", *nowhere, status=2)
        monkeypatch.setenv("REFEREE_OPERATOR_KEY", "x" * 32)
        assert "The server refused" in admin(capsys, "close", table, *asked, status=2)
        monkeypatch.delenv("REFEREE_OPERATOR_KEY")
        admin(capsys, "close", table)
        key_file(database).unlink()
        assert "REFEREE_OPERATOR_KEY" in admin(capsys, "close", table, status=2)
        monkeypatch.setenv("REFEREE_OPERATOR_KEY", KEY)
        admin(capsys, "purge", table, "--yes", *asked)
    assert admin(capsys, "list") == []


def test_a_default_server_honours_new_hosts_at_once(
    table: str, database: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_OPERATOR_KEY", raising=False)
    with Server(database) as server:
        assert key_file(database).stat().st_mode & 0o777 == 0o600
        api = f"{server.url}/api/v1"

        def ask(method: str, path: str, token: str, body: Any = None, **more: Any) -> Any:
            headers = {"Authorization": f"Bearer {token}", **more.pop("headers", {})}
            url = f"{api}/tables/{table}{path}"
            return requests.request(
                method, url, json=body, headers=headers, timeout=PATIENCE, **more
            )

        given = admin(capsys, "host", table)
        assert given["link"] == f"{server.url}/t/{table}#host={given['token']}"
        found = ask("GET", "", given["token"]).json()
        assert (found["hosts"], found["seats"][1]["host"]) == (2, False)
        join = {"code": found["code"], "seat": 2}
        bo = requests.post(f"{api}/join", json=join, timeout=PATIENCE).json()["token"]
        undo = {"kind": "overrule", "verdict": "illegal"}
        assert ask("POST", "/corrections", bo, undo).status_code == 403
        stream = ask(
            "GET",
            "/events",
            bo,
            stream=True,
            headers={"Accept": "text/event-stream", "Last-Event-ID": str(found["version"] + 1)},
        )
        lines = stream.iter_lines(decode_unicode=True)
        admin(capsys, "host", table, "--seat", "2")
        assert next(line for line in lines if line.startswith("event:")) == "event: host-made"
        assert "Bo is a host now." in next(line for line in lines if line.startswith("data:"))
        stream.close()
        assert ask("POST", "/corrections", bo, undo).status_code == 201
        assert "a host already" in admin(capsys, "host", table, "--seat", "2", status=2)
        assert "No phone" in admin(capsys, "host", table, "--seat", "1", status=2)
        admin(capsys, "revoke", table, given["token_id"])
        assert ask("GET", "", given["token"]).status_code == 401
        admin(capsys, "close", table)
        assert ask("POST", "/moves", bo, {"move": "draw"}).json()["type"] == "/problems/closed"
        admin(capsys, "reopen", table)
        admin(capsys, "purge", table, "--yes")
        assert ask("GET", "", bo).status_code == 401


def test_codes_resist_guessing(capsys: Said) -> None:
    found = resistance(Limits(), tables=1000, addresses=1000)
    assert found.bits == 40
    assert found.guesses == pytest.approx(2**40 / 1001)
    assert (found.alone_per_hour, found.together_per_hour) == (60, 9_600)
    assert found.days(found.together_per_hour) > 365
    assert main(["admin", "codes", "--tables", "1000"]) == 0
    assert "1,098,413,215" in capsys.readouterr().out
    assert "at least 1" in admin(capsys, "codes", "--tables", "0", status=2)


def test_the_operator_is_no_host() -> None:
    assert not OPERATOR.is_host
    with pytest.raises(Problem):
        check_acts_for(OPERATOR, 1)
