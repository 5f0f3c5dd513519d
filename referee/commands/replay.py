"""``referee replay``: what was ruled in recorded games, and whether their expectations hold."""

import argparse
from pathlib import Path
from typing import Any, Protocol

from referee.commands.json_input import InputError, read_json
from referee.commands.output import complain
from referee.commands.replay_json import JsonReport
from referee.commands.replay_result import Result
from referee.commands.replay_text import TextReport
from referee.rules.record import RecordError, Step, parse_record, replay

HOLDS, FAILS, UNREADABLE = 0, 1, 2
EPILOG = """\
examples:
  referee replay game.json              every ruling of one game, round by round
  referee replay games/*.json           a line a file, and what failed
  referee replay --verbose games/*.json every ruling of all of them
  referee replay --quiet games/*.json   only what failed, and the sum
  referee replay --json game.json       the same for programs

A move is written as docs/notation.md says. A row marked FAIL broke an expectation of the file.

exit status: 0 every expectation holds, 1 one does not, 2 a file cannot be read
"""


class Report(Protocol):
    """How a replay is shown, while it runs."""

    def begin(self, result: Result) -> None:
        """A file comes next; what is found in it goes into the result as it is read."""

    def step(self, step: Step) -> None:
        """A round was opened, or a move ruled on."""

    def end(self) -> None:
        """The file is done, or could not be read."""

    def finish(self, results: list[Result], status: int) -> None:
        """All files are done."""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "replay",
        help="rule on recorded games and check their expectations",
        description="Replay game records: print the ruling on every move and the scores, and "
        "check what the files expect.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="a game record")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help="only what failed, and the sum")
    amount.add_argument(
        "-v", "--verbose", action="store_true", help="every ruling, however many files"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay the files."""
    rulings = not args.quiet and (args.verbose or len(args.files) == 1)
    report: Report
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


def _replay_file(path: Path, report: Report) -> Result:
    result = Result(path)
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
