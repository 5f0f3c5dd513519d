"""The golden frames in ``vectors.json``, which the tests of host and firmware read.

``python -m hardware.board.vectors --write`` writes the file, ``--check`` compares it with the
code. Bytes are in hex. The sections:

- ``frames``: a message's fields, packet and frame, for both directions.
- ``readable``: packets that are read, but that this version would write differently.
- ``network``: as ``frames``, the messages of the Wi-Fi, which a browser does without; ``signed``:
  what signs a challenge by a key.
- ``refused``: packets in good frames that are counted and dropped; ``reason`` is ``version``,
  ``type`` or ``short``.
- ``dropped``: bytes without a packet; ``reason`` is ``long``, ``cobs``, ``short`` or ``crc``.
- ``streams``: bytes chunk by chunk, the packets in them, and what is dropped.
- ``cells``: a cell and its readings, power 0 first.
- ``circle``: whether sequence number ``a`` comes before ``b``, modulo 65536.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hardware.board.ports.network_port import sign
from hardware.board.vector_streams import dropped, streams
from hardware.board.wire import messages as msg
from hardware.board.wire import network_messages as net
from hardware.board.wire.framing import encode
from hardware.board.wire.sequence_numbers import before

PATH = Path(__file__).with_name("vectors.json")
BOARD = bytes.fromhex("e6614c311b7f2a00")


_MESSAGES: tuple[tuple[str, msg.BoardMessage], ...] = (
    ("hello of towers for six", msg.Hello(BOARD, 0x12345678, (1, 0, 0), 1, 6, 3, 1)),
    (
        "hello of stands for ten, no buzzer",
        msg.Hello(b"\xff" * 8, 0xFFFFFFFF, (1, 2, 255), 2, 10, 1, 65535),
    ),
    ("hello of a board that measures", msg.Hello(BOARD, 3, (1, 1, 0), 1, 6, 7, 2)),
    ("hello of the smallest board, next is 0", msg.Hello(bytes(8), 1, (0, 0, 1), 1, 1, 0, 0)),
    ("snapshot: all four in the tray", msg.Snapshot(1, 1000, bytes([0x55, 0, 0, 0, 0, 0, 0]))),
    ("snapshot: one at each place", msg.Snapshot(2, 70000, bytes([1, 4, 16, 64]))),
    ("snapshot: every sensor unknown, time at its end", msg.Snapshot(0, 0xFFFFFFFF, b"\xaa" * 11)),
    ("change: U comes to seat 2", msg.Change(258, 4242, 2, 0x01)),
    ("change: seat 6 is empty", msg.Change(65535, 0, 6, 0x00)),
    ("change: two powers in the tray, one unknown", msg.Change(0, 0x80000000, 0, 0b01_10_00_01)),
    ("heartbeat", msg.Heartbeat(500, 7)),
    ("heartbeat with the byte 3 wherever there can be one", msg.Heartbeat(0x03030303, 0x0303)),
    ("heartbeat before the clock wraps", msg.Heartbeat(0xFFFFFE0C, 0)),
    ("heartbeat without a zero byte", msg.Heartbeat(0x01020304, 0x0506)),
    ("error: the sensor of O at seat 3 failed", msg.BoardError(9, 1500, 1, 3, 0b0100)),
    ("error: it works again", msg.BoardError(10, 2500, 2, 3, 0b0100)),
    ("error: 513 changes were lost", msg.BoardError(11, 99999, 3, 255, 513)),
    ("error: started again by its watchdog", msg.BoardError(12, 12, 4, 255, 0)),
    ("error: 4400 mV", msg.BoardError(13, 123456789, 5, 255, 4400)),
    ("done", msg.Done(1, 0)),
    ("done: not possible on this board", msg.Done(65535, 1)),
    ("done: not understood", msg.Done(300, 2)),
    (
        "levels of the tray: all four there",
        msg.Levels(0, 0x55, (2487, 2510, 812, 2300), (1650, 1641, 1662, 1650), 400, 300, 150, 3200),
    ),
    (
        "levels of seat 3: none, and one that cannot be read",
        msg.Levels(3, 0x20, (1648, 771, 0xFFFF, 0), (1650, 771, 3, 1650), 400, 300, 150, 3200),
    ),
    ("connect: nothing kept", msg.Connect(0, 0)),
    ("connect: a boot of the byte 3", msg.Connect(0x03030303, 0x0003)),
    ("connect: go on after 41", msg.Connect(0x12345678, 41)),
    ("connect: go on after the wrap", msg.Connect(0xFFFFFFFF, 65535)),
    ("ack", msg.Ack(1)),
    ("ack of 0, after the wrap", msg.Ack(0)),
    ("ack of 65535", msg.Ack(65535)),
    ("light: seat 2 on for U", msg.Light(1, 2, 1, 0)),
    ("light: seat 10 blinking fast", msg.Light(2, 10, 3)),
    ("light: the tray blinking slowly for !", msg.Light(65535, 0, 2, 3)),
    ("light: seat 1 off", msg.Light(3, 1, 0)),
    ("buzz: the board, 120 ms at 2000 Hz", msg.Buzz(4, 255, 120, 2000)),
    ("buzz: seat 3", msg.Buzz(5, 3, 65535, 440)),
    ("look", msg.Look(6)),
    ("look, the last number before the wrap", msg.Look(65535)),
    ("measure: five seconds", msg.Measure(7, 5)),
    ("measure: no longer", msg.Measure(8, 0)),
    ("calibrate", msg.Calibrate(9)),
    ("calibrate, number 3", msg.Calibrate(3)),
)

_KEY = bytes.fromhex("00112233445566778899aabbccddee03")
_CHALLENGE = net.Challenge(BOARD, bytes(range(16)))

_NETWORK: tuple[tuple[str, msg.BoardMessage], ...] = (
    ("admission: let in", net.Admission(0)),
    ("admission: another host has the board", net.Admission(1)),
    ("admission: an unknown host", net.Admission(2)),
    ("challenge", _CHALLENGE),
    ("challenge without a zero byte", net.Challenge(b"\1" * 8, b"\3" * 16)),
    ("network: no radio", net.Network(0, bytes(4), 0, b"")),
    ("network: joined", net.Network(3, bytes((192, 168, 1, 30)), 7833, b"referee-board-7f2a00")),
    ("join", net.Join(_KEY, "Kök 3".encode(), b"correct-horse")),
    ("join an open Wi-Fi", net.Join(_KEY, b"Home", b"")),
    ("join with the longest words", net.Join(b"\3" * 16, b"\3" * 32, b"\3" * 64)),
    ("join nothing: leave the Wi-Fi", net.Join(bytes(16), b"", b"")),
    ("proof", net.Proof(sign(_KEY, _CHALLENGE))),
    ("ask", net.Ask()),
    ("leave", net.Leave()),
)

# Bodies that later releases may have made longer.
_READABLE: tuple[tuple[str, msg.BoardMessage, bytes], ...] = (
    ("hello with two more bytes", _MESSAGES[0][1], b"\x07\x08"),
    ("heartbeat with one more byte", msg.Heartbeat(500, 7), b"\0"),
    ("change with four more bytes", msg.Change(258, 4242, 2, 1), b"more"),
    ("error with one more byte", msg.BoardError(9, 1500, 1, 3, 4), b"\1"),
    ("done with one more byte", msg.Done(1, 0), b"\1"),
    ("connect with three more bytes", msg.Connect(7, 8), b"abc"),
    ("ack with one more byte", msg.Ack(5), b"\0"),
    ("light with one more byte", msg.Light(1, 2, 1, 0), b"\x80"),
    ("buzz with one more byte", msg.Buzz(4, 255, 120, 2000), b"\x80"),
    ("levels with two more bytes", msg.Levels(1, 0, (1,) * 4, (2,) * 4, 4, 3, 2, 5), b"\1\2"),
    ("measure with one more byte", msg.Measure(7, 5), b"\1"),
    ("look with the longest body", msg.Look(6), bytes(range(196))),
)

_REFUSED: tuple[tuple[str, bytes, str], ...] = (
    ("a hello of version 3", b"\3" + msg.pack(_MESSAGES[0][1])[1:], "version"),
    ("a change of version 0", b"\0" + msg.pack(msg.Change(1, 2, 3, 4))[1:], "version"),
    ("an unknown type of version 255", b"\xff\x7f\0\0", "version"),
    ("type 0x00", bytes([2, 0x00, 0, 0]), "type"),
    ("type 0x1f, from a board", bytes([2, 0x1F, 1, 0]) + b"body", "type"),
    ("type 0x9f, from a host", bytes([2, 0x9F, 1, 0]), "type"),
    ("type 0xff", bytes([2, 0xFF, 1, 0]), "type"),
    ("a snapshot without a cell", msg.pack(msg.Snapshot(1, 1000, b"")), "short"),
    *(
        (f"{type(message).__name__.lower()} less its last byte", msg.pack(message)[:-1], "short")
        for message in (
            _MESSAGES[0][1],
            msg.Change(258, 4242, 2, 1),
            msg.Heartbeat(500, 7),
            msg.BoardError(9, 1500, 1, 3, 4),
            msg.Done(1, 0),
            msg.Connect(7, 8),
            msg.Ack(5),
            msg.Light(1, 2, 1, 0),
            msg.Buzz(4, 255, 120, 2000),
            msg.Levels(1, 0, (1,) * 4, (2,) * 4, 4, 3, 2, 5),
            msg.Measure(7, 5),
        )
    ),
    (
        "a network whose name is missing",
        msg.pack(net.Network(3, bytes(4), 7833, b"x"))[:-1],
        "short",
    ),
    ("a join whose password is cut", msg.pack(net.Join(_KEY, b"Home", b"word"))[:-1], "short"),
    ("a challenge less its last byte", msg.pack(_CHALLENGE)[:-1], "short"),
    ("a bare header of a change", bytes([2, 0x03, 1, 0]), "short"),
)


def make() -> dict[str, Any]:
    """Return the content of the file."""
    return {
        "frames": [_described(name, message, msg.pack(message)) for name, message in _MESSAGES],
        "network": [_described(name, message, msg.pack(message)) for name, message in _NETWORK],
        "signed": [
            {
                "key": _KEY.hex(),
                "challenge": (_CHALLENGE.board + _CHALLENGE.nonce).hex(),
                "signature": sign(_KEY, _CHALLENGE).hex(),
            }
        ],
        "readable": [
            _described(name, message, msg.pack(message) + more) for name, message, more in _READABLE
        ],
        "refused": [
            {"name": name, "reason": reason} | _framed(packet) for name, packet, reason in _REFUSED
        ],
        "dropped": [
            {"name": name, "reason": reason, "bytes": data.hex()}
            for name, data, reason in dropped()
        ],
        "streams": streams(),
        "cells": [
            {"cell": cell, "readings": list(msg.readings(cell))}
            for cell in (0x00, 0x55, 0xAA, 0xFF, 0xE4, 0x1B, 0x01, 0x80)
        ],
        "circle": [
            {"a": a, "b": b, "before": before(a, b)}
            for a, b in (
                *((1, 2), (2, 1), (7, 7), (65535, 0), (0, 65535), (65530, 3), (3, 65530)),
                *((0, 32767), (0, 32768), (0, 32769), (40000, 7231), (40000, 7232)),
            )
        ],
    }


def fields_of(message: msg.BoardMessage) -> dict[str, Any]:
    """Return a message's fields as JSON: the board's id in hex, cells as numbers."""
    fields = asdict(message)
    if isinstance(message, net.NetworkMessage):
        return {k: v.hex() if isinstance(v, bytes) else v for k, v in fields.items()}
    if isinstance(message, msg.Hello):
        fields["board"] = message.board.hex()
        fields["firmware"] = list(message.firmware)
    if isinstance(message, msg.Snapshot):
        fields["cells"] = list(message.cells)
    if isinstance(message, msg.Levels):
        fields |= {"levels": list(message.levels), "middles": list(message.middles)}
    return fields


def _described(name: str, message: msg.BoardMessage, packet: bytes) -> dict[str, Any]:
    kind = type(message).__name__
    return {
        "name": name,
        "message": "error" if kind == "BoardError" else kind.lower(),
        "fields": fields_of(message),
    } | _framed(packet)


def _framed(packet: bytes) -> dict[str, Any]:
    return {"packet": packet.hex(), "frame": encode(packet).hex()}


def text() -> str:
    """Return the file's text, one vector per line."""
    sections = [
        f'  "{section}": [\n'
        + ",\n".join("    " + json.dumps(vector, ensure_ascii=False) for vector in vectors)
        + "\n  ]"
        for section, vectors in make().items()
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> int:
    """Write the file or compare it; return 1 if it differs."""
    parser = argparse.ArgumentParser(description="golden frames of the board protocol")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="write vectors.json")
    what.add_argument("--check", action="store_true", help="compare vectors.json with the code")
    if parser.parse_args().write:
        PATH.write_text(text(), encoding="utf-8")
        return 0
    if PATH.read_text(encoding="utf-8") == text():
        return 0
    sys.stderr.write("vectors.json differs: python -m hardware.board.vectors --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
