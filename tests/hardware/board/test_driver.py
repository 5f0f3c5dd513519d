import contextlib
import re
import socket

import pytest

from hardware.backends import BackendError, make_device
from hardware.board.ports.transport import Transport
from hardware.virtual_board.board import VirtualBoard
from tests.hardware.board.patience import SPEED, Notebook, fast_board, patient
from tests.tables import tables
from tests.waiting import until


@pytest.fixture
def board():
    with VirtualBoard(speed=SPEED, clock=patient) as running:
        yield running


@pytest.fixture
def start():
    """Start a device; all are stopped in the end."""
    with contextlib.ExitStack() as stopping:

        def start(notebook, **options):
            device = fast_board("tower board", options)
            stopping.callback(device.stop)
            device.start(notebook, {})
            return device

        yield start


@pytest.fixture
def notebook():
    return Notebook()


def test_auto_finds_the_board_among_other_ports(board, start, notebook, tmp_path):
    start(notebook, port="auto", ports=[str(tmp_path / "none"), board.port.url])
    until(lambda: notebook.bodies)


def test_auto_says_what_is_at_each_port(start, notebook, tmp_path):
    device = start(notebook, ports=[str(tmp_path / "none")])
    until(lambda: device.status().state == "gone")
    assert re.match(
        "no sensor board found; .*none: there is no port .*plugged in", device.status().detail
    )


def test_a_dead_connection_is_reopened(start, notebook, monkeypatch):
    monkeypatch.setattr("hardware.board.driver.REOPEN_AFTER", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        device = start(notebook, port=f"socket://127.0.0.1:{server.getsockname()[1]}")
        with server.accept()[0], server.accept()[0]:
            assert device.status().state == "silent"
            assert "says nothing" in device.status().detail


def test_an_unexpected_error_is_shown_and_does_not_end_it(board, start, notebook, monkeypatch):
    device = start(notebook, port=board.port.url)
    until(lambda: notebook.bodies)
    with monkeypatch.context() as broken:
        broken.setattr(Transport, "read", lambda self: 1 // 0)
        until(lambda: "unexpected error (ZeroDivisionError" in device.status().detail)
    board.place("U", 2)
    until(lambda: notebook.told()["U"][-1] == 2)


def test_it_is_a_backend_by_name():
    device = make_device("towers", "serial-board", {"port": "/dev/ttyACM0"})
    assert device.name == "towers"
    assert device.status().state == "starting"
    device.stop()


@pytest.mark.parametrize(("options", "words"), tables(__file__)["wrong"])
def test_options_that_cannot_be_are_one_sentence(options, words):
    with pytest.raises(BackendError, match=words):
        make_device("towers", "serial-board", options)
