"""Random games with all cards known: nothing the referee decides is contradicted by the hands."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.record import parse_record, replay
from tests.rules import simulation
from tests.rules.simulation import RULESETS, Simulation, Tally, main


@pytest.mark.parametrize("ruleset", RULESETS)
def test_short_games_hold(ruleset: str) -> None:
    tally = Tally()
    for seed in range(1000, 1050):
        Simulation(ruleset, seed, tally).play(most_moves=80)
    assert tally.games == 50
    assert tally.moves > 2000
    assert any(name.startswith("illegal") for name in tally.rulings)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_long_game_holds_and_replays(ruleset: str) -> None:
    game = Simulation(ruleset, 7)
    game.play(most_moves=600)
    steps = list(replay(parse_record(json.loads(json.dumps(game.record)))))
    assert steps[-1].state == game.state


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(RULESETS), st.integers(min_value=0, max_value=10**9))
def test_any_game_holds(ruleset: str, seed: int) -> None:
    Simulation(ruleset, seed).play(most_moves=60)


def test_the_long_run_reports_failures_with_a_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--games", "5", "--failures", f"{tmp_path}/out", "--ruleset", "color-powers"]
    assert main(arguments) == 0
    assert "0 failures" in capsys.readouterr().out
    monkeypatch.setattr(simulation, "points", lambda card, options: 1)
    assert main(arguments) == 1
    out = capsys.readouterr().out
    path = out.partition("(record: ")[2].partition(")")[0]
    with open(path, encoding="utf-8") as file:
        assert parse_record(json.load(file)).rounds
