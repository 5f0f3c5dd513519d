"""The golden frames in ``vectors.json``, which the tests of host and firmware read.

``python -m hardware.board.vectors --write`` writes the file, ``--check`` compares it with the code.
Bytes are in hex. The sections:

- ``frames``: a message's fields, packet and frame, for both directions.
- ``readable``: packets that are read, but that this version would write differently.
- ``refused``: packets in good frames that are counted and dropped; ``reason`` is ``version``,
  ``type`` or ``short``.
- ``dropped``: bytes without a packet; ``reason`` is ``long``, ``cobs``, ``short`` or ``crc``.
- ``streams``: bytes chunk by chunk, the packets in them, and what is dropped.
- ``cells``: a cell and its readings, power 0 first.
- ``circle``: whether sequence number ``a`` comes before ``b``, modulo 65536.
"""

import argparse
import json
import random
import sys
from binascii import crc32
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hardware.board import messages as msg
from hardware.board.framing import MAX_STUFFED, encode, stuff
from hardware.board.sequence_numbers import before

PATH = Path(__file__).with_name("vectors.json")
BOARD = bytes.fromhex("e6614c311b7f2a00")

_MESSAGES: tuple[tuple[str, msg.BoardMessage], ...] = (
    ("hello of towers for six", msg.Hello(BOARD, 0x12345678, (1, 0, 0), 1, 6, 3, 1)),
    (
        "hello of stands for ten, no buzzer",
        msg.Hello(b"\xff" * 8, 0xFFFFFFFF, (1, 2, 255), 2, 10, 1, 65535),
    ),
    ("hello of the smallest board, next is 0", msg.Hello(bytes(8), 1, (0, 0, 1), 1, 1, 0, 0)),
    ("snapshot: all four in the tray", msg.Snapshot(1, 1000, bytes([0x55, 0, 0, 0, 0, 0, 0]))),
    ("snapshot: one at each place", msg.Snapshot(2, 70000, bytes([1, 4, 16, 64]))),
    ("snapshot: every sensor unknown, time at its end", msg.Snapshot(0, 0xFFFFFFFF, b"\xaa" * 11)),
    ("change: U comes to seat 2", msg.Change(258, 4242, 2, 0x01)),
    ("change: seat 6 is empty", msg.Change(65535, 0, 6, 0x00)),
    ("change: two powers in the tray, one unknown", msg.Change(0, 0x80000000, 0, 0b01_10_00_01)),
    ("heartbeat", msg.Heartbeat(500, 7)),
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
    ("connect: nothing kept", msg.Connect(0, 0)),
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
)

# Bodies that a later version 1 may have made longer.
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
    ("look with the longest body", msg.Look(6), bytes(range(196))),
)

_REFUSED: tuple[tuple[str, bytes, str], ...] = (
    ("a hello of version 2", b"\2" + msg.pack(_MESSAGES[0][1])[1:], "version"),
    ("a change of version 0", b"\0" + msg.pack(msg.Change(1, 2, 3, 4))[1:], "version"),
    ("an unknown type of version 255", b"\xff\x7f\0\0", "version"),
    ("type 0x00", bytes([1, 0x00, 0, 0]), "type"),
    ("type 0x07, from a board", bytes([1, 0x07, 1, 0]) + b"body", "type"),
    ("type 0x86, from a host", bytes([1, 0x86, 1, 0]), "type"),
    ("type 0xff", bytes([1, 0xFF, 1, 0]), "type"),
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
        )
    ),
    ("a bare header of a change", bytes([1, 0x03, 1, 0]), "short"),
)


