"""``referee-table status``: show the state of a running gateway."""

import argparse
import time
from typing import Any

from hardware.commands.output import (
    add_config_flags,
    complain,
    config_of,
    console,
    print_json,
)
from hardware.gateway.config import ConfigError
from hardware.gateway.display import render
from hardware.gateway.status import Document, NoStatusError, read_status

EPILOG = """\
examples:
  referee-table status
  referee-table status --json --status-file /run/referee-table/status.json

exit status: 0 a gateway runs, 1 no gateway runs here, or it cannot write its status,
2 wrong configuration
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "status",
        help="show the state of a running gateway",
        description="Show where everything is, how the connections are, what waits for delivery,\n"
        "and what players have to put right.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    try:
        document = _document(args)
    except ConfigError as error:
        complain("status", str(error))
        return 2
    except NoStatusError as error:
        complain("status", str(error))
        return 1
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
