"""``referee replay``: replay recorded games and check their expectations."""

import argparse
from pathlib import Path
from typing import Any

from referee.commands.inputs import InputError, read_json
from referee.commands.output import complain
from referee.commands.replay_reports import JsonReport, ReplayResult, TextReport
from referee.rules.records.record import parse_record, replay
from referee.rules.records.record_rounds import RecordError

HOLDS, FAILS, UNREADABLE = 0, 1, 2
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


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "replay",
        description="Replay game records, print the ruling on every move and the scores, and check "
        "the expectations in the files.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="a game record")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help="only failures and the totals")
    amount.add_argument(
        "-v", "--verbose", action="store_true", help="every ruling, even of several files"
    )
    parser.set_defaults(run=run)


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
