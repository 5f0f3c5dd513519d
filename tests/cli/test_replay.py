"""``referee replay``: what it prints, what it exits with, and what it says of bad files."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import main

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.json"))
Capture = pytest.CaptureFixture[str]
RECORD: dict[str, Any] = {
    "format": "referee-record/1",
    "ruleset": "classic-108",
    "options": {},
    "seats": ["Ann", "Bo"],
    "rounds": [
        {
            "dealer": 1,
            "opening": ["red-7"],
            "moves": [
                {"seat": 2, "move": "play", "card": "red-3", "expect": {"turn": 1}},
                {"seat": 1, "move": "play", "card": "blue-5", "expect": {"verdict": "illegal"}},
            ],
        }
    ],
}


def write(folder: Path, record: Any, name: str = "game.json") -> str:
    path = folder / name
    path.write_text(json.dumps(record), encoding="utf-8")
    return str(path)


def with_moves(*moves: dict[str, Any]) -> dict[str, Any]:
    played = {"dealer": 1, "opening": ["red-7"], "moves": list(moves)}
    return {**RECORD, "rounds": [played]}


def test_there_is_an_example_of_every_ruleset() -> None:
    rulesets = {json.loads(path.read_text(encoding="utf-8"))["ruleset"] for path in EXAMPLES}
    assert rulesets == {"classic-108", "classic-112", "moomin", "power-grab", "color-powers"}


def test_every_move_of_the_examples_has_an_expectation() -> None:
    for path in EXAMPLES:
        for played in json.loads(path.read_text(encoding="utf-8"))["rounds"]:
            assert all({"verdict", "rule"} <= move["expect"].keys() for move in played["moves"])


def test_one_file_is_shown_move_by_move(tmp_path: Path, capsys: Capture) -> None:
    assert main(["replay", write(tmp_path, RECORD)]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines]
    assert "Round 1: Ann deals, red-7 turned up. turn 2" in lines
    assert ["1", "Bo", "red-3", "legal", "match", "turn", "1"] in rows
    assert ["2", "Ann", "blue-5", "illegal", "match"] in rows
    assert "Scores after round 1: Ann 0, Bo 0" in lines
    assert lines[-1] == "1 file, 1 round, 2 moves (1 illegal): every expectation holds"


def test_who_comes_and_goes_is_told_between_rounds(tmp_path: Path, capsys: Capture) -> None:
    over = {"out": 1, "hands": {"2": 5}}
    joined = {"order": [1, 3, 2], "join": {"3": 4}, "names": {"3": "Cy"}}
    record = {
        **RECORD,
        "rounds": [
            {"dealer": 1, "result": over},
            {"dealer": 2, **joined, "result": {"out": 3, "hands": {"1": 1, "2": 2}}},
        ],
    }
    path = write(tmp_path, record)
    assert main(["replay", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if line.startswith(("Scores", "At the table"))]
    assert told == [
        "Scores after round 1: Ann 5, Bo 0",
        "At the table, clockwise: Ann, Cy, Bo",
        "Scores after round 2: Ann 5, Bo 0, Cy 7",
    ]
    assert main(["replay", "--json", path]) == 0
    rounds = json.loads(capsys.readouterr().out)["files"][0]["rounds"]
    assert [one["scores"] for one in rounds] == [[5, 0], [5, 0, 7]]


def test_a_failed_expectation_is_marked_and_told(tmp_path: Path, capsys: Capture) -> None:
    move = {"seat": 2, "move": "play", "card": "red-3", "expect": {"turn": 2, "rule": "draw"}}
    path = write(tmp_path, with_moves(move, {"seat": 2, "move": "draw"}))
    assert main(["replay", path]) == 1
    out = capsys.readouterr().out
    assert ["FAIL", "1", "Bo", "red-3"] in [line.split()[:4] for line in out.splitlines()]
    assert f"FAIL {path}: round 1, move 1, turn: expected 2, is 1" in out
    assert f"FAIL {path}: round 1, move 1, rule: expected 'draw', is 'match'" in out
    assert f"FAIL {path}: round 1, move 2, verdict: expected 'legal', is 'illegal'" in out
    assert out.splitlines()[-1].endswith("3 expectations failed")


def test_an_expectation_of_the_opening_can_fail(tmp_path: Path, capsys: Capture) -> None:
    played = {"dealer": 1, "opening": ["red-7"], "expect": {"draw_pile": 5}, "moves": []}
    assert main(["replay", write(tmp_path, {**RECORD, "rounds": [played]})]) == 1
    assert "round 1, opening, draw_pile: expected 5, is 93" in capsys.readouterr().out


def test_quiet_tells_only_what_failed(tmp_path: Path, capsys: Capture) -> None:
    good = write(tmp_path, RECORD)
    bad = write(tmp_path, with_moves({"seat": 1, "move": "draw"}), "bad.json")
    assert main(["replay", "--quiet", good, bad]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"FAIL {bad}: round 1, move 1, verdict: expected 'legal', is 'illegal'",
        "2 files, 2 rounds, 3 moves (2 illegal): 1 expectation failed",
    ]


def test_verbose_shows_every_file_move_by_move(tmp_path: Path, capsys: Capture) -> None:
    path = write(tmp_path, RECORD)
    assert main(["replay", "--verbose", path, path]) == 0
    assert capsys.readouterr().out.count("blue-5") == 2


def test_json_is_one_document(tmp_path: Path, capsys: Capture) -> None:
    good = write(tmp_path, RECORD)
    bad = write(tmp_path, with_moves({"seat": 2, "move": "draw", "expect": {"turn": 9}}), "b.json")
    missing = str(tmp_path / "missing.json")
    assert main(["replay", "--json", good, bad, missing]) == 2
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert [document[key] for key in ("moves", "illegal", "failures", "errors", "status")] == [
        *(3, 1, 1, 1, 2)
    ]
    first, second, third = document["files"]
    assert (first["file"], first["ruleset"], first["seats"]) == (good, "classic-108", ["Ann", "Bo"])
    assert first["rounds"][0]["moves"][1] == {
        "seat": 1,
        "move": "play",
        "card": "blue-5",
        "line": "1 blue-5",
        "verdict": "illegal",
        "rule": "match",
        "remedy": "take-back",
        "events": ["1 play illegal [match]"],
        "holds": True,
    }
    assert first["rounds"][0]["scores"] == [0, 0]
    assert second["failures"] == [
        {"round": 1, "move": 1, "field": "turn", "expected": 9, "found": 2}
    ]
    assert third["error"]["message"] == "no such file or directory"
    assert "missing.json: no such file or directory" in err


def test_quiet_json_leaves_the_moves_out(tmp_path: Path, capsys: Capture) -> None:
    assert main(["replay", "--json", "--quiet", write(tmp_path, RECORD)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"][0]["rounds"][0]["moves"] == []
    assert document["moves"] == 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not JSON: line 1, column 1"),
        (b'{"format":\n  oops}', "is not JSON: line 2, column 3"),
        (b"\xff\xfe", "is not UTF-8 text (byte 1)"),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b"9" * 5000, "is not JSON: "),
        (b"[" * 100_000, "is nested too deeply"),
        (b"[" * 80 + b"]" * 80, "is nested too deeply"),
        (b"[]", "record: must be an object"),
        (b'{"format": "referee-record/2"}', "format: must be 'referee-record/1'"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_one_sentence(
    tmp_path: Path, capsys: Capture, content: bytes, reason: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"referee replay: {path}: ")
    assert reason in err
    assert len(err.splitlines()) == 1
    assert out.splitlines()[-1].endswith("1 file could not be read")


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (with_moves({"seat": 9, "move": "draw"}), "round 1, move 1, seat: must be a whole number"),
        (with_moves({"seat": 2, "move": "sing"}), "round 1, move 1, move: must be one of"),
        (with_moves({"seat": 2, "move": "play"}), "round 1, move 1, card: is missing"),
        (
            with_moves({"seat": 2, "move": "draw", "x": 1}),
            "round 1, move 1, x: is not a field of draw",
        ),
        ({**RECORD, "ruleset": "nope"}, "ruleset: there is no ruleset 'nope'"),
        ({**RECORD, "seats": ["Ann"]}, "seats: 2 to 10 players can play, not 1"),
        ({**RECORD, "options": {"target": "x"}}, "options.target: must be a whole number"),
        ({**RECORD, "rounds": [{"dealer": 1, "opening": [], "moves": []}]}, "round 1, opening: "),
        (
            {**RECORD, "rounds": [{"dealer": 1, "opening": ["red-x"], "moves": []}]},
            "round 1, opening[0]: the deck has no red-x",
        ),
    ],
)
def test_a_bad_record_is_told_by_round_move_and_field(
    tmp_path: Path, capsys: Capture, record: Any, reason: str
) -> None:
    assert main(["replay", write(tmp_path, record)]) == 2
    assert f"game.json: {reason}" in capsys.readouterr().err


def test_unreadable_wins_over_failed_and_the_rest_is_still_replayed(
    tmp_path: Path, capsys: Capture
) -> None:
    bad = write(tmp_path, with_moves({"seat": 1, "move": "draw"}), "bad.json")
    assert main(["replay", str(tmp_path), bad, write(tmp_path, RECORD)]) == 2
    out, err = capsys.readouterr()
    assert out.splitlines()[-1].endswith("1 expectation failed; 1 file could not be read")
    assert "is a directory" in err


def test_nothing_in_a_record_can_steer_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    names = ["\x1b[31mAnn", "[bold]Bo\n:smile:\ud800"]
    record = {**with_moves({"seat": 2, "move": "play", "card": "\x1b]0;x\x07"}), "seats": names}
    assert main(["replay", write(tmp_path, record)]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31mAnn" in out
    assert "[bold]Bo\\n:smile:\\ud800" in out
