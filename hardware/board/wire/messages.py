"""The messages of the board protocol and the packets that carry them. No I/O."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hardware.board.wire.network_messages import READERS, NetworkMessage, body_of

VERSION: Final = 2
NO_PLACE: Final = 255
NO_POWER: Final = 255
NO_LEVEL: Final = 0xFFFF
POWERS: Final = 4
MAX_SEATS: Final = 10

TOWERS: Final = 1
STANDS: Final = 2
SET_NAMES: Final = {TOWERS: "towers", STANDS: "stands"}
POWER_NAMES: Final = {
    TOWERS: ("U", "N", "O", "!"),
    STANDS: ("red", "blue", "green", "yellow"),
}

LIGHTS: Final = 1  # features
BUZZER: Final = 2
MEASURES: Final = 4

ABSENT: Final = 0  # readings
PRESENT: Final = 1
UNKNOWN: Final = 2

OFF: Final = 0  # patterns
ON: Final = 1
SLOW: Final = 2
FAST: Final = 3

SENSOR_FAILED: Final = 1  # codes of errors
SENSOR_WORKS: Final = 2
CHANGES_LOST: Final = 3
WATCHDOG: Final = 4
LOW_VOLTAGE: Final = 5

DONE: Final = 0  # results of commands
NOT_POSSIBLE: Final = 1
NOT_UNDERSTOOD: Final = 2


def readings(cell: int) -> tuple[int, ...]:
    """Return a place's readings, one per power; 3 counts as unknown."""
    return tuple(min(cell >> 2 * power & 3, UNKNOWN) for power in range(POWERS))


@dataclass(frozen=True, slots=True)
class Hello:
    """The answer to ``connect``: the board's identity and its next number."""

    board: bytes  # 8 bytes
    boot: int
    firmware: tuple[int, int, int]
    set: int
    seats: int
    features: int
    next_seq: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All positions: one cell per place, the tray first."""

    seq: int
    time: int
    cells: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """The new content of one place."""

    seq: int
    time: int
    place: int
    cell: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign of life: the board's clock and the newest reliable number."""

    time: int
    newest_seq: int


@dataclass(frozen=True, slots=True)
class BoardError:
    """A fault on the board has begun or ended."""

    seq: int
    time: int
    code: int
    place: int
    detail: int


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a command."""

    seq: int
    result: int


@dataclass(frozen=True, slots=True)
class Levels:
    """What a place's four sensors measure and where they rest, in millivolts, power 0 first.

    ``levels`` has ``NO_LEVEL`` for a sensor that cannot be read; ``cell`` is what they are read as.
    At least ``present`` off its middle a sensor has a magnet, at most ``absent`` off it has none;
    below ``broken`` or above ``short`` it has failed.
    """

    place: int
    cell: int
    levels: tuple[int, ...]
    middles: tuple[int, ...]
    present: int
    absent: int
    broken: int
    short: int


@dataclass(frozen=True, slots=True)
class Connect:
    """Begin a connection, with the boot and last number stored of this board."""

    boot: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Ack:
    """The last number taken and stored."""

    last_seq: int


@dataclass(frozen=True, slots=True)
class Light:
    """Set the light of a place."""

    seq: int
    place: int
    pattern: int
    power: int = NO_POWER


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sound the buzzer; duration in milliseconds, pitch in Hz."""

    seq: int
    place: int
    duration: int
    pitch: int


@dataclass(frozen=True, slots=True)
class Look:
    """Ask for a snapshot."""

    seq: int


