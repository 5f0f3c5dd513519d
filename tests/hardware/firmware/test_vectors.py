from hardware.firmware.referee_board import framing, messages
from hardware.firmware.referee_board.door import proof
from tests.hardware.board.vectors import VECTORS
from tests.hardware.firmware.vector_checks import check


def test_golden_frames():
    wrong, count = check(VECTORS, framing, messages, proof)
    assert wrong == []
    assert count > 150


def test_every_packet_length_survives():
    for size in range(4, 201):
        packet = bytes([size]) * size
        frame = framing.frame(packet)
        assert framing.Deframer().feed(frame) == [packet]
        assert len(frame) == size + framing.CRC + 5 <= framing.LONGEST + 2
