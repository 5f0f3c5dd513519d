"""Rulings a second on one core, compared with RLCard's ``UnoGame``."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from statistics import median

import numpy as np
from rlcard.games.uno import Game

from bench.report import ResultTable, progress
from bench.rounds import RULESETS, SEATS, PlayedRound, rounds, rule_on
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import decide

ROUNDS = 60
REPETITIONS = 11
AGENT = "UnoGame, rounds played by its agent"
PLAYED = "UnoGame, rounds played"
STEPS = "UnoGame.step alone"

Sample = Callable[[], tuple[int, float]]
"""Does a fixed amount of work; returns the number of moves and the seconds they took."""


def ruling(played: list[PlayedRound]) -> Sample:
    """Call ``decide`` for complete rounds."""
    count = sum(len(a_round.moves) for a_round in played)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        for a_round in played:
            rule_on(a_round.start, a_round.moves)
        return count, time.process_time() - begin

    return sample


def parsing_and_ruling(played: list[PlayedRound]) -> Sample:
    """Parse moves from JSON, then call ``decide``."""
    given = [(r.start, [move_to_json(move) for move in r.moves]) for r in played]
    count = sum(len(moves) for _, moves in given)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        for state, moves in given:
            for move in moves:
                state = decide(state, parse_move(move, SEATS)).state
        return count, time.process_time() - begin

    return sample


@dataclass(frozen=True, slots=True)
class PeerRound:
    """A round of RLCard: the seed of its random numbers, and the actions taken."""

    seed: int
    actions: tuple[str, ...]


def play_peer(game: Game, choose: Callable[[list[str]], str]) -> list[str]:
    """Deal and play one round; return its actions."""
    state, _ = game.init_game()
    actions = []
    while not game.is_over():
        action = choose(state["legal_actions"])
        actions.append(action)
        state, _ = game.step(action)
    return actions


def peer_rounds(count: int) -> list[PeerRound]:
    """Play ``count`` rounds, recorded for replay."""
    return [
        PeerRound(seed, tuple(play_peer(dealt_from(seed), Random(seed).choice)))
        for seed in range(count)
    ]


def dealt_from(seed: int) -> Game:
    """Return a game whose shuffles follow from the seed."""
    game = Game(num_players=SEATS)
    game.np_random = np.random.RandomState(seed)
    return game


def peer_steps(played: Iterable[PeerRound]) -> Sample:
    """Call ``step`` for complete rounds; dealing and choosing are not timed."""

    def sample() -> tuple[int, float]:
        count, seconds = 0, 0.0
        for a_round in played:
            game = dealt_from(a_round.seed)
            game.init_game()
            begin = time.process_time()
            for action in a_round.actions:
                game.step(action)
            seconds += time.process_time() - begin
            count += len(a_round.actions)
        return count, seconds

    return sample


def peer_played(choose: Callable[[list[str]], str]) -> Sample:
    """Play rounds as RLCard does: deal, then choose a legal action and step until the end."""
    game = dealt_from(1)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        count = sum(len(play_peer(game, choose)) for _ in range(ROUNDS))
        return count, time.process_time() - begin

    return sample


def run() -> list[ResultTable]:
    """Take all samples in turn, several times, and compare medians."""
    samples: dict[str, Sample] = {}
    for ruleset in RULESETS:
        progress(f"engine: playing {ROUNDS} rounds of {ruleset} to rule on")
        played = rounds(ruleset, ROUNDS)
        samples[f"{ruleset}: rulings"] = ruling(played)
        samples[f"{ruleset}: parsed and ruled on"] = parsing_and_ruling(played)
    samples[AGENT] = peer_played(np.random.RandomState(1).choice)
    samples[PLAYED] = peer_played(Random(1).choice)
    samples[STEPS] = peer_steps(peer_rounds(ROUNDS))
    rates: dict[str, list[float]] = {name: [] for name in samples}
    for turn in range(REPETITIONS):
        progress(f"engine: repetition {turn + 1} of {REPETITIONS}")
        for name, sample in samples.items():
            count, seconds = sample()
            rates[name].append(count / seconds)
    return [compare(rates)]


def compare(rates: dict[str, list[float]]) -> ResultTable:
    """Return medians, and the median ratios to RLCard's rows."""
    report = ResultTable(
        "Rulings a second on one core, complete rounds of four",
        ("what", "a second", "µs each", "× agent", "× played", "× step"),
    )
    for name, values in rates.items():
        ratios = [
            median(ours / theirs for ours, theirs in zip(values, rates[other], strict=True))
            for other in (AGENT, PLAYED, STEPS)
        ]
        middle = median(values)
        report.rows.append((name, round(middle), 1e6 / middle, *ratios))
    report.notes = [
        "A ruling is one call of engine.decide: verdict, rule, events, evidence and a new state.",
        "The last three rows are RLCard; the last three columns are ratios to them. Target: 2.",
        f"Medians of {REPETITIONS} interleaved repetitions; processor time of this process.",
    ]
    return report
