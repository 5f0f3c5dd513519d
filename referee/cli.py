"""The command line: ``referee COMMAND``."""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from referee.config import settings_from_env
from referee.rules.ruleset import load_variant

# A command is a module of ``referee.commands`` with an ``add_parser(commands)`` that sets ``run``.
COMMANDS = ("serve", "demo", "replay", "rules", "check", "admin")
NOT_UNDERSTOOD = 2
STOPPED = 130
PIPE_CLOSED = 141

DESCRIPTION = "A referee for UNO tables: rules on moves, keeps score, and says by which rule."
EPILOG = """\
examples:
  referee replay game.json            what was ruled, and whether the file's expectations hold
  referee rules challenge             look a rule up, with its source
  referee check "classic-108 7,7,7 2> play red-7" "2 red-3"

Each command explains itself: referee COMMAND --help
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    _never_fail_to_print()
    given = sys.argv[1:] if argv is None else list(argv)
    args = _parser(given).parse_args(given)
    try:
        _load_variants()
    except ValueError as error:
        sys.stderr.write(f"referee: {error}\n")
        return NOT_UNDERSTOOD
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        _write_no_more()
        return PIPE_CLOSED
    return status


def _load_variants() -> None:
    """Know the rulesets that lie outside the package. Raises ValueError."""
    for folder in settings_from_env().variants:
        load_variant(folder)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "referee",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # Only the command that was asked for is loaded: one brings a web server with it.
    asked = [name for name in COMMANDS if name in given[:1]]
    for name in asked or COMMANDS:
        importlib.import_module(f"referee.commands.{name}").add_parser(commands)
    return parser


def _never_fail_to_print() -> None:
    """A player's name may hold what a terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _write_no_more() -> None:
    """Whoever was reading has gone; what is still buffered must not raise when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
