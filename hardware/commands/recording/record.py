"""``referee-table record``: run the gateway and record the session; or film cards by hand."""

import argparse
from pathlib import Path

from hardware.camera.decks import RULESETS
from hardware.commands import CommandError, exits
from hardware.commands import run as run_command
from hardware.commands.output import add_config_flags, config_of, say
from hardware.gateway.config import ConfigError
from hardware.gateway.recording.tape import LAST_S, MOST_BYTES, Tape

FAILED, NOT_UNDERSTOOD = 1, 2
HELP = "run, and record the session in a file; or film cards by hand"
DESCRIPTION = (
    "Run the devices and record what they see, for finding faults; or film cards without a server."
)
EPILOG = """\
Does what 'run' does. When stopped, writes the last minutes of the session to the file: the
camera's pictures, the board's bytes, the observations and the referee's answers, and when which
card was laid, as phones and rulings say. Of the pictures only the pile and a hand's breadth of the
table around it are kept, unless --whole; there are no tokens and no names in the file. Anybody
can replay it to find a fault: 'referee-table play FILE'.

Without a server, --by-hand films a camera, and asks which card was laid: Enter when a card lies,
and its name, at once or at the end. --lay shows cards to lay instead, in an order to follow. A film
that another program made will do too.

--show tells what a file holds, and writes a sheet of its pictures, before you send it in
(docs/filming.md).

examples:
  referee-table record evening.table
  referee-table record evening.table --last 120 --config table.toml
  referee-table record cards.table --by-hand 0 --ruleset classic-108
  referee-table record cards.table --by-hand 0 --ruleset classic-108 --lay 40
  referee-table record cards.table --show

exit status: as for 'run'; also 1 if the file cannot be written, or a camera gives no pictures
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, help="the file to write, or to --show")
    add(
        "--last", type=float, default=LAST_S, metavar="SECONDS", help="length to keep (%(default)g)"
    )
    most = MOST_BYTES / 1e6
    add("--most", type=float, default=most, metavar="MB", help="size to keep (%(default)g)")
    add("--rate", type=float, metavar="FPS", help="at most so many pictures a second (all)")
    add("--whole", action="store_true", help="keep whole pictures, the room and people in them too")
    add("--force", action="store_true", help="overwrite an existing file")
    add("--show", action="store_true", help="tell what the file holds")
    add("--sheet", metavar="PICTURE", type=Path, help="where --show puts pictures (FILE.jpg)")
    hand = parser.add_argument_group("filming cards by hand, without a server")
    hand.add_argument("--by-hand", metavar="SOURCE", help="the camera, as for 'watch'; or a film")
    hand.add_argument("--ruleset", choices=sorted(RULESETS), help="the deck that is laid")
    hand.add_argument("--lay", type=int, metavar="COUNT", help="show so many cards to lay")
    hand.add_argument("--pile", metavar="X,Y,W,H", help="the pile's place, as for 'watch'")
    hand.add_argument("--setup", metavar="FILE", type=Path, help="the camera's setup (camera.json)")
    add_config_flags(parser)
    add("--plain", action="store_true", help="print a line per change, even on a terminal")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    if args.show:
        from hardware.commands.recording import record_show

        return record_show.run(args.file, args.sheet or args.file.with_suffix(".jpg"))
    wrong = _wrong(args)
    if wrong:
        raise CommandError(NOT_UNDERSTOOD, wrong)
    if args.by_hand is not None:
        from hardware.commands.recording import record_by_hand

        return record_by_hand.run(args)
    with exits(NOT_UNDERSTOOD, ConfigError):
        config = config_of(args)
    tape = Tape(args.last, round(args.most * 1e6), args.rate, whole=args.whole)
    status = run_command.run(args, tape)
    if status in (FAILED, NOT_UNDERSTOOD):
        return status
    devices = {device.name: device.backend for device in config.devices}
    rulesets = [device.options.get("ruleset") for device in config.devices]
    ruleset = next((name for name in rulesets if isinstance(name, str)), None)
    try:
        count = tape.save(args.file, devices, ruleset)
    except OSError as error:
        raise CommandError(FAILED, f"{args.file} cannot be written: {error.strerror}") from None
    say(f"{args.file} holds {count} events. See them: 'referee-table record {args.file} --show'.")
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
    if args.rate is not None and not 0.1 <= args.rate <= 60:
        return "--rate is from 0.1 to 60 pictures a second"
    return _wrong_by_hand(args)


def _wrong_by_hand(args: argparse.Namespace) -> str | None:
    if args.by_hand is None:
        own = ("ruleset", "lay", "pile", "setup")
        given = next((name for name in own if getattr(args, name) is not None), None)
        return None if given is None else f"--{given} is for filming --by-hand"
    if args.lay is not None and args.ruleset is None:
        return "--lay needs --ruleset, the deck to lay cards of"
    if args.lay is not None and not 1 <= args.lay <= 100:
        return "--lay is from 1 to 100 cards"
    return None
