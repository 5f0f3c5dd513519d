"""What people see of the state: a picture on a terminal, lines in a log, a file for programs."""

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hardware.gateway.display import Log, render
from hardware.gateway.status import FORMAT, NoStatusError, StatusFile, read_status
from hardware.times import seconds_of, span, utc

NOW = seconds_of("2026-07-01T18:00:00.000Z")
DOCUMENT: dict[str, Any] = {
    "format": FORMAT,
    "at": utc(NOW),
    "started": utc(NOW - 60),
    "pid": 7,
    "server": {
        "url": "http://h",
        "table": "t1",
        "seats": ["Ann", "Bo"],
        "state": "following",
        "detail": "",
        "reconnects": 0,
        "version": 5,
    },
    "discrepancies": [],
    "devices": [
        {
            "name": "Board",
            "backend": "serial-board",
            "state": "online",
            "detail": "/dev/ttyACM0",
            "positions": {"U": 2, "N": 0, "O": "lifted"},
            "figures": {"frames_lost": 3, "gaps": 0},
            "queue": {"waiting": 0, "oldest": None, "delivered": 4, "set_aside": 0},
            "post": {
                "state": "idle",
                "detail": "",
                "tries": 0,
                "next_try": None,
                "retries": 0,
                "set_aside": "",
                "last": {"at": utc(NOW - 2), "ms": 4.2, "id": 5, "meaning": "agrees"},
            },
        }
    ],
    "outbox": {"path": "/o", "problem": None, "left_over": []},
}


@pytest.fixture
def document() -> dict[str, Any]:
    return copy.deepcopy(DOCUMENT)


def drawn(document: dict[str, Any], width: int = 120) -> str:
    out = io.StringIO()
    Console(file=out, width=width, markup=False).print(render(document, NOW))
    return out.getvalue()


def trouble(document: dict[str, Any]) -> dict[str, Any]:
    document["server"] |= {"state": "away", "detail": "nothing listens there"}
    board = document["devices"][0]
    board["queue"] |= {"waiting": 3, "oldest": utc(NOW - 42), "set_aside": 1}
    board["post"] |= {"state": "retrying", "detail": "no answer", "retries": 6, "set_aside": "bad"}
    board["positions"]["U"] = 1
    document["discrepancies"] = [
        {
            "power": "U",
            "what": "U",
            "kind": "misplaced",
            "where": 1,
            "should": 2,
            "text": "U belongs to Bo.",
        },
        {"power": "N", "what": "N", "kind": "to-move", "where": 0, "should": 1, "text": ""},
    ]
    document["outbox"]["problem"] = "the disk is full"
    document["outbox"]["left_over"] = [{"table": "t0", "device": "Cam", "waiting": 1}]
    return document


def test_a_good_evening(document: dict[str, Any]) -> None:
    text = drawn(document)
    for words in (
        "Referee at http://h, table t1: answers",
        "online: /dev/ttyACM0",
        "U at seat 2 (Bo), N in the tray, O lifted",
        "frames lost 3",
        "4 delivered; all is delivered",
        "agrees, entry 5, in 4 ms, 2.0 s ago",
        "Nothing has to be put right.",
    ):
        assert words in text
    assert "gaps" not in text


def test_a_bad_evening(document: dict[str, Any]) -> None:
    text = drawn(trouble(document))
    for words in (
        "does not answer (nothing listens there)",
        "3 waiting, the oldest for 42 s; 4 delivered; 1 set aside (bad); 6 tries failed",
        "trying again (no answer)",
        "Nothing can be kept: the disk is full",
        "1 observation waits for the device 'Cam' at table t0.",
        "  U belongs to Bo.",
        "  N belongs at seat 1",
    ):
        assert words in text


def test_names_are_taken_as_they_are(document: dict[str, Any]) -> None:
    document["devices"][0]["name"] = "[red]Board[/red] :warning:"
    assert "[red]Board[/red] :warning:" in drawn(document)


def test_the_log_says_each_thing_once(document: dict[str, Any]) -> None:
    lines: list[str] = []
    log = Log(lines.append)
    log.update(document)
    assert lines == [
        "server: answers",
        "Board: online (/dev/ttyACM0)",
        "Board: U at seat 2 (Bo)",
        "Board: N in the tray",
        "Board: O lifted",
    ]
    lines.clear()
    document["devices"][0]["queue"]["delivered"] = 5
    document["devices"][0]["figures"]["frames_lost"] = 4
    document["at"] = utc(NOW + 1)
    log.update(document)
    assert lines == []
    log.update(trouble(copy.deepcopy(document)))
    assert lines == [
        "server: does not answer (nothing listens there)",
        "Board: U at seat 1 (Ann)",
        "Board: trying again (no answer)",
        "Board: 1 set aside, which the server does not take (bad)",
        "nothing can be kept: the disk is full",
        "1 observation waits for the device 'Cam' at table t0.",
        "to put right: U belongs to Bo.",
        "to put right: N belongs at seat 1",
    ]
    lines.clear()
    log.update(document)
    assert lines == [
        "server: answers",
        "Board: U at seat 2 (Bo)",
        "Board: what it sees is delivered again",
        "the outbox works again",
        "U: put right",
        "N: put right",
    ]


def test_the_file_is_written_when_something_changes_and_not_too_often(
    document: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "run" / "status.json"
    time = 100.0
    file = StatusFile(path, clock=lambda: time)
    file.write(document)
    assert json.loads(path.read_text()) == document
    path.write_text("untouched")
    time += 5
    file.write({**document, "at": utc(NOW + 5)})
    assert path.read_text() == "untouched"
    document["server"]["version"] = 6
    file.write(document)
    assert read_status(path, NOW)["server"]["version"] == 6
    document["server"]["version"] = 7
    time += 0.5
    file.write(document)
    assert read_status(path, NOW)["server"]["version"] == 6
    time += 0.5
    file.write(document)
    assert read_status(path, NOW)["server"]["version"] == 7
    time += 10
    file.write({**document, "at": utc(NOW + 10)})
    assert read_status(path, NOW)["at"] == utc(NOW + 10)
    assert [one.name for one in path.parent.iterdir()] == ["status.json"]
    file.remove()
    with pytest.raises(NoStatusError, match="no gateway is running here"):
        read_status(path, NOW)


def test_a_status_of_long_ago_is_none(document: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "status.json"
    StatusFile(path).write(document)
    read_status(path, NOW + 29)
    with pytest.raises(NoStatusError, match="does not run any more"):
        read_status(path, NOW + 31)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 0}'])
def test_a_file_that_is_no_status(tmp_path: Path, text: str) -> None:
    path = tmp_path / "status.json"
    path.write_text(text)
    with pytest.raises(NoStatusError, match="is no status"):
        read_status(path, NOW)


def test_spans() -> None:
    given = (-1.0, 0.44, 9.9, 12.0, 119.0, 300.0, 7200.0, 86400.0 * 3)
    assert [span(seconds) for seconds in given] == [
        *("0.0 s", "0.4 s", "9.9 s", "12 s", "119 s", "5 min", "2 h", "3 days"),
    ]
