import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.board.ports.network_port import sign
from hardware.board.wire import messages as msg
from hardware.board.wire import network_messages as net
from hardware.board.wire.sequence_numbers import before, elapsed, following
from tests.hardware.board.vectors import VECTORS, cell_of, message_of, named

REASONS = {
    "version": msg.OtherVersionError,
    "type": msg.UnknownTypeError,
    "short": msg.ShortBodyError,
}

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
messages = st.one_of(
    st.builds(
        msg.Hello,
        st.binary(min_size=8, max_size=8),
        u32,
        st.tuples(u8, u8, u8),
        *(u8, u8, u8, u16),
    ),
    st.builds(msg.Snapshot, u16, u32, st.binary(min_size=1, max_size=11)),
    st.builds(msg.Change, u16, u32, u8, u8),
    st.builds(msg.Heartbeat, u32, u16),
    st.builds(msg.BoardError, u16, u32, u8, u8, u16),
    st.builds(msg.Done, u16, u8),
    st.builds(msg.Connect, u32, u16),
    st.builds(msg.Ack, u16),
    st.builds(msg.Light, u16, u8, u8, u8),
    st.builds(msg.Buzz, u16, u8, u16, u16),
    st.builds(msg.Look, u16),
    st.builds(
        msg.Levels, u8, u8, st.tuples(u16, u16, u16, u16), st.tuples(u16, u16, u16, u16), *[u16] * 4
    ),
    st.builds(msg.Measure, u16, u8),
    st.builds(msg.Calibrate, u16),
    st.builds(net.Admission, u8),
    st.builds(net.Challenge, *(st.binary(min_size=n, max_size=n) for n in (8, 16))),
    st.builds(net.Network, u8, st.binary(min_size=4, max_size=4), u16, st.binary(max_size=64)),
    st.builds(
        net.Join,
        st.binary(min_size=16, max_size=16),
        *(st.binary(max_size=size) for size in (32, 64)),
    ),
    st.builds(net.Proof, st.binary(min_size=32, max_size=32)),
    st.builds(net.Ask),
    st.builds(net.Leave),
)


@pytest.mark.parametrize("vector", [*named("frames"), *named("network")])
def test_golden_messages_both_ways(vector):
    message = message_of(vector)
    packet = bytes.fromhex(vector["packet"])
    assert msg.pack(message) == packet
    assert msg.unpack(packet) == message


@pytest.mark.parametrize("vector", VECTORS["signed"])
def test_a_golden_challenge_is_signed(vector):
    key, challenge = (bytes.fromhex(vector[name]) for name in ("key", "challenge"))
    signature = sign(key, net.Challenge(challenge[:8], challenge[8:]))
    assert signature.hex() == vector["signature"]


@pytest.mark.parametrize("vector", named("readable"))
def test_a_longer_body_is_read_as_far_as_it_is_described(vector):
    message = msg.unpack(bytes.fromhex(vector["packet"]))
    assert message == message_of(vector)


@pytest.mark.parametrize("vector", named("refused"))
def test_what_is_no_message_is_told_apart(vector):
    with pytest.raises(REASONS[vector["reason"]]):
        msg.unpack(bytes.fromhex(vector["packet"]))


def test_every_message_has_several_golden_frames():
    counts = dict.fromkeys((vector["message"] for vector in VECTORS["frames"]), 0)
    for vector in VECTORS["frames"]:
        counts[vector["message"]] += 1
    assert len(counts) == 14
    assert min(counts.values()) >= 2


@given(messages)
def test_packed_and_unpacked_a_message_is_the_same(message):
    assert msg.unpack(msg.pack(message)) == message
    assert len(msg.pack(message)) <= 200


@given(st.binary(max_size=200))
def test_any_packet_is_a_message_or_a_message_error(packet):
    with suppress(msg.MessageError):
        message = msg.unpack(packet)
        assert msg.unpack(msg.pack(message)) == message


def test_a_number_that_does_not_fit_is_not_packed():
    with pytest.raises(struct.error):
        msg.pack(msg.Ack(65536))


@pytest.mark.parametrize("vector", VECTORS["cells"], ids=str)
def test_cells(vector):
    assert list(msg.readings(vector["cell"])) == vector["readings"]


@given(st.tuples(*[st.integers(0, 2)] * 4))
def test_readings_and_back(of_powers):
    assert msg.readings(cell_of(of_powers)) == of_powers


@pytest.mark.parametrize("vector", VECTORS["circle"], ids=str)
def test_numbers_in_a_circle(vector):
    assert before(vector["a"], vector["b"]) is vector["before"]


@given(u16, st.integers(1, 32767))
def test_what_follows_is_after(seq, count):
    later = following(seq, count)
    assert before(seq, later)
    assert not before(later, seq)
    assert following(later, -count) == seq


@pytest.mark.parametrize(
    ("since", "now", "ms"),
    [(0, 0, 0), (5, 305, 300), (0xFFFFFF00, 0x2C, 300), (305, 5, -300), (0, 2**31 - 1, 2**31 - 1)],
)
def test_the_clock_wraps(since, now, ms):
    assert elapsed(since, now) == ms
