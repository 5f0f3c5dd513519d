"""The command line: ``referee COMMAND``."""

import argparse
import gc
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

# command → what it does, in a few words; ``referee.commands`` describes the modules
COMMANDS = {
    "serve": "run the server",
    "home": "run the server for the phones in the house, with HTTPS",
    "table": "run server, board and camera on one computer beside the table",
    "demo": "watch a whole game being refereed",
    "replay": "rule on recorded games and check their expectations",
    "rules": "look a rule up, with its source",
    "check": "rule on one move in one position",
    "mcp": "serve rules, rulings and a table to an assistant (MCP)",
    "admin": "list, close, export and purge tables; back up and restore",
}
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
    try:
        args = _parser(given).parse_args(given)
        if argv is None:
            # All that was imported stays: no search for garbage need look at it again.
            gc.freeze()
        try:
            _load_variants()
        except ValueError as error:
            sys.stderr.write(f"referee: {error}\n")
            return INVALID
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
    # Imported late: the help needs neither settings nor rules.
    from referee.config import settings_from_env
    from referee.rules.ruleset import load_variant

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
    asked = next((word for word in given if not word.startswith("-")), None)
    if asked in COMMANDS:
        module = _command(asked)
        command = commands.add_parser(
            asked,
            description=module.DESCRIPTION,
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=module.run)
        module.add_flags(command)
    elif not given:
        parser.exit(INVALID, "referee: name a command, such as demo or serve (--help lists them)\n")
    else:
        for name, about in COMMANDS.items():
            commands.add_parser(name, help=about)
    return parser


def _command(name: str) -> Any:
    """Import a command's module."""
    # Modules make no garbage: looking for it would take a fifth of the time.
    gc.disable()
    try:
        return importlib.import_module(f"referee.commands.{name}")
    except ImportError as error:
        if error.name not in UNIX_ONLY:
            raise
        sys.stderr.write(
            f"referee {name}: the server runs on Linux and macOS; on Windows, in WSL\n"
        )
        raise SystemExit(INVALID) from None
    finally:
        gc.enable()


def _escape_unprintable() -> None:
    """Escape characters of players' names that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Discard buffered output, which would raise BrokenPipeError when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
