import json
import random

from hardware.board.vectors import PATH
from hardware.board.wire.framing import encode
from hardware.firmware.referee_board import framing, messages
from hardware.firmware.referee_board.door import proof
from tests.hardware.firmware.vector_checks import check


def test_golden_frames():
    wrong, count = check(json.loads(PATH.read_text(encoding="utf-8")), framing, messages, proof)
    assert wrong == []
    assert count > 150


def test_garbage_makes_no_packet_and_hides_no_frame():
    noise = random.Random(3)
    deframer = framing.Deframer()
    found = []
    good = []
    for number in range(300):
        found += deframer.feed(noise.randbytes(noise.randrange(400)))
        packet = bytes([2, 0x85, number & 255, number >> 8]) + noise.randbytes(number % 197)
        good.append(packet)
        frame = encode(packet)
        cut = noise.randrange(len(frame))
        found += deframer.feed(frame[:cut])
        found += deframer.feed(frame[cut:])
    assert found == good
    assert deframer.dropped["cobs"] > 100


def test_every_packet_length_survives():
    for size in range(4, 201):
        packet = bytes([size]) * size
        frame = framing.frame(packet)
        assert framing.Deframer().feed(frame) == [packet]
        assert len(frame) == size + framing.CRC + 5 <= framing.LONGEST + 2
