"""``referee-table doctor``: check everything and give advice."""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from hardware.board.discovery import PortReport, probe_all
from hardware.board.options import AUTO
from hardware.check_findings import Finding, ok, problem
from hardware.commands.doctor.check_ports import check_port
from hardware.commands.doctor.doctor import examine
from hardware.commands.output import add_config_flags, config_of, console, print_json
from hardware.gateway.config import ConfigError
from hardware.paths import default_file

MARKS = {
    "ok": ("OK", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "bold red"),
}
EPILOG = """\
Checks the configuration, the outbox, the server, the tokens, the table's deck, the ports and the
camera, and changes nothing. Unless a gateway runs, it connects to the board, which puts the board's
lights out. Of the serial ports it opens those that you name, or else those whose USB identity is a
board's: opening a port resets an Arduino, and many a printer.

Without a configuration, only the ports are looked at, or the one of --port: is the board there?

exit status: 0 no problem (there may be warnings), 1 a problem
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "doctor",
        help="find out what is wrong and what to do",
        description="Check everything that is needed; print what is wrong and what to do.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; print each finding at once."""
    found: list[Finding] = []
    for finding in _findings(args):
        found.append(finding)
        if not args.json:
            _show(finding)
    well = all(finding.level != "problem" for finding in found)
    if args.json:
        print_json({"ok": well, "findings": [finding.to_json() for finding in found]})
    return 0 if well else 1


def _findings(args: argparse.Namespace) -> Iterator[Finding]:
    if _port_alone(args):
        yield ok("configuration", "there is none yet: only the ports are looked at")
        yield from check_port(args.port or AUTO, _probe)
        return
    try:
        config = config_of(args)
    except ConfigError as error:
        yield problem(
            "configuration", str(error), "put it right, or let 'referee-table pair' do it"
        )
        return
    yield from examine(config, _probe, time.time())


def _port_alone(args: argparse.Namespace) -> bool:
    """Return whether no server and no table are known yet."""
    others = (args.config, args.server, args.table, args.token_file)
    return not any(others) and not default_file(os.environ).exists()


def _probe(ports: Sequence[str] | None, boot: int, last_seq: int) -> list[PortReport]:
    return probe_all(ports, boot, last_seq)


def _show(finding: Finding) -> None:
    mark, style = MARKS[finding.level]
    line = Text.assemble((f"{mark:8}", style), (finding.about, "bold"), f": {finding.text}")
    out = console()
    out.print(line, soft_wrap=True)
    if finding.advice:
        out.print(Text(f"{'':8}→ {finding.advice}", "dim"), soft_wrap=True)
