"""What people see of the state: a picture on a terminal, lines in a log, a file for programs."""

import copy
import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hardware.gateway.display import Log, render
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.status import (
    NoStatusError,
    SilentGatewayError,
    StatusFile,
    read_status,
)
from hardware.times import seconds_of, span, utc

NOW = seconds_of("2026-07-01T18:00:00.000Z")
# As a gateway writes it on a good evening.
DOCUMENT = Path(__file__).with_name("status.json").read_text(encoding="utf-8")


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads(DOCUMENT)


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
    text = drawn(trouble(document), 160)
    for words in (
        "does not answer (nothing listens there)",
        "3 waiting, the oldest for 42 s; 4 delivered; 1 not taken by the server (bad)",
        "6 tries failed",
        "trying again (no answer)",
        "Nothing can be kept: the disk is full",
        "1 observation waits for the device 'Cam' at table t0.",
        "  U belongs to Bo.",
        "  N belongs at seat 1",
    ):
        assert words in text


def test_what_was_not_taken_is_not_called_delivered(document: dict[str, Any]) -> None:
    board = document["devices"][0]
    board["queue"]["set_aside"] = 40
    text = drawn(document)
    assert "4 delivered; 40 not taken by the server; nothing waits" in text
    assert "all is delivered" not in text
    board["post"]["owed"] = True
    assert "40 not taken by the server; where things stand now is told again" in drawn(document)


def test_a_swapped_board_an_old_outbox_and_a_wrong_clock_are_said_once(
    document: dict[str, Any],
) -> None:
    lines: list[str] = []
    log = Log(lines.append)
    log.update(document)
    lines.clear()
    board = document["devices"][0]
    board["swapped"] = "board bb is there now, before it was board aa"
    board["post"] |= {"old_copy": True, "clock": "1970-01-01T00:00:09.000+00:00"}
    old = "an old copy of the outbox was put back; it goes on under new numbers, nothing is lost"
    clock = "this computer's clock said 1970-01-01; the server put its own time: set the clock"
    log.update(copy.deepcopy(document))
    board["post"]["clock"] = "1970-01-01T00:00:10.000+00:00"
    log.update(document)
    assert lines == [
        "Board: board bb is there now, before it was board aa",
        f"Board: {old}",
        f"Board: {clock}",
    ]
    text = drawn(document)
    assert "board bb is there now" in text
    assert clock in text
    assert "an old copy of the outbox was put back" in text


def test_what_cannot_be_kept_is_not_delivered(document: dict[str, Any]) -> None:
    device = document["devices"][0]
    device["post"]["state"] = "idle"
    device["figures"] = {"waiting": 7}
    assert "; 7 more cannot be kept yet" in drawn(document)
    assert "all is delivered" not in drawn(document).split("Board")[1].split("Camera")[0]


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
        "Board: 1 not taken by the server (bad)",
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
        "N: nothing to put right any more",
    ]


def with_card(document: dict[str, Any], card: str | None) -> dict[str, Any]:
    document["devices"][0]["sees"] = {"on top": card} if card else {}
    return document


def test_a_token_that_is_refused_says_how_to_go_on(document: dict[str, Any]) -> None:
    document["server"] |= {"state": "refused", "detail": "the token was revoked"}
    text = drawn(document, 200)
    assert "referee-table join CODE" in text
    assert "Nothing has to be put right." not in text
    assert "What has to be put right is not known now." in text


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (2, "put right"),
        (0, "nothing to put right any more"),
        ("lifted", "no longer known"),
        ("unknown", "no longer known"),
    ],
)
def test_only_what_stands_where_it_belongs_is_put_right(
    document: dict[str, Any], at: int | str, said: str
) -> None:
    lines: list[str] = []
    log = Log(lines.append)
    log.update(trouble(copy.deepcopy(document)))
    document["devices"][0]["positions"]["U"] = at
    log.update(document)
    assert f"U: {said}" in lines


@pytest.mark.parametrize(
    ("card", "said"),
    [("red 5", "put right"), ("red 7", "nothing to put right any more"), (None, "no longer known")],
)
def test_only_a_card_that_is_seen_on_top_is_put_right(
    document: dict[str, Any], card: str | None, said: str
) -> None:
    lines: list[str] = []
    log = Log(lines.append)
    wrong = {"power": None, "kind": "not-on-top", "where": "blue 3", "should": "red 5", "text": ""}
    before = with_card(copy.deepcopy(document), "blue 3")
    before["discrepancies"] = [{**wrong, "what": "the pile (blue 3)"}]
    log.update(before)
    log.update(with_card(document, card))
    assert f"the pile (blue 3): {said}" in lines


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


def test_a_full_disk_leaves_no_old_status(
    document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, outbox = tmp_path / "status.json", tmp_path / "outbox"
    time = 0.0
    file = StatusFile(path, clock=lambda: time)
    file.write(document)
    write_bytes = Path.write_bytes

    def full(self: Path, *_: Any) -> int:
        # Part of it is written, as on a real disk.
        write_bytes(self, b"{")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    time = 60.0
    with pytest.raises(OSError, match="No space left"):
        file.write({**document, "pid": 1})
    assert list(tmp_path.iterdir()) == []
    box = Outbox(outbox, "t1")
    box.open()
    with pytest.raises(SilentGatewayError, match="a gateway runs, but it cannot write its status"):
        read_status(path, NOW, outbox)
    monkeypatch.undo()
    # It comes back by itself; where an old one could not be removed, it is not believed.
    time = 120.0
    file.write({**document, "pid": 1})
    assert read_status(path, NOW, outbox)["pid"] == 1
    with pytest.raises(SilentGatewayError):
        read_status(path, NOW + 31, outbox)
    box.close()
    with pytest.raises(NoStatusError, match="does not run any more"):
        read_status(path, NOW + 31, outbox)


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
