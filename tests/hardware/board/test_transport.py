import errno
import os
import socket
import threading
import time
import tty

import pytest
import serial

from hardware.board.ports.transport import Transport, TransportError, Trouble


@pytest.fixture
def pty():
    master, slave = os.openpty()
    tty.setraw(slave)
    ends = {"master": master, "path": os.ttyname(slave), "slave": slave}
    yield ends
    for end in (ends["master"], ends["slave"]):
        if end is not None:
            os.close(end)


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def url_of(server):
    return f"socket://127.0.0.1:{server.getsockname()[1]}"


def read_all(transport, size):
    got = b""
    deadline = time.monotonic() + 120
    while len(got) < size and time.monotonic() < deadline:
        got += transport.read()
    return got


def opened(port):
    transport = Transport(port)
    transport.open()
    return transport


def test_bytes_go_both_ways_on_a_pty(pty):
    transport = opened(pty["path"])
    os.write(pty["master"], bytes(range(256)))
    assert read_all(transport, 256) == bytes(range(256))
    transport.write(b"\0\x11\x13\xff\r\n")
    assert os.read(pty["master"], 100) == b"\0\x11\x13\xff\r\n"
    transport.close()


def test_bytes_go_both_ways_over_tcp(listener):
    transport = opened(url_of(listener))
    far, _ = listener.accept()
    with far:
        far.sendall(b"abc" * 1000)
        assert read_all(transport, 3000) == b"abc" * 1000
        transport.write(b"\0xyz")
        assert far.recv(100) == b"\0xyz"
        descriptor = socket.socket(fileno=os.dup(transport._fd))
        with descriptor:
            assert descriptor.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    transport.close()


def test_bytes_come_back_on_a_loop():
    transport = opened("loop://")
    assert transport.read() == b""
    transport.write(b"there and back")
    assert read_all(transport, 14) == b"there and back"
    transport.close()


def test_a_read_returns_with_the_first_bytes_and_does_not_wait_for_more(pty):
    transport = opened(pty["path"])
    threading.Timer(0.005, os.write, (pty["master"], b"x")).start()
    assert read_all(transport, 1) == b"x"
    transport.close()


def fails(act):
    with pytest.raises(TransportError) as caught:
        act()
    return caught.value


def test_a_port_that_is_not_there(tmp_path):
    error = fails(Transport(str(tmp_path / "ttyACM0")).open)
    assert error.trouble is Trouble.ABSENT
    assert "is the board plugged in?" in str(error)


def test_what_is_no_port(tmp_path):
    for path in ("/dev/null", str(tmp_path)):
        error = fails(Transport(path).open)
        assert error.trouble is Trouble.NO_PORT
        assert str(error).startswith(f"{path} is no serial port; ")


def test_a_port_that_is_in_use(pty):
    first = opened(pty["path"])
    error = fails(Transport(pty["path"]).open)
    assert error.trouble is Trouble.BUSY
    assert "stop the other program" in str(error)
    first.close()
    opened(pty["path"]).close()


def test_a_port_that_may_not_be_opened(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("serial.serial_for_url", refuse)
    error = fails(Transport("/dev/ttyACM0").open)
    assert error.trouble is Trouble.DENIED
    assert "dialout" in str(error)


def test_a_tcp_port_where_nothing_listens():
    with socket.socket() as place:  # bound, so that nobody else takes the port
        place.bind(("127.0.0.1", 0))
        error = fails(Transport(url_of(place)).open)
    assert error.trouble is Trouble.REFUSED
    assert "nothing listens" in str(error)


@pytest.mark.parametrize("port", ["nonsense://x", "socket://no-port", "/etc/hostname", "/tmp"])
def test_what_is_no_port_is_an_error_like_any_other(port):
    assert fails(Transport(port).open).trouble in Trouble


def test_a_port_that_is_not_open():
    transport = Transport("loop://")
    fails(transport.read)
    fails(lambda: transport.write(b"x"))
    transport.close()


def test_unplugging_a_pty_is_an_error_of_reading_and_writing(pty):
    transport = opened(pty["path"])
    os.close(pty["slave"])
    os.close(pty["master"])
    pty["slave"] = pty["master"] = None
    error = fails(transport.read)
    assert error.trouble is Trouble.GONE
    assert str(error) == (f"{pty['path']} is gone: the board was unplugged, or has lost its power")
    fails(lambda: transport.write(b"x"))
    transport.close()
    transport.close()


@pytest.mark.parametrize(
    ("said", "trouble", "words"),
    [
        (
            "could not open port 'COM3': FileNotFoundError(2, 'The system cannot find the file')",
            Trouble.ABSENT,
            "there is no port COM3; is the board plugged in?",
        ),
        (
            "could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)",
            Trouble.BUSY,
            "COM3 is in use; stop the other program that has it open",
        ),
        (
            "Cannot configure port, something went wrong.",
            Trouble.BROKEN,
            (
                "COM3 does not work (Cannot configure port, something went wrong.); unplug the "
                "board and plug it in again"
            ),
        ),
    ],
)
def test_a_port_of_windows(said, trouble, words):
    error = TransportError("COM3", serial.SerialException(said))
    assert (error.trouble, str(error)) == (trouble, words)


def test_unplugging_is_said_in_one_sentence_whatever_pyserial_calls_it():
    said = "device reports readiness to read but returned no data (device disconnected or multiple)"
    for error in (serial.SerialException(said), OSError(errno.EIO, "Input/output error")):
        gone = TransportError("/dev/ttyACM0", error, was_open=True)
        assert str(gone) == ("/dev/ttyACM0 is gone: the board was unplugged, or has lost its power")
    lost = TransportError("socket://h:1", serial.SerialException("x"), was_open=True)
    assert str(lost) == (
        "the connection to socket://h:1 was lost; is the board's end still running?"
    )
    broken = TransportError("/dev/ttyACM0", OSError(errno.EIO, "could not open [Errno 5]"))
    assert "does not work (Input/output error)" in str(broken)


def test_the_far_end_of_tcp_going_away_is_an_error(listener):
    transport = opened(url_of(listener))
    far, _ = listener.accept()
    far.close()
    error = fails(lambda: [transport.read() for _ in range(100)])
    assert "was lost" in str(error)
    transport.close()


def test_a_far_end_that_takes_nothing_does_not_hold_the_writer_up_for_ever(pty):
    transport = opened(pty["path"])
    begin = time.monotonic()
    fails(lambda: [transport.write(b"x" * 4096) for _ in range(100)])
    assert time.monotonic() - begin < 120
    transport.close()
