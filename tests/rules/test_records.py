"""Records of rule cases and whole games, shared ones too if they lie beside the checkout."""

import json
from pathlib import Path

import pytest

from referee.rules.records.record import parse_record, replay

ROOT = Path(__file__).parents[2]
RECORDS = sorted(
    [
        *(ROOT / "examples").glob("*.json"),
        *(ROOT.parent / "shared" / "scenarios").glob("*.json"),
        *(ROOT.parent / "shared" / "games").glob("*.json"),
        *(ROOT.parent / "shared" / "sheets3" / "scenarios").glob("*.json"),
        *(ROOT.parent / "shared" / "sheets3" / "games").glob("*.json"),
        *(ROOT.parent / "shared" / "house" / "scenarios").glob("*.json"),
        *(ROOT.parent / "shared" / "house" / "games").glob("*.json"),
    ]
)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_expectation_of_a_record_holds(path: Path) -> None:
    record = parse_record(json.loads(path.read_text(encoding="utf-8")))
    for step in replay(record):
        assert not step.mismatches, f"round {step.round}, move {step.move}: {step.mismatches}"


def test_a_record_may_abandon_a_round() -> None:
    first = {"dealer": 1, "opening": ["red-7"], "moves": [{"seat": 2, "move": "draw"}]}
    second = {
        "dealer": 2,
        "opening": ["blue-reverse"],
        "expect": {"turn": 2, "hands": [7, 7], "scores": [0, 0], "direction": "counterclockwise"},
        "moves": [],
    }
    record = {
        "format": "referee-record/1",
        "ruleset": "classic-108",
        "seats": ["Ann", "Bo"],
        "rounds": [first, second],
    }
    steps = list(replay(parse_record(record)))
    assert [step.mismatches for step in steps] == [(), (), ()]
    assert steps[-1].state.round == 2
