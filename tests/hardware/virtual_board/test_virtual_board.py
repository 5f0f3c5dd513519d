import pytest
import serial

from hardware.board import messages as msg
from hardware.board.framing import encode
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.lights import ShownLight
from hardware.virtual_board.ports import PtyPort, TcpPort
from hardware.virtual_board.wire import Faults
from tests.hardware.board.pty_board import patient, wait_until
from tests.hardware.virtual_board.bench import Bench, Host


def where(bench, power):
    """The places at which the host believes the power to be."""
    index = bench.board.powers.index(power)
    cells = {}
    for message in bench.host.taken:
        if isinstance(message, msg.Snapshot):
            cells = dict(enumerate(message.cells))
        elif isinstance(message, msg.Change):
            cells[message.place] = message.cell
    return [place for place, cell in cells.items() if msg.readings(cell)[index] == msg.PRESENT]


@pytest.fixture
def bench():
    made = Bench(board_id=b"12345678", seats=5)
    made.run(0.1)
    made.connect()
    return made


def test_it_says_who_it_is(bench):
    hello = bench.host.hello
    assert (hello.board, hello.set, hello.seats) == (b"12345678", 1, 5)
    assert hello.boot != 0


def test_a_set_of_stands_says_so():
    bench = Bench(powers="stands", seats=10)
    bench.connect()
    assert (bench.host.hello.set, bench.host.hello.seats) == (2, 10)
    bench.board.place("green", 10)
    bench.run(0.1)
    assert where(bench, "green") == [10]


def test_a_power_is_placed_lifted_and_moved(bench):
    bench.board.place("U", 3)
    bench.run(0.1)
    assert where(bench, "U") == [3]
    bench.board.lift("U")
    bench.run(0.1)
    assert where(bench, "U") == []
    bench.board.move("U", 5, hand_ms=400)
    bench.run(0.39)
    assert bench.board.positions()["U"] is None
    bench.run(0.1)
    assert where(bench, "U") == [5]
    assert [where(bench, power) for power in ("N", "O", "!")] == [[0], [0], [0]]


def test_a_hand_that_puts_it_elsewhere_counts(bench):
    bench.board.move("U", 3, hand_ms=500)
    bench.board.place("U", 1)
    bench.run(1)
    assert bench.board.positions()["U"] == 1


def test_a_short_knock_is_not_told_and_a_long_one_is(bench):
    before = len(bench.host.of(msg.Change))
    bench.board.bump("N", 25)
    bench.run(0.3)
    assert len(bench.host.of(msg.Change)) == before
    bench.board.bump("N", 120)
    bench.run(0.3)
    assert len(bench.host.of(msg.Change)) == before + 2
    assert where(bench, "N") == [0]


def test_failing_sensors_are_unknown_not_removed(bench):
    bench.board.break_sensor(0, "O")
    bench.run(0.1)
    failed = bench.host.of(msg.BoardError)[-1]
    assert (failed.code, failed.place, failed.detail) == (msg.SENSOR_FAILED, 0, 0b100)
    assert msg.readings(bench.host.of(msg.Change)[-1].cell)[2] == msg.UNKNOWN
    bench.board.mend_sensor(0, "O")
    bench.run(0.1)
    assert bench.host.of(msg.BoardError)[-1].code == msg.SENSOR_WORKS
    bench.board.break_station(2)
    bench.run(0.1)
    assert bench.host.of(msg.BoardError)[-1].detail == 0b1111
    bench.board.stick_sensor(4, "O")
    bench.run(0.1)
    assert where(bench, "O") == [0, 4]


def test_it_runs_on_unplugged_and_tells_all_of_it_afterwards(bench):
    boot = bench.host.boot
    bench.board.unplug(5)
    bench.run(1)
    for place in (1, 2, 3):
        bench.board.place("U", place)
        bench.run(0.2)
    bench.run(3.3)
    assert not bench.board.view().plugged
    bench.run(0.2)
    assert bench.board.view().plugged
    before = len(bench.host.of(msg.Change))
    bench.connect()
    assert bench.host.boot == boot
    assert len(bench.host.of(msg.Change)) - before == 6
    assert where(bench, "U") == [3]


