"""Whether a move costs more late in a table's life, or beside many other tables."""

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from statistics import median

from bench.endless import endless_round
from bench.report import ResultTable, progress
from bench.rounds import RULESETS, PlayedRound, SeededGame, rule_on
from referee.rules.actions import Action
from referee.rules.engine import decide, open_round
from referee.rules.state import State

MOVES = 10_000
TABLES = 10_000
WINDOW = 500
ROUNDS = 10
REPETITIONS = 15
ENDLESS = {"target": 1_000_000, "scoring": "winner"}

# Runs of moves, each with the position it starts from; a pair is compared, µs against µs.
Work = Sequence[tuple[State, Sequence[Action]]]
Pairs = list[tuple[float, float]]


def cost(work: Work) -> float:
    """µs of processor time a ruling."""
    begin = time.process_time()
    for state, moves in work:
        rule_on(state, moves)
    return 1e6 * (time.process_time() - begin) / sum(len(moves) for _, moves in work)


def after_many_rounds(ruleset: str) -> Pairs:
    """The same rounds at a new table, and at one that has seen 10,000 moves."""
    game = SeededGame(ruleset, 1, ENDLESS)
    made = 0
    while made < MOVES:
        made += len(game.round().moves)
    late = [game.round() for _ in range(ROUNDS)]
    early = [(open_round(game.fresh, r.dealer, r.opening)[0], r.moves) for r in late]
    return _in_turns(early, [(r.start, r.moves) for r in late])


def in_one_round(ruleset: str) -> Pairs:
    """The moves from the 10th on, and those from the 10,000th on, of one endless round."""
    endless = endless_round(ruleset, MOVES + WINDOW)
    return _in_turns(*([_window(endless, first)] for first in (10, MOVES)))


def _window(played: PlayedRound, first: int) -> tuple[State, Sequence[Action]]:
    before, moves = played.moves[: first - 1], played.moves[first - 1 : first - 1 + WINDOW]
    return rule_on(played.start, before), moves


def _in_turns(first: Work, second: Work) -> Pairs:
    return [(cost(first), cost(second)) for _ in range(REPETITIONS)]


def among_idle(ruleset: str) -> Pairs:
    """A table alone, and while 10,000 others are held in memory."""
    played = _rounds(ruleset)
    work = [(r.start, r.moves) for r in played]
    alone = [cost(work) for _ in range(REPETITIONS)]
    others = _crowd(played, TABLES)
    beside = [cost(work) for _ in range(REPETITIONS)]
    del others
    # Before and after, so that a change in the machine's pace falls on both sides alike.
    alone += [cost(work) for _ in range(REPETITIONS)]
    return [(median(alone), each) for each in beside]


def among_busy(ruleset: str) -> Pairs:
    """A table that makes 10,000 moves, and 10,000 tables that make one each."""
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
    """A table that plays a round over and over, begun at some move of it."""

    def __init__(self, played: PlayedRound, moves_made: int) -> None:
        self.played, self.made = played, moves_made
        self.state = rule_on(played.start, played.moves[:moves_made])

    def move(self) -> None:
        """Have the next move ruled on."""
        if self.made == len(self.played.moves):
            self.state, self.made = self.played.start, 0
        self.state = decide(self.state, self.played.moves[self.made]).state
        self.made += 1


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
    """Every kind of growth, for every ruleset."""
    report = ResultTable(
        "What a ruling costs as things grow", ("what", "µs first", "µs then", "× first")
    )
    for ruleset in RULESETS:
        for kind, measure in KINDS.items():
            progress(f"growth: {ruleset}, {kind}")
            pairs = measure(ruleset)
            first, then = (median(values) for values in zip(*pairs, strict=True))
            ratio = median(b / a for a, b in pairs)
            report.rows.append((f"{ruleset}: {kind}", first, then, ratio))
    report.notes = [
        "First: a new table, the 10th move, a table alone. Medians of repetitions taking turns;",
        "processor time of this process. To reach: at most 1.2 × first. Of tables moving in turn",
        "each is fetched anew from memory, as 10,000 positions do not fit the processor's cache.",
    ]
    return [report]
