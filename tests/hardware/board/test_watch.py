import json
from functools import partial

import pytest

from hardware.board.driver import Troubles, describe_state
from hardware.board.options import BoardOptions
from hardware.board.session.watch import NOTE_LASTS, BoardWatch
from hardware.board.wire.framing import encode
from hardware.board.wire.messages import (
    LOW_VOLTAGE,
    NO_PLACE,
    NO_POWER,
    OFF,
    SLOW,
    WATCHDOG,
    BoardError,
    Change,
    Heartbeat,
    Snapshot,
    pack,
)
from hardware.board.wire.network_messages import Leave
from hardware.observation import Hint
from tests.hardware.board import wire
from tests.hardware.board.wire import BOARD
from tests.hardware.firmware.desk import Desk

TRAY = bytes([0x55, 0, 0, 0, 0, 0, 0])
U_AT_2 = bytes([0x54, 0, 1, 0, 0, 0, 0])
ANY_BOARD = BoardOptions()
ALL_IN_TRAY = {"kind": "powers", "powers": {"U": 0, "N": 0, "O": 0, "!": 0}}


hello = partial(wire.hello, boot=7, next_seq=1)


def hear(watch, *messages, now=0.0):
    return watch.receive(b"".join(encode(pack(message)) for message in messages), now)


def connected():
    watch = BoardWatch({})
    watch.opened(0.0)
    assert hear(watch, hello(), Snapshot(1, 100, TRAY)) == [ALL_IN_TRAY]
    return watch


def again(watch, **more):
    """As after a start of the process, from what is on the disk."""
    return BoardWatch(json.loads(json.dumps(watch.memory())), **more)


def test_all_that_was_taken_is_kept_with_what_it_told():
    watch = connected()
    assert watch.unkept
    watch.kept()
    assert not watch.unkept
    assert watch.link.kept_seq == 1


@pytest.mark.parametrize(
    ("at", "cells", "place"),
    [(300, U_AT_2, 2), (600, bytes([0x54, 0, 0, 0, 0, 0, 0]), "lifted")],
    ids=["put down meanwhile", "still lifted"],
)
def test_from_memory_it_goes_on_where_it_was(at, cells, place):
    watch = connected()
    hear(watch, Change(2, 200, 0, 0x54))
    later = again(watch)
    later.opened(10.0)
    assert hear(later, hello(next_seq=3), Snapshot(3, at, cells)) == [
        {"kind": "powers", "powers": {"U": place}}
    ]


def test_changes_lost_are_said_and_the_snapshot_is_believed_alone():
    watch = connected()
    lost = BoardError(3, 9000, 3, 255, 513)
    assert hear(watch, Change(2, 200, 0, 0x54), lost, Snapshot(4, 9001, U_AT_2)) == [
        {"kind": "powers", "powers": {"U": 2}}  # and not that it was lifted until 9001
    ]
    assert watch.changes_lost == 513
    assert "513 changes were lost" in watch.notes(1.0)[0]
    assert watch.notes(NOTE_LASTS) == []


def test_placements_that_nobody_acknowledged_are_told_after_an_old_memory_came_back():
    watch = connected()
    later = again(watch)
    later.opened(10.0)
    at_3 = [Change(40, 9000, 0, 0x54), Change(41, 9100, 3, 1), Change(42, 9200, 3, 0)]
    heard = hear(later, hello(next_seq=40), *at_3, Snapshot(43, 9300, U_AT_2))
    assert heard == [
        {"kind": "powers", "powers": {"U": 3}},
        {"kind": "powers", "powers": {"U": 2}},
    ]
    assert later.notes(11.0) == []


def test_another_start_tells_only_what_differs():
    watch = connected()
    assert hear(watch, hello(boot=8, next_seq=500), Snapshot(500, 3, TRAY)) == []
    assert watch.memory()["boot"] == 8