@dataclass(frozen=True, slots=True)
class Measure:
    """Ask for ``Levels`` during so many seconds; 0 ends them."""

    seq: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Make the present levels of sensors without a magnet their middles, for good."""

    seq: int


Command = Light | Buzz | Look | Measure | Calibrate
Reliable = Snapshot | Change | BoardError
BoardMessage = (
    Hello | Reliable | Heartbeat | Done | Levels | Connect | Ack | Command | NetworkMessage
)


class MessageError(ValueError):
    """The packet is no known message; it is counted and dropped."""


class OtherVersionError(MessageError):
    """The packet is of another version of the protocol."""

    def __init__(self, version: int) -> None:
        super().__init__(f"protocol version {version}, not {VERSION}")
        self.version = version


class UnknownTypeError(MessageError):
    """The packet is of an unknown type."""

    def __init__(self, type_: int) -> None:
        super().__init__(f"a message of type {type_:#04x}, which is not known")
        self.type = type_


class ShortBodyError(MessageError):
    """The packet is too short for its type."""


def _read_hello(seq: int, body: bytes) -> Hello:
    board, boot, major, minor, patch, set_, seats, features, next_seq = _HELLO.unpack_from(body)
    return Hello(board, boot, (major, minor, patch), set_, seats, features, next_seq)


def _read_snapshot(seq: int, body: bytes) -> Snapshot:
    (time,) = _TIME.unpack_from(body)
    return Snapshot(seq, time, body[_TIME.size :])


def _read_levels(seq: int, body: bytes) -> Levels:
    place, cell, *numbers = _LEVELS.unpack_from(body)
    return Levels(place, cell, tuple(numbers[:4]), tuple(numbers[4:8]), *numbers[8:])


_HEADER = struct.Struct("<BBH")
_HELLO = struct.Struct("<8sIBBBBBBH")
_TIME = struct.Struct("<I")
_CHANGE = struct.Struct("<IBB")
_HEARTBEAT = struct.Struct("<IH")
_ERROR = struct.Struct("<IBBH")
_DONE = struct.Struct("<B")
_LEVELS = struct.Struct("<BB12H")
_CONNECT = struct.Struct("<IH")
_ACK = struct.Struct("<H")
_LIGHT = struct.Struct("<BBB")
_BUZZ = struct.Struct("<BHH")
_MEASURE = struct.Struct("<B")

# type → length of the shortest body, and its reader.
_READERS: dict[int, tuple[int, Callable[[int, bytes], BoardMessage]]] = {
    0x01: (_HELLO.size, _read_hello),
    0x02: (_TIME.size + 1, _read_snapshot),  # every board has a tray
    0x03: (_CHANGE.size, lambda seq, body: Change(seq, *_CHANGE.unpack_from(body))),
    0x04: (_HEARTBEAT.size, lambda _, body: Heartbeat(*_HEARTBEAT.unpack_from(body))),
    0x05: (_ERROR.size, lambda seq, body: BoardError(seq, *_ERROR.unpack_from(body))),
    0x06: (_DONE.size, lambda seq, body: Done(seq, *_DONE.unpack_from(body))),
    0x07: (_LEVELS.size, _read_levels),
    0x81: (_CONNECT.size, lambda _, body: Connect(*_CONNECT.unpack_from(body))),
    0x82: (_ACK.size, lambda _, body: Ack(*_ACK.unpack_from(body))),
    0x83: (_LIGHT.size, lambda seq, body: Light(seq, *_LIGHT.unpack_from(body))),
    0x84: (_BUZZ.size, lambda seq, body: Buzz(seq, *_BUZZ.unpack_from(body))),
    0x85: (0, lambda seq, _: Look(seq)),
    0x86: (_MEASURE.size, lambda seq, body: Measure(seq, *_MEASURE.unpack_from(body))),
    0x87: (0, lambda seq, _: Calibrate(seq)),
}


def unpack(packet: bytes) -> BoardMessage:
    """Return the message in a packet.

    Extra bytes after the body are ignored; a snapshot's cells go to the end of the packet. Raises
    OtherVersionError, UnknownTypeError or ShortBodyError.
    """
    if len(packet) < _HEADER.size:
        raise ShortBodyError(f"a packet of {len(packet)} bytes is shorter than a header")
    version, type_, seq = _HEADER.unpack_from(packet)
    if version != VERSION:
        raise OtherVersionError(version)
    body = packet[_HEADER.size :]
    if type_ in READERS:
        try:
            return READERS[type_](body)
        except struct.error as error:
            raise ShortBodyError(str(error)) from None
    if type_ not in _READERS:
        raise UnknownTypeError(type_)
    shortest, read = _READERS[type_]
    if len(body) < shortest:
        raise ShortBodyError(
            f"{len(body)} bytes, not {shortest}, in a message of type {type_:#04x}"
        )
    return read(seq, body)


def pack(message: BoardMessage) -> bytes:
    """Return the packet of a message. Raises struct.error if a number does not fit its field."""
    match message:
        case Hello(board, boot, firmware, set_, seats, features, next_seq):
            body = _HELLO.pack(board, boot, *firmware, set_, seats, features, next_seq)
            return _HEADER.pack(VERSION, 0x01, 0) + body
        case Snapshot(seq, time, cells):
            return _HEADER.pack(VERSION, 0x02, seq) + _TIME.pack(time) + cells
        case Change(seq, time, place, cell):
            return _HEADER.pack(VERSION, 0x03, seq) + _CHANGE.pack(time, place, cell)
        case Heartbeat(time, newest_seq):
            return _HEADER.pack(VERSION, 0x04, 0) + _HEARTBEAT.pack(time, newest_seq)
        case BoardError(seq, time, code, place, detail):
            return _HEADER.pack(VERSION, 0x05, seq) + _ERROR.pack(time, code, place, detail)
        case Done(seq, result):
            return _HEADER.pack(VERSION, 0x06, seq) + _DONE.pack(result)
        case Levels(place, cell, levels, middles, present, absent, broken, short):
            limits = (present, absent, broken, short)
            body = _LEVELS.pack(place, cell, *levels, *middles, *limits)
            return _HEADER.pack(VERSION, 0x07, 0) + body
        case Connect(boot, last_seq):
            return _HEADER.pack(VERSION, 0x81, 0) + _CONNECT.pack(boot, last_seq)
        case Ack(last_seq):
            return _HEADER.pack(VERSION, 0x82, 0) + _ACK.pack(last_seq)
        case Light(seq, place, pattern, power):
            return _HEADER.pack(VERSION, 0x83, seq) + _LIGHT.pack(place, pattern, power)
        case Buzz(seq, place, duration, pitch):
            return _HEADER.pack(VERSION, 0x84, seq) + _BUZZ.pack(place, duration, pitch)
        case Look(seq):
            return _HEADER.pack(VERSION, 0x85, seq)
        case Measure(seq, seconds):
            return _HEADER.pack(VERSION, 0x86, seq) + _MEASURE.pack(seconds)
        case Calibrate(seq):
            return _HEADER.pack(VERSION, 0x87, seq)
        case _:
            type_, body = body_of(message)
            return _HEADER.pack(VERSION, type_, 0) + body
