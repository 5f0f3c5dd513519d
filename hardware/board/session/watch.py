"""One board: link, positions and lights together, and their memory. No I/O."""

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.board.session.events import (
    Answered,
    BoardClock,
    Connected,
    InUse,
    LinkEvent,
    Measured,
    OtherBoard,
    OtherVersion,
    Silent,
    Taken,
    Unusable,
)
from hardware.board.session.link import Link
from hardware.board.session.measuring import Measuring
from hardware.board.session.positions import Body, Positions, restored
from hardware.board.session.sentences import (
    FLASH_ANEW,
    IN_USE,
    UNUSABLE,
    introduce,
    name_place,
    other_version,
)
from hardware.board.session.stranger import Stranger
from hardware.board.wire.messages import (
    BUZZER,
    CHANGES_LOST,
    FAST,
    LIGHTS,
    LOW_VOLTAGE,
    NO_PLACE,
    NO_POWER,
    NOT_POSSIBLE,
    OFF,
    POWER_NAMES,
    SLOW,
    WATCHDOG,
    BoardError,
    Buzz,
    Change,
    Command,
    Hello,
    Light,
    Snapshot,
)
from hardware.observation import Hint

BUZZ_MS = 120
BUZZ_HZ = 2000
RETRY_AFTER = 1.0  # seconds, after a command the board never answered

LightState = tuple[int, int]  # pattern and power


class Lights:
    """Compares the lights that hints want with those the board shows. Times are in seconds."""

    def __init__(self) -> None:
        self._wanted: dict[int, Hint] = {}
        self._shown: dict[int, LightState | None] = {}
        self._urgent: frozenset[Hint] = frozenset()
        self._buzz = False
        self._not_before = 0.0

    def want(self, hints: Sequence[Hint]) -> None:
        """Show these hints and no others; at a shared place, an urgent one wins."""
        urgent = frozenset(hint for hint in hints if hint.urgent)
        if urgent - self._urgent:
            self._buzz = True
        elif not urgent:
            self._buzz = False
        self._urgent = urgent
        self._wanted = {hint.place: hint for hint in sorted(hints, key=lambda hint: hint.urgent)}

    def connected(self) -> None:
        """Start with no lights: the board switches them off at a connection."""
        self._shown.clear()
        self._not_before = 0.0

    def next(self, hello: Hello, now: float) -> Command | None:
        """Return the next command towards the wanted lights, or None."""
        if now < self._not_before:
            return None
        if hello.features & LIGHTS:
            for place in sorted(self._shown.keys() | self._wanted.keys()):
                wanted = _shown(self._wanted.get(place), POWER_NAMES[hello.set])
                if place <= hello.seats and self._shown.get(place) != wanted:
                    return Light(0, place, *(wanted or (OFF, NO_POWER)))
        if self._buzz and hello.features & BUZZER:
            return Buzz(0, NO_PLACE, BUZZ_MS, BUZZ_HZ)
        return None

    def answered(self, command: Command, result: int | None, now: float) -> None:
        """Note a command's result. A refused command is not repeated."""
        if isinstance(command, Buzz):
            self._buzz = False
        elif result is None:
            self._not_before = now + RETRY_AFTER
        elif isinstance(command, Light):
            lit = command.pattern != OFF
            self._shown[command.place] = (command.pattern, command.power) if lit else None


def _shown(hint: Hint | None, names: Sequence[str]) -> LightState | None:
    if hint is None:
        return None
    power = names.index(hint.power) if hint.power in names else NO_POWER
    return (FAST if hint.urgent else SLOW, power)


log = logging.getLogger(__name__)

NOTE_LASTS = 60.0  # seconds for which a passing problem is shown
OFTEN = 4  # connections within that time: no cable is put in anew so often
USELESS = f"{UNUSABLE}; {FLASH_ANEW}"
CONNECTS_OFTEN = (
    "it connects again and again: check its cable and its power, or put its program on it anew: "
    "'referee-table flash'"
)

_NOTES: Mapping[int, Callable[[int], str]] = {
    CHANGES_LOST: lambda count: f"the board's memory was full, {count} changes were lost",
    WATCHDOG: lambda _: "the board hung and was started again by its watchdog",
    LOW_VOLTAGE: lambda mv: f"the board's supply is low, {mv / 1000:.1f} V: use a better cable",
}


