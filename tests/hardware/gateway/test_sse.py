"""Event streams, in whatever portions they come."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.gateway.stream import LONGEST, Event, EventParser, StreamError

STREAM = (
    "\ufeffretry: 2000\r\n\r\n"
    ": a comment\n\n"
    'id: 7\nevent: observed\ndata: {\ndata:  "a": 1}\n\n'
    "data: without an id or a kind\r\r"
    "id: 8\r\ndata\r\n\r\n"
    "event: never said\n\n"
    "unknown: field\nid: 9\0\ndata:ü\n\n"
    "data: not finished\n"
).encode()
EVENTS = [
    Event("7", "observed", '{\n "a": 1}'),
    Event("7", "message", "without an id or a kind"),
    Event("8", "message", ""),
    Event("8", "message", "ü"),
]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
@example([])
@example(list(range(len(STREAM))))
def test_in_portions(cuts: list[int]) -> None:
    parser = EventParser()
    places = [0, *sorted(cuts), len(STREAM)]
    events = []
    for start, end in itertools.pairwise(places):
        events += parser.feed(STREAM[start:end])
    assert events == EVENTS


def test_an_event_counts_as_soon_as_its_empty_line_is_there() -> None:
    parser = EventParser()
    assert parser.feed(b"data: a\r\n\r") == [Event("", "message", "a")]
    assert parser.feed(b"\ndata: b\r\n\r\n") == [Event("", "message", "b")]


@given(st.lists(st.binary(max_size=40)))
def test_any_bytes_are_survived(portions: list[bytes]) -> None:
    parser = EventParser()
    for portion in portions:
        parser.feed(portion)
    assert parser.feed(b"\n\nid: 1\ndata: good\n\n")[-1].data == "good"


def test_an_endless_event_is_given_up() -> None:
    parser = EventParser()
    line = b"data: " + b"x" * 1000 + b"\n"
    for _ in range(LONGEST // 1000):
        parser.feed(line)
    with pytest.raises(StreamError):
        parser.feed(line * 10)
    with pytest.raises(StreamError):
        EventParser().feed(b"x" * (LONGEST + 1))
