"""The messages to and from the host, as packets (docs/board-protocol.md)."""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 2  # of the protocol

HELLO = 0x01
SNAPSHOT = 0x02
CHANGE = 0x03
HEARTBEAT = 0x04
ERROR = 0x05
DONE = 0x06
LEVELS = 0x07
ADMISSION = 0x10
CHALLENGE = 0x11
NETWORK = 0x12
CONNECT = 0x81
ACK = 0x82
LIGHT = 0x83
BUZZ = 0x84
LOOK = 0x85
MEASURE = 0x86
CALIBRATE = 0x87
JOIN = 0x90
PROOF = 0x91
ASK = 0x92
LEAVE = 0x93

SENSOR_FAILED = 1
SENSOR_WORKS = 2
CHANGES_LOST = 3
WATCHDOG_BIT = 4
SUPPLY_LOW = 5

RESULT_DONE = 0
NOT_POSSIBLE = 1
NOT_UNDERSTOOD = 2

ADMITTED = 0  # results of admission
TAKEN = 1
UNKNOWN_HOST = 2

NO_WIFI = 0  # states of the network
NOT_SET = 1
JOINING = 2
JOINED = 3
WRONG_PASSWORD = 4
NOT_FOUND = 5
FAILED = 6

KEY = 16  # bytes
CHALLENGE_BYTES = 24

LIGHTS = 1  # features
BUZZER = 2
MEASURES = 4

NONE = 255  # no place, no power
NO_LEVEL = 0xFFFF

_HEADER = "<BBH"
_HOST = {
    CONNECT: "<IH",
    ACK: "<H",
    LIGHT: "<BBB",
    BUZZ: "<BHH",
    LOOK: "<",
    MEASURE: "<B",
    CALIBRATE: "<",
    JOIN: "<16sBB",  # then the Wi-Fi's name and its password, of these lengths
    PROOF: "<32s",
    ASK: "<",
    LEAVE: "<",
}


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


def levels(
    place: int, cell: int, millivolts: "list[int]", middles: "list[int]", limits: tuple[int, ...]
) -> bytes:
    """Give what a place's four sensors measure, where they rest, and the limits between readings.

    ``limits`` are present, absent, broken and short, in millivolts.
    """
    return _header(LEVELS, 0) + struct.pack("<BB12H", place, cell, *millivolts, *middles, *limits)


def admission(result: int) -> bytes:
    """Say whether a host is let in."""
    return _header(ADMISSION, 0) + struct.pack("<B", result)


def challenge(data: bytes) -> bytes:
    """Ask a host on the network to prove that it knows the key; ``data`` has 24 bytes."""
    return _header(CHALLENGE, 0) + data


def network(state: int, address: bytes, port: int, name: bytes) -> bytes:
    """Report the Wi-Fi: its state, this board's IPv4 address and port there, and its name."""
    return _header(NETWORK, 0) + struct.pack("<B4sHB", state, address, port, len(name)) + name


def read(packet: bytes) -> "tuple[int, int, tuple[Any, ...]]":
    """Return type, sequence number and body fields of a host's packet.

    Fields that a later version adds at the end are ignored. Raises MessageError.
    """
    version, kind, seq = struct.unpack_from(_HEADER, packet)
    if version != VERSION:
        raise MessageError("version")
    layout = _HOST.get(kind)
    if layout is None:
        raise MessageError("type")
    if len(packet) < struct.calcsize(_HEADER) + struct.calcsize(layout):
        raise MessageError("short")
    fields = struct.unpack_from(layout, packet, struct.calcsize(_HEADER))
    if kind == JOIN:
        key, name_length, password_length = fields
        at = struct.calcsize(_HEADER) + struct.calcsize(layout)
        end = at + name_length + password_length
        if len(packet) < end:
            raise MessageError("short")
        fields = (key, packet[at : at + name_length], packet[at + name_length : end])
    return kind, seq, fields


def _header(kind: int, seq: int) -> bytes:
    return struct.pack(_HEADER, VERSION, kind, seq)
