"""What is wrong with a board's sockets, by what their sensors measure. No I/O.

The limits between readings come from the board. The ranges of a good socket here are those of the
test sheet in ``hardware/firmware/README.md``; a test compares both with a calculation of a hundred
thousand sockets, each made a little badly (``lab/plans/magnets.py``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from hardware.board.session.sentences import name_place
from hardware.board.wire.messages import NO_LEVEL, POWER_NAMES, POWERS, Hello, Levels

# Millivolts off the middle.
LEAST_MAGNET = 460  # of a foot in its socket
MOST_MAGNET = 1350
MOST_EMPTY = 150  # of a sensor without a magnet, before it is calibrated
MOST_DRIFT = 60  # of all empty sockets, on average: a whole board that has to be calibrated


class Kind(StrEnum):
    """What a socket is read as, and what is wrong with it."""

    EMPTY = "empty"
    MAGNET = "a magnet"
    STRAY = "a magnet somewhere near"
    UNSURE = "neither"
    WEAK = "a weak magnet"
    NEAR = "a magnet too near"
    LOW = "no voltage"
    HIGH = "short circuit"
    SILENT = "no answer"


GOOD = (Kind.EMPTY, Kind.MAGNET)
_ADVICE: Mapping[Kind, str] = {
    Kind.STRAY: "no magnet near enough to count: a foot beside its socket or in a wrong one, "
    "iron or a magnet near it, or a pin that is not soldered well",
    Kind.UNSURE: "too much for an empty socket, too little for a foot: push it down, clean the "
    "socket, glue the magnet nearer",
    Kind.WEAK: "seen, but only just: push the foot down, clean the socket, glue the magnet nearer",
    Kind.NEAR: "the magnet is too near: the skin under it, or the socket's bottom, is too thin",
    Kind.LOW: "a broken wire, the sensor's pin 1 or 2, or a magnet much too near",
    Kind.HIGH: "a short circuit to 3.3 V, the sensor's pin 3, or a magnet much too near",
    Kind.SILENT: "it does not answer: its plug, or its address",
}


@dataclass(frozen=True, slots=True)
class SocketFinding:
    """What is wrong with a socket, or with a whole place if ``power`` is None."""

    place: int
    power: int | None
    kind: Kind
    text: str


def off_middle(levels: Levels, power: int) -> int:
    """Return how far a sensor is from its middle, in millivolts; negative if it is below."""
    return levels.levels[power] - levels.middles[power]


def kind_of(levels: Levels, power: int) -> Kind:
    """Return what a socket is read as."""
    level, off = levels.levels[power], abs(off_middle(levels, power))
    if level == NO_LEVEL:
        return Kind.SILENT
    if level < levels.broken:
        return Kind.LOW
    if level > levels.short:
        return Kind.HIGH
    if off >= levels.present:
        weak = off < LEAST_MAGNET
        return Kind.WEAK if weak else Kind.NEAR if off > MOST_MAGNET else Kind.MAGNET
    if off > levels.absent:
        return Kind.UNSURE
    return Kind.STRAY if off > MOST_EMPTY else Kind.EMPTY


def find(levels: Mapping[int, Levels], hello: Hello) -> list[SocketFinding]:
    """Return what is wrong with the sockets of these places, a sentence each."""
    findings = [finding for place in levels.values() for finding in _of_place(place, hello)]
    drift = _drift(levels)
    if abs(drift) > MOST_DRIFT:
        way = "above" if drift > 0 else "below"
        text = (
            f"Empty sockets are {abs(drift):.0f} mV {way} their middles on average: lift all feet, "
            "and run referee-table board --calibrate"
        )
        findings.append(SocketFinding(0, None, Kind.STRAY, text))
    return findings


def _of_place(levels: Levels, hello: Hello) -> Iterator[SocketFinding]:
    place = name_place(levels.place)
    kinds = [kind_of(levels, power) for power in range(POWERS)]
    if len(set(kinds)) == 1 and kinds[0] in (Kind.LOW, Kind.SILENT):
        text = f"{_capital(place)}: none of its sensors answers: its cable, its jack, or no station"
        yield SocketFinding(levels.place, None, kinds[0], text)
        return
    for power, kind in enumerate(kinds):
        if kind not in GOOD:
            name = f"{_capital(place)}, {POWER_NAMES[hello.set][power]}"
            if kind is not Kind.SILENT:
                name += f": {levels.levels[power]:,} mV, its middle is {levels.middles[power]:,}"
            yield SocketFinding(levels.place, power, kind, f"{name}: {_ADVICE[kind]}")


def _drift(levels: Mapping[int, Levels]) -> float:
    empty = [
        off_middle(place, power)
        for place in levels.values()
        for power in range(POWERS)
        if kind_of(place, power) is Kind.EMPTY
    ]
    return sum(empty) / len(empty) if empty else 0


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