def test_a_board_with_another_set_begins_anew():
    watch = connected()
    told = hear(watch, hello(boot=9, next_seq=1, set_=2, board=b"8 stands"), Snapshot(1, 3, TRAY))
    assert told == [{"kind": "powers", "powers": {"red": 0, "blue": 0, "green": 0, "yellow": 0}}]
    assert watch.known == b"8 stands"


def test_the_numbers_of_another_board_than_the_one_insisted_on_are_not_gone_on_from():
    watch = connected()
    other = again(watch, board=b"8 stands")
    assert (other.link.boot, other.link.kept_seq) == (0, 0)
    assert again(watch, board=BOARD).link.boot == 7


def test_lights_come_back_after_every_connection():
    watch, desk = BoardWatch({}), Desk()
    watch.indicate([Hint("U", 2)])
    for start in (0, 1500):
        desk.shown.clear()
        watch.opened(start / 1000)
        while desk.now < start + 1500:
            desk.send_bytes(watch.outgoing(desk.now / 1000))
            desk.run(5)
            watch.receive(desk.sent(), desk.now / 1000)
            watch.kept()
            watch.poll(desk.now / 1000)
        assert desk.shown == [*((place, OFF, NO_POWER) for place in range(4)), (2, SLOW, 0)]


def test_farewell_frees_the_board():
    assert connected().farewell(1.0) == encode(pack(Leave()))
    assert BoardWatch({}).farewell(1.0) == b""


def test_an_unreadable_memory_is_as_good_as_none():
    watch = BoardWatch({"board": 5, "anything": []})
    assert (watch.link.boot, watch.positions) == (0, None)


def told(watch, port="/dev/board", now=0.0, options=ANY_BOARD):
    return describe_state(watch, options, port, Troubles(), now)


def test_a_board_says_who_it_is():
    said = f"board {BOARD.hex()}, firmware 1.0.0, towers, 6 seats, on /dev/board"
    assert told(connected()) == ("online", said)


def test_what_differs_from_the_configuration_is_told():
    detail = told(connected(), options=BoardOptions(set="stands", seats=4))[1]
    assert "expects a set of stands" in detail
    assert "expects 4 seats" in detail


@pytest.mark.parametrize(
    ("code", "detail", "words"),
    [(WATCHDOG, 0, "started again by its watchdog"), (LOW_VOLTAGE, 4400, "supply is low, 4.4 V")],
)
def test_what_is_wrong_on_the_board_is_told(code, detail, words):
    watch = connected()
    hear(watch, BoardError(2, 200, code, NO_PLACE, detail))
    assert words in told(watch)[1]


def test_another_board_than_the_one_insisted_on_is_told():
    watch = BoardWatch({}, b"8 stands")
    watch.opened(0.0)
    assert hear(watch, hello(), Snapshot(1, 100, TRAY)) == []
    assert "another board is there" in told(watch)[1]


def test_what_a_board_cannot_say_about_itself_is_told_until_one_answers():
    watch = BoardWatch({})
    watch.opened(0.0)
    hear(watch, hello(seats=99))
    said = ("silent", f"/dev/board: {watch.trouble}")
    assert "what the board says about itself cannot be used; put its program" in watch.trouble
    assert told(watch) == said
    watch.poll(9.0)
    watch.opened(9.0)
    assert told(watch) == said
    hear(watch, hello(), now=9.0)
    assert told(watch, now=9.0)[0] == "online"


def test_a_board_that_only_sends_is_told_without_its_port_too():
    watch = BoardWatch({})
    watch.opened(0.0)
    hear(watch, Heartbeat(5, 5))
    watch.poll(0.0)
    watch.poll(9.0)
    assert told(watch, port="")[1].startswith("the board sends, but does not answer")


def test_a_board_that_connects_again_and_again_is_told():
    watch = BoardWatch({})
    for now in (0.0, 3.0, 6.0, 9.0):
        assert "again and again" not in told(watch, now=now)[1]
        watch.opened(now)
        hear(watch, hello(), now=now)
    assert "it connects again and again" in told(watch, now=9.0)[1]
    assert "again and again" not in told(watch, now=61.0)[1]
