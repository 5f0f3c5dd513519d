"""``referee-table board``: show a sensor board by itself, without a server."""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from hardware.board.driver import SerialBoard, serial_board
from hardware.board.options import AUTO
from hardware.board.session.measuring import Calibration
from hardware.board.session.sentences import name_place
from hardware.board.socket_findings import Kind, SocketFinding, find, kind_of, off_middle
from hardware.board.wire.messages import MEASURES, NO_LEVEL, POWER_NAMES, POWERS, Hello, Levels
from hardware.commands import CommandError
from hardware.commands.output import console, say
from hardware.gateway.display import COLORS
from hardware.observation import DeviceStatus, Hint, Memory, Observation

FULL_BAR_MV = 1600
FIXED_COLUMNS = 8 + 3 * (2 + POWERS)  # the places' names, and what is between the columns
LEVEL_COLUMNS = 13  # of a socket, without its bar
SHORTEST_BAR, LONGEST_BAR = 3, 16
PARTS = " ▏▎▍▌▋▊▉"
STYLES: Mapping[Kind, str] = {Kind.EMPTY: "dim", Kind.MAGNET: "green"}
FAILED = (Kind.LOW, Kind.HIGH, Kind.SILENT)


def render(
    status: DeviceStatus,
    hello: Hello | None,
    lit: int | None,
    levels: Mapping[int, Levels] | None = None,
    findings: Sequence[SocketFinding] = (),
    width: int = 80,
) -> RenderableType:
    """Render a board; ``lit`` is the place whose light is tested, ``width`` the terminal's."""
    head = Text(f"{status.state}: ", COLORS.get(status.state, ""))
    head.append(status.detail, "")
    parts: list[RenderableType] = [head]
    if hello is not None:
        parts += [Text(), _table(status.positions, hello, lit, levels or {}, width)]
        if levels:
            parts.append(Text(_legend(next(iter(levels.values()))), "dim"))
        parts += [Text(line, "yellow") for line in nowhere(status.positions)]
        parts += [Text(finding.text, "yellow") for finding in findings]
        parts += [Text(), Text(_line(status.figures), "dim")]
    return Group(*parts)


def _table(
    positions: Mapping[str, Any],
    hello: Hello,
    lit: int | None,
    levels: Mapping[int, Levels],
    width: int,
) -> Table:
    names = POWER_NAMES[hello.set]
    lights = ["light"] if lit is not None else []
    table = Table("place", *names, *lights)
    bar = (width - FIXED_COLUMNS - 8 * len(lights)) // POWERS - LEVEL_COLUMNS
    for place in range(hello.seats + 1):
        of_place = levels.get(place)
        cells: list[Text] = []
        for power, name in enumerate(names):
            here = "●" if positions.get(name) == place else " "
            cells.append(_level(of_place, power, here, bar) if of_place else Text(here))
        table.add_row(name_place(place), *cells, *(["on" if place == lit else ""] * len(lights)))
    return table


def _level(levels: Levels, power: int, here: str, bar: int) -> Text:
    """Return a socket's millivolts, how far they are off its middle, and that as a bar."""
    kind = kind_of(levels, power)
    style = STYLES.get(kind, "red" if kind in FAILED else "yellow")
    level, off = levels.levels[power], off_middle(levels, power)
    if level == NO_LEVEL:
        return Text("?    –", style)
    bar = min(max(bar, SHORTEST_BAR), LONGEST_BAR)
    mark = "?" if kind in FAILED else here
    return Text(f"{mark} {level:4} {off:+5} {_bar(abs(off), levels.present, bar)}", style)


