"""Golden streams of the board protocol: frames among garbage, and what is no frame."""

import random
from binascii import crc32
from typing import Any

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import CRC_SIZE, FIRST_CODE, INTERRUPT, MAX_STUFFED, encode, stuff


def pack_older(message: msg.BoardMessage) -> bytes:
    """Return the packet of a message in version 1."""
    return msg.pack(message, 1)


def dropped() -> list[tuple[str, bytes, str]]:
    """Return bytes without a packet: a name, the bytes, and why they are dropped."""
    packet = pack_older(msg.Change(258, 4242, 2, 1))
    inside = encode(packet)[1:-1]
    marked = encode(b"\2" + packet[1:])[1:-1]
    mark, again = marked[:1], (INTERRUPT, FIRST_CODE)
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
        ("version 2: one bit of the body is wrong", _framed(_flipped(marked, 8)), "crc"),
        ("version 2: the last byte is missing", _framed(marked[:-1]), "cobs"),
        ("version 2: the mark is missing", _framed(marked[1:]), "cobs"),
        ("version 2: a code below 4", _framed(mark + b"\2ab"), "cobs"),
        ("version 2: good outside, not inside", _framed(mark + stuff(b"\5a", *again)), "cobs"),
        ("version 2: the mark alone", _framed(mark), "short"),
        ("version 2: a CRC alone", _framed(mark + stuff(stuff(b"\1" * 4), *again)), "short"),
        ("version 2: 208 bytes", _framed(mark + b"\5" * MAX_STUFFED), "long"),
        ("the mark of a later version", _framed(b"\xf3" + marked[1:]), "cobs"),
        ("a packet of version 2 as a frame of version 1", _framed(_plain(b"\2")), "version"),
        (
            "a packet of version 1 as a frame of version 2",
            _framed(mark + stuff(_plain(b"\1"), *again)),
            "version",
        ),
    ]


def _plain(version: bytes) -> bytes:
    """Return a packet stuffed as in version 1, whatever version it claims."""
    packet = version + pack_older(msg.Look(5))[1:]
    return stuff(packet + crc32(packet).to_bytes(CRC_SIZE, "little"))


def streams() -> list[dict[str, Any]]:
    """Return bytes chunk by chunk, with the packets in them and what is dropped."""
    one, two = pack_older(msg.Change(1, 10, 2, 1)), pack_older(msg.Heartbeat(500, 1))
    three = pack_older(msg.Look(3))
    newer = [b"\2" + packet[1:] for packet in (one, two, three)]
    mixed = [one, newer[0], newer[1], two, three, newer[2]]
    whole = b"".join(map(encode, (one, two, three)))
    longest = bytes([1, 0x85, 1, 0]) + bytes(range(1, 197))
    newest = b"\2" + longest[1:]
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
        _stream("three frames of version 2", [b"".join(map(encode, newer))], newer),
        _stream("both versions in turn", [b"".join(map(encode, mixed))], mixed),
        _stream(
            "both versions in turn, byte by byte",
            [bytes([byte]) for byte in b"".join(map(encode, mixed))],
            mixed,
        ),
        _stream(
            "a frame of version 2 begun and begun again in version 1",
            [encode(newer[0])[:9], encode(two)],
            [two],
            cobs=1,
        ),
        _stream("the longest packet in version 2", [encode(newest)], [newest]),
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
        "dropped": {"long": 0, "cobs": 0, "short": 0, "crc": 0, "version": 0} | dropped,
    }


def _framed(stuffed: bytes) -> bytes:
    return b"\0" + stuffed + b"\0"


def _flipped(data: bytes, at: int) -> bytes:
    """Change one byte, to one that is not zero."""
    return data[:at] + bytes([data[at] ^ 0x10 or 0x20]) + data[at + 1 :]
