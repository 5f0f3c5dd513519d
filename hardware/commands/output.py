"""Shared by the commands: configuration flags and output."""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from hardware.check_findings import Finding, Level
from hardware.commands import printable
from hardware.gateway.config import Config, Flags, load_config

PIPE_WIDTH = 140
MARKS: Mapping[Level, tuple[str, str]] = {
    "ok": ("OK", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "bold red"),
}


def add_config_flags(parser: Any) -> None:
    """Add the flags that choose a configuration or override its values."""
    group = parser.add_argument_group(
        "configuration", "Flags override the file; with enough flags no file is needed."
    )
    group.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the TOML file",
    )
    group.add_argument("--server", metavar="URL", help="the referee's address")
    group.add_argument("--table", metavar="ID", help="the table's id")
    group.add_argument("--token-file", metavar="FILE", type=Path, help="the device's token")
    group.add_argument("--outbox", metavar="FILE", type=Path, help="undelivered observations")
    group.add_argument(
        "--status-file",
        metavar="FILE",
        type=Path,
        help="the gateway's status",
    )
    group.add_argument(
        "--port",
        metavar="PORT",
        help="the serial board's port, or auto: one with the USB identity of a board",
    )


def config_of(args: argparse.Namespace) -> Config:
    """Load the configuration that the flags choose. Raises ConfigError."""
    flags = Flags(
        args.server, args.table, args.token_file, args.outbox, args.status_file, args.port
    )
    return load_config(args.config, flags, os.environ)


def console() -> Console:
    """Return a console that prints text as it is: no markup, no emoji codes."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def finding_lines(finding: Finding) -> list[Text]:
    """Return a line for a finding, and one for its advice."""
    mark, style = MARKS[finding.level]
    lines = [Text.assemble((f"{mark:8}", style), (finding.about, "bold"), f": {finding.text}")]
    if finding.advice:
        lines.append(Text(f"{'':8}→ {finding.advice}", "dim"))
    return lines


def say(line: str) -> None:
    """Print a line and flush."""
    print(printable(line), flush=True)  # noqa: T201


def complain(command: str, message: str) -> None:
    """Print one sentence on stderr."""
    print(f"referee-table {command}: {printable(message)}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """Print a document for other programs."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201
