"""The cost of a ruling after many moves, and beside many other tables."""

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from statistics import median

from bench.report import ResultTable, progress
from bench.rounds import RULESETS, PlayedRound, SeededGame, endless_round, rule_on
from referee.rules.actions import Action
from referee.rules.engine import decide, open_round
from referee.rules.position.state import State

MOVES = 10_000
TABLES = 10_000
WINDOW = 500
ROUNDS = 10
REPETITIONS = 15
ENDLESS = {"target": 1_000_000, "scoring": "winner"}

Work = Sequence[tuple[State, Sequence[Action]]]
"""Sequences of moves, each with the position before it."""
Pairs = list[tuple[float, float]]
"""Costs to compare, in µs a ruling."""


def cost(work: Work) -> float:
    """Return µs of processor time per ruling."""
    begin = time.process_time()
    for state, moves in work:
        rule_on(state, moves)
    return 1e6 * (time.process_time() - begin) / sum(len(moves) for _, moves in work)


def after_many_rounds(ruleset: str) -> Pairs:
    """Compare rounds at a new table and after 10,000 moves."""
    game = SeededGame(ruleset, 1, ENDLESS)
    moves = 0
    while moves < MOVES:
        moves += len(game.round().moves)
    late = [game.round() for _ in range(ROUNDS)]
    early = [(open_round(game.fresh, r.dealer, r.opening)[0], r.moves) for r in late]
    return _in_turns(early, [(r.start, r.moves) for r in late])


def in_one_round(ruleset: str) -> Pairs:
    """Compare the moves from the 10th on and from the 10,000th on of one round."""
    endless = endless_round(ruleset, MOVES + WINDOW)
    return _in_turns(*([_window(endless, first)] for first in (10, MOVES)))


def _window(played: PlayedRound, first: int) -> tuple[State, Sequence[Action]]:
    before, moves = played.moves[: first - 1], played.moves[first - 1 : first - 1 + WINDOW]
    return rule_on(played.start, before), moves


def _in_turns(first: Work, second: Work) -> Pairs:
    return [(cost(first), cost(second)) for _ in range(REPETITIONS)]


def among_idle(ruleset: str) -> Pairs:
    """Compare a table alone and beside 10,000 others in memory."""
    played = _rounds(ruleset)
    work = [(r.start, r.moves) for r in played]
    alone = [cost(work) for _ in range(REPETITIONS)]
    others = _crowd(played, TABLES)
    beside = [cost(work) for _ in range(REPETITIONS)]
    del others
    # Measured before and after, against drift of the machine's speed.
    alone += [cost(work) for _ in range(REPETITIONS)]
    return [(median(alone), each) for each in beside]


def among_busy(ruleset: str) -> Pairs:
    """Compare 10,000 moves at one table and one move at each of 10,000 tables."""
    played = _rounds(ruleset)
    tables = _crowd(played, TABLES)
    alone = _crowd(played, 1) * TABLES
    return [(_one_move_each(alone), _one_move_each(tables)) for _ in range(REPETITIONS)]


def _one_move_each(tables: "Sequence[EndlessTable]") -> float:
    begin = time.process_time()
    for table in tables:
        table.move()
    return 1e6 * (time.process_time() - begin) / len(tables)


class EndlessTable:
    """A table that replays one round forever."""

    def __init__(self, played: PlayedRound, moves_made: int) -> None:
        self.played, self.next = played, moves_made
        self.state = rule_on(played.start, played.moves[:moves_made])

    def move(self) -> None:
        """Rule on the next move."""
        if self.next == len(self.played.moves):
            self.state, self.next = self.played.start, 0
        self.state = decide(self.state, self.played.moves[self.next]).state
        self.next += 1


def _rounds(ruleset: str) -> list[PlayedRound]:
    game = SeededGame(ruleset, 1, ENDLESS)
    return [game.round() for _ in range(ROUNDS)]


def _crowd(played: Sequence[PlayedRound], size: int) -> list[EndlessTable]:
    rounds = islice(cycle(played), size)
    return [EndlessTable(a_round, i % len(a_round.moves)) for i, a_round in enumerate(rounds)]


KINDS: dict[str, Callable[[str], Pairs]] = {
    "10,000 moves played before": after_many_rounds,
    "10,000th move of one round": in_one_round,
    "10,000 tables held": among_idle,
    "10,000 tables moving in turn": among_busy,
}


def run() -> list[ResultTable]:
    """Measure every kind of growth for every ruleset."""
    report = ResultTable(
        "Cost of a ruling as things grow", ("what", "µs first", "µs then", "× first")
    )
    for ruleset in RULESETS:
        for kind, measure in KINDS.items():
            progress(f"growth: {ruleset}, {kind}")
            pairs = measure(ruleset)
            first, then = (median(values) for values in zip(*pairs, strict=True))
            ratio = median(b / a for a, b in pairs)
            report.rows.append((f"{ruleset}: {kind}", first, then, ratio))
    report.notes = [
        "First: a new table, the 10th move, a table alone. Medians of interleaved repetitions;",
        "processor time of this process. Target: at most 1.2 × first. Tables moving in turn miss",
        "the processor's cache each time, which 10,000 positions do not fit.",
    ]
    return [report]
