import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.board.wire.framing import (
    CRC_SIZE,
    MAX_PACKET,
    Deframer,
    encode,
)
from tests.hardware.board.vectors import named

packets = st.one_of(
    st.binary(min_size=4, max_size=MAX_PACKET),
    st.lists(st.sampled_from((0, 1, 2, 3, 4, 0xF2)), min_size=4, max_size=MAX_PACKET).map(bytes),
)


@pytest.mark.parametrize(
    "vector", [*named("frames"), *named("network"), *named("readable"), *named("refused")]
)
def test_golden_frames_carry_their_packets(vector):
    packet, frame = bytes.fromhex(vector["packet"]), bytes.fromhex(vector["frame"])
    assert encode(packet) == frame
    assert Deframer().feed(frame) == [packet]


@given(packets)
def test_no_frame_holds_the_byte_that_interrupts(packet):
    frame = encode(packet)
    assert frame[0] == frame[-1] == 0
    assert not {0, 3} & set(frame[1:-1])
    assert len(frame) == len(packet) + CRC_SIZE + 5
    assert Deframer().feed(frame) == [packet]


@pytest.mark.parametrize("vector", named("dropped"))
def test_what_is_no_frame_is_dropped_and_counted_once(vector):
    deframer = Deframer()
    assert deframer.feed(bytes.fromhex(vector["bytes"])) == []
    assert deframer.dropped == dict.fromkeys(deframer.dropped, 0) | {vector["reason"]: 1}
    assert deframer.good == 0


@pytest.mark.parametrize("vector", named("streams"))
def test_golden_streams(vector):
    deframer = Deframer()
    found = [p.hex() for chunk in vector["chunks"] for p in deframer.feed(bytes.fromhex(chunk))]
    assert found == vector["packets"]
    assert deframer.dropped == vector["dropped"]
    assert deframer.good == len(found)


@given(st.lists(packets, max_size=6), st.data())
def test_split_and_glued_anywhere_the_packets_are_the_same(sent, data):
    stream = b"".join(map(encode, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    deframer = Deframer()
    found = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += deframer.feed(stream[begin:end])
    assert found == sent
    assert sum(deframer.dropped.values()) == 0


@given(packets, st.data())
def test_a_changed_bit_is_never_a_packet(packet, data):
    frame = bytearray(encode(packet))
    at = data.draw(st.integers(1, len(frame) - 2))
    frame[at] ^= 1 << data.draw(st.integers(0, 7))
    assert packet not in Deframer().feed(bytes(frame))


@pytest.mark.parametrize("size", [0, 3, MAX_PACKET + 1])
def test_what_is_no_packet_is_not_sent(size):
    with pytest.raises(ValueError, match="4 to 200 bytes"):
        encode(bytes(size))


def test_ten_times_the_bytes_cost_about_ten_times_the_work():
    # Generous by a factor of five: quadratic behaviour would be off by a hundred.
    def cost(size):
        data = Random(1).randbytes(size)
        best = float("inf")
        for _ in range(3):
            deframer = Deframer()
            begin = time.process_time()
            deframer.feed(data)
            for at in range(size // 10):
                deframer.feed(data[at : at + 1])
            best = min(best, time.process_time() - begin)
        return best

    assert cost(500_000) < 50 * max(cost(50_000), 1e-3)
