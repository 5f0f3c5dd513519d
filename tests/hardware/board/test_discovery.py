import re
import time
from types import SimpleNamespace

import pytest

from hardware.board.discovery import (
    NoBoardError,
    PortReport,
    PortState,
    choose,
    ports,
    probe,
    probe_all,
)
from hardware.board.driver import serial_board
from hardware.board.ports.transport import Transport
from hardware.board.wire.framing import encode
from hardware.board.wire.messages import Heartbeat, pack
from hardware.virtual_board.board import VirtualBoard
from tests.hardware.board.patience import PATIENT_TIME, SPEED, Notebook, fast_board, patient
from tests.hardware.board.rigs import Firmware
from tests.hardware.board.wire import BOARD, hello
from tests.waiting import until

OTHER = b"another!"


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    monkeypatch.setattr("hardware.board.discovery.time", PATIENT_TIME)


class Talker:
    """What is at a port in place of a board's program, and started as that would be."""

    def __call__(self, uart, sensors, lights, clock, *_):
        self.uart, self.clock, self.said_at = uart, clock, -1000
        return self


class Speaker(Talker):
    """Says the same again and again, and answers nothing."""

    def __init__(self, data):
        self.data = data

    def step(self):
        if self.clock() - self.said_at >= 50:
            self.said_at = self.clock()
            self.uart.write(self.data)


class Prompt(Talker):
    """MicroPython's prompt: echoes what is typed, and says who it is when asked."""

    def step(self):
        data = self.uart.read()
        said = bytes(byte for byte in data if 32 <= byte < 127)
        if b"\r" in data:
            said += b"\r\n>>> "
        if b"\x02" in data:
            said += b"\r\nMicroPython v1.26.1 on 2025-09-11; Raspberry Pi Pico with RP2040\r\n>>> "
        assert b"\x03" not in data
        self.uart.write(said)


class Echo(Talker):
    """Sends back what it is sent, as a loopback plug does."""

    def step(self):
        self.uart.write(self.uart.read())


def board(program=None, **more):
    """A board on a pseudo terminal; ``program``: with something else in it."""
    return VirtualBoard(speed=SPEED, clock=patient, make_firmware=program, **more)


def report_of(program):
    with board(program) as running:
        return probe(running.port.url, patience=0.5)


def test_a_board_says_hello():
    with board(board_id=BOARD) as running:
        report = probe(running.port.url)
    assert report.state is PortState.BOARD
    assert report.hello.board == BOARD
    assert report.detail == f"board {BOARD.hex()}, firmware 1.0.0, towers, 4 seats"


def test_looking_for_a_known_board_has_it_forget_nothing():
    firmware = Firmware(4)
    with board(firmware) as running:
        running.place("U", 2)
        firmware.wait("U", 2)
        waiting = firmware.unacknowledged()
        probe(running.port.url, *firmware.acknowledged())
        assert firmware.unacknowledged() > waiting > 0


def sent(packet):
    return Speaker(encode(packet))


HEARTBEAT = pack(Heartbeat(5, 5))


@pytest.mark.parametrize(
    ("program", "state", "said"),
    [
        (Speaker(b""), PortState.SILENT, "nothing answers"),
        (Speaker(b"ok T:21.3 /0.0\n"), PortState.FOREIGN, "no frame of a board"),
        (Echo(), PortState.FOREIGN, "comes back"),
        (sent(HEARTBEAT), PortState.DEAF, "wire from the computer"),
        (
            sent(pack(hello(seats=99))),
            PortState.UNUSABLE,
            "what the board says about itself cannot be used; put its program",
        ),
        (sent(b"\x03" + HEARTBEAT[1:]), PortState.OTHER_VERSION, "version 3.*newer release"),
        (sent(b"\x00" + HEARTBEAT[1:]), PortState.OTHER_VERSION, "version 0.*newer firmware"),
    ],
    ids=[
        *("nothing", "something else", "an echo", "hears nothing", "a greeting that cannot be"),
        *("a newer version", "an older version"),
    ],
)
def test_what_is_no_board_that_can_be_used(program, state, said):
    report = report_of(program)
    assert report.state is state
    assert re.search(said, report.sentence)


