"""``referee demo``: a whole game, refereed over HTTP."""

import argparse
import json
import signal
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import NoReturn

from rich.console import Console

from referee.commands.output import complain, console
from referee.demo.http.client import DemoError
from referee.demo.http.phone_table import PhoneTable
from referee.demo.http.server_process import ServerProcess, running_server
from referee.demo.players.captions import PLAIN_WIDTH, PlainShow, Show
from referee.demo.rounds.board_table import table_with_board
from referee.demo.rounds.camera_table import SEEN, CameraGame
from referee.demo.rounds.game import LIVELY, NAMES, DemoGame, Outcome, Plan
from referee.demo.show.live_table import FilmingShow, live_table
from referee.demo.show.report import NEXT, introduction, print_report
from referee.demo.show.svg_show import SvgShow
from referee.demo.show.terminal_show import SMALLEST, TerminalShow
from referee.extras import needs
from referee.rules.position.state import FEWEST_SEATS
from referee.rules.presets import OFFICIAL, PRESETS
from referee.rules.ruleset import find_ruleset, rulesets

CLASSIC, WITH_TOWERS = "classic-108", "power-grab"
# Of the extra ``board``: virtual board and gateway are programs of their own, which need them.
DEVICE_PACKAGES = ("filelock", "platformdirs", "serial", "tomlkit", "zeroconf")
DELAY = 0.08
TARGET, SHORT_TARGET, ONE_ROUND = 500, 150, 1
# SHORT_ROUND: classic-112 at a party table is a round of 25 cards, with stacks, jump-ins and swaps.
SEED, SHORT_ROUND = 6, 56


DESCRIPTION = """\
Start the server on a free port with a fresh database, seat simulated players
whose hands the server never learns, and play a whole game over HTTP. The demo
fails if a legal play is refused, an illegal one passes, or the record does not
replay.
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--ruleset",
        metavar="ID",
        help=f"{', '.join(sorted(rulesets()))} ({CLASSIC}; with --board or --table {WITH_TOWERS})",
    )
    parser.add_argument(
        "--house",
        choices=sorted(PRESETS),
        default=OFFICIAL,
        help="house rules: official (none), home, or party (%(default)s)",
    )
    parser.add_argument("--players", type=int, default=4, metavar="N", help="2 to 10 (%(default)s)")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help=f"play another game ({SEED}; with --table and --house {SHORT_ROUND})",
    )
    parser.add_argument(
        "--target",
        type=int,
        metavar="POINTS",
        help=f"points that end the game ({TARGET}; with --table {SHORT_TARGET}, "
        "with --table and --house one round)",
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--fast", action="store_true", help="do not wait between moves")
    pace.add_argument(
        "--delay",
        type=float,
        metavar="SECONDS",
        help=f"wait after each move ({DELAY} on a terminal, otherwise 0)",
    )
    parser.add_argument(
        "--board",
        action="store_true",
        help="one round with a sensor board: towers are moved on a virtual board, through the real "
        "gateway, while a tower is misplaced, the cable pulled and the server killed",
    )
    parser.add_argument(
        "--table",
        action="store_true",
        help="a game with a virtual camera and board, through the real gateway: cards are laid and "
        "towers moved, and phones only name colours, call UNO, draw and challenge; needs a "
        "checkout of the project",
    )
    parser.add_argument(
        "--strip", type=Path, metavar="FILE", help="with --table: save pictures (.jpg or .png)"
    )
    parser.add_argument("--size", default="1280x720", help=argparse.SUPPRESS)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="save the record of the game")
    parser.add_argument("--picture", type=Path, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Play the game; return 1 if the referee was wrong."""
    if args.ruleset is None:
        args.ruleset = WITH_TOWERS if args.board or args.table else CLASSIC
    problem = _problem_with(args)
    if problem:
        complain("demo", problem)
        return 2
    # Also stop the server when the demo is terminated or its terminal closed.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    screen = console()
    if not screen.is_terminal:
        screen.width = PLAIN_WIDTH
    usual_seed, usual_target = _usual(args)
    seed = usual_seed if args.seed is None else args.seed
    target = args.target or usual_target
    plan = Plan(args.ruleset, args.players, seed, target, house=args.house)
    if args.board:
        habits = replace(LIVELY, names_at_once=0.0)
        plan = replace(plan, target=1, habits=habits, illegal_moves_per_round=0)
    if args.table:
        plan = replace(plan, habits=SEEN, illegal_moves_per_round=2)
    try:
        outcome = _play(plan, screen, args)
        if args.keep:
            args.keep.write_text(json.dumps(outcome.record, indent=1), encoding="utf-8")
    except DemoError as error:
        complain("demo", f"FAILED. {error}")
        again = f"--ruleset {plan.ruleset} --players {plan.players} --seed {plan.seed} "
        again += "--board" if args.board else f"--target {plan.target}"
        again += " --table" if args.table else ""
        again += f" --house {plan.house}" if plan.house != OFFICIAL else ""
        complain("demo", f"to play the same game again: referee demo {again}")
        return 1
    except OSError as error:
        complain("demo", str(error))
        return 1
    print_report(screen, outcome, find_ruleset(plan.ruleset))
    screen.print(f"\n{NEXT}", style="bold")
    return 0


