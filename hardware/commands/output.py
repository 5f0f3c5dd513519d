"""What the commands share: the flags that name a configuration, and how they speak."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from hardware.gateway.config import Config, Flags, load_config

PIPE_WIDTH = 140


def add_config_flags(parser: Any) -> None:
    """Which configuration, and what to take instead of its values."""
    group = parser.add_argument_group(
        "configuration", "Flags come before what the file says; without a file they can say all."
    )
    group.add_argument("--config", metavar="FILE", type=Path, help="the TOML file")
    group.add_argument("--server", metavar="URL", help="where the referee listens")
    group.add_argument("--table", metavar="ID", help="the table's id")
    group.add_argument("--token-file", metavar="FILE", type=Path, help="holds the device's token")
    group.add_argument("--outbox", metavar="FILE", type=Path, help="what waits to be delivered")
    group.add_argument("--status-file", metavar="FILE", type=Path, help="how the gateway does")
    group.add_argument("--port", metavar="PORT", help="the serial board's port, or auto")


def config_of(args: argparse.Namespace) -> Config:
    """The configuration that the flags ask for. Raises ConfigError."""
    flags = Flags(
        args.server, args.table, args.token_file, args.outbox, args.status_file, args.port
    )
    return load_config(args.config, flags, os.environ)


def console() -> Console:
    """Where a command prints. Text is taken as it is: no markup, no emoji codes."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def say(line: str) -> None:
    """One line, at once."""
    print(printable(line), flush=True)  # noqa: T201


def complain(command: str, message: str) -> None:
    """One readable sentence on stderr."""
    print(f"referee-table {command}: {printable(message)}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """A document for other programs."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201


def printable(text: str) -> str:
    """The text with everything that is no letter, sign or space written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
