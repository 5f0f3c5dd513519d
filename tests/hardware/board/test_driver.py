import contextlib
import json
import re
import socket
from functools import partial

import pytest

from hardware.backends import BackendError, make_device
from hardware.board.ports.transport import Transport
from tests.hardware.board.peer import BOARD, Peer
from tests.hardware.board.pty_board import Notebook, PtyBoard, fast_board, wait_until


@pytest.fixture
def board(tmp_path):
    with PtyBoard(tmp_path) as running:
        yield running


@pytest.fixture
def start():
    """Start a device; all are stopped in the end."""
    with contextlib.ExitStack() as stopping:

        def start(notebook, **options):
            device = fast_board("tower board", options)
            stopping.callback(device.stop)
            device.start(notebook, json.loads(json.dumps(notebook.memory)))
            return device

        yield start


@pytest.fixture
def run(board, start):
    return partial(start, port=board.url)


@pytest.fixture
def notebook():
    return Notebook()


@pytest.fixture
def device(run, notebook):
    """A device that has reported where everything stands."""
    started = run(notebook)
    wait_until(lambda: notebook.bodies)
    return started


def online(device):
    return wait_until(lambda: device.status().state == "online" and device.status())


def test_it_reports_where_everything_stands_and_what_moves(board, run, notebook):
    device = run(notebook)
    status = online(device)
    assert re.fullmatch(
        f"board {BOARD.hex()}, firmware 1.0.0, towers, 6 seats, on .*/board", status.detail
    )
    wait_until(lambda: notebook.bodies)
    assert notebook.bodies == [{"kind": "powers", "powers": {"U": 0, "N": 0, "O": 0, "!": 0}}]
    board.place(0, 2)
    wait_until(lambda: len(notebook.bodies) == 2)
    board.lift(1)
    wait_until(lambda: len(notebook.bodies) == 3)
    assert notebook.bodies[1:] == [
        {"kind": "powers", "powers": {"U": 2}},
        {"kind": "powers", "powers": {"N": "lifted"}},
    ]
    wait_until(lambda: device.status().positions == {"U": 2, "N": "lifted", "O": 0, "!": 0})
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", notebook.observations[0].at
    )


def test_what_the_disk_does_not_take_is_kept_and_not_acknowledged(board, device, notebook):
    wait_until(lambda: not board.peer.kept)
    notebook.failing = True
    board.place(0, 2)
    board.place(1, 3)
    wait_until(lambda: "cannot be kept on the disk" in device.status().detail)
    wait_until(lambda: device.status().figures["waiting"] == 2)
    assert board.peer.kept
    notebook.failing = False
    wait_until(lambda: not board.peer.kept)
    assert notebook.memory["seq"] == board.peer.seq
    assert notebook.told() == {"U": [0, 2], "N": [0, 3], "O": [0], "!": [0]}
    wait_until(lambda: "cannot be kept" not in device.status().detail)


def test_a_silent_board_knows_nothing(board, device, notebook):
    board.do(lambda peer, now: setattr(peer, "silent", True))
    wait_until(lambda: device.status().state == "silent")
    wait_until(lambda: len(notebook.bodies) == 2)
    assert notebook.bodies[1]["powers"] == dict.fromkeys(("U", "N", "O", "!"), "unknown")
    board.do(lambda peer, now: setattr(peer, "silent", False))
    online(device)
    wait_until(lambda: len(notebook.bodies) == 3)
    assert notebook.bodies[2]["powers"] == {"U": 0, "N": 0, "O": 0, "!": 0}


def test_a_board_that_started_again_is_asked_for_everything(board, device, notebook):
    def restart(peer, now):
        peer.restart(boot=4711, seq=9, now=now)
        peer.readings[0][0], peer.readings[3][0] = 0, 1
        peer.error(4, 255, 0, now)

    board.do(restart)
    wait_until(lambda: notebook.told()["U"] == [0, 3])
    wait_until(lambda: notebook.memory["boot"] == 4711)
    wait_until(lambda: device.status().figures["connections"] == 2)


