"""Levels asked for by the host, and what is wrong with a socket in words."""

from dataclasses import replace
from itertools import pairwise

import pytest

from hardware.board.session.measuring import ASK_EVERY, STALE, Calibration
from hardware.board.session.watch import BoardWatch
from hardware.board.socket_findings import Kind, find, kind_of
from hardware.board.wire import messages as msg
from hardware.board.wire.framing import Deframer
from tests.hardware.board import wire
from tests.hardware.board.test_watch import hear
from tests.tables import tables

HELLO = wire.hello(seats=1, features=7)
EMPTY = msg.Levels(0, 0, (1650, 1641, 1660, 1650), (1650,) * 4, 400, 300, 150, 3200)


def watching(features=7):
    watch = BoardWatch({})
    watch.measuring.wanted = True
    watch.opened(0.0)
    hear(watch, wire.hello(seats=1, features=features))
    return watch


def commands(watch, now):
    """The commands sent in this turn, each answered as done."""
    hear(watch, msg.Heartbeat(int(1000 * now), HELLO.next_seq - 1), now=now)
    watch.poll(now)
    packets = Deframer().feed(watch.outgoing(now))
    sent = [one for one in map(msg.unpack, packets) if not isinstance(one, msg.Ack | msg.Connect)]
    for one in sent:
        hear(watch, msg.Done(one.seq, 0), now=now)
    return sent


def test_it_is_asked_again_and_again_as_long_as_it_is_wanted():
    watch = watching()
    asked = [now / 10 for now in range(100) if commands(watch, now / 10)]
    assert len(asked) == 5
    assert all(later - one >= ASK_EVERY for one, later in pairwise(asked))
    watch.measuring.wanted = False
    assert [now for now in range(10, 20) if commands(watch, now)] == []


def test_a_board_of_before_is_not_asked_and_cannot_be_calibrated():
    watch = watching(features=3)
    watch.measuring.calibrate()
    assert [now for now in range(20) if commands(watch, now / 2)] == []
    assert watch.measuring.calibration is Calibration.REFUSED


def test_levels_are_current_or_not_there():
    watch = watching()
    hear(watch, EMPTY, replace(EMPTY, place=1), replace(EMPTY, place=2), now=1.0)
    assert list(watch.measuring.levels(1.5)) == [0, 1]  # there is no seat 2
    assert watch.link.counts["range"] == 1
    assert watch.measuring.levels(1.0 + STALE) == {}
    hear(watch, EMPTY, now=2.0)
    hear(watch, HELLO, now=2.1)
    assert watch.measuring.levels(2.1) == {}


def test_it_is_calibrated_once_it_measures():
    watch = watching()
    watch.measuring.calibrate()
    commands(watch, 0.1)
    assert watch.measuring.calibration is Calibration.ASKED
    hear(watch, EMPTY, now=0.2)
    assert [type(command) for command in commands(watch, 0.3)] == [msg.Calibrate]
    assert watch.measuring.calibration is Calibration.DONE
    assert commands(watch, 0.4) == []


@pytest.mark.parametrize(("level", "kind"), tables(__file__)["kinds"])
def test_kinds(level, kind):
    levels = replace(EMPTY, levels=(1650, level, 1650, 1650))
    assert kind_of(levels, 1) == kind
    findings = find({0: levels}, HELLO)
    assert [finding.kind for finding in findings] == [kind] * (kind not in ("empty", "a magnet"))
    for finding in findings:
        assert finding.text.startswith("The tray, N: ")
        assert kind == Kind.SILENT or f"{level:,} mV, its middle is 1,650: " in finding.text


def test_a_whole_station_is_named_once():
    for level in (0, msg.NO_LEVEL):
        (finding,) = find({1: replace(EMPTY, place=1, levels=(level,) * 4)}, HELLO)
        assert (finding.place, finding.power) == (1, None)
        assert finding.text.startswith("Seat 1: none of its sensors answers")


def test_a_board_whose_sockets_are_all_off_is_to_be_calibrated():
    high = replace(EMPTY, levels=(1715, 1720, 1715, 2400))
    (finding,) = find({0: high}, HELLO)
    assert "67 mV above their middles" in finding.text
    assert "--calibrate" in finding.text
    calibrated = replace(high, middles=(1710, 1722, 1715, 1650))
    assert find({0: calibrated}, HELLO) == []
