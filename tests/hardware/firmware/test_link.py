import pytest

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import encode
from hardware.firmware.referee_board.ring import CAPACITY, SLOT, Ring
from tests.hardware.firmware.desk import ID, MAGNET, Desk, kinds, reliable
from tests.tables import tables

FULL_TRAY = bytes([0x55, 0, 0, 0])


def connected(**more):
    """A desk whose host has connected and taken everything; with the number it took last."""
    desk = Desk(**more)
    desk.run(100)
    hello = desk.connect()
    (snapshot,) = reliable(desk.run(5))
    assert snapshot.seq == hello.next_seq
    desk.send(msg.Ack(snapshot.seq))
    desk.run(5)
    return desk, snapshot.seq


def after(seq, number=1):
    return (seq + number) % 65536


def test_before_a_connect_there_are_heartbeats_and_nothing_else():
    desk = Desk()
    desk.send(msg.Ack(5), msg.Look(1), msg.Light(2, 1, 1))
    heard = desk.run(2000) + desk.flip() + desk.run(5)
    assert set(kinds(heard)) == {"Heartbeat"}
    assert [message.time for message in heard] == [0, 500, 1000, 1500, 2000]
    # The first change is that of the start: the tray is full.
    assert heard[-1].newest_seq == heard[0].newest_seq + 4
    assert desk.shown == []


def test_hello_says_who_it_is():
    desk = Desk(boot=77, seats=3)
    desk.run(100)
    hello = desk.connect()
    assert hello == msg.Hello(ID, 77, (1, 0, 0), 1, 3, 7, hello.next_seq)
    (snapshot,) = reliable(desk.run(5))
    assert snapshot == msg.Snapshot(hello.next_seq, 100, FULL_TRAY)


def test_a_stranger_gets_nothing_old():
    desk = Desk(boot=77)
    desk.run(100)
    for _ in range(4):
        desk.flip()
    for boot in (0, 76):
        hello = desk.connect(boot, 77)
        assert kinds(reliable(desk.run(5))) == ["Snapshot"]
        assert hello.next_seq != 78


@pytest.mark.parametrize("flips", [3, CAPACITY - 1])
def test_a_host_that_comes_back_misses_nothing(flips):
    desk, taken = connected()
    desk.run(6000)
    for _ in range(flips):
        assert reliable(desk.flip()) == []
    hello = desk.connect(desk.boot, taken)
    assert hello.next_seq == after(taken)
    *changes, snapshot = reliable(desk.settle(2000))
    assert kinds([*changes, snapshot]) == ["Change"] * flips + ["Snapshot"]
    assert [message.seq for message in changes] == [after(taken, 1 + n) for n in range(flips)]
    assert [message.cell for message in changes] == [1 - n % 2 for n in range(flips)]
    assert snapshot.seq == after(taken, flips + 1)


def test_a_host_that_kept_more_than_it_could_acknowledge():
    desk, taken = connected()
    for _ in range(3):
        desk.flip()
    hello = desk.connect(desk.boot, after(taken, 2))
    assert hello.next_seq == after(taken, 3)
    assert kinds(reliable(desk.run(5))) == ["Change", "Snapshot"]


@pytest.mark.parametrize("foreign", [-3, 9, 40000])
def test_a_host_that_has_forgotten_what_it_acknowledged_gets_what_nobody_has(foreign):
    desk, taken = connected()
    for _ in range(2):
        desk.flip()
    hello = desk.connect(desk.boot, after(taken, foreign))
    heard = reliable(desk.run(5))
    assert kinds(heard) == ["Change", "Change", "Snapshot"]
    assert heard[0].seq == hello.next_seq == after(taken, 1)


@pytest.mark.parametrize("boot", [65400, 65536 + 65400])
def test_numbers_go_round(boot):
    desk, taken = connected(boot=boot)
    seen = [taken]
    for number in range(200):
        desk.rows[1][0] = MAGNET if number % 2 else 1650
        desk.rows[2][1] = 1650 if number % 2 else MAGNET
        for message in reliable(desk.run(50)):
            assert message.seq == after(seen[-1])
            seen.append(message.seq)
            desk.send(msg.Ack(message.seq))
    assert len(seen) > 380
    assert seen[-1] < seen[0]