@pytest.mark.parametrize(
    ("code", "place", "detail", "words"),
    [
        (3, 255, 12, "12 changes were lost"),
        (4, 255, 0, "started again by its watchdog"),
        (5, 255, 4400, "supply is low, 4.4 V"),
    ],
)
def test_the_status_says_what_is_wrong_on_the_board(board, run, code, place, detail, words):
    device = run(Notebook())
    online(device)
    board.do(lambda peer, now: (peer.error(code, place, detail, now), peer.snapshot(now)))
    wait_until(lambda: words in device.status().detail)


def test_auto_finds_the_board_among_other_ports(board, run, notebook, tmp_path):
    device = run(notebook, port="auto", ports=[str(tmp_path / "none"), board.url])
    online(device)
    wait_until(lambda: notebook.bodies)


def test_auto_says_what_is_at_each_port(start, notebook, tmp_path):
    device = start(notebook, ports=[str(tmp_path / "none")])
    wait_until(lambda: device.status().state == "gone")
    assert re.match(
        "no sensor board found; .*none: there is no port .*plugged in", device.status().detail
    )


def test_another_board_than_the_one_insisted_on_is_not_listened_to(board, run, notebook):
    device = run(notebook, board="0011223344556677")
    wait_until(lambda: "another board is there" in device.status().detail)
    assert notebook.bodies == []


def test_what_differs_from_the_configuration_is_said(board, run):
    device = run(Notebook(), set="stands", seats=4)
    detail = online(device).detail
    assert "expects a set of stands" in detail
    assert "expects 4 seats" in detail


def test_a_set_of_stands(start, notebook, tmp_path):
    with PtyBoard(tmp_path, Peer(seats=2, set_=2)) as board:
        start(notebook, port=board.url, set="stands", seats=2)
        wait_until(lambda: notebook.bodies)
    assert notebook.bodies[0]["powers"] == {"red": 0, "blue": 0, "green": 0, "yellow": 0}


def test_noise_on_the_line_is_counted_and_nothing_else(board, device, notebook):
    board.write(b"MPY: soft reboot\r\n\0" * 20)
    wait_until(lambda: device.status().figures["frames_bad"] == 20)
    board.place(0, 1)
    wait_until(lambda: len(notebook.bodies) == 2)
    assert device.status().state == "online"


def test_on_a_loop_it_hears_only_itself(start, notebook):
    device = start(notebook, port="loop://")
    wait_until(lambda: device.status().figures["frames_good"] > 3)
    wait_until(lambda: device.status().state == "silent")
    assert "what is sent to this port comes back" in device.status().detail
    assert notebook.bodies == []


def test_a_dead_connection_is_reopened(start, notebook, monkeypatch):
    monkeypatch.setattr("hardware.board.driver.REOPEN_AFTER", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        device = start(notebook, port=f"socket://127.0.0.1:{server.getsockname()[1]}")
        with server.accept()[0], server.accept()[0]:
            assert device.status().state == "silent"
            assert "says nothing" in device.status().detail


def test_an_unexpected_error_is_shown_and_does_not_end_it(board, device, notebook, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(Transport, "read", lambda self: 1 // 0)
        wait_until(lambda: "unexpected error (ZeroDivisionError" in device.status().detail)
    board.place(0, 2)
    wait_until(lambda: notebook.told()["U"][-1] == 2)


def test_the_memory_of_another_release_is_no_obstacle(board, run, notebook):
    notebook.memory = {"board": 5, "anything": []}
    device = run(notebook)
    online(device)
    wait_until(lambda: notebook.bodies)


def test_it_is_a_backend_by_name():
    device = make_device("towers", "serial-board", {"port": "/dev/ttyACM0"})
    assert device.name == "towers"
    assert device.status().state == "starting"
    device.stop()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"prot": "auto"}, "no option 'prot'"),
        ({"port": 5}, "port is a device path"),
        ({"ports": "/dev/ttyACM0"}, "ports is a list"),
        ({"board": "xyz"}, "16 hex digits"),
        ({"set": "cards"}, "towers or stands"),
        ({"seats": 11}, "from 1 to 10"),
        ({"seats": True}, "from 1 to 10"),
    ],
)
def test_options_that_cannot_be_are_one_sentence(options, words):
    with pytest.raises(BackendError, match=words):
        make_device("towers", "serial-board", options)
