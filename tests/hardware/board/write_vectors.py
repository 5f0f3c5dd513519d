"""Writes the golden frames in ``vectors.json``, which the tests of host and firmware read.

A message is added to that file by its name and its fields: ``python -m
tests.hardware.board.write_vectors --write`` puts in its packet and its frame. ``--check`` compares
the file with the code. Bytes are in hex. The sections:

- ``frames``: a message's fields, packet and frame, for both directions.
- ``readable``: packets that are read, but that this version would write differently: there are
  more bytes in the body, which ``MORE`` has.
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
from typing import Any

from hardware.board.ports.network_port import sign
from hardware.board.wire import messages as msg
from hardware.board.wire import network_messages as net
from hardware.board.wire.framing import encode
from hardware.board.wire.sequence_numbers import before
from tests.hardware.board import vectors as golden
from tests.hardware.board.vector_streams import dropped, streams

KEY = bytes.fromhex("00112233445566778899aabbccddee03")
HELLO = msg.Hello(bytes.fromhex("e6614c311b7f2a00"), 0x12345678, (1, 0, 0), 1, 6, 3, 1)
CHALLENGE = net.Challenge(HELLO.board, bytes(range(16)))

# Bodies that later releases may have made longer, by how much.
MORE = {
    "hello with two more bytes": b"\x07\x08",
    "heartbeat with one more byte": b"\0",
    "change with four more bytes": b"more",
    "error with one more byte": b"\1",
    "done with one more byte": b"\1",
    "connect with three more bytes": b"abc",
    "ack with one more byte": b"\0",
    "light with one more byte": b"\x80",
    "buzz with one more byte": b"\x80",
    "levels with two more bytes": b"\1\2",
    "measure with one more byte": b"\1",
    "look with the longest body": bytes(range(196)),
}

REFUSED: tuple[tuple[str, bytes, str], ...] = (
    ("a hello of version 3", b"\3" + msg.pack(HELLO)[1:], "version"),
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
            HELLO,
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
    ("a join whose password is cut", msg.pack(net.Join(KEY, b"Home", b"word"))[:-1], "short"),
    ("a challenge less its last byte", msg.pack(CHALLENGE)[:-1], "short"),
    ("a bare header of a change", bytes([2, 0x03, 1, 0]), "short"),
)


def make(known: dict[str, Any]) -> dict[str, Any]:
    """Return the content of the file, with the messages of the one that is there."""
    return {
        "frames": [_described(vector) for vector in known["frames"]],
        "network": [_described(vector) for vector in known["network"]],
        "signed": [
            {
                "key": KEY.hex(),
                "challenge": (CHALLENGE.board + CHALLENGE.nonce).hex(),
                "signature": sign(KEY, CHALLENGE).hex(),
            }
        ],
        "readable": [_described(vector, MORE[vector["name"]]) for vector in known["readable"]],
        "refused": [
            {"name": name, "reason": reason} | _framed(packet) for name, packet, reason in REFUSED
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


def _described(vector: dict[str, Any], more: bytes = b"") -> dict[str, Any]:
    told = {name: vector[name] for name in ("name", "message", "fields")}
    return told | _framed(msg.pack(golden.message_of(vector)) + more)


def _framed(packet: bytes) -> dict[str, Any]:
    return {"packet": packet.hex(), "frame": encode(packet).hex()}


def text(known: dict[str, Any]) -> str:
    """Return the file's text, one vector per line."""
    sections = [
        f'  "{section}": [\n'
        + ",\n".join("    " + json.dumps(vector, ensure_ascii=False) for vector in vectors)
        + "\n  ]"
        for section, vectors in make(known).items()
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def main() -> int:
    """Write the file or compare it; return 1 if it differs."""
    parser = argparse.ArgumentParser(description="golden frames of the board protocol")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="write vectors.json")
    what.add_argument("--check", action="store_true", help="compare vectors.json with the code")
    wanted = text(golden.VECTORS)
    if parser.parse_args().write:
        golden.PATH.write_text(wanted, encoding="utf-8")
        return 0
    if golden.PATH.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write("vectors.json differs: python -m tests.hardware.board.write_vectors --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
