"""The messages to and from the host, as packets (docs/board-protocol.md)."""

import struct

PROTOCOL = 1

HELLO = 0x01
SNAPSHOT = 0x02
CHANGE = 0x03
HEARTBEAT = 0x04
ERROR = 0x05
DONE = 0x06
CONNECT = 0x81
ACK = 0x82
LIGHT = 0x83
BUZZ = 0x84
LOOK = 0x85

SENSOR_FAILED = 1
SENSOR_WORKS = 2
CHANGES_LOST = 3
WATCHDOG_BIT = 4
SUPPLY_LOW = 5

RESULT_DONE = 0
NOT_POSSIBLE = 1
NOT_UNDERSTOOD = 2

LIGHTS = 1  # features
BUZZER = 2

NONE = 255  # no place, no power

_HEADER = "<BBH"
_HOST = {CONNECT: "<IH", ACK: "<H", LIGHT: "<BBB", BUZZ: "<BHH", LOOK: "<"}


class MessageError(ValueError):
    """An invalid packet; ``reason`` is "version", "type" or "short"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason: str = reason


def hello(
    board_id: bytes,
    boot: int,
    firmware: tuple[int, int, int],
    power_set: int,
    seats: int,
    features: int,
    next_seq: int,
) -> bytes:
    """Identify the board; ``next_seq`` is the number of the next reliable message."""
    major, minor, patch = firmware
    body = struct.pack(
        "<8sIBBBBBBH", board_id, boot, major, minor, patch, power_set, seats, features, next_seq
    )
    return _header(HELLO, 0) + body


def snapshot(seq: int, time: int, cells: bytes) -> bytes:
    """Report a cell for the tray and one for each seat."""
    return _header(SNAPSHOT, seq) + struct.pack("<I", time) + cells


def change(seq: int, time: int, place: int, cell: int) -> bytes:
    """Report one place's new cell."""
    return _header(CHANGE, seq) + struct.pack("<IBB", time, place, cell)


def heartbeat(time: int, newest: int) -> bytes:
    """Signal life; ``newest`` is the number of the last reliable message."""
    return _header(HEARTBEAT, 0) + struct.pack("<IH", time, newest)


def error(seq: int, time: int, code: int, place: int, detail: int) -> bytes:
    """Report the start or end of a failure."""
    return _header(ERROR, seq) + struct.pack("<IBBH", time, code, place, detail)


def done(seq: int, result: int) -> bytes:
    """Answer the host's command of that number."""
    return _header(DONE, seq) + struct.pack("<B", result)


def read(packet: bytes) -> tuple[int, int, tuple[int, ...]]:
    """Return type, sequence number and body fields of a host's packet.

    Fields that a later version adds at the end are ignored. Raises MessageError.
    """
    version, kind, seq = struct.unpack_from(_HEADER, packet)
    if version != PROTOCOL:
        raise MessageError("version")
    layout = _HOST.get(kind)
    if layout is None:
        raise MessageError("type")
    if len(packet) < struct.calcsize(_HEADER) + struct.calcsize(layout):
        raise MessageError("short")
    return kind, seq, struct.unpack_from(layout, packet, struct.calcsize(_HEADER))


def _header(kind: int, seq: int) -> bytes:
    return struct.pack(_HEADER, PROTOCOL, kind, seq)
