"""Rulings a second on one core, side by side with the moves of RLCard's ``UnoGame``."""

import time
from collections.abc import Callable, Iterable
from random import Random
from statistics import median

import numpy as np

from bench import peer
from bench.report import ResultTable, progress
from bench.rounds import RULESETS, SEATS, PlayedRound, rounds, rule_on
from referee.rules.codec import move_to_json, parse_move
from referee.rules.engine import decide

ROUNDS = 60
REPETITIONS = 11
AGENT = "UnoGame, rounds played by its agent"
PLAYED = "UnoGame, rounds played"
STEPS = "UnoGame.step alone"

# Does a fixed amount of work and returns how many moves that were, in how many seconds.
Sample = Callable[[], tuple[int, float]]


def ruling(played: list[PlayedRound]) -> Sample:
    """``decide`` over complete rounds."""
    count = sum(len(a_round.moves) for a_round in played)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        for a_round in played:
            rule_on(a_round.start, a_round.moves)
        return count, time.process_time() - begin

    return sample


def parsing_and_ruling(played: list[PlayedRound]) -> Sample:
    """The same from moves as JSON gives them."""
    given = [(r.start, [move_to_json(move) for move in r.moves]) for r in played]
    count = sum(len(moves) for _, moves in given)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        for state, moves in given:
            for move in moves:
                state = decide(state, parse_move(move, SEATS)).state
        return count, time.process_time() - begin

    return sample


def peer_steps(played: Iterable[peer.PeerRound]) -> Sample:
    """``step`` over complete rounds, neither dealing nor choosing counted."""

    def sample() -> tuple[int, float]:
        count, seconds = 0, 0.0
        for a_round in played:
            game = peer.dealt_from(a_round.seed)
            game.init_game()
            begin = time.process_time()
            for action in a_round.actions:
                game.step(action)
            seconds += time.process_time() - begin
            count += len(a_round.actions)
        return count, seconds

    return sample


def peer_played(choose: Callable[[list[str]], str]) -> Sample:
    """Rounds as RLCard plays them: deal, choose a legal action, step, until one is out."""
    game = peer.dealt_from(1)

    def sample() -> tuple[int, float]:
        begin = time.process_time()
        count = sum(len(peer.play(game, choose)) for _ in range(ROUNDS))
        return count, time.process_time() - begin

    return sample


def run() -> list[ResultTable]:
    """Measure, all kinds taking turns, and compare medians."""
    samples: dict[str, Sample] = {}
    for ruleset in RULESETS:
        progress(f"engine: playing {ROUNDS} rounds of {ruleset} to rule on")
        played = rounds(ruleset, ROUNDS)
        samples[f"{ruleset}: rulings"] = ruling(played)
        samples[f"{ruleset}: parsed and ruled on"] = parsing_and_ruling(played)
    samples[AGENT] = peer_played(np.random.RandomState(1).choice)
    samples[PLAYED] = peer_played(Random(1).choice)
    samples[STEPS] = peer_steps(peer.played(ROUNDS))
    rates: dict[str, list[float]] = {name: [] for name in samples}
    for turn in range(REPETITIONS):
        progress(f"engine: repetition {turn + 1} of {REPETITIONS}")
        for name, sample in samples.items():
            count, seconds = sample()
            rates[name].append(count / seconds)
    return [compare(rates)]


def compare(rates: dict[str, list[float]]) -> ResultTable:
    """Medians, and the ratios to the peer, repetition by repetition."""
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
        "A ruling is engine.decide: verdict, rule, events, evidence, and a new state beside the",
        "old one. The last three rows are RLCard, the last three columns the ratios to them.",
        "To reach: 2.",
        f"Medians of {REPETITIONS} repetitions taking turns; processor time of this process.",
    ]
    return report