def test_at_most_sixteen_are_under_way():
    desk, taken = connected()
    for _ in range(20):
        desk.run(5)
        desk.send(msg.Ack(taken))
        desk.flip()
    desk.send(msg.Ack(taken))
    desk.run(1000)
    round_of = reliable(desk.run(150))
    assert [message.seq for message in round_of] == [after(taken, n) for n in range(1, 17)]
    desk.send(msg.Ack(after(taken, 10)))
    more = reliable(desk.run(5))
    assert [message.seq for message in more] == [after(taken, n) for n in (17, 18, 19, 20)]


def test_what_is_not_acknowledged_comes_again_after_150_ms():
    desk, _ = connected()
    (change,) = reliable(desk.flip())
    while not (again := reliable(desk.run(5))):
        assert desk.now < change.time + 200
    assert desk.now - 5 - change.time == 150
    assert again == [change]
    desk.send(msg.Ack(change.seq))
    assert reliable(desk.run(1000)) == []


def test_an_ack_that_brings_nothing_new_asks_for_all_from_the_oldest_on():
    desk, taken = connected()
    first = reliable(desk.flip())
    second = reliable(desk.flip())
    desk.send(msg.Ack(taken))
    assert reliable(desk.run(5)) == first + second
    desk.send(msg.Ack(taken))
    assert reliable(desk.run(15)) == []  # not more often than every 20 ms
    desk.send(msg.Ack(taken))
    assert reliable(desk.run(5)) == first + second


def test_an_ack_of_a_part_while_sending_again_is_believed():
    desk, taken = connected()
    for _ in range(3):
        desk.flip()
    desk.room = 30
    desk.send(msg.Ack(taken))
    assert [message.seq for message in reliable(desk.run(5))] == [after(taken)]
    desk.room = None
    desk.send(msg.Ack(after(taken, 3)))
    (begun,) = reliable(desk.run(500))  # half of it was on the line already
    assert begun.seq == after(taken, 2)
    assert [message.seq for message in reliable(desk.flip())] == [after(taken, 4)]


@pytest.mark.parametrize("foreign", [5, 300, 40000])
def test_an_ack_of_what_was_never_sent_acknowledges_nothing(foreign):
    desk, taken = connected()
    (change,) = reliable(desk.flip())
    desk.send(msg.Ack(after(taken, foreign)))
    assert reliable(desk.run(5)) == [change]


def test_a_line_that_takes_little_gets_whole_frames():
    desk, taken = connected()
    desk.room = 3
    heard = []
    for _ in range(4):
        heard += desk.flip()
    heard += desk.run(140)
    assert reliable(heard)[0].seq == after(taken)
    assert {message.seq for message in reliable(heard)} == {after(taken, n) for n in (1, 2, 3, 4)}


def test_a_line_that_takes_nothing_for_long_gives_one_heartbeat():
    desk = Desk()
    desk.room = 0
    desk.run(10_000)
    desk.room = None
    assert kinds(desk.run(5)) == ["Heartbeat", "Heartbeat"]  # one begun long ago, and one due


@pytest.mark.parametrize("flips", [CAPACITY, CAPACITY + 1, 2 * CAPACITY + 1])
def test_a_full_memory_is_dropped_and_reported(flips):
    """One less would fit, with the snapshot of the connect; losing twice counts both."""
    desk, taken = connected()
    desk.run(6000)
    for number in range(flips):
        assert reliable(desk.flip(place=1 + number % 3)) == []
    hello = desk.connect(desk.boot, taken)
    error, *later, snapshot = reliable(desk.run(5))
    assert (error.code, error.seq) == (3, hello.next_seq)
    assert error.detail + kinds(later).count("Change") == flips
    assert snapshot.cells == bytes([0x55, *(row[0] == MAGNET for row in desk.rows[1:])])


def test_an_overflow_under_a_host_that_keeps_nothing_heals_with_its_next_connect():
    desk, taken = connected()
    for _ in range(CAPACITY + 1):
        desk.flip()
        desk.send(msg.Ack(taken))
    newest = [message for message in desk.run(500) if isinstance(message, msg.Heartbeat)][-1]
    assert newest.newest_seq == after(taken, CAPACITY + 2)
    hello = desk.connect(desk.boot, taken)
    error, *_, snapshot = reliable(desk.run(5))
    assert (error.code, error.detail, error.seq) == (3, CAPACITY + 1, hello.next_seq)
    assert snapshot.cells == bytes([0x55, 1, 0, 0])


def test_after_five_seconds_of_silence_messages_are_held_back():
    desk, taken = connected()
    desk.run(4700)
    (change,) = reliable(desk.flip())
    held = desk.run(2000)
    assert change in held  # sent again, until it knew
    assert reliable(desk.run(2000)) == []
    assert kinds(desk.run(1000)) == ["Heartbeat", "Heartbeat"]
    desk.send(msg.Ack(taken))  # too late: only a connect begins anew
    assert reliable(desk.run(500)) == []
    desk.connect(desk.boot, taken)
    assert kinds(reliable(desk.run(5))) == ["Change", "Snapshot"]


