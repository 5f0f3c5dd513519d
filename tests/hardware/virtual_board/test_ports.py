import socket
import time

import pytest
import serial

from hardware.virtual_board.ports import PortError, PtyPort, TcpPort


def soon(read, wanted, seconds=120.0):
    """What has come once it is all that is wanted."""
    deadline, got = time.monotonic() + seconds, b""
    while got != wanted and time.monotonic() < deadline:
        got += read()
    return got


@pytest.fixture(params=["pty", "tcp"])
def port(request, tmp_path):
    made = PtyPort(tmp_path / "board") if request.param == "pty" else TcpPort()
    made.plug()
    yield made
    made.close()


def opened(port):
    return serial.serial_for_url(port.url, 115200, timeout=0.02)


def test_bytes_go_both_ways_unchanged(port):
    all_bytes = bytes(range(256))
    with opened(port) as host:
        host.write(all_bytes)
        assert soon(port.read, all_bytes) == all_bytes
        assert port.write(all_bytes) == 256
        assert soon(lambda: host.read(256), all_bytes) == all_bytes


def test_nothing_blocks_or_fails_without_a_host(port):
    assert port.read() == b""
    for _ in range(200):
        port.write(b"x" * 100)
    assert port.read() == b""


def test_a_host_that_comes_late_still_gets_what_is_new(port):
    for _ in range(200):
        port.write(b"x" * 100)
    with opened(port) as host:
        port.read()  # lets a caller in
        host.reset_input_buffer()
        port.write(b"new")
        assert soon(lambda: host.read(3), b"new") == b"new"


def test_one_host_after_another(port):
    for word in (b"first", b"second"):
        with opened(port) as host:
            host.write(word)
            assert soon(port.read, word) == word


def gone(host):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            host.read(1)
        except (serial.SerialException, OSError, TypeError):
            return True
    return False


def test_a_host_notices_that_the_cable_is_pulled_and_finds_the_port_again(port):
    url = port.url
    host = opened(port)
    host.write(b"here")
    assert soon(port.read, b"here") == b"here"
    port.unplug()
    assert gone(host)
    host.close()
    assert not port.plugged
    assert port.watched() == []
    assert port.read() == b""
    assert port.write(b"lost") == 0
    with pytest.raises(serial.SerialException):
        opened(port)
    port.plug()
    assert port.url == url
    with opened(port) as again:
        again.write(b"back")
        assert soon(port.read, b"back") == b"back"


def test_plugging_twice_and_unplugging_twice_is_nothing_new(port):
    watched = port.watched()
    port.plug()
    assert port.watched() == watched
    port.unplug()
    port.unplug()
    port.close()
    port.close()


def test_the_link_goes_with_the_cable(tmp_path):
    link = tmp_path / "board"
    port = PtyPort(link)
    assert not link.is_symlink()
    port.plug()
    assert link.is_symlink()
    port.unplug()
    assert not link.is_symlink()
    assert list(tmp_path.iterdir()) == []


def test_a_link_of_its_own_goes_with_its_folder():
    port = PtyPort()
    port.plug()
    with serial.Serial(port.url):
        pass
    url = port.url
    port.close()
    with pytest.raises(serial.SerialException):
        serial.Serial(url)


def test_a_stale_link_is_replaced_and_nothing_else(tmp_path):
    link = tmp_path / "board"
    link.symlink_to("/dev/pts/987654")
    port = PtyPort(link)
    port.plug()
    port.close()
    link.write_text("mine")
    with pytest.raises(PortError, match="is there already"):
        port.plug()
    assert link.read_text() == "mine"
    link.unlink()
    link.symlink_to(tmp_path)
    with pytest.raises(PortError, match="is a link to something else"):
        port.plug()
    with pytest.raises(PortError, match="cannot be made: No such file"):
        PtyPort(tmp_path / "nowhere" / "board").plug()
    assert not port.plugged


def test_a_link_that_is_another_boards_by_now_stays(tmp_path):
    first, second = PtyPort(tmp_path / "board"), PtyPort(tmp_path / "board")
    first.plug()
    second.plug()
    first.close()
    with serial.Serial(second.url) as host:
        host.write(b"second")
        assert soon(second.read, b"second") == b"second"
    second.close()


def test_a_second_caller_is_turned_away():
    port = TcpPort()
    port.plug()
    with opened(port) as host:
        host.write(b"1")
        assert soon(port.read, b"1") == b"1"
        with opened(port) as late:
            port.read()
            assert gone(late)
        host.write(b"still here")
        assert soon(port.read, b"still here") == b"still here"
    port.close()


def test_a_taken_tcp_port_is_said():
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        with pytest.raises(PortError, match=f"cannot listen on 127.0.0.1:{number}: .*choose"):
            TcpPort("127.0.0.1", number).plug()
