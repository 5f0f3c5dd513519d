"""``referee-table doctor``: what is well and what is not, and what to do."""

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from hardware.board.discovery import PortReport, probe_all
from hardware.commands.doctor.doctor import examine
from hardware.commands.output import add_config_flags, config_of, console, print_json
from hardware.findings import Finding, problem
from hardware.gateway.config import ConfigError

MARKS = {
    "ok": ("OK", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "bold red"),
}
EPILOG = """\
Looks at the configuration, the outbox, the server, the token, the table's deck, and the ports. It
changes nothing. A board that no gateway has connected to is greeted, which puts its lights out.

exit status: 0 all is well (there may be warnings), 1 there is a problem
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "doctor",
        help="find out what is wrong, and what to do",
        description="Look at everything that is needed, and say what is wrong and what to do.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_config_flags(parser)
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine everything; each finding is shown as soon as it is there."""
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
    try:
        config = config_of(args)
    except ConfigError as error:
        yield problem(
            "configuration", str(error), "put it right, or let 'referee-table pair' do it"
        )
        return
    yield from examine(config, _probe, time.time())


def _probe(ports: Sequence[str] | None, boot: int, last_seq: int) -> list[PortReport]:
    return probe_all(ports, boot, last_seq)


def _show(finding: Finding) -> None:
    mark, style = MARKS[finding.level]
    line = Text.assemble((f"{mark:8}", style), (finding.about, "bold"), f": {finding.text}")
    out = console()
    out.print(line, soft_wrap=True)
    if finding.advice:
        out.print(Text(f"{'':8}→ {finding.advice}", "dim"), soft_wrap=True)
