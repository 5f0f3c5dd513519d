import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.virtual_board.wire import RATES, Faults, Wire

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


def test_a_shorter_delay_does_not_let_bytes_overtake():
    wire = Wire(Faults(delay_ms=100))
    wire.put(b"a", 0)
    wire.faults = Faults()
    wire.put(b"b", 1)
    assert wire.take(99) == b""
    assert wire.take(100) == b"ab"


def test_a_byte_held_back_at_the_end_comes_all_the_same():
    wire = Wire(Faults(reorder=1.0))
    wire.put(b"a", 0)
    assert wire.take(0) == b""
    assert wire.take(wire.due()) == b"a"


def test_what_is_under_way_when_the_cable_is_cut_is_lost():
    wire = Wire(Faults(delay_ms=10, reorder=1.0))
    wire.put(b"abc", 0)
    wire.cut()
    assert wire.take(FAR) == b""
    assert wire.counts.dropped == 3


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_is_a_share(name, rate):
    with pytest.raises(ValueError, match=name):
        Faults(**{name: rate})


@pytest.mark.parametrize("delay", [-1.0, 1e7, float("nan")])
def test_a_delay_is_no_less_than_none(delay):
    with pytest.raises(ValueError, match="delay"):
        Faults(delay_ms=delay)
