"""``referee check``: one position, one move, one ruling."""

import io
import json
import sys

import pytest

from referee.cli import main

Capture = pytest.CaptureFixture[str]
POSITION = "classic-108 7,7,7 2> play red-7"


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_an_illegal_move_says_what_to_put_right(capsys: Capture) -> None:
    assert main(["check", POSITION, "2 blue-3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 blue-3: illegal. The blue 3 does not match")
    assert "  put right  Take back what was laid. Nothing else changes." in lines


def test_json_answers_with_the_state(capsys: Capture) -> None:
    assert main(["check", "--json", POSITION, "3 draw"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["rule"]) == ("illegal", "turn.order")
    assert answer["text"] == "It is Seat 2's turn, not Seat 3's."
    assert answer["state"]["hands"] == [7, 7, 7]


@pytest.mark.parametrize("move", ["2 draw", {"seat": 2, "move": "draw"}])
def test_json_is_read_from_stdin(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, move: object
) -> None:
    feed(monkeypatch, json.dumps({"position": POSITION, "move": move}))
    assert main(["check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["position"].startswith("classic-108 7,8,7 2> drawn")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([], "a position and a move are needed"),
        ([POSITION], "a position and a move are needed"),
        (["whist 7,7 1> play red-7", "1 draw"], "ruleset: there is no ruleset 'whist'"),
        ([POSITION, "4 draw"], "seat: must be a whole number from 1 to 3"),
        ([POSITION, "2"], "move: must be a seat and what it does"),
        (["classic-108 7,7 2> play red-7 1+1", "2 draw"], "piles: "),
    ],
)
def test_what_is_not_understood_is_said(capsys: Capture, args: list[str], reason: str) -> None:
    assert main(["check", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"referee check: {reason}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON: line 1, column 2"),
        ("[]", "stdin must have an object with position and move"),
        ('{"position": 1, "move": "2 draw"}', "a position and a move are needed"),
        ('{"position": "x", "move": "y", "z": 1}', "stdin must have"),
        (json.dumps({"position": POSITION, "move": {"seat": 2}}), "move: must be one of"),
    ],
)
def test_bad_json_is_said(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    feed(monkeypatch, text)
    assert main(["check", "--json"]) == 2
    assert capsys.readouterr().err.startswith(f"referee check: {reason}")
