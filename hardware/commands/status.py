"""``referee-table status``: how a running gateway does."""

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
from hardware.gateway.status import NoStatusError, read_status

EPILOG = """\
examples:
  referee-table status
  referee-table status --json --status-file /run/referee-table/status.json

exit status: 0 it runs, 1 no gateway is running here, 2 the configuration is wrong
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "status",
        help="how a running gateway does",
        description="What is where, how the link does, what waits, what has to be put right.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the newest status."""
    try:
        file = args.status_file or config_of(args).status
        document = read_status(file, time.time())
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
