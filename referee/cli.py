"""The command line: ``referee COMMAND``."""

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

from referee.config import settings_from_env
from referee.rules.ruleset import load_variant

# A command is a module of ``referee.commands`` with an ``add_parser(commands)`` that sets ``run``.
COMMANDS = ("serve", "home", "table", "demo", "replay", "rules", "check", "mcp", "admin")
INVALID = 2
# Modules of Python's that Windows lacks.
UNIX_ONLY = ("fcntl", "resource", "termios")
STOPPED = 130
PIPE_CLOSED = 141

DESCRIPTION = "A referee for UNO tables: rules on moves, cites the rule, and keeps score."
EPILOG = """\
examples:
  referee serve                       run the server
  referee home                        run it for the phones in the house, with HTTPS
  referee table                       the same with the board and the camera of this computer
  referee replay game.json            replay a recorded game and check its expectations
  referee rules challenge             look up a rule, with its source
  referee check "classic-108 7,7,7 2> play red-7" "2 red-3"

More about a command: referee COMMAND --help
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    _escape_unprintable()
    given = sys.argv[1:] if argv is None else list(argv)
    args = _parser(given).parse_args(given)
    try:
        _load_variants()
    except ValueError as error:
        sys.stderr.write(f"referee: {error}\n")
        return INVALID
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    return status


def _load_variants() -> None:
    """Load rulesets from outside the package. Raises ValueError."""
    for folder in settings_from_env().variants:
        load_variant(folder)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "referee",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = importlib.metadata.version("table-referee")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # Import only the command that was asked for; some import a web server.
    asked = [name for name in COMMANDS if name in given[:1]]
    for name in asked or COMMANDS:
        _add(name, commands, needed=bool(asked))
    return parser


def _add(name: str, commands: Any, *, needed: bool) -> None:
    try:
        module = importlib.import_module(f"referee.commands.{name}")
    except ImportError as error:
        if error.name not in UNIX_ONLY:
            raise
        if needed:
            sys.stderr.write(
                f"referee {name}: the server runs on Linux and macOS; on Windows, in WSL\n"
            )
            raise SystemExit(INVALID) from None
        return
    module.add_parser(commands)


def _escape_unprintable() -> None:
    """Escape characters of players' names that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Discard buffered output, which would raise BrokenPipeError when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
