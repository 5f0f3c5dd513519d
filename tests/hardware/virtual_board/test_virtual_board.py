import pytest

from hardware.board.wire import messages as msg
from hardware.virtual_board.board import VirtualBoard
from hardware.virtual_board.ports import PtyPort, TcpPort
from tests.hardware.virtual_board.bench import Bench
from tests.waiting import until


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

    until(failed)
    with pytest.raises(ZeroDivisionError):
        board.close()
    assert list(tmp_path.iterdir()) == []