def make() -> dict[str, Any]:
    """Return the content of the file."""
    return {
        "frames": [_described(name, message, msg.pack(message)) for name, message in _MESSAGES],
        "readable": [
            _described(name, message, msg.pack(message) + more) for name, message, more in _READABLE
        ],
        "refused": [
            {"name": name, "reason": reason, "packet": packet.hex(), "frame": encode(packet).hex()}
            for name, packet, reason in _REFUSED
        ],
        "dropped": [
            {"name": name, "reason": reason, "bytes": data.hex()}
            for name, data, reason in _dropped()
        ],
        "streams": _streams(),
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
    if isinstance(message, msg.Hello):
        fields["board"] = message.board.hex()
        fields["firmware"] = list(message.firmware)
    if isinstance(message, msg.Snapshot):
        fields["cells"] = list(message.cells)
    return fields


def _described(name: str, message: msg.BoardMessage, packet: bytes) -> dict[str, Any]:
    kind = type(message).__name__
    return {
        "name": name,
        "message": "error" if kind == "BoardError" else kind.lower(),
        "fields": fields_of(message),
        "packet": packet.hex(),
        "frame": encode(packet).hex(),
    }


def _dropped() -> list[tuple[str, bytes, str]]:
    whole = encode(msg.pack(msg.Change(258, 4242, 2, 1)))
    inside = whole[1:-1]
    return [
        ("the last byte of the CRC is wrong", _framed(_flipped(inside, len(inside) - 1)), "crc"),
        ("one bit of the body is wrong", _framed(_flipped(inside, 6)), "crc"),
        ("the last byte is missing", _framed(inside[:-1]), "cobs"),
        ("the first byte is missing", _framed(inside[1:]), "cobs"),
        ("a code that points beyond the end", _framed(b"\x05abc"), "cobs"),
        ("the code 255", _framed(b"\xff" + b"a" * 100), "cobs"),
        ("a line of text", _framed(b"hello, world\r\n"), "cobs"),
        ("a CRC alone", _framed(stuff(b"\x11\x22\x33\x44")), "short"),
        (
            "three bytes and their CRC",
            _framed(stuff(b"\1\3\1" + crc32(b"\1\3\1").to_bytes(4, "little"))),
            "short",
        ),
        ("nothing, stuffed", _framed(b"\1"), "short"),
        ("208 bytes", _framed(b"\1" * (MAX_STUFFED + 1)), "long"),
        ("a thousand bytes", _framed(b"x" * 1000), "long"),
        ("207 bytes, which is not too long", _framed(b"\1" * MAX_STUFFED), "crc"),
    ]


def _streams() -> list[dict[str, Any]]:
    one, two = msg.pack(msg.Change(1, 10, 2, 1)), msg.pack(msg.Heartbeat(500, 1))
    three = msg.pack(msg.Look(3))
    whole = b"".join(map(encode, (one, two, three)))
    longest = bytes([1, 0x85, 1, 0]) + bytes(range(1, 197))
    noise = random.Random(1).randbytes(600)  # noqa: S311 (not a secret)
    return [
        _stream("three frames in one read", [whole], [one, two, three]),
        _stream("byte by byte", [bytes([byte]) for byte in whole], [one, two, three]),
        _stream("split in the middle", [whole[:9], whole[9:]], [one, two, three]),
        _stream("one zero byte between frames", [whole.replace(b"\0\0", b"\0")], [one, two, three]),
        _stream("empty frames", [b"\0" * 9 + encode(one) + b"\0" * 9], [one]),
        _stream("a text before", [b"MicroPython v1.24\r\n>>> ", whole], [one, two, three], cobs=1),
        _stream("a frame begun and begun again", [encode(one)[:7], encode(two)], [two], short=1),
        _stream(
            "a wrong CRC between good ones",
            [encode(one), _framed(_flipped(encode(two)[1:-1], 5)), encode(three)],
            [one, three],
            crc=1,
        ),
        _stream(
            "too long, over several reads",
            [b"a" * 150, b"b" * 150, b"c" * 900, encode(one)],
            [one],
            long=1,
        ),
        _stream("the longest packet", [encode(longest), encode(one)], [longest, one]),
        _stream("the same frame twice", [encode(one) * 2], [one, one]),
        _stream("the end is missing", [encode(one), encode(two)[:-1]], [one]),
        _stream("600 bytes of noise", [noise, encode(one)], [one], **_noise_dropped(noise)),
    ]


def _noise_dropped(noise: bytes) -> dict[str, int]:
    # Counted without the deframer: no run between two zeros of this noise is valid COBS.
    runs = noise.split(b"\0")
    return {
        "cobs": sum(0 < len(run) <= MAX_STUFFED for run in runs),
        "long": sum(len(run) > MAX_STUFFED for run in runs),
    }


def _stream(name: str, chunks: list[bytes], packets: list[bytes], **dropped: int) -> dict[str, Any]:
    return {
        "name": name,
        "chunks": [chunk.hex() for chunk in chunks],
        "packets": [packet.hex() for packet in packets],
        "dropped": {"long": 0, "cobs": 0, "short": 0, "crc": 0} | dropped,
    }


def _framed(stuffed: bytes) -> bytes:
    return b"\0" + stuffed + b"\0"


def _flipped(data: bytes, at: int) -> bytes:
    """Change one byte, to one that is not zero."""
    return data[:at] + bytes([data[at] ^ 0x10 or 0x20]) + data[at + 1 :]


def text() -> str:
    """Return the file's text, one vector per line."""
    sections = [
        f'  "{section}": [\n'
        + ",\n".join("    " + json.dumps(vector, ensure_ascii=False) for vector in vectors)
        + "\n  ]"
        for section, vectors in make().items()
    ]
    return '{\n  "version": 1,\n' + ",\n".join(sections) + "\n}\n"


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
