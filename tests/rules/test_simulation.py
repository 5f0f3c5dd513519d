"""Random games with all cards known: no ruling contradicts the real hands."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.records.record import parse_record, replay
from tests.rules.custom_cards import HOUSE_RULES, PAIRS
from tests.rules.simulation import RULESETS, Simulation, Tally, main

# Of fifty games each, those that together have every kind of ruling, proof and challenge.
SEEDS = {
    "classic-108": (1002, 1006, 1007, 1009, 1010),
    "classic-112": (1003, 1004, 1006, 1031),
    "moomin": (1000, 1011, 1022, 1037, 1041),
    "power-grab": (1002, 1010, 1013, 1037),
    "color-powers": (1011, 1015, 1019, 1020, 1030),
}
KINDS = 24


@pytest.mark.parametrize("ruleset", RULESETS)
def test_short_games_hold(ruleset: str) -> None:
    tally = Tally()
    for seed in SEEDS.get(ruleset, range(1000, 1010)):
        Simulation(ruleset, seed, tally).play(most_moves=80)
    if ruleset in SEEDS:
        assert len(tally.rulings) + len(tally.claims) + len(tally.challenges) >= KINDS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_pairs_of_house_rules_hold(ruleset: str) -> None:
    place = RULESETS.index(ruleset)
    for seed, pair in enumerate(PAIRS[place :: len(RULESETS)]):
        Simulation(ruleset, seed, house=pair).play(most_moves=40)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_under_all_house_rules_holds_and_replays(ruleset: str) -> None:
    game = Simulation(ruleset, 3, house=set(HOUSE_RULES) - {"teams", "rounds"})
    game.play(most_moves=400)
    steps = list(replay(parse_record(json.loads(json.dumps(game.record)))))
    assert steps[-1].state == game.state


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_pair_of_house_rules_in_every_deck(ruleset: str) -> None:
    flags = ("--ruleset", ruleset, "--house", "--failures", "failures")
    assert main(["--games", str(10_000 // len(RULESETS)), *flags]) == 0


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
