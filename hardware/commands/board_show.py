"""A sensor board on a terminal: what stands where, and what each sensor measures."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hardware.board.messages import NO_LEVEL, POWER_NAMES, POWERS, Hello, Levels
from hardware.board.sentences import name_place
from hardware.board.socket_findings import Kind, SocketFinding, kind_of, off_middle
from hardware.gateway.display import COLORS
from hardware.observation import DeviceStatus

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
