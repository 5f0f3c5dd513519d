import json
import random

from hardware.board.framing import encode
from hardware.board.vectors import PATH
from hardware.firmware.referee_board import framing, messages
from tests.hardware.firmware.vector_checks import check


def test_golden_frames():
    wrong, count = check(json.loads(PATH.read_text(encoding="utf-8")), framing, messages)
    assert wrong == []
    assert count > 150


def test_garbage_makes_no_packet_and_hides_no_frame():
    noise = random.Random(3)
    deframer = framing.Deframer()
    found = []
    good = []
    for number in range(300):
        found += deframer.feed(noise.randbytes(noise.randrange(400)))
        packet = bytes([1, 0x85, number & 255, number >> 8]) + noise.randbytes(number % 197)
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
        assert framing.Deframer().feed(framing.frame(packet)) == [packet]
        assert len(framing.frame(packet)) <= framing.LONGEST + 2