def _bar(off: int, present: int, length: int) -> str:
    eighths = min(off, FULL_BAR_MV) * length * 8 // FULL_BAR_MV
    drawn = "█" * (eighths // 8) + PARTS[eighths % 8].strip()
    limit = present * length // FULL_BAR_MV
    rest = "".join("┊" if at == limit else "·" for at in range(len(drawn), length))
    return drawn + rest


def _legend(levels: Levels) -> str:
    return (
        f"millivolts, and how far off the sensor's middle: a magnet from {levels.present} (┊), "
        f"none up to {levels.absent}; under {levels.broken} or over {levels.short} mV it has failed"
    )


def places(status: DeviceStatus, hello: Hello | None) -> list[str]:
    """Return where each power is, a phrase each."""
    if hello is None:
        return []
    at = {name: at for name, at in status.positions.items() if isinstance(at, int)}
    return [f"{name} at {name_place(place)}" for name, place in at.items()] + nowhere(
        status.positions
    )


def nowhere(positions: Mapping[str, Any]) -> list[str]:
    """Return which powers are lifted or unknown, a phrase each."""
    return [f"{name} is {at}" for name, at in positions.items() if not isinstance(at, int)]


def _line(figures: Mapping[str, int]) -> str:
    return (
        f"{figures['frames_good']} good frames, {figures['frames_bad']} bad, "
        f"{figures['reconnects']} reconnects, answers after {figures['round_trip_ms']} ms"
    )


NAME = "board"
LOOK_EVERY = 0.1  # seconds
ONCE_PATIENCE = 10.0
SETTLED = 1.0  # what is lifted or broken is told after 0.3 s, a level after 0.1 s
LIGHT_SECONDS = 1.0
ENDED = (Calibration.DONE, Calibration.REFUSED)

HELP = "show a sensor board by itself, live"
DESCRIPTION = """\
Show a sensor board by itself: what stands where, what each sensor measures and how far that is off
its middle, what is wrong with a socket, how good the line is. It needs no server, no table and no
token, and tells nobody.
"""
EPILOG = """\
examples:
  referee-table board                          the board that is plugged in
  referee-table board --port /dev/ttyACM0 --lights
  referee-table board --once                   print what stands where, and end
  referee-table board --calibrate              with all feet lifted: the board learns where each
                                               sensor rests, and keeps that

Without --once and --calibrate it waits until a board is there, and runs until Ctrl-C.

exit status: 0 stopped, or printed with --once, or calibrated; 1 with --once or --calibrate: no
board within 10 s, or a socket was not empty; 2 a wrong flag
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    parser.add_argument(
        "--port",
        metavar="PORT",
        default=AUTO,
        help="its port, or auto: one with the USB identity of a board (auto)",
    )
    parser.add_argument(
        "--lights",
        action="store_true",
        help="light one place after the other, a second each, and sound the buzzer",
    )
    end = parser.add_mutually_exclusive_group()
    end.add_argument("--once", action="store_true", help="print what stands where, and end")
    end.add_argument(
        "--calibrate",
        action="store_true",
        help="with all feet lifted: keep what each sensor measures now as its middle, and end",
    )


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    try:
        board = serial_board(NAME, {"port": args.port})
    except ValueError as error:
        raise CommandError(2, f"--port: {error}") from None
    board.measure()
    board.start(_forget, {})
    try:
        if args.once:
            return _print_once(board)
        if args.calibrate:
            return _calibrate(board)
        if console().is_terminal:
            _show(board, args.lights)
        else:
            _log(board, args.lights)
    finally:
        board.stop()
    return 0


def _forget(observations: Sequence[Observation], memory: Memory) -> None:
    """Take what the board reports: it need not keep it."""


def _print_once(board: SerialBoard) -> int:
    hello = _wait(board)
    levels = board.levels()
    screen = console()
    findings = find(levels, hello)
    screen.print(render(board.status(), hello, None, levels, findings, screen.width))
    return 0


def _wait(board: SerialBoard) -> Hello:
    """Return the board's greeting once it has told all it can. Raises CommandError without one."""
    end = time.monotonic() + ONCE_PATIENCE
    while time.monotonic() < end:
        hello = board.hello
        if board.status().state == "online" and hello is not None:
            measured = len(board.levels()) > hello.seats
            if measured or not hello.features & MEASURES:
                time.sleep(SETTLED)
                return hello
        time.sleep(LOOK_EVERY)
    raise CommandError(1, board.status().detail)


def _calibrate(board: SerialBoard) -> int:
    hello = _wait(board)
    levels = board.levels()
    standing = [
        f"{POWER_NAMES[hello.set][power]} at {name_place(place)}"
        for place, of_place in levels.items()
        for power in range(POWERS)
        if kind_of(of_place, power) in (Kind.MAGNET, Kind.WEAK, Kind.NEAR)
    ]
    if standing:
        raise CommandError(1, f"lift all feet first: {', '.join(standing)}")
    board.calibrate()
    end = time.monotonic() + ONCE_PATIENCE
    while board.calibration not in ENDED and time.monotonic() < end:
        time.sleep(LOOK_EVERY)
    if board.calibration is not Calibration.DONE:
        raise CommandError(
            1, "the board did not calibrate: it is lost, or has an older program; flash it"
        )
    time.sleep(SETTLED)
    return _say_middles(board.levels(), hello)


def _say_middles(levels: Mapping[int, Levels], hello: Hello) -> int:
    findings = find(levels, hello)
    for finding in findings:
        say(f"not calibrated: {finding.text}")
    good = [
        of_place.middles[power]
        for of_place in levels.values()
        for power in range(POWERS)
        if kind_of(of_place, power) is Kind.EMPTY
    ]
    if good:
        say(f"{len(good)} sensors rest at {min(good):,} to {max(good):,} mV; the board keeps that")
    return 1 if findings or not good else 0


def _show(board: SerialBoard, with_lights: bool) -> None:
    lit = _lights(board) if with_lights else None
    screen = console()
    with Live(console=screen, auto_refresh=False, vertical_overflow="visible") as live:
        while True:
            place = next(lit) if lit else None
            levels, findings = _findings(board)
            status, hello = board.status(), board.hello
            live.update(render(status, hello, place, levels, findings, screen.width), refresh=True)
            time.sleep(LOOK_EVERY)


def _findings(board: SerialBoard) -> tuple[dict[int, Levels], list[SocketFinding]]:
    hello, levels = board.hello, board.levels()
    return levels, find(levels, hello) if hello else []


def _log(board: SerialBoard, with_lights: bool) -> None:
    lit = _lights(board) if with_lights else None
    told = ""
    told_findings: set[tuple[int, int | None, Kind]] = set()
    while True:
        place = next(lit) if lit else None
        status = board.status()
        line = "; ".join([f"{status.state}: {status.detail}", *places(status, board.hello)])
        line += f"; lit: {name_place(place)}" if place is not None else ""
        if line != told:
            say(line)
        told = line
        _, findings = _findings(board)
        for finding in findings:  # not again because a millivolt has changed
            if (finding.place, finding.power, finding.kind) not in told_findings:
                say(finding.text)
        told_findings = {(finding.place, finding.power, finding.kind) for finding in findings}
        time.sleep(LOOK_EVERY)


def _lights(board: SerialBoard) -> Iterator[int | None]:
    """Light place after place; yield the one that is lit, None without a board."""
    began = time.monotonic()
    lit = None
    while True:
        hello = board.hello if board.status().state == "online" else None
        place = None
        if hello is not None:
            place = int((time.monotonic() - began) / LIGHT_SECONDS) % (hello.seats + 1)
        if place != lit:
            hints = []
            if hello is not None and place is not None:
                hints = [Hint(POWER_NAMES[hello.set][0], place, urgent=True)]
            board.indicate(hints)
            lit = place
        yield lit