def test_powered_by_usb_it_forgets_when_unplugged():
    bench = Bench(powered_by_usb=True)
    bench.connect()
    boot = bench.host.boot
    bench.board.unplug()
    assert bench.board.view().state == "off"
    bench.board.place("U", 2)
    bench.run(1)
    bench.board.plug()
    bench.run(0.1)
    before = len(bench.host.of(msg.Change))
    bench.connect()
    assert bench.host.boot != boot
    assert len(bench.host.of(msg.Change)) == before
    assert where(bench, "U") == [2]
    assert bench.board.view().starts == 2


def test_a_board_that_hangs_says_nothing_and_goes_on(bench):
    bench.board.freeze(3)
    heard = len(bench.host.heard)
    bench.board.place("U", 1)
    bench.cable.to_board += bytes(100_000)
    bench.run(2.9)
    assert len(bench.host.heard) == heard
    assert bench.board.view().state == "hanging"
    bench.run(0.3)
    assert where(bench, "U") == [1]
    bench.board.freeze()
    bench.board.thaw()
    assert bench.board.view().state == "running"


def test_a_reboot_is_another_boot(bench):
    boot = bench.host.boot
    bench.board.reboot(after_watchdog=True)
    bench.run(0.1)
    bench.connect()
    assert bench.host.boot != boot
    assert msg.WATCHDOG in [error.code for error in bench.host.of(msg.BoardError)]
    assert bench.host.of(msg.Snapshot)[-1].time < 1000


def test_a_low_supply_is_reported(bench):
    bench.board.set_supply(4000)
    bench.run(1)
    (error,) = bench.host.of(msg.BoardError)
    assert (error.code, error.detail) == (msg.LOW_VOLTAGE, 4000)


def test_a_brown_out_leaves_the_port_and_loses_the_memory(bench):
    boot = bench.host.boot
    bench.board.brown_out(300)
    assert bench.board.view().plugged
    assert bench.board.view().state == "off"
    bench.run(0.35)
    assert bench.board.view().state == "running"
    bench.connect()
    assert bench.host.boot != boot


def test_lights_and_sounds(bench):
    bench.cable.to_board += encode(msg.pack(msg.Light(1, 3, 2, 0)))
    bench.run(0.02)
    assert bench.board.lights() == {3: ShownLight("slow", "U")}
    bench.cable.to_board += encode(msg.pack(msg.Buzz(2, 255, 200, 880)))
    bench.run(0.02)
    (buzz,) = bench.board.buzzes()
    assert (buzz.place, buzz.duration_ms, buzz.pitch_hz) == (None, 200, 880)
    assert buzz.at_ms == pytest.approx(bench.board.now(), abs=20)
    bench.cable.to_board += encode(msg.pack(msg.Light(3, 1, 1, 255)))
    bench.run(0.02)
    assert bench.board.lights()[1] == ShownLight("on", None)
    bench.connect()
    assert bench.board.lights() == {}