def test_any_message_is_a_sign_of_life():
    desk, _ = connected()
    for number in range(1, 8):
        desk.run(1500)
        desk.send(msg.Buzz(number, 255, 0, 0))
    assert kinds(reliable(desk.flip())) == ["Change"]


def test_a_command_is_done_once_and_answered_each_time():
    desk, _ = connected()
    desk.shown.clear()
    for _ in range(3):
        desk.send(msg.Light(7, 2, 3, 1))
        assert desk.run(5) == [msg.Done(7, 0)]
    assert desk.shown == [(2, 3, 1)]
    desk.send(msg.Light(8, 2, 0))
    assert desk.run(5) == [msg.Done(8, 0)]
    assert desk.shown == [(2, 3, 1), (2, 0, 255)]


@pytest.mark.parametrize(("command", "fields", "result"), tables(__file__)["results"])
def test_results(command, fields, result):
    desk, _ = connected()
    desk.shown.clear()
    desk.send(getattr(msg, command)(*fields))
    heard = desk.run(5)
    assert heard[0] == msg.Done(fields[0], result)
    assert len(desk.shown) + len(desk.buzzed) == (result == 0 and command != "Look")


def test_look_brings_a_snapshot_once():
    desk, taken = connected()
    desk.send(msg.Look(9))
    desk.send(msg.Look(9))
    heard = desk.run(5)
    assert heard == [msg.Done(9, 0), msg.Snapshot(after(taken), desk.now - 5, FULL_TRAY)]


def test_a_command_without_a_number_is_counted_and_dropped():
    desk, _ = connected()
    desk.send_bytes(encode(bytes([2, 0x85, 0, 0])))
    assert desk.run(5) == []
    assert desk.board.link.refused["number"] == 1


def test_a_connect_puts_the_lights_out_and_forgets_the_last_command():
    desk, taken = connected()
    desk.send(msg.Light(1, 2, 1, 0))
    desk.run(5)
    desk.shown.clear()
    desk.connect(desk.boot, taken)
    assert desk.shown == [(place, 0, 255) for place in range(4)]
    desk.shown.clear()
    desk.send(msg.Light(1, 2, 1, 0))
    desk.run(5)
    assert desk.shown == [(2, 1, 0)]


def test_silence_puts_the_lights_out():
    desk, _ = connected()
    desk.send(msg.Light(1, 2, 1, 0))
    desk.run(4000)
    desk.shown.clear()
    desk.run(1100)
    assert (2, 0, 255) in desk.shown


def test_what_the_host_may_not_say_is_counted_and_changes_nothing():
    desk, _ = connected()
    for packet in (
        b"\x03\x81\0\0" + bytes(6),
        msg.pack(msg.Change(1, 2, 3, 1)),
        msg.pack(msg.Connect(1, 2))[:-1],
        b"\x02\x99\0\0",
    ):
        desk.send_bytes(encode(packet))
    desk.send_bytes(b"hello?\r\n\x03\x04")
    assert kinds(desk.run(100)) == []
    assert desk.board.link.refused == {"version": 1, "type": 2, "short": 1, "number": 0}
    assert kinds(reliable(desk.flip())) == ["Change"]


def test_repeated_connects_each_begin_anew():
    desk = Desk()
    desk.run(100)
    desk.send(msg.Connect(0, 0), msg.Connect(0, 0))
    heard = desk.run(5)
    assert kinds(heard) == ["Hello", "Snapshot"]
    assert heard[0].next_seq == heard[1].seq


def test_a_ring_refuses_more_than_it_holds():
    ring = Ring(65500)
    for number in range(CAPACITY):
        ring.add(msg.pack(msg.Change(after(65500, number), number, 1, 0)))
    with pytest.raises(IndexError, match="full"):
        ring.add(b"1234")
    assert ring.packet(after(65500, 100)) == msg.pack(msg.Change(after(65500, 100), 100, 1, 0))
    assert ring.clear() == CAPACITY
    assert len(ring) == 0


def test_the_longest_message_fits_a_slot():
    assert len(msg.pack(msg.Snapshot(1, 2, bytes(11)))) < SLOT
    assert len(msg.pack(msg.BoardError(1, 2, 3, 4, 5))) < SLOT
