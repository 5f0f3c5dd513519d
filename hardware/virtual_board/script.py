"""Scripts for the virtual board: one step per line, with its time.

``hardware.virtual_board.timeline`` describes the times. Places are ``tray`` and ``seat N``,
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
    reboot                 # it restarts with an empty memory …
    reboot watchdog        # … and reports that its watchdog did it
    brown-out              # its power fails for 300 ms, then it restarts
    brown-out 1000         # the same for 1000 ms
    supply 4000            # its supply is 4000 mV, as on a bad cable; 4700 is usual

The sensors::

    break seat 3 U         # the sensor for U at seat 3 fails: 0 V
    stick seat 3 U         # it reports U, whether that is there or not
    shift seat 3 U down 40 # it gives 40 mV less than usual; without "down" more
    mend seat 3 U          # it is good again
    break seat 3           # the cable of seat 3 comes off
    mend seat 3            # it is plugged in again, and all sensors of the seat are mended
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

import json
from collections.abc import Callable, Mapping, Sequence

from hardware.virtual_board import timeline
from hardware.virtual_board.board import Direction, VirtualBoard
from hardware.virtual_board.timeline import (
    LONGEST_STEP_S,
    StepError,
    optional_number,
    step_parser,
    whole_number,
)
from hardware.virtual_board.wire import RATES

BoardStep = Callable[[VirtualBoard], None]

LONGEST_MS = 60_000.0
MOST_NOISE_MV = 3300
MOST_SUPPLY_MV = 5500
MOST_SHIFT_MV = 3300
LONGEST_BURST = 100_000


class BoardStepWords(timeline.Words):
    """The words of a step about a board with these powers and seats."""

    def __init__(self, words: Sequence[str], powers: Sequence[str], seats: int) -> None:
        super().__init__(words)
        self._powers = powers
        self._seats = seats

    def power(self) -> str:
        """Take the name of a power."""
        word = self.next("a power")
        for power in self._powers:
            if power.lower() == word.lower():
                return power
        raise StepError(f"there is no power {word!r}; there are {', '.join(self._powers)}")

    def place(self) -> int:
        """Take ``tray`` or ``seat N``."""
        word = self.next("a place")
        if word == "tray":
            return 0
        if word != "seat":
            raise StepError(f"{word!r} is no place; say tray, or seat and its number")
        seat = self.next("the seat's number")
        if not (seat.isascii() and seat.isdigit() and 1 <= int(seat) <= self._seats):
            raise StepError(f"there is no seat {seat}; there are 1 to {self._seats}")
        return int(seat)

    def direction(self) -> Direction:
        """Take ``to-host``, ``to-board``, or nothing for both."""
        if self.skip("to-host"):
            return "to-host"
        return "to-board" if self.skip("to-board") else "both"


StepParser = Callable[[BoardStepWords], BoardStep]


def parse_step(words: Sequence[str], powers: Sequence[str], seats: int) -> BoardStep:
    """Parse a step. Raises StepError."""
    rest = BoardStepWords(words, powers, seats)
    verb = words[0]
    if verb in VERBS:
        rest.next("a step")
        step = VERBS[verb](rest)
    elif verb.lower() in (power.lower() for power in powers):
        step = _power_moves(rest)
    else:
        known = ", ".join([*powers, *VERBS])
        raise StepError(f"there is no step {verb!r}; a step begins with {known}")
    if rest.more():
        raise StepError(f"{rest.next('')!r} is too much")
    return step


def _power_moves(words: BoardStepWords) -> BoardStep:
    power = words.power()
    if words.skip("lift"):
        return lambda board: board.lift(power)
    place = words.place()
    if words.skip("hand"):
        hand_ms = 1000 * words.number("seconds in the hand", LONGEST_STEP_S)
        return lambda board: board.move(power, place, hand_ms)
    return lambda board: board.place(power, place)


def _wiring(
    station: Callable[[VirtualBoard, int], None], sensor: Callable[[VirtualBoard, int, str], None]
) -> StepParser:
    def parse(words: BoardStepWords) -> BoardStep:
        place = words.place()
        if not words.more():
            return lambda board: station(board, place)
        power = words.power()
        return lambda board: sensor(board, place, power)

    return parse


def _fault(field: str, what: str, most: float) -> StepParser:
    def parse(words: BoardStepWords) -> BoardStep:
        value, direction = words.number(what, most), words.direction()
        return lambda board: board.set_faults(direction, **{field: value})

    return parse


def _shift_mv(words: BoardStepWords) -> int:
    sign = -1 if words.skip("down") else 1
    return sign * int(words.number("millivolts", MOST_SHIFT_MV))


_POWER, _PLACE = BoardStepWords.power, BoardStepWords.place
_DIRECTION = BoardStepWords.direction
_MS = optional_number("milliseconds", LONGEST_MS)
_SECONDS = optional_number("seconds", LONGEST_STEP_S)
VERBS: Mapping[str, StepParser] = {
    "bump": step_parser(VirtualBoard.bump, _POWER, _MS),
    "unplug": step_parser(VirtualBoard.unplug, _SECONDS),
    "plug": step_parser(VirtualBoard.plug),
    "freeze": step_parser(VirtualBoard.freeze, _SECONDS),
    "thaw": step_parser(VirtualBoard.thaw),
    "reboot": step_parser(VirtualBoard.reboot, lambda words: words.skip("watchdog")),
    "brown-out": step_parser(VirtualBoard.brown_out, _MS),
    "supply": step_parser(VirtualBoard.set_supply, whole_number("millivolts", MOST_SUPPLY_MV)),
    "break": _wiring(VirtualBoard.break_station, VirtualBoard.break_sensor),
    "stick": step_parser(VirtualBoard.stick_sensor, _PLACE, _POWER),
    "shift": step_parser(VirtualBoard.shift_sensor, _PLACE, _POWER, _shift_mv),
    "mend": _wiring(VirtualBoard.mend_station, VirtualBoard.mend_sensor),
    "noise": step_parser(VirtualBoard.set_noise, whole_number("millivolts", MOST_NOISE_MV)),
    **{name: _fault(name, "a share of the bytes", 1) for name in RATES},
    "delay": _fault("delay_ms", "milliseconds", LONGEST_MS),
    "jitter": _fault("jitter_ms", "milliseconds", LONGEST_MS),
    "burst": step_parser(VirtualBoard.garbage, whole_number("bytes", LONGEST_BURST), _DIRECTION),
    "clean": step_parser(VirtualBoard.mend_wire, _DIRECTION),
}


ScriptLine = timeline.ScriptLine[VirtualBoard]
Script = timeline.Script[VirtualBoard]


def parse_script(text: str, powers: Sequence[str], seats: int) -> Script:
    """Read a script for a table with these powers and seats. Raises ScriptError."""
    return timeline.read_script(text, lambda words: parse_step(words, powers, seats))


def answer(board: VirtualBoard, text: str) -> str:
    """Run a line that another program sent; return ``ok`` with the answer, or ``error`` with why.

    A line is a step. With ``at`` (since the board began) or ``after`` (from now on) it runs then,
    and its errors are not reported. ``state`` returns the whole state as JSON, ``port`` the URL
    that a host opens.
    """
    words = text.partition("#")[0].split()
    if words == ["state"]:
        return f"ok {json.dumps(board.view().as_dict())}"
    if words == ["port"]:
        return f"ok {board.port.url}"
    return timeline.answer(board, text, lambda step: parse_step(step, board.powers, board.seats))
