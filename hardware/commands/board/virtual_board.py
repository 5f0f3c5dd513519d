"""``referee-table virtual-board``: simulate a sensor board."""

import argparse
import contextlib
import sys
import threading
from pathlib import Path

from rich.console import Console

from hardware.commands.serving import NOT_UNDERSTOOD, address, complain, serve
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.device import OPTIONS, VirtualBoardOptions, read_options
from hardware.virtual_board.ports import Port, PtyPort, TcpPort
from hardware.virtual_board.script import Script, ScriptLine, answer
from hardware.virtual_board.table import SETS
from hardware.virtual_board.terminal import HAS_KEYS, play
from hardware.virtual_board.terminal import HELP as KEYS

NAME = "virtual-board"
PROGRAM = f"referee-table {NAME}"

HELP = "simulate a sensor board, to try things without hardware"
DESCRIPTION = """\
Simulate a sensor board: a board without hardware that runs the real board's program at a simulated
table and speaks the same bytes over a pseudo terminal or a TCP port, to a gateway, the doctor or
any other program. Prints its path or URL first. A script, keys or another program move the towers;
the wire can be as bad as you like.
"""
EPILOG = f"""\
examples:
  referee-table virtual-board --pty /tmp/board --keys        play with it by hand
  referee-table virtual-board --tcp 127.0.0.1:7000 --script evening.txt --corrupt 0.01
  referee-table run --port /tmp/board                        run a gateway with it

scripts, a line a step ("at" from the start, "after" from the step before, in seconds):
  at 2 U seat 3        put U down at seat 3      unplug 5          unplug for 5 s
  after 0.5 U lift     lift U                    freeze 30         let the board hang for 30 s
  U tray hand 0.8      lift, in the tray later   reboot            restart the board
  bump U 80            knock it off for 80 ms    brown-out 300     cut the power for 300 ms
  break seat 3 U       break that sensor         drop 0.01         lose 1 % of the bytes
  mend seat 3          mend all its sensors      clean             remove all faults of the wire
  and: plug, thaw, supply MV, stick PLACE POWER, shift PLACE POWER [down] MV, noise MV, corrupt,
  duplicate, reorder, garbage, delay MS, jitter MS, burst BYTES; "to-host" or "to-board" at
  the end of a line about the wire

with --commands, each line on standard input is such a step, answered on standard output by "ok" or
"error" and the reason; "state" returns the whole state as JSON, "port" the path or URL

keys:
{"".join(f"  {line}" + chr(10) for line in KEYS.splitlines())}
exit status: 0 stopped (Ctrl-C, SIGTERM, q, end of the commands, end of the script with --once),
1 the port cannot be opened, 2 a flag or the script is wrong
"""


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    try:
        if args.once and not args.script:
            raise ValueError("--once needs a --script that can end")
        if args.keys and not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise ValueError("--keys needs a terminal; use --commands from a program")
        if args.keys and not HAS_KEYS:
            raise ValueError("--keys needs a terminal of Linux or macOS; use --commands")
        options = _options(args)
        script = options.read_script()
        board = options.make_board(_port(args))
    except ValueError as error:
        return complain(PROGRAM, str(error), NOT_UNDERSTOOD)
    return serve(PROGRAM, board, lambda: board.port.url, lambda: _serve(board, script, args))


def _serve(board: VirtualBoard, script: Script, args: argparse.Namespace) -> None:
    ended = threading.Event()

    def print_line(line: ScriptLine, trouble: str) -> None:
        if not args.quiet and not args.keys:
            why = f" ({trouble})" if trouble else ""
            # The board goes on even if nobody reads its output.
            with contextlib.suppress(OSError):
                print(f"{line.at_ms / 1000:8.3f} s  {line.text}{why}", file=sys.stderr)  # noqa: T201

    script.run(board, print_line, ended.set if args.once else None)
    if args.keys:
        play(board, Console(markup=False, emoji=False, highlight=False), sys.stdin.fileno())
    elif args.commands:
        for line in sys.stdin:
            print(answer(board, line), flush=True)  # noqa: T201
    else:
        # ``view`` raises the firmware's error, if it failed.
        while not ended.wait(0.5):
            board.view()


def _options(args: argparse.Namespace) -> VirtualBoardOptions:
    """Raises ValueError."""
    given = {name: getattr(args, name) for name in OPTIONS}
    return read_options({name: value for name, value in given.items() if value is not None})


def _port(args: argparse.Namespace) -> Port:
    """Raises ValueError."""
    if not args.tcp:
        return PtyPort(args.pty)
    return TcpPort(*address("--tcp", args.tcp))


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    usual = VirtualBoardOptions()
    where = parser.add_argument_group("the port").add_mutually_exclusive_group()
    where.add_argument(
        "--pty", type=Path, metavar="LINK", help="link to a pseudo terminal (default: a new link)"
    )
    where.add_argument(
        "--tcp", metavar="HOST:PORT", help="a TCP port, opened as socket://HOST:PORT; 0 for any"
    )
    table = parser.add_argument_group("the table and the board")
    table.add_argument("--set", choices=[*SETS], default=usual.set, help="(%(default)s)")
    table.add_argument(
        "--seats", type=int, default=usual.seats, metavar="N", help="1 to 10 (%(default)s)"
    )
    table.add_argument(
        "--board-id",
        dest="board",
        default=usual.board,
        metavar="HEX",
        help="16 hex digits (%(default)s)",
    )
    table.add_argument(
        "--usb-powered",
        dest="powered_by_usb",
        action="store_true",
        help="unplugging cuts the power, so that the board forgets all",
    )
    table.add_argument(
        "--noise",
        dest="noise_mv",
        type=int,
        default=usual.noise_mv,
        metavar="MV",
        help="maximum deviation of sensors (%(default)s)",
    )
    table.add_argument(
        "--speed",
        type=float,
        default=usual.speed,
        metavar="TIMES",
        help="how much faster than real time to simulate (%(default)s); above 4, a host has to "
        "reconnect after each lull, which takes 2 s",
    )
    hands = parser.add_argument_group("what happens")
    hands.add_argument("--script", metavar="FILE", help="a file of steps, described below")
    hands.add_argument("--once", action="store_true", help="stop at the end of the script")
    by = hands.add_mutually_exclusive_group()
    by.add_argument("--keys", action="store_true", help="show a live view and obey keys")
    by.add_argument("--commands", action="store_true", help="read steps from standard input")
    hands.add_argument("--quiet", action="store_true", help="do not print steps as they happen")
    wire = parser.add_argument_group("a bad wire, in both directions")
    for name, what in (
        ("corrupt", "become others"),
        ("drop", "get lost"),
        ("duplicate", "come twice"),
        ("reorder", "change places with the next"),
        ("garbage", "come after a burst of random ones"),
    ):
        wire.add_argument(
            f"--{name}", type=float, metavar="SHARE", help=f"share of bytes that {what}, 0 to 1"
        )
    for name, what in (("delay", "delay of each byte"), ("jitter", "more delay, at most")):
        wire.add_argument(
            f"--{name}", dest=f"{name}_ms", type=float, default=0.0, metavar="MS", help=what
        )
    wire.add_argument(
        "--seed", type=int, default=usual.seed, metavar="N", help="seed of the faults (%(default)s)"
    )
