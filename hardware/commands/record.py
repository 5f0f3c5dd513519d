"""``referee-table record``: run the gateway and record the session in a file."""

import argparse
from pathlib import Path
from typing import Any

from hardware.commands import run as run_command
from hardware.commands.output import add_config_flags, complain, config_of, say
from hardware.gateway.config import ConfigError
from hardware.gateway.recording.tape import LAST_S, MOST_BYTES, RATE, Tape

FAILED, NOT_UNDERSTOOD = 1, 2
EPILOG = """\
Does what 'run' does. When stopped, writes the last minutes of the session to the file: the
camera's pictures, the board's bytes, the observations and the referee's answers. The file never
holds tokens; it does hold pictures of the table. Anybody can replay it to find a fault:
'referee-table play FILE'.

examples:
  referee-table record evening.table
  referee-table record evening.table --last 120 --config table.toml

exit status: as for 'run'; also 1 if the file cannot be written
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "record",
        help="run, and record the session in a file",
        description="Run the devices and record what they see, for finding faults.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    parser.add_argument(
        "--last",
        type=float,
        default=LAST_S,
        metavar="SECONDS",
        help="length to keep (%(default)g)",
    )
    parser.add_argument(
        "--most",
        type=float,
        default=MOST_BYTES / 1e6,
        metavar="MB",
        help="size to keep (%(default)g)",
    )
    parser.add_argument(
        "--rate", type=float, default=RATE, metavar="FPS", help="pictures a second (%(default)g)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    add_config_flags(parser)
    parser.add_argument(
        "--plain", action="store_true", help="print a line per change, even on a terminal"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    wrong = _wrong(args)
    if wrong:
        complain("record", wrong)
        return NOT_UNDERSTOOD
    try:
        config = config_of(args)
    except ConfigError as error:
        complain("record", str(error))
        return NOT_UNDERSTOOD
    tape = Tape(args.last, round(args.most * 1e6), args.rate)
    status = run_command.run(args, tape)
    if status in (FAILED, NOT_UNDERSTOOD):
        return status
    devices = {device.name: device.backend for device in config.devices}
    rulesets = [device.options.get("ruleset") for device in config.devices]
    ruleset = next((one for one in rulesets if isinstance(one, str)), None)
    try:
        count = tape.save(args.file, devices, ruleset)
    except OSError as error:
        complain("record", f"{args.file} cannot be written: {error.strerror}")
        return FAILED
    say(f"{args.file} holds {count} events of this session, and pictures of the table.")
    return status


def _wrong(args: argparse.Namespace) -> str | None:
    if args.file.exists() and not args.force:
        return f"{args.file} is there already; choose another name, or --force"
    if not args.file.absolute().parent.is_dir():
        return f"there is no folder {args.file.absolute().parent}"
    if not 1 <= args.last <= 86_400:
        return "--last is from 1 to 86400 seconds"
    if not 1 <= args.most <= 4000:
        return "--most is from 1 to 4000 megabytes"
    if not 0.1 <= args.rate <= 60:
        return "--rate is from 0.1 to 60 pictures a second"
    return None