def placements(bench):
    """Where powers have turned up, in order, as far as the host has heard."""
    cells = dict.fromkeys(range(bench.board.seats + 1), 0) | {0: 0x55}
    found = []
    for change in bench.host.of(msg.Change):
        new = change.cell & ~cells[change.place]
        cells[change.place] = change.cell
        if new:
            found.append((bench.board.powers[(new.bit_length() - 1) // 2], change.place))
    return found


@pytest.mark.parametrize(
    "faults",
    [
        Faults(corrupt=0.01, drop=0.01),
        Faults(duplicate=0.01, reorder=0.01),
        Faults(garbage=0.005, delay_ms=30, jitter_ms=40),
    ],
)
def test_all_arrives_once_and_in_order_through_a_bad_wire(faults):
    bench = Bench(seed=7)
    bench.run(0.1)
    bench.connect()
    bench.board.set_faults(**{name: getattr(faults, name) for name in Faults.__dataclass_fields__})
    moves = [(power, place) for place in (1, 2, 3, 4) * 5 for power in ("U", "N", "O", "!")]
    for power, place in moves:
        bench.board.place(power, place)
        bench.run(0.06)
    for _ in range(60):
        if len(placements(bench)) == len(moves):
            break
        bench.run(1)
    assert placements(bench) == moves
    assert bench.board.view().faults == (faults, faults)
    assert sum(bench.host.deframer.dropped.values()) > 0


def test_garbage_between_frames_is_survived(bench):
    for _ in range(10):
        bench.board.garbage(200)
        bench.run(0.05)
    bench.board.place("U", 2)
    bench.run(0.3)
    assert where(bench, "U") == [2]
    assert bench.board.view().to_board["garbage"] == 2000


def test_faults_can_be_changed_for_one_direction(bench):
    bench.board.set_faults("to-host", drop=1.0)
    assert bench.board.view().faults == (Faults(drop=1.0), Faults())
    heard = len(bench.host.heard)
    bench.run(1)
    assert len(bench.host.heard) == heard
    with pytest.raises(ValueError, match="corrupt is a share"):
        bench.board.set_faults(corrupt=2)


def test_a_faster_board_does_more_in_the_same_time():
    bench = Bench(speed=20)
    bench.run(1, step=0.0001)
    beats = [m for m in bench.host.heard if isinstance(m, msg.Heartbeat)]
    assert 38 <= len(beats) <= 41
    assert bench.board.now() == pytest.approx(20_000, rel=0.01)


def test_the_clock_can_be_about_to_wrap():
    bench = Bench(age_ms=2**32 - 1000)
    bench.run(0.5)
    bench.connect()
    bench.run(1.5)
    bench.board.place("U", 2)
    bench.run(0.2)
    assert bench.host.of(msg.Snapshot)[0].time > 2**32 - 1000
    assert bench.host.of(msg.Change)[-1].time < 2000
    assert where(bench, "U") == [2]


def test_bad_options_are_said():
    with pytest.raises(ValueError, match="8 bytes"):
        VirtualBoard(board_id=b"short")
    with pytest.raises(ValueError, match="speed"):
        VirtualBoard(speed=0)
    with pytest.raises(ValueError, match="no power"):
        Bench().board.place("red", 1)
    with pytest.raises(ValueError, match="no place 9"):
        Bench().board.move("U", 9, hand_ms=100)


def test_a_port_that_was_taken_meanwhile_is_said_and_tried_again():
    port, seconds = TcpPort(), [0.0]
    board = VirtualBoard(port, clock=lambda: seconds[0])
    board.plug()
    other = TcpPort("127.0.0.1", int(port.url.rpartition(":")[2]))
    board.unplug(1)
    other.plug()
    seconds[0] = 1.1
    board.turn()
    assert not board.view().plugged
    assert "cannot listen" in board.view().trouble
    other.close()
    seconds[0] = 1.5
    board.turn()
    assert board.view().plugged
    assert board.view().trouble == ""
    board.close()


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_a_real_port_and_a_thread(kind, tmp_path):
    port = PtyPort(tmp_path / "board") if kind == "pty" else TcpPort()
    with VirtualBoard(port, clock=patient) as board:
        host = Host()
        for _ in range(2):
            with serial.serial_for_url(port.url, 115200, timeout=0.01) as line:

                def heard(line=line):
                    line.write(host.hear(line.read(512)))
                    return len(host.taken)

                line.write(host.connect())
                before = len(host.taken)
                wait_until(lambda h=heard, b=before: h() > b)
                board.place("U", 2 if board.positions()["U"] == 1 else 1)
                wait_until(lambda h=heard, b=before: h() > b + 2)
            board.unplug(0.5)
            wait_until(lambda: not board.view().plugged)
            wait_until(lambda: board.view().plugged)
        assert host.of(msg.Change)[-1].cell & 1 == 1
    assert board.view().state == "off"
    assert not port.plugged


def test_what_the_firmware_fails_with_comes_out_and_the_port_goes(tmp_path):
    class Faulty:
        def step(self):
            raise ZeroDivisionError("in the firmware")

    board = VirtualBoard(PtyPort(tmp_path / "board"), make_firmware=lambda *_: Faulty())
    board.start()

    def failed():
        try:
            board.lift("U")
        except ZeroDivisionError:
            return True
        return False

    wait_until(failed)
    with pytest.raises(ZeroDivisionError):
        board.close()
    assert list(tmp_path.iterdir()) == []