class BoardWatch:
    """Talks with one board, over any number of openings of its port. Times are in seconds.

    Args:
        memory: What ``memory`` returned when it was last stored; empty for a fresh start.
        board: The id of the required board, 8 bytes; any if None.
    """

    def __init__(self, memory: Mapping[str, Any], board: bytes | None = None) -> None:
        try:
            known = bytes.fromhex(memory["board"]) if memory else b""
            boot, seq = (memory["boot"], memory["seq"]) if memory else (0, 0)
            positions = restored(memory["positions"]) if memory.get("positions") else None
        except (KeyError, TypeError, ValueError, AttributeError):
            log.warning("the stored memory of the board is unreadable; asking for everything")
            known, boot, seq, positions = b"", 0, 0, None
        if board not in (None, known):
            boot, seq = 0, 0
        self.link = Link(boot, seq, board)
        self.lights = Lights()
        self.measuring = Measuring()
        self.positions: Positions | None = positions
        self.stranger = Stranger()
        self.silent = False
        self.heard = False  # it is silent, but good frames come
        self.trouble = ""  # why it is not connected, according to the board
        self.in_use = False  # another host has it
        self.changes_lost = 0
        self.known = known
        self._connected_at: deque[float] = deque(maxlen=OFTEN)
        self._notes: dict[int, tuple[float, str]] = {}
        self.unkept = False  # messages were taken that are not stored yet

    def opened(self, now: float) -> None:
        """Connect: the port is open."""
        if self.trouble != USELESS:
            # One that cannot be used is told of until a board answers that can.
            self.trouble = ""
        self.in_use = False
        self.stranger.opened()
        self.link.opened(now)

    def receive(self, data: bytes, now: float) -> list[Body]:
        """Take bytes from the board; return the bodies of new observations."""
        if not self.link.connected:
            self.stranger.hear(data)
        return self._note(self.link.receive(data, now), now)

    def poll(self, now: float) -> list[Body]:
        """Let time pass; return the bodies of new observations."""
        bodies = self._note(self.link.poll(now), now)
        hello = self.link.hello
        if self.link.connected and hello and self.link.commands.idle:
            command = self.lights.next(hello, now) or self.measuring.next(hello, now)
            if command is not None:
                self.link.commands.put(command)
                bodies += self._note(self.link.poll(now), now)
        return bodies

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to send now."""
        out = self.link.outgoing(now)
        self.stranger.sent(out)
        return out + self.stranger.question() if self.silent and not self.heard else out

    def farewell(self, now: float) -> bytes:
        """Return the last bytes to send: they release the board, which turns its lights off."""
        if not self.link.connected:
            return b""
        self.link.leave()
        return self.link.outgoing(now)

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Show these hints and no others."""
        self.lights.want(hints)

    def memory(self) -> dict[str, Any]:
        """Return JSON from which a later watch resumes."""
        return {
            "board": self.known.hex(),
            "boot": self.link.boot,
            "seq": self.link.taken,
            "positions": self.positions.memory() if self.positions else None,
        }

    def kept(self) -> None:
        """Note that all observations and the current memory are stored."""
        self.unkept = False
        self.link.kept(self.link.taken)

    def notes(self, now: float) -> list[str]:
        """Return the board's problems as sentences without a full stop."""
        notes = [note for since, note in self._notes.values() if now - since < NOTE_LASTS]
        often = self._connected_at
        if len(often) == OFTEN and now - often[0] < NOTE_LASTS:
            notes.append(CONNECTS_OFTEN)
        if self.positions:
            notes += [
                f"{name} is reported at {' and '.join(map(name_place, places))}"
                for name, places in self.positions.conflicts().items()
            ]
            notes += [
                f"at {name_place(place)} the sensor of {', '.join(names)} does not answer"
                for place, names in self.positions.reported_faults
            ]
        return notes

    def _note(self, events: Sequence[LinkEvent], now: float) -> list[Body]:
        bodies: list[Body] = []
        for event in events:
            match event:
                case Connected():
                    self._connected_at.append(now)
                    self._connected(event)
                case Taken(_, message):
                    self.unkept = True
                    bodies += self._taken(message, now)
                case BoardClock(time) if self.positions:
                    bodies += self.positions.clock(time)
                case Measured(levels):
                    self.measuring.taken(levels, now)
                case Silent(heard):
                    self.silent, self.heard = True, heard
                    if self.positions:
                        bodies += self.positions.silent()
                case OtherVersion(version):
                    self.trouble = other_version(version)
                case OtherBoard(hello):
                    self.trouble = f"another board is there: {introduce(hello)}"
                case Unusable():
                    self.trouble = USELESS
                case InUse():
                    self.trouble, self.in_use = IN_USE, True
                case Answered(command, result):
                    if result == NOT_POSSIBLE:
                        log.info("the board cannot do %s", command)
                    self.lights.answered(command, result, now)
                    self.measuring.answered(command, result, now)
        return bodies

    def _connected(self, event: Connected) -> None:
        hello = event.hello
        self.silent, self.trouble, self.in_use = False, "", False
        self.known = hello.board
        self.lights.connected()
        self.measuring.connected()
        names = POWER_NAMES[hello.set]
        if self.positions is None or self.positions.names != names:
            self.positions = Positions(names)
        elif not event.resumed:
            self.positions.restart()

    def _taken(self, message: Snapshot | Change | BoardError | None, now: float) -> list[Body]:
        positions, hello = self.positions, self.link.hello
        if positions is None or hello is None:
            return []
        match message:
            case Snapshot(_, time, cells):
                return positions.snapshot(time, cells[: hello.seats + 1])
            case Change(_, time, place, cell):
                return positions.change(time, place, cell)
            case BoardError(_, _, code, _, detail) if code in _NOTES:
                self._notes[code] = (now, _NOTES[code](detail))
                if code == CHANGES_LOST:
                    self.changes_lost += detail
                    positions.restart()
        return []