def _problem_with(args: argparse.Namespace) -> str | None:
    if args.ruleset not in rulesets():
        known = ", ".join(sorted(rulesets()))
        return f"there is no ruleset {args.ruleset!r} (known: {known})"
    if not FEWEST_SEATS <= args.players <= len(NAMES):
        return f"--players must be from {FEWEST_SEATS} to {len(NAMES)}"
    if args.target is not None and args.target < 1:
        return "--target must be at least 1"
    if args.house != OFFICIAL and args.board:
        return "--house: the board is shown with the sheet's rules"
    if args.board and args.table:
        return "--table includes a board; leave out --board"
    if args.keep and (reason := _why_not_kept(args.keep)):
        return f"--keep: {reason}"
    if args.strip and not args.table:
        return "--strip needs --table, whose camera takes the pictures"
    if args.strip and args.strip.suffix.lower() not in (".jpg", ".png"):
        return "--strip must end in .jpg or .png"
    if args.board and not find_ruleset(args.ruleset).powers:
        return f"--board: the deck {args.ruleset} has neither towers nor powers"
    if args.delay is not None and not 0 <= args.delay <= 60:
        return "--delay must be from 0 to 60 seconds"
    if args.table and not _lab_is_installed():
        return "--table needs a checkout of the project: git clone it and run make demo-table there"
    needed = (*DEVICE_PACKAGES, "cv2") if args.table else DEVICE_PACKAGES
    missing = [name for name in needed if find_spec(name) is None]
    if (args.board or args.table) and missing:
        flag = "--table" if args.table else "--board"
        return f"{flag} {needs('table', *missing)}"
    return None


def _why_not_kept(file: Path) -> str | None:
    """Say why a new file cannot be written; some folders only tell when it is tried."""
    try:
        file.open("x").close()
    except FileExistsError:
        return f"{file} exists already; name another file"
    except OSError as error:
        return f"{file} cannot be written: {error.strerror}"
    file.unlink()
    return None


def _usual(args: argparse.Namespace) -> tuple[int, int]:
    """Return the seed and the target of a game that names none."""
    if not args.table:
        return SEED, TARGET
    # Rounds with house rules are long, and each has what there is to see.
    return (SEED, SHORT_TARGET) if args.house == OFFICIAL else (SHORT_ROUND, ONE_ROUND)


def _lab_is_installed() -> bool:
    """Return whether the virtual camera can be started; the wheel comes without it."""
    try:
        return find_spec("lab.virtual_camera") is not None
    except ModuleNotFoundError:
        return False


def _play(plan: Plan, screen: Console, args: argparse.Namespace) -> Outcome:
    live = screen.is_terminal and not screen.is_dumb_terminal and _fits(screen)
    delay = 0.0 if args.fast else args.delay
    if delay is None:
        delay = DELAY if screen.is_terminal else 0.0
    with ExitStack() as stack:
        devices = "board" if args.board else "table" if args.table else None
        introduced = introduction(plan, find_ruleset(plan.ruleset), devices)
        if not live:
            screen.print(introduced)
        server = stack.enter_context(running_server())
        show: Show
        if args.picture:
            show = stack.enter_context(SvgShow(args.picture))
        elif live:
            show = stack.enter_context(TerminalShow(screen, delay, introduced))
        else:
            show = PlainShow(screen, delay)
        table: PhoneTable
        if args.table:
            return _play_live(plan, show, stack, server, args)
        if args.board:
            table = stack.enter_context(table_with_board(server, plan.ruleset, plan.names))
        else:
            options = {"target": plan.target, **PRESETS[plan.house]}
            table = PhoneTable(server.url, plan.ruleset, plan.names, options)
        outcome = DemoGame(plan, show, table).play()
        return replace(outcome, more=table.report())


def _play_live(
    plan: Plan, show: Show, stack: ExitStack, server: ServerProcess, args: argparse.Namespace
) -> Outcome:
    options = {"target": plan.target, **PRESETS[plan.house]}
    live = live_table(server, plan.ruleset, plan.names, plan.seed, options, args.size)
    table = stack.enter_context(live)
    film = FilmingShow(show, table.camera)
    game = CameraGame(plan, film, table)
    outcome = game.play()
    table.measure(game.spectator)
    if args.strip:
        from referee.demo.show.picture_strip import write_strip

        write_strip(args.strip, film.pictures)
    return replace(outcome, more=table.report())


def _fits(screen: Console) -> bool:
    width, height = SMALLEST
    unicode = screen.encoding.lower().startswith("utf")
    return screen.width >= width and screen.height >= height and unicode


def _stop(_: int, __: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
