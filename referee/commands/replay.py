"""``referee replay``: replay recorded games and check their expectations."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from reprlib import Repr
from typing import Any

from rich.table import Table
from rich.text import Text

from referee.commands.inputs import InputError, read_json
from referee.commands.output import complain, console, print_json, printable, what_followed
from referee.rules.codec import move_to_json
from referee.rules.notation import event_to_text, move_to_text, position_to_text
from referee.rules.records.record import Mismatch, Record, Step, parse_record, replay
from referee.rules.records.record_rounds import RecordError
from referee.texts.catalog import counted

SEATS = "seats"
BEGINNINGS = frozenset({"opening", "result"})
ENDINGS = {"broken-off": "The round was broken off.", "ended": "The game was ended early."}
SHORT = Repr()
SHORT.maxlist = SHORT.maxdict = 12
SHORT.maxstring = SHORT.maxother = 80


@dataclass(slots=True)
class ReplayResult:
    """The results of one file; ``problem`` is why it could not be read to its end."""

    path: Path
    record: Record | None = None
    rounds: int = 0
    moves: int = 0
    illegal: int = 0
    failed: list[tuple[Step, Mismatch]] = field(default_factory=list)
    problem: RecordError | InputError | None = None

    def count(self, step: Step) -> None:
        """Count a step of the replay."""
        self.failed += [(step, mismatch) for mismatch in step.mismatches]
        if step.ruling is None:
            self.rounds += step.kind in BEGINNINGS
            return
        self.moves += 1
        self.illegal += not step.ruling.legal


class TextReport:
    """Prints a table for each round as soon as it is complete."""

    def __init__(self, *, rulings: bool, files: bool) -> None:
        self._console = console()
        self._rulings = rulings
        self._files = files
        self._seats: Sequence[str] = ()
        self._steps: list[Step] = []
        self._result: ReplayResult

    def begin(self, result: ReplayResult) -> None:
        """Begin the next file."""
        self._result = result
        self._seats = ()

    def step(self, step: Step) -> None:
        """Keep the step until the round is complete."""
        if not self._rulings:
            return
        if step.kind in BEGINNINGS or step.kind == SEATS:
            self._print_round()
            if step.round == 1 and not self._seats:
                self._print_head()
            self._seats = step.state.game.seats
        if step.kind == SEATS:
            sitting = ", ".join(self._seats[seat - 1] for seat in step.state.order)
            self._say(f"At the table, clockwise: {sitting}")
        elif self._steps or step.kind in BEGINNINGS:
            self._steps.append(step)

    def end(self) -> None:
        """Print the last round, failures, and a line for the file."""
        result = self._result
        self._print_round()
        for step, mismatch in result.failed:
            place = f"move {step.move}" if step.move else "opening"
            expected, got = SHORT.repr(mismatch.expected), SHORT.repr(mismatch.found)
            line = f"round {step.round}, {place}, {mismatch.field}: expected {expected}, is {got}"
            self._say(f"FAIL {result.path}: {line}", "red")
        if self._files and not self._rulings and result.problem is None:
            failed = f"{len(result.failed)} failed" if result.failed else "ok"
            self._say(f"{result.path}: {_counts([result])}: {failed}")

    def finish(self, results: list[ReplayResult], status: int) -> None:
        """Print the totals."""
        failed = sum(len(result.failed) for result in results)
        unread = sum(result.problem is not None for result in results)
        verdicts = []
        if failed or not unread:
            holds = "every expectation holds"
            verdicts.append(f"{counted(failed, 'expectation')} failed" if failed else holds)
        if unread:
            verdicts.append(f"{counted(unread, 'file')} could not be read")
        line = f"{counted(len(results), 'file')}, {_counts(results)}: {'; '.join(verdicts)}"
        self._say(line, "red" if status else "green")

    def _print_head(self) -> None:
        if self._result.record is not None:
            game = self._result.record.start.game
            self._seats = game.seats
            self._say(f"{self._result.path}: {game.ruleset.name}, {', '.join(game.seats)}", "bold")

    def _print_round(self) -> None:
        if not self._steps:
            return
        opening, *moves = self._steps
        state = self._steps[-1].state
        dealer = opening.state.dealer
        begun = [f"{self._seats[dealer - 1]} deals"] if dealer else []
        if opening.kind == "result":
            begun.append("entered by its result")
        elif opening.events:
            begun.append(f"{', '.join(opening.events[0].opening)} turned up")
        self._say(f"Round {opening.round}: {', '.join(begun)}. {_after(opening)}")
        if opening.mismatches:
            self._say("FAIL at the opening", "red")
        if moves:
            self._console.print(self._table(moves))
        for step in moves:
            if step.kind in ENDINGS:
                self._say(ENDINGS[step.kind])
        scores = ", ".join(f"{n} {s}" for n, s in zip(self._seats, state.scores, strict=True))
        self._say(f"Scores after round {opening.round}: {scores}{self._winner(state.winner)}\n")
        self._steps = []

    def _winner(self, winner: Any) -> str:
        if winner is None:
            return ""
        seats = winner if isinstance(winner, tuple) else (winner,)
        return f". The game is won by {' and '.join(self._seats[seat - 1] for seat in seats)}"

    def _table(self, steps: Sequence[Step]) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in ("", "move", "player", "what", "verdict", "rule", "then"):
            table.add_column(name, justify="right" if name == "move" else "left", overflow="fold")
        for step in steps:
            if step.action is None or step.ruling is None:
                continue
            table.add_row(
                Text("FAIL" if step.mismatches else "", "red"),
                str(step.move),
                Text(printable(self._seats[step.action.seat - 1])),
                Text(printable(move_to_text(step.action).partition(" ")[2])),
                Text(step.ruling.verdict, "" if step.ruling.legal else "yellow"),
                step.ruling.rule,
                Text(printable(_after(step)), "dim"),
            )
        return table

    def _say(self, line: str, style: str = "") -> None:
        for part in line.split("\n"):
            self._console.print(Text(printable(part), style), soft_wrap=True)


def _after(step: Step) -> str:
    return "; ".join(what_followed(step.events))


def _counts(results: Sequence[ReplayResult]) -> str:
    rounds = counted(sum(result.rounds for result in results), "round")
    moves = counted(sum(result.moves for result in results), "move")
    return f"{rounds}, {moves} ({sum(result.illegal for result in results)} illegal)"


class JsonReport:
    """Prints one JSON document at the end."""

    def __init__(self, *, rulings: bool) -> None:
        self._rulings = rulings
        self._files: list[dict[str, Any]] = []
        self._rounds: list[dict[str, Any]] = []
        self._result: ReplayResult

    def begin(self, result: ReplayResult) -> None:
        """Begin the next file."""
        self._result = result
        self._rounds = []

    def step(self, step: Step) -> None:
        """Add the ruling."""
        if step.kind in BEGINNINGS:
            events = [event_to_text(event) for event in step.events]
            self._rounds.append({"round": step.round, "events": events, "moves": []})
        if not self._rounds or step.kind == SEATS:
            # Who comes and goes before a round is no part of the one before.
            return
        current = self._rounds[-1]
        if step.action is not None and step.ruling is not None and self._rulings:
            current["moves"].append(
                {
                    **move_to_json(step.action),
                    "line": move_to_text(step.action),
                    "verdict": step.ruling.verdict,
                    "rule": step.ruling.rule,
                    "remedy": step.ruling.remedy,
                    "events": [event_to_text(event) for event in step.events],
                    "holds": not step.mismatches,
                }
            )
        current["scores"] = list(step.state.scores)
        current["round_winner"] = step.state.round_winner
        current["winner"] = step.state.winner
        current["position"] = position_to_text(step.state)

    def end(self) -> None:
        """Add the file."""
        result = self._result
        self._files.append(
            {
                "file": str(result.path),
                **_head(result.record),
                "error": _error(result.problem),
                "moves": result.moves,
                "illegal": result.illegal,
                "failures": [
                    {"round": step.round, "move": step.move, **asdict(mismatch)}
                    for step, mismatch in result.failed
                ],
                "rounds": self._rounds,
            }
        )

    def finish(self, results: list[ReplayResult], status: int) -> None:
        """Print the document."""
        print_json(
            {
                "files": self._files,
                "moves": sum(result.moves for result in results),
                "illegal": sum(result.illegal for result in results),
                "failures": sum(len(result.failed) for result in results),
                "errors": sum(result.problem is not None for result in results),
                "status": status,
            }
        )


def _head(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {}
    game = record.start.game
    return {"ruleset": game.ruleset.id, "seats": list(game.seats)}


def _error(problem: Exception | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    place = {name: getattr(problem, name, None) for name in ("round", "move", "field")}
    return {"message": str(problem), **place}


HOLDS, FAILS, UNREADABLE = 0, 1, 2
DESCRIPTION = """\
Replay game records, print the ruling on every move and the scores, and check
the expectations in the files.
"""
EPILOG = """\
examples:
  referee replay game.json              every ruling of one game, round by round
  referee replay games/*.json           one line per file, and failures
  referee replay --verbose games/*.json every ruling of all games
  referee replay --quiet games/*.json   only failures and the totals
  referee replay --json game.json       JSON for programs

docs/notation.md describes how moves are written. FAIL marks a move that did not meet the file's
expectation.

exit status: 0 all expectations hold, 1 some do not, 2 a file cannot be read
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="a game record")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help="only failures and the totals")
    amount.add_argument(
        "-v", "--verbose", action="store_true", help="every ruling, even of several files"
    )


def run(args: argparse.Namespace) -> int:
    """Replay the files."""
    rulings = not args.quiet and (args.verbose or len(args.files) == 1)
    report: JsonReport | TextReport
    if args.json:
        report = JsonReport(rulings=not args.quiet)
    else:
        report = TextReport(rulings=rulings, files=not args.quiet)
    results = [_replay_file(path, report) for path in args.files]
    status = HOLDS
    if any(result.problem for result in results):
        status = UNREADABLE
    elif any(result.failed for result in results):
        status = FAILS
    report.finish(results, status)
    return status


def _replay_file(path: Path, report: JsonReport | TextReport) -> ReplayResult:
    result = ReplayResult(path)
    report.begin(result)
    try:
        result.record = parse_record(read_json(path))
        for step in replay(result.record):
            result.count(step)
            report.step(step)
    except (RecordError, InputError) as problem:
        result.problem = problem
    report.end()
    if result.problem is not None:
        complain("replay", f"{path}: {result.problem}")
    return result
