"""Golden streams of the board protocol: frames among garbage, and what is no frame."""

import random
from binascii import crc32
from typing import Any

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import (
    CRC_SIZE,
    FIRST_CODE,
    INTERRUPT,
    MARK,
    MAX_STUFFED,
    encode,
    stuff,
)


def dropped() -> list[tuple[str, bytes, str]]:
    """Return bytes without a packet: a name, the bytes, and why they are dropped."""
    packet = msg.pack(msg.Change(258, 4242, 2, 1))
    inside = encode(packet)[1:-1]
    unmarked = stuff(packet + crc32(packet).to_bytes(CRC_SIZE, "little"))
    return [
        ("the last byte of the CRC is wrong", _framed(_flipped(inside, len(inside) - 1)), "crc"),
        ("one bit of the body is wrong", _framed(_flipped(inside, 8)), "crc"),
        ("the last byte is missing", _framed(inside[:-1]), "cobs"),
        ("the mark is missing", _framed(inside[1:]), "cobs"),
        ("another mark", _framed(b"\xf3" + inside[1:]), "cobs"),
        ("stuffed once, without the mark", _framed(unmarked), "cobs"),
        ("a code that points beyond the end", _marked(b"\x08abc"), "cobs"),
        ("the code 255", _marked(b"\xff" + b"a" * 100), "cobs"),
        ("a code below 4", _marked(b"\2ab"), "cobs"),
        ("good outside, not inside", _marked(_again(b"\5a")), "cobs"),
        ("a line of text", _framed(b"hello, world\r\n"), "cobs"),
        ("the mark alone", _marked(b""), "short"),
        ("a CRC alone", _marked(_again(stuff(b"\x11\x22\x33\x44"))), "short"),
        (
            "three bytes and their CRC",
            _marked(_again(stuff(b"\2\3\1" + crc32(b"\2\3\1").to_bytes(CRC_SIZE, "little")))),
            "short",
        ),
        ("208 bytes", _marked(b"\4" * MAX_STUFFED), "long"),
        ("a thousand bytes", _framed(b"x" * 1000), "long"),
        ("207 bytes, which is not too long", _marked(_again(b"\1" * 205)), "crc"),
    ]


def _again(stuffed: bytes) -> bytes:
    """Take the byte 03 out, too."""
    return stuff(stuffed, INTERRUPT, FIRST_CODE)


def streams() -> list[dict[str, Any]]:
    """Return bytes chunk by chunk, with the packets in them and what is dropped."""
    one, two = msg.pack(msg.Change(1, 10, 2, 1)), msg.pack(msg.Heartbeat(500, 1))
    three = msg.pack(msg.Look(3))
    whole = b"".join(map(encode, (one, two, three)))
    longest = bytes([2, 0x85, 1, 0]) + bytes(range(1, 197))
    noise = random.Random(1).randbytes(600)
    return [
        _stream("three frames in one read", [whole], [one, two, three]),
        _stream("byte by byte", [bytes([byte]) for byte in whole], [one, two, three]),
        _stream("split in the middle", [whole[:9], whole[9:]], [one, two, three]),
        _stream("one zero byte between frames", [whole.replace(b"\0\0", b"\0")], [one, two, three]),
        _stream("empty frames", [b"\0" * 9 + encode(one) + b"\0" * 9], [one]),
        _stream("a text before", [b"MicroPython v1.24\r\n>>> ", whole], [one, two, three], cobs=1),
        _stream("a frame begun and begun again", [encode(one)[:9], encode(two)], [two], cobs=1),
        _stream(
            "a wrong CRC between good ones",
            [encode(one), _framed(_flipped(encode(two)[1:-1], 8)), encode(three)],
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
    # Counted without the deframer: no run between two zeros of this noise begins with the mark.
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


def _framed(inside: bytes) -> bytes:
    return b"\0" + inside + b"\0"


def _marked(stuffed: bytes) -> bytes:
    return _framed(bytes([MARK]) + stuffed)


def _flipped(data: bytes, at: int) -> bytes:
    """Change one byte, to one that is not zero."""
    return data[:at] + bytes([data[at] ^ 0x10 or 0x20]) + data[at + 1 :]
