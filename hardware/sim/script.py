"""Scripts for the virtual board: one line a step, when it happens and what.

A line is ``[at SECONDS | after SECONDS] STEP``; what follows a ``#`` is a remark. ``at`` counts
from the start of the script, ``after`` from the step before; a step without either happens together
with the one before. All times are in the simulation's seconds. Places are ``tray`` and ``seat N``,
powers ``U N O !`` or ``red blue green yellow``.

The table::

    U seat 3               # put the power U down at seat 3, wherever it was
    U seat 3 hand 0.8      # lift it, and put it down there 0.8 s later
    U tray                 # put it down in the tray
    U lift                 # take it into the hand
    bump U                 # knock it: off its sensor for 80 ms …
    bump U 200             # … or for 200 ms

The board::

    unplug                 # pull the cable …
    unplug 5               # … and plug it in again 5 s later
    plug                   # plug it in
    freeze                 # the board hangs …
    freeze 30              # … for 30 s
    thaw                   # it goes on
    reboot                 # it starts anew with an empty memory …
    reboot watchdog        # … and says that its watchdog did it
    brown-out              # its power fails for 300 ms, then it starts anew
    brown-out 1000         # the same for 1000 ms

The sensors::

    break seat 3 U         # the sensor for U at seat 3 fails: 0 V
    stick seat 3 U         # it reports U, whether that is there or not
    mend seat 3 U          # it is good again
    break seat 3           # the cable of seat 3 comes off
    mend seat 3            # it is on again, and all sensors of the seat are good
    noise 20               # readings are off by up to 20 mV

The wire, in both directions unless ``to-host`` or ``to-board`` follows::

    corrupt 0.01           # 1 % of the bytes become others
    drop 0.01 to-host      # 1 % of the board's bytes get lost
    duplicate 0.01         # 1 % come twice
    reorder 0.01           # 1 % change places with the next
    garbage 0.001          # before every 1000th byte or so come up to 32 random ones
    delay 20               # each byte takes 20 ms …
    jitter 5               # … and up to 5 ms more
    burst 40 to-board      # 40 random bytes, once
    clean                  # no faults any more

A whole script: a tower is taken away, and put back while the cable is out for five seconds::

    at 1      U seat 2
    after 1   U lift
    after 0.5 unplug 5
    after 2   U tray          # while nobody can hear it
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from hardware.sim.ports import PortError
from hardware.sim.steps import Step, StepError, parse_step
from hardware.sim.virtual_board import VirtualBoard

LONGEST_S = 7 * 24 * 3600.0


class ScriptError(ValueError):
    """A line that cannot be understood; the text names the line and says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A step and when it happens, in ms since the script's start."""

    number: int
    at_ms: float
    text: str
    step: Step


@dataclass(frozen=True, slots=True)
class Script:
    """Lines in the order of their times."""

    lines: tuple[Line, ...]

    def run(
        self,
        board: VirtualBoard,
        said: Callable[[Line, str], None] | None = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        """Schedule all of it, from now on; returns at once.

        Args:
            board: What it happens to.
            said: Called with each line when it happens, in the board's thread, and with why it
                did not (a port that is taken); empty if it did.
            done: Called after the last one.
        """
        began = board.now()
        for line in self.lines:
            board.at(began + line.at_ms, partial(_happen, line, board, said))
        if done:
            last = max((line.at_ms for line in self.lines), default=0.0)
            board.at(began + last, done)


def _happen(line: Line, board: VirtualBoard, said: Callable[[Line, str], None] | None) -> None:
    trouble = ""
    try:
        line.step(board)
    except PortError as error:
        trouble = str(error)
    if said:
        said(line, trouble)


def parse_script(text: str, powers: Sequence[str], seats: int) -> Script:
    """Read a script for a table with these powers and so many seats. Raises ScriptError."""
    lines: list[Line] = []
    now = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            now, step = parse_line(words, now, powers, seats)
        except StepError as error:
            raise ScriptError(f"line {number}: {error}: {line.strip()}") from None
        lines.append(Line(number, now, " ".join(words), step))
    return Script(tuple(sorted(lines, key=lambda line: line.at_ms)))


def parse_line(
    words: Sequence[str], before_ms: float, powers: Sequence[str], seats: int
) -> tuple[float, Step]:
    """When a line happens, in ms, and its step; ``before_ms`` is when the line before does.

    Raises StepError.
    """
    if words[0] not in ("at", "after"):
        return before_ms, parse_step(words, powers, seats)
    if len(words) < 3:
        raise StepError(f"{words[0]} is followed by seconds and a step")
    try:
        seconds = float(words[1])
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= LONGEST_S:
        raise StepError(f"{words[1]!r} is no number of seconds, 0 or more")
    at_ms = seconds * 1000 + (before_ms if words[0] == "after" else 0)
    return at_ms, parse_step(words[2:], powers, seats)
