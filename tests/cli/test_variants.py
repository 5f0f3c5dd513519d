"""A deck outside the package is known to every command."""

from pathlib import Path

import pytest

from referee.cli import main
from referee.rules import ruleset

DECK = Path(__file__).parents[1] / "toy_deck"


@pytest.fixture(autouse=True)
def only_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "_extra", {})


def test_commands_know_a_deck_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REFEREE_VARIANTS", str(DECK))
    assert main(["rules", "card.leap"]) == 0
    assert "toy-leap" in capsys.readouterr().out
    assert main(["check", "toy-leap 4,4,4 2> play red-3", "2 red-leap"]) == 0


def test_a_folder_that_is_no_deck(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("REFEREE_VARIANTS", str(tmp_path))
    assert main(["rules", "match"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"referee: {tmp_path} does not contain a ruleset")
    assert error.count("\n") == 1
