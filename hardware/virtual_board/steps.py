"""Parse the steps of a script; ``hardware.virtual_board.script`` describes them."""

from collections.abc import Callable, Mapping, Sequence

from hardware.virtual_board import timeline
from hardware.virtual_board.board import Direction, VirtualBoard
from hardware.virtual_board.timeline import LONGEST_STEP_S, StepError
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


def _bump(words: BoardStepWords) -> BoardStep:
    power, ms = words.power(), words.number_or_none("milliseconds", LONGEST_MS)
    return lambda board: board.bump(power) if ms is None else board.bump(power, ms)


def _lasting(step: Callable[[VirtualBoard, float | None], None]) -> StepParser:
    def parse(words: BoardStepWords) -> BoardStep:
        seconds = words.number_or_none("seconds", LONGEST_STEP_S)
        return lambda board: step(board, seconds)

    return parse


def _brown_out(words: BoardStepWords) -> BoardStep:
    ms = words.number_or_none("milliseconds", LONGEST_MS)
    return lambda board: board.brown_out() if ms is None else board.brown_out(ms)


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


def _stick(words: BoardStepWords) -> BoardStep:
    place, power = words.place(), words.power()
    return lambda board: board.stick_sensor(place, power)


def _shift(words: BoardStepWords) -> BoardStep:
    place, power, down = words.place(), words.power(), words.skip("down")
    millivolts = int(words.number("millivolts", MOST_SHIFT_MV)) * (-1 if down else 1)
    return lambda board: board.shift_sensor(place, power, millivolts)


def _noise(words: BoardStepWords) -> BoardStep:
    millivolts = int(words.number("millivolts", MOST_NOISE_MV))
    return lambda board: board.set_noise(millivolts)


def _supply(words: BoardStepWords) -> BoardStep:
    millivolts = int(words.number("millivolts", MOST_SUPPLY_MV))
    return lambda board: board.set_supply(millivolts)


def _fault(field: str, what: str, most: float) -> StepParser:
    def parse(words: BoardStepWords) -> BoardStep:
        value, direction = words.number(what, most), words.direction()
        return lambda board: board.set_faults(direction, **{field: value})

    return parse


def _burst(words: BoardStepWords) -> BoardStep:
    length, direction = int(words.number("bytes", LONGEST_BURST)), words.direction()
    return lambda board: board.garbage(length, direction)


def _clean(words: BoardStepWords) -> BoardStep:
    direction = words.direction()
    return lambda board: board.mend_wire(direction)


def _reboot(words: BoardStepWords) -> BoardStep:
    after_watchdog = words.skip("watchdog")
    return lambda board: board.reboot(after_watchdog)


def _plain(step: BoardStep) -> StepParser:
    return lambda _: step


VERBS: Mapping[str, StepParser] = {
    "bump": _bump,
    "unplug": _lasting(VirtualBoard.unplug),
    "plug": _plain(VirtualBoard.plug),
    "freeze": _lasting(VirtualBoard.freeze),
    "thaw": _plain(VirtualBoard.thaw),
    "reboot": _reboot,
    "brown-out": _brown_out,
    "supply": _supply,
    "break": _wiring(VirtualBoard.break_station, VirtualBoard.break_sensor),
    "stick": _stick,
    "shift": _shift,
    "mend": _wiring(VirtualBoard.mend_station, VirtualBoard.mend_sensor),
    "noise": _noise,
    **{name: _fault(name, "a share of the bytes", 1) for name in RATES},
    "delay": _fault("delay_ms", "milliseconds", LONGEST_MS),
    "jitter": _fault("jitter_ms", "milliseconds", LONGEST_MS),
    "burst": _burst,
    "clean": _clean,
}
