import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.virtual_board.wire import Faults, Wire

BYTES = bytes(range(256)) * 400
FAR = 1e9


def through(faults, data=BYTES, seed=1, now=0.0):
    wire = Wire(faults, seed)
    wire.put(data, now)
    return wire, wire.take(FAR)


def test_a_good_wire_changes_nothing():
    wire, out = through(Faults())
    assert out == BYTES
    assert wire.counts.taken == wire.counts.put == len(BYTES)
    assert wire.due() is None


@pytest.mark.parametrize(
    ("fault", "counted", "longer"),
    [
        ("corrupt", "corrupted", 0),
        ("drop", "dropped", -1),
        ("duplicate", "duplicated", 1),
        ("reorder", "reordered", 0),
        ("garbage", "bursts", None),
    ],
)
def test_faults_are_as_many_as_asked(fault, counted, longer):
    wire, out = through(Faults(**{fault: 0.01}))
    count = getattr(wire.counts, counted)
    assert count == pytest.approx(0.01 * len(BYTES), rel=0.3)
    assert out != BYTES
    assert len(out) - len(BYTES) == (wire.counts.garbage if longer is None else longer * count)


ALL = Faults(0.05, 0.05, 0.05, 0.05, 0.02, delay_ms=7, jitter_ms=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=80), max_size=10), st.integers(0, 1000))
def test_every_byte_is_accounted_for(chunks, seed):
    wire = Wire(ALL, seed)
    for now, data in enumerate(chunks):
        wire.put(data, now)
        if now % 4 == 3:
            wire.cut()
    wire.take(FAR)
    counts = wire.counts
    came = counts.put + counts.duplicated + counts.garbage
    assert came - counts.dropped == counts.taken


def test_a_delay_holds_bytes_back():
    wire = Wire(Faults(delay_ms=20))
    wire.put(b"a", 100)
    assert wire.due() == 120
    assert wire.take(119.9) == b""
    assert wire.take(120) == b"a"
