import pytest

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import encode
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.ports import PtyPort, TcpPort
from hardware.virtual_board.view import ShownLight
from hardware.virtual_board.wire import Faults
from tests.hardware.board.patience import wait_until
from tests.hardware.virtual_board.bench import Bench


@pytest.fixture
def bench():
    made = Bench(board_id=b"12345678", seats=5)
    made.run(0.1)
    made.connect()
    return made


def test_a_hand_that_puts_it_elsewhere_counts(bench):
    bench.board.move("U", 3, hand_ms=500)
    bench.board.place("U", 1)
    bench.run(1)
    assert bench.board.positions()["U"] == 1


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
    assert bench.board.view().starts == 2


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


def test_faults_can_be_changed_for_one_direction(bench):
    bench.board.set_faults("to-host", drop=1.0)
    assert bench.board.view().faults == (Faults(drop=1.0), Faults())
    heard = len(bench.host.heard)
    bench.run(1)
    assert len(bench.host.heard) == heard
    with pytest.raises(ValueError, match="corrupt is a share"):
        bench.board.set_faults(corrupt=2)


def test_the_clock_can_be_about_to_wrap():
    bench = Bench(age_ms=2**32 - 1000)
    bench.run(0.5)
    bench.connect()
    bench.run(1.5)
    bench.board.place("U", 2)
    bench.run(0.2)
    assert bench.host.of(msg.Snapshot)[0].time > 2**32 - 1000
    assert bench.host.of(msg.Change)[-1].time < 2000


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