def test_a_board_without_its_program_is_known_by_its_prompt():
    report = report_of(Prompt())
    assert report.state is PortState.PROMPT
    with pytest.raises(NoBoardError, match=r"jumper out .* 'referee-table flash'"):
        choose([report], None, b"")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (Prompt(), "MicroPython's prompt is there: .* take the service jumper out"),
        (Speaker(b"ok T:21.3 /0.0\n"), "something else is at this port: it sends"),
        (Echo(), "what is sent to this port comes back"),
        (Speaker(bytes(2000)), "something else is at this port: it sends"),
        (Speaker(b""), "the board says nothing; check its cable"),
    ],
)
def test_a_driver_says_what_is_at_its_port(program, said):
    with board(program) as running:
        device = fast_board("board", {"port": running.port.url})
        device.start(Notebook(), {})
        until(lambda: re.match(said, device.status().detail))
        # It is opened anew from time to time, and what is there is not forgotten.
        for _ in range(40):
            time.sleep(0.05)
            assert re.match(said, device.status().detail)
        device.stop()
    assert device.status().state in ("silent", "gone")


def test_many_ports_are_asked_at_once_and_told_in_order(tmp_path):
    with board() as running:
        holder = Transport(running.port.url)
        holder.open()
        reports = probe_all([str(tmp_path / "none"), running.port.url])
        holder.close()
        assert [report.state for report in reports] == [PortState.ABSENT, PortState.BUSY]
        assert [report.state for report in probe_all([running.port.url])] == [PortState.BOARD]
    assert probe_all([]) == []


@pytest.fixture
def plugged(monkeypatch):
    """What is plugged in, for a test to fill: device, vendor and product."""
    there = []
    monkeypatch.setattr(
        "serial.tools.list_ports.comports",
        lambda: [SimpleNamespace(device=d, vid=vid, pid=pid) for d, vid, pid in there],
    )
    return there


OTHERS = [
    ("/dev/ttyS0", None, None),
    ("/dev/ttyUSB1", 0x1A86, 0x7523),  # many a printer
    ("/dev/ttyACM1", 0x2341, 0x0043),  # an Arduino Uno
    ("/dev/ttyACM2", 0x2E8A, 0x000A),  # a Pico with a program of its own
]


def test_ports_are_known_by_their_usb_identity(plugged):
    plugged[:] = [*OTHERS, ("/dev/ttyACM0", 0x2E8A, 0x0005)]
    likely, others = ports()
    assert likely == ["/dev/ttyACM0"]
    assert [report.port for report in others] == [
        "/dev/ttyACM1",
        "/dev/ttyACM2",
        "/dev/ttyUSB1",
        "/dev/ttyS0",
    ]
    assert {report.state for report in others} == {PortState.CLOSED}
    assert "2341:0043" in others[0].detail
    assert "no USB port" in others[-1].detail


def test_nothing_but_a_board_is_opened_unless_it_is_named(plugged, monkeypatch):
    opened = []
    open_port = Transport.open

    def note(transport):
        opened.append(transport.port)
        open_port(transport)

    monkeypatch.setattr(Transport, "open", note)
    with board() as running:
        plugged[:] = OTHERS
        assert {report.state for report in probe_all()} == {PortState.CLOSED}
        assert opened == []
        with pytest.raises(NoBoardError, match=r"/dev/ttyUSB1: not opened.*; name its port"):
            choose(probe_all(), None, b"")
        plugged.append((running.port.url, 0x2E8A, 0x0005))
        assert choose(probe_all(), None, b"") == running.port.url
        assert opened == [running.port.url]
        plugged.clear()
        assert probe_all([running.port.url])[0].state is PortState.BOARD


def test_a_driver_on_auto_opens_no_other_port(plugged, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(Transport, "open", lambda transport: opened.append(transport.port))
    plugged[:] = OTHERS
    device = serial_board("board", {"port": "auto"})
    device.start(Notebook(), {})
    until(lambda: device.status().state == "gone")
    device.stop()
    assert opened == []
    assert "/dev/ttyACM1: not opened" in device.status().detail


def board_at(port, board):
    return PortReport(port, PortState.BOARD, "a board", hello(board=board))


def test_the_board_insisted_on_goes_before_the_known_one_and_that_before_the_first():
    reports = [
        PortReport("/dev/a", PortState.SILENT, "nothing answers"),
        board_at("/dev/b", BOARD),
        board_at("/dev/c", OTHER),
    ]
    assert choose(reports, None, b"") == "/dev/b"
    assert choose(reports, None, OTHER) == "/dev/c"
    assert choose(reports, OTHER, BOARD) == "/dev/c"


def test_no_board_is_said_with_what_is_at_each_port():
    reports = [PortReport("/dev/a", PortState.SILENT, "nothing answers"), board_at("/dev/b", BOARD)]
    with pytest.raises(NoBoardError, match="/dev/a: nothing answers; /dev/b: a board"):
        choose(reports, OTHER, b"")
    with pytest.raises(NoBoardError, match="plug it in"):
        choose([], None, b"")
