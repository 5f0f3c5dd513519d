"""The command line of the computer beside the table: ``referee-table COMMAND``."""

import argparse
import importlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from hardware.backends import needs
from hardware.commands import CommandError, printable

# command → module, as ``hardware.commands`` describes it
COMMANDS: Mapping[str, str] = {
    "run": "hardware.commands.run",
    "status": "hardware.commands.status",
    "doctor": "hardware.commands.doctor.doctor",
    "join": "hardware.commands.pairing.join",
    "follow": "hardware.commands.pairing.follow",
    "pair": "hardware.commands.pairing.pair",
    "camera": "hardware.commands.camera.camera",
    "watch": "hardware.commands.camera.watch",
    "identify": "hardware.commands.camera.identify",
    "hand": "hardware.commands.camera.hand",
    "record": "hardware.commands.recording.record",
    "play": "hardware.commands.recording.play",
    "enroll": "hardware.commands.camera.enroll",
    "memory": "hardware.commands.memory",
    "worker": "hardware.commands.worker",
    "board": "hardware.commands.board.board",
    "flash": "hardware.commands.board.flash",
    "wifi": "hardware.commands.board.wifi",
    "virtual-board": "hardware.commands.board.virtual_board",
}
NOT_UNDERSTOOD = 2
STOPPED = 130
PIPE_CLOSED = 141

DESCRIPTION = """\
Run the devices beside a card table, such as a camera over the discard pile or a sensor board under
the towers, and send what they see to the referee.
"""
EPILOG = """\
first steps:
  referee-table join CODE     join a table with the board and the camera that are here
  referee-table doctor        check everything
  referee-table run           start again

Help for one command: referee-table COMMAND --help
"""
MISSING = """\
not here, as each {}:
  {}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    _never_fail_to_print()
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        args = _parser(given).parse_args(given)
        status: int = args.run(args)
        sys.stdout.flush()
    except CommandError as error:
        sys.stderr.write(f"referee-table {args.command}: {printable(str(error))}\n")
        return error.status
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "referee-table",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = importlib.metadata.version("table-referee")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version}")
    if not given:
        parser.exit(
            NOT_UNDERSTOOD,
            "referee-table: name a command, such as join or doctor (--help lists them)\n",
        )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    # Load only the command given: some need packages that others do not.
    asked = [name for name in COMMANDS if name in given[:1]]
    missing = [n for n in asked or COMMANDS if not _add(n, commands, needed=bool(asked))]
    if missing:
        parser.epilog = MISSING.format(needs("table"), ", ".join(missing))
    return parser


def _add(name: str, commands: Any, *, needed: bool) -> bool:
    """Add a command; return False if it needs a package that is not installed."""
    try:
        module = importlib.import_module(COMMANDS[name])
    except ImportError as error:
        if needed:
            # Commands of the board need no camera's packages, which are three times as large.
            extra = "board" if COMMANDS[name].startswith("hardware.commands.board.") else "table"
            sys.stderr.write(f"referee-table {name}: {needs(extra, error.name)}\n")
            raise SystemExit(NOT_UNDERSTOOD) from None
        return False
    parser = commands.add_parser(
        name,
        help=module.HELP,
        description=module.DESCRIPTION,
        epilog=getattr(module, "EPILOG", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_flags(parser)
    parser.set_defaults(run=module.run)
    return True


def _never_fail_to_print() -> None:
    """Escape characters that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
