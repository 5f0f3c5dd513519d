"""The gateway's main paths without what only Linux and macOS have."""

import subprocess
import sys
from pathlib import Path

import pytest

# Packages are loaded as they are here, then Python's own modules that Windows lacks are taken away,
# and the system says that it is another one.
ELSEWHERE = """
import os, signal, sys
import filelock, platformdirs, requests, rich.console, rich.live, serial, tomlkit, urllib3
import cv2, numpy, zeroconf, multiprocessing, subprocess, tempfile, shutil, http.server, asyncio
import serial.tools.list_ports

system, folder = sys.argv[1], sys.argv[2]
for name in ("fcntl", "termios", "tty", "pty", "resource", "pwd", "grp"):
    sys.modules[name] = None
if system == "win32":
    del signal.SIGHUP, os.geteuid, os.fchown, os.openpty, os.fork
sys.platform = system
os.environ |= {"XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}
"""
IMPORTS = (
    ELSEWHERE
    + """
import importlib, pkgutil
import hardware

for module in pkgutil.walk_packages(hardware.__path__, "hardware."):
    # The board's own program runs in MicroPython.
    if not module.name.startswith("hardware.firmware.") and module.name != "hardware.__main__":
        importlib.import_module(module.name)
from hardware.cli import COMMANDS, main
for command in COMMANDS:
    try:
        main([command, "--help"])
    except SystemExit as end:
        assert end.code == 0, command
print("done")
"""
)
EVENING = (
    ELSEWHERE
    + """
import threading, time
from pathlib import Path
from hardware.cli import main
from hardware.gateway.posting.outbox_file import read_queues
from hardware.virtual_board.device import read_options
from hardware.virtual_board.ports import TcpPort
from tests.hardware.gateway.fakes import HOST_TOKEN, FakeReferee
from tests.waiting import until

file = Path(folder) / "table.toml"
board = read_options({}).make_board(TcpPort())
with FakeReferee() as fake, board:
    flags = ["--server", fake.url, "--table", "t1"]
    assert main(["pair", *flags, "--token", HOST_TOKEN, "--config", str(file)]) == 0
    fake.log.clear()
    port = ["--config", str(file), "--port", board.port.url]
    assert main(["doctor", *port]) == 0, "doctor"

    def evening():
        until(lambda: fake.log)
        board.place("U", 2)
        until(lambda: any(body["powers"].get("U") == 2 for _, body in fake.log))
        assert main(["status", "--config", str(file)]) == 0
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=evening, daemon=True).start()
    assert main(["run", "--plain", *port]) == 0
(queue,) = read_queues(Path(folder) / "referee-table" / "outbox.sqlite3")
assert (queue.waiting, queue.set_aside) == (0, 0), queue
assert queue.delivered >= 2, queue
print("done")
"""
)
WITHOUT_CAMERA = """
import sys
for name in ("cv2", "numpy", "PIL", "fpdf"):
    sys.modules[name] = None
"""
TWO_GATEWAYS = """
import sys
sys.modules["fcntl"] = None
from pathlib import Path
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.outbox_file import OutboxError

path = Path(sys.argv[2]) / "outbox"
first = Outbox(path, "t1")
first.open()
try:
    Outbox(path, "t1").open()
except OutboxError as error:
    assert "another gateway uses" in str(error), error
else:
    raise AssertionError("two opened it")
first.close()
again = Outbox(path, "t1")
again.open()
again.close()
print("done")
"""


def run_elsewhere(program: str, system: str, folder: Path) -> str:
    """Run a program as if on another system; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", program, system, str(folder)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.stdout.endswith("done\n"), done.stdout[-1000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_every_module_is_imported_and_every_command_explained(system: str, tmp_path: Path) -> None:
    printed = run_elsewhere(IMPORTS, system, tmp_path)
    assert "run the devices" in printed.lower()


@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_an_evening_with_a_board(system: str, tmp_path: Path) -> None:
    printed = run_elsewhere(EVENING, system, tmp_path)
    assert "Board: U at seat 2 (Bo)" in printed


def test_an_evening_with_a_board_needs_no_package_of_the_camera(tmp_path: Path) -> None:
    evening = EVENING.replace("import cv2, numpy, zeroconf", "import zeroconf")
    assert evening != EVENING
    run_elsewhere(WITHOUT_CAMERA + evening, "linux", tmp_path)


def test_two_gateways_do_not_share_an_outbox_there_either(tmp_path: Path) -> None:
    run_elsewhere(TWO_GATEWAYS, "win32", tmp_path)
