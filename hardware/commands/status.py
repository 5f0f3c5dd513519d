"""``referee-table status``: show the state of a running gateway."""

import argparse
import time

from hardware.commands import exits
from hardware.commands.output import (
    add_config_flags,
    config_of,
    console,
    print_json,
)
from hardware.gateway.config import ConfigError
from hardware.gateway.display import render
from hardware.gateway.status import Document, NoStatusError, read_status

HELP = "show the state of a running gateway"
DESCRIPTION = (
    "Show where everything is, how the connections are, what waits for delivery,\n"
    "and what players have to put right."
)
EPILOG = """\
examples:
  referee-table status
  referee-table status --json --status-file /run/referee-table/status.json

exit status: 0 a gateway runs, 1 no gateway runs here, or it cannot write its status,
2 wrong configuration
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    with exits(2, ConfigError), exits(1, NoStatusError):
        document = _document(args)
    if args.json:
        print_json(document)
    else:
        console().print(render(document, time.time()))
    return 0


def _document(args: argparse.Namespace) -> Document:
    """Return the status. Raises NoStatusError, or ConfigError if no flag names its file."""
    try:
        config = config_of(args)
    except ConfigError:
        if args.status_file is None:
            raise
        return read_status(args.status_file, time.time(), args.outbox)
    return read_status(config.status, time.time(), config.outbox)
